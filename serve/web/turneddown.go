package web

import (
	"fmt"
	"slices"
	"strings"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// turnedDown returns the skills for which the most people were turned down, the largest counts
// first. It returns none whose count is 0, "<5" or not published. message is a sentence for a page without such skills.
func turnedDown(rows []api.SkillsUnmetRow) (skills []api.SkillsUnmetRow, message string) {
	skills = slices.DeleteFunc(slices.Clone(rows), func(r api.SkillsUnmetRow) bool {
		n, ok := r.TurnedDown.Number()
		return !ok || n == 0
	})
	sortRows(skills, func(r api.SkillsUnmetRow) (int64, bool) { return r.TurnedDown.Number() })
	return skills, fewTurned(rows)
}

// turnedDownMost returns the rows with the largest published count of people turned down. Several
// rows can have it, because counts are rounded. rows are sorted by that count, the largest first.
func turnedDownMost(rows []api.SkillsUnmetRow) []api.SkillsUnmetRow {
	equal := func(r api.SkillsUnmetRow) bool {
		n, _ := r.TurnedDown.Number()
		most, _ := rows[0].TurnedDown.Number()
		return n == most
	}
	for i, r := range rows {
		if !equal(r) {
			return rows[:i]
		}
	}
	return rows
}

// untoldTurned returns a sentence on the skills whose count of people turned down is not published.
// It returns "" if every count is published.
func untoldTurned(rows []api.SkillsUnmetRow) string {
	unpublished := 0
	for _, r := range rows {
		if r.TurnedDown.Status() == figure.StatusNotPublished {
			unpublished++
		}
	}
	switch {
	case unpublished == 0:
		return ""
	case unpublished == len(rows):
		return "No count of people turned down is published here."
	}
	return fmt.Sprintf("For %d of %d skills no count is published.", unpublished, len(rows))
}

// fewTurned returns a sentence that explains why a page lists no counts of people turned down. For
// example, all counts are "<5".
func fewTurned(rows []api.SkillsUnmetRow) string {
	small, none := false, false
	for _, r := range rows {
		n, ok := r.TurnedDown.Number()
		small = small || r.TurnedDown.Status() == figure.StatusUnderFive
		none = none || ok && n == 0
	}
	switch {
	case small:
		return "Of every skill, fewer than 5 people were turned down for it here, or the count is not published."
	case none:
		return strings.TrimSpace("Every published count of people turned down for a skill here is 0. " + untoldTurned(rows))
	}
	return "No count of people turned down is published here."
}

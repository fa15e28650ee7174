package web

import (
	"slices"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// turnedDown returns the skills for which the most people were turned down, the largest counts
// first. It returns at most topSkills skills, and none whose count is 0, "<5" or not published.
// message is a sentence for a page without such skills.
func turnedDown(rows []api.SkillsUnmetRow) (skills []api.SkillsUnmetRow, message string) {
	skills = slices.DeleteFunc(slices.Clone(rows), func(r api.SkillsUnmetRow) bool {
		n, ok := r.TurnedDown.Number()
		return !ok || n == 0
	})
	sortRows(skills, func(r api.SkillsUnmetRow) (int64, bool) { return r.TurnedDown.Number() })
	return skills[:min(topSkills, len(skills))], fewTurned(rows)
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
		return "Nobody was turned down for a skill here, as far as counts are published."
	}
	return "No count of people turned down is published here."
}

package web

import (
	"slices"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// turnedDown returns the skills for which the most people were turned down, the largest counts
// first. It returns topSkills of them or fewer, and leaves out counts that are 0, "<5" or not
// published. message is a sentence that the page shows if there are no such skills.
func turnedDown(rows []api.SkillsUnmetRow) (skills []api.SkillsUnmetRow, message string) {
	skills = slices.DeleteFunc(slices.Clone(rows), func(r api.SkillsUnmetRow) bool {
		n, ok := r.TurnedDown.Number()
		return !ok || n == 0
	})
	sortRows(skills, func(r api.SkillsUnmetRow) (int64, bool) { return r.TurnedDown.Number() })
	return skills[:min(topSkills, len(skills))], fewTurned(rows)
}

// fewTurned returns a sentence for a list in which no count of people turned down is a number above
// 0. The sentence explains why.
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

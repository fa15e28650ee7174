package web

import (
	"slices"

	"labour/serve/api"
)

// hasScore reports whether a row has a score. Without published figures about people there is no
// score, and the skills that most adverts ask for come first.
func hasScore(r api.SkillsUnmetRow) bool { return r.Score.TenThousandths != nil }

// haveScores reports whether any row of a list has a score.
func haveScores(rows []api.SkillsUnmetRow) bool { return slices.ContainsFunc(rows, hasScore) }

// leadHeading returns the heading of a table column. The column has the first skill of each sector,
// and sectors has their rows. The heading is "Most unmet skill" if all rows have a score, and "Most
// asked-for skill" if none has.
func leadHeading(sectors []api.SkillsUnmetRow) string {
	without := func(r api.SkillsUnmetRow) bool { return !hasScore(r) }
	switch {
	case !haveScores(sectors):
		return "Most asked-for skill"
	case slices.ContainsFunc(sectors, without):
		return "Most unmet skill, or most asked-for one without figures about people"
	}
	return "Most unmet skill"
}

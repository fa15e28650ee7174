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

// isTiedForFirst reports whether the first two rows of a list show the same figure, so that no skill
// of the list is alone the most unmet, or the most asked-for without figures about people.
func isTiedForFirst(rows []api.SkillsUnmetRow) bool {
	if len(rows) < 2 {
		return false
	}
	if !hasScore(rows[0]) {
		return advertsShareFigure(rows[0]).text == advertsShareFigure(rows[1]).text
	}
	return shownAs("score", rows[0].Score).text == shownAs("score", rows[1].Score).text
}

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

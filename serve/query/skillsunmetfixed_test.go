package query

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"labour/serve/api"
	"labour/snapshots/snaptest"
)

// TestSkillsUnmetOfEachKind asks one question of each kind, in any form of the tests: every breakdown of
// every skill, and the list of every source, level and window. Each kind has an answer with rows.
func TestSkillsUnmetOfEachKind(t *testing.T) {
	const asOf = "2026-11-20"
	content := snaptest.DefaultContent(t, asOf)
	s, o := mountOnce(t, asOf, content), oracleOf(t, asOf, content)
	rows := map[string]int{}
	ask := func(kind string, q api.SkillsUnmetQuery) {
		q.Limit = 50
		if q.Window == 0 {
			q.Window = 12
		}
		want, sources := o.answer(q)
		sameRows(t, fmt.Sprintf("%+v", q), walk(t, s, q, sources), want)
		rows[kind] += len(want)
	}
	for _, skill := range s.Values(api.Skills) {
		for _, by := range []api.Breakdown{api.ByPlace, api.BySector, api.BySOC, api.ByLevel, api.ByMonth} {
			ask("by "+string(by), api.SkillsUnmetQuery{Skill: skill, By: by})
		}
	}
	for _, source := range slices.Sorted(maps.Keys(s.sources)) {
		ask("source", api.SkillsUnmetQuery{Source: source})
		ask("source of a skill by month", api.SkillsUnmetQuery{Source: source, Skill: s.Values(api.Skills)[0],
			By: api.ByMonth})
	}
	for level := range 6 {
		ask("level", api.SkillsUnmetQuery{Level: level})
	}
	for _, window := range []int{3, 6, 12, 24} {
		ask("window", api.SkillsUnmetQuery{Window: window})
	}
	for kind, n := range rows {
		if n == 0 {
			t.Errorf("%s: no question has an answer", kind)
		}
	}
}

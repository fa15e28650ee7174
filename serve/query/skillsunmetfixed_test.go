package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
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

// A breakdown by place has no row of a place where no advert asks for the skill. With Zeros it has one
// with 0, unless too few adverts match there.
func TestZerosOfABreakdownByPlace(t *testing.T) {
	const asOf = "2026-11-20"
	c := snaptest.DefaultContent(t, asOf)
	c.Adverts = slices.DeleteFunc(c.Adverts,
		func(r snapshots.AdvertsRow) bool { return r.Skill == "sql" && r.Place == "islington" })
	c.AdvertsTotal = slices.DeleteFunc(c.AdvertsTotal,
		func(r snapshots.AdvertsTotalRow) bool { return r.Place == "westminster" })
	s := mountOnce(t, asOf, c)
	for zeros, want := range map[bool]string{false: "camden central-london", true: "camden central-london islington 0"} {
		page, err := s.SkillsUnmet(t.Context(), api.SkillsUnmetQuery{Skill: "sql", By: api.ByPlace, Window: 12, Limit: 9,
			Zeros: zeros})
		var got []string
		for _, r := range page.Rows {
			place := *r.Bucket
			if r.AdvertsShare.Tenths == 0 && r.AdvertsSample.Requiring == 0 && r.AdvertsSample.Adverts >= 5 {
				place += " 0"
			}
			got = append(got, place)
		}
		slices.Sort(got)
		if text := strings.Join(got, " "); err != nil || text != want {
			t.Errorf("with zeros %t: %s, %v; want %s", zeros, text, err, want)
		}
	}
}

// TestGroupsOfOccupationsAreNoBuckets: where adverts have only groups of two digits, no unit group has
// enough adverts for a row of a breakdown by occupation.
func TestGroupsOfOccupationsAreNoBuckets(t *testing.T) {
	const asOf = "2026-11-20"
	for digits, isEmpty := range map[int]bool{4: false, 2: true} {
		c := snaptest.DefaultContent(t, asOf)
		for i := range c.Adverts {
			c.Adverts[i].SOC = c.Adverts[i].SOC[:min(digits, len(c.Adverts[i].SOC))]
		}
		for i := range c.AdvertsTotal {
			c.AdvertsTotal[i].SOC = c.AdvertsTotal[i].SOC[:min(digits, len(c.AdvertsTotal[i].SOC))]
		}
		page, err := mountOnce(t, asOf, c).SkillsUnmet(t.Context(),
			api.SkillsUnmetQuery{Skill: "sql", By: api.BySOC, Window: 12, Limit: 9})
		if err != nil || (len(page.Rows) == 0) != isEmpty || page.TooFewAdverts != isEmpty {
			t.Errorf("%d digits: %d rows, too few adverts: %t, %v", digits, len(page.Rows), page.TooFewAdverts, err)
		}
	}
}

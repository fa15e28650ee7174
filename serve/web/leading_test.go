package web

import (
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestNoSkillLeadsAloneInATie: two skills that show the same score, or without scores the same share of
// adverts, are the first together.
func TestNoSkillLeadsAloneInATie(t *testing.T) {
	row := func(asking, score int64) api.SkillsUnmetRow {
		r := askedOf(asking, 1000)
		r.AdvertsShare = api.Share{Tenths: figure.Tenths(asking)}
		if score >= 0 {
			r.Score.TenThousandths = &score
		}
		return r
	}
	for _, c := range []struct {
		rows []api.SkillsUnmetRow
		want bool
	}{
		{nil, false},
		{[]api.SkillsUnmetRow{row(400, 300_000)}, false},
		{[]api.SkillsUnmetRow{row(400, 300_000), row(500, 300_000), row(400, 100_000)}, true},
		{[]api.SkillsUnmetRow{row(400, 300_000), row(400, 200_000)}, false},
		{[]api.SkillsUnmetRow{row(400, -1), row(400, -1)}, true},
		{[]api.SkillsUnmetRow{row(400, -1), row(300, -1)}, false},
		{[]api.SkillsUnmetRow{row(400, 300_000), row(400, -1)}, false},
	} {
		if got := isTiedForFirst(c.rows); got != c.want {
			t.Errorf("%+v: tied is %t", c.rows, got)
		}
	}
}

// TestTiesAreSaid on the pages of a place and of an occupation, and on the brief.
func TestTiesAreSaid(t *testing.T) {
	for second, want := range map[int64]bool{40: true, 30: false} {
		s := recorded(planSnapshot())
		s.unmet = func(q api.SkillsUnmetQuery) []api.SkillsUnmetRow {
			if q.By != "" {
				return nil
			}
			return []api.SkillsUnmetRow{askedOf(40, 100), askedOf(second, 100)}
		}
		var place placeView
		placeSkills(visit(s, "/places/camden"), filter{Window: 12}, &place)
		var occupation occupationView
		occupationSkills(visit(s, "/occupations/6135"), filter{Window: 12}, &occupation)
		v := visit(s, "/places/camden/brief")
		v.SetPathValue("place", "camden")
		brief := (&Site{}).brief(v).data.(briefView)
		if place.Tied != want || occupation.Tied != want || brief.Tied != want {
			t.Errorf("40 and %d: tied are %t, %t, %t", second, place.Tied, occupation.Tied, brief.Tied)
		}
	}
}

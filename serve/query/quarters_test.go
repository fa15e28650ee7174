package query

import (
	"context"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/snapshots/periods"
	"labour/snapshots/snaptest"
)

// quarters counts each quarter whose first month is among the last 24 as if there were no other adverts.
func (o oracle) quarters(q api.SkillsUnmetQuery) (quarters []api.Quarter) {
	q.By, q.Window = "", 24
	latest := periods.QuarterStart(o.asOf)
	for from := latest.AddDate(0, -21, 0); !from.After(latest); from = from.AddDate(0, 3, 0) {
		only := oracle{asOf: o.asOf}
		for _, r := range o.AdvertsTotal {
			if periods.QuarterStart(r.Month).Equal(from) {
				only.AdvertsTotal = append(only.AdvertsTotal, r)
			}
		}
		for _, r := range o.Adverts {
			if periods.QuarterStart(r.Month).Equal(from) && (q.Skill == "" || r.Skill == q.Skill) {
				only.Adverts = append(only.Adverts, r)
			}
		}
		shown := only.totals(q)[""]
		if shown == nil {
			continue
		}
		quarter := api.Quarter{From: from, Adverts: shown.adverts, AdvertsBySkill: map[string]int64{}}
		for k, n := range only.asked(q, nil) {
			quarter.AdvertsBySkill[k.skill] = n
		}
		quarters = append(quarters, quarter)
	}
	return quarters
}

// A quarter is decided and counted as a whole, under every filter.
func TestQuartersAgainstOracle(t *testing.T) {
	const asOf = "2026-11-20"
	snaptest.LimitRapidDraws(t, "20")
	content := snaptest.DefaultContent(t, asOf)
	s, o := mountOnce(t, asOf, content), oracleOf(t, asOf, content)
	answered := 0
	rapid.Check(t, func(t *rapid.T) {
		q := questionOf(t, s)
		want := o.quarters(q)
		got, err := s.SkillsUnmetByQuarter(context.Background(), q)
		if diff := gocmp.Diff(want, got.Rows); diff != "" || err != nil {
			t.Fatalf("%+v: (-want +got)\n%s%v", q, diff, err)
		}
		if (len(got.Rows) > 0) != (len(got.Sources) > 0) {
			t.Fatalf("%+v has %d quarters and %d sources", q, len(got.Rows), len(got.Sources))
		}
		answered += len(want)
	})
	if answered == 0 {
		t.Error("no question had an answer")
	}
}

package query

import (
	"context"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/snapshots/snaptest"
)

// quarters adds the months up that a breakdown by month has, for each skill.
func (o oracle) quarters(q api.SkillsUnmetQuery, skills []string) []api.Quarter {
	q.By, q.Window, q.After = api.ByMonth, 24, nil
	if q.Skill != "" {
		skills = []string{q.Skill}
	}
	found := map[time.Time]*api.Quarter{}
	months := map[string]bool{}
	for _, q.Skill = range skills {
		rows, _ := o.answer(q)
		for _, r := range rows {
			month, _ := time.Parse("2006-01", *r.Bucket)
			from := api.QuarterOf(month)
			if found[from] == nil {
				found[from] = &api.Quarter{From: from, Asking: map[string]int64{}}
			}
			if !months[*r.Bucket] {
				months[*r.Bucket] = true
				found[from].Adverts += r.Asked.Adverts
			}
			if r.Asked.Asking > 0 {
				found[from].Asking[q.Skill] += r.Asked.Asking
			}
		}
	}
	var quarters []api.Quarter
	for _, quarter := range found {
		quarters = append(quarters, *quarter)
	}
	slices.SortFunc(quarters, func(a, b api.Quarter) int { return a.From.Compare(b.From) })
	return quarters
}

// A quarter is the sum of its months that are shown, under every filter.
func TestQuartersAgainstOracle(t *testing.T) {
	const asOf = "2026-11-20"
	snaptest.FewerDraws(t, "20")
	content := snaptest.Default(t, asOf)
	s, o := mountOnce(t, asOf, content), oracleOf(t, asOf, content)
	answered := 0
	rapid.Check(t, func(t *rapid.T) {
		q := questionOf(t, s)
		want := o.quarters(q, s.Values(api.Skills))
		got, err := s.Quarters(context.Background(), q)
		if diff := gocmp.Diff(want, got.Rows); diff != "" || err != nil {
			t.Fatalf("%+v: (-want +got)\n%s%v", q, diff, err)
		}
		if len(got.Rows) > 0 && len(got.Sources) == 0 {
			t.Fatalf("%+v has no source", q)
		}
		answered += len(want)
	})
	if answered == 0 {
		t.Error("no question had an answer")
	}
}

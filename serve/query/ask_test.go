package query

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
)

// Queries that do not exist are errors that tell what is missing.
func TestQueriesThatDoNotExist(t *testing.T) {
	s := &Snapshot{parts: map[string]*part{platform: {statements: map[queryName]statement{
		"platform/jobs": {parameters: []string{"limit"}}}}}}
	for q, want := range map[queryName]string{
		"figures/lists":  "query figures/lists: the snapshot has no part figures",
		"platform/other": "query platform/other: no such query",
		"platform/jobs":  "query platform/jobs: no argument limit",
	} {
		err := s.run(t.Context(), q, map[string]any{"skip": 1}, func(*sql.Rows) error { return nil })
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got, want := parametersOf("a = $one AND b = $two OR $one > 1"), []string{"one", "two"}; !slices.Equal(got, want) {
		t.Errorf("the parameters are %q, want %q", got, want)
	}
}

func TestColumnsOfJSON(t *testing.T) {
	list := []string{"old"}
	for _, c := range []struct {
		column any
		want   []string
		err    string
	}{{`["a","b"]`, []string{"a", "b"}, ""}, {nil, nil, ""}, {5, nil, "int is no JSON"},
		{"[", nil, "unexpected end of JSON input"}} {
		err := fromJSON{&list}.Scan(c.column)
		if c.err == "" && (err != nil || !slices.Equal(list, c.want) || (list == nil) != (c.want == nil)) ||
			c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%v is %q, %v", c.column, list, err)
		}
	}
}

func TestNumbersStandForValues(t *testing.T) {
	s := &Snapshot{}
	s.values = map[api.Vocabulary][]string{api.Places: {"brent", "camden"}}
	s.namedValues = map[api.Vocabulary][]api.Named{api.Places: {{Value: "brent", Name: "Brent"}, {Value: "camden",
		Name: "Camden"}}}
	for number, want := range []string{"", "brent", "camden"} {
		if got := s.valueOf(api.Places, number); got != want {
			t.Errorf("%d stands for %q, want %q", number, got, want)
		}
	}
	for value, want := range map[string]string{"brent": "Brent", "camden": "Camden", "barnet": "barnet", "zoo": "zoo"} {
		if got := s.nameOf(api.Places, value); got != want {
			t.Errorf("%s is called %q, want %q", value, got, want)
		}
	}
	for below, want := range map[figure.Tenths]int64{notPublished: notPublished, 0: 0, 453: 120 * 453} {
		r := rankedRow{share: 120, belowShare: below}
		if got := r.score(); got != want {
			t.Errorf("the score with %d is %d, want %d", below, got, want)
		}
	}
}

// By sector each sector has its first skill, as many as asked for, or the one sector of the filter.
func TestTheFirstSkillOfEachSector(t *testing.T) {
	s := mountOnce(t, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	ask := func(q api.SkillsUnmetQuery) (sectors []string, more bool) {
		q.Window, q.By = 24, api.BySector
		page, err := s.SkillsUnmet(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Rows {
			sectors = append(sectors, *r.Bucket)
			if r.Rank != 1 {
				t.Errorf("%s has the skill of rank %d", *r.Bucket, r.Rank)
			}
		}
		return sectors, page.More
	}
	all, more := ask(api.SkillsUnmetQuery{Limit: 200})
	if len(all) < 2 || more || !slices.IsSorted(all) {
		t.Fatalf("%q, more: %v", all, more)
	}
	for _, c := range []struct {
		q    api.SkillsUnmetQuery
		want []string
		more bool
	}{
		{api.SkillsUnmetQuery{Limit: len(all)}, all, false}, {api.SkillsUnmetQuery{Limit: 1}, all[:1], true},
		{api.SkillsUnmetQuery{Limit: 200, Sector: all[1]}, all[1:2], false},
		{api.SkillsUnmetQuery{Limit: 200, Sector: "none"}, nil, false},
	} {
		if got, more := ask(c.q); !slices.Equal(got, c.want) || more != c.more {
			t.Errorf("%+v: %q, more: %v, want %q, more: %v", c.q, got, more, c.want, c.more)
		}
	}
}

// Adverts of one quarter are one row.
func TestOneQuarterIsARow(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	start := time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC)
	c.Adverts = slices.DeleteFunc(c.Adverts, func(r snapshots.AdvertsRow) bool { return r.Month.Before(start) })
	c.AdvertsTotal = slices.DeleteFunc(c.AdvertsTotal,
		func(r snapshots.AdvertsTotalRow) bool { return r.Month.Before(start) })
	s := mountOnce(t, "2026-11-20", c)
	page, err := s.SkillsUnmetByQuarter(context.Background(), api.SkillsUnmetQuery{})
	if err != nil || len(page.Rows) != 1 || !page.Rows[0].From.Equal(start) || page.Rows[0].Adverts == 0 ||
		len(page.Rows[0].AdvertsBySkill) == 0 || len(page.Sources) == 0 {
		t.Errorf("%+v, %v, want the quarter from %s", page, err, start)
	}
}

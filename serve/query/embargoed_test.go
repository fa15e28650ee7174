package query

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// answerSummary holds, for the answer to one query, the number of its rows, the keys of their sources,
// whether more rows follow, and the position of the last row.
type answerSummary struct {
	rows int
	keys []string
	more bool
	last int64
}

// summaryOf returns a function that runs a query on one embargoed dataset.
func summaryOf[R any](ask func(context.Context, api.EmbargoedQuery) (api.Page[R], error)) func(
	api.EmbargoedQuery) (answerSummary, error) {
	return func(q api.EmbargoedQuery) (answerSummary, error) {
		page, err := ask(context.Background(), q)
		a := answerSummary{rows: len(page.Rows), more: page.More}
		for _, s := range page.Sources {
			a.keys = append(a.keys, s.Key)
		}
		if a.rows > 0 {
			position := reflect.ValueOf(page.Rows[a.rows-1]).FieldByName("At").Interface().(api.EmbargoedPosition)
			a.last = position.Position
		}
		return a, err
	}
}

func TestOpenEmbargoedDatasets(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.OpenEmbargoed = []string{"demand", "trends", "outlook", "reach", "signals", "priorities"}
	england := c.Embargoed.Outlook[0]
	england.RegionCode = "E92000001"
	c.Embargoed.Outlook = append(c.Embargoed.Outlook, england)
	s := mountOnce(t, publishedAsOf, c)
	limit := func(q api.EmbargoedQuery) api.EmbargoedQuery { q.Limit = 50; return q }
	for name, f := range map[string]struct {
		ask  func(api.EmbargoedQuery) (answerSummary, error)
		q    api.EmbargoedQuery
		rows int
	}{
		"demand":                     {summaryOf(s.Demand), api.EmbargoedQuery{}, 6},
		"demand of an occupation":    {summaryOf(s.Demand), api.EmbargoedQuery{SOC: "61"}, 3},
		"trends":                     {summaryOf(s.Trends), api.EmbargoedQuery{Digits: 4}, 2},
		"trends of a direction":      {summaryOf(s.Trends), api.EmbargoedQuery{Direction: "growing"}, 1},
		"trends of an occupation":    {summaryOf(s.Trends), api.EmbargoedQuery{SOC: "21"}, 1},
		"trends of other digits":     {summaryOf(s.Trends), api.EmbargoedQuery{Digits: 2}, 0},
		"outlook":                    {summaryOf(s.Outlook), api.EmbargoedQuery{Country: "GB"}, 3},
		"outlook of the kingdom":     {summaryOf(s.Outlook), api.EmbargoedQuery{Country: "GB", Region: "K02000001"}, 2},
		"outlook of a nation":        {summaryOf(s.Outlook), api.EmbargoedQuery{Country: "GB", Region: "E92000001"}, 1},
		"outlook of a horizon":       {summaryOf(s.Outlook), api.EmbargoedQuery{Country: "GB", Months: 60, SOC: "2"}, 1},
		"outlook of another country": {summaryOf(s.Outlook), api.EmbargoedQuery{Country: "US"}, 0},
		"reach":                      {summaryOf(s.VacanciesNearWards), api.EmbargoedQuery{Ward: "E05000128"}, 2},
		"reach of a council": {summaryOf(s.VacanciesNearWards),
			api.EmbargoedQuery{Council: "E09000007", WithinKM: 10}, 1},
		"signals":                     {summaryOf(s.NewsSignals), api.EmbargoedQuery{Topic: "vacancies"}, 1},
		"signals of a part of a word": {summaryOf(s.NewsSignals), api.EmbargoedQuery{Topic: "vac"}, 0},
		"priorities": {summaryOf(s.PlanPriorities),
			api.EmbargoedQuery{Region: "E69000039", Kind: "occupation"}, 1},
	} {
		a, err := f.ask(limit(f.q))
		if err != nil || a.rows != f.rows || a.more || (a.rows > 0) != (len(a.keys) > 0) {
			t.Errorf("%s: %+v, %v; want %d rows", name, a, err, f.rows)
		}
	}
	page, err := s.Demand(context.Background(), limit(api.EmbargoedQuery{}))
	if err != nil {
		t.Fatal(err)
	}
	if first := page.Rows[0]; !first.Day.Time().Equal(s.AsOf()) || first.SOC != "2134" || first.Vacancies != 40 ||
		len(page.Sources) != 2 {
		t.Errorf("%+v of %d sources", first, len(page.Sources))
	}
	trends, err := s.Trends(context.Background(), limit(api.EmbargoedQuery{}))
	if err != nil || *trends.Rows[0].ChangePct.Tenths != 1000 {
		t.Errorf("%+v, %v", trends.Rows, err)
	}
	outlook, err := s.Outlook(context.Background(), limit(api.EmbargoedQuery{Country: "GB"}))
	if err != nil || len(outlook.Rows) == 0 {
		t.Fatalf("%+v, %v", outlook.Rows, err)
	}
	first := outlook.Rows[0]
	if *first.ProjectedChangePct.Tenths != 15 || *first.LowChangePct.Tenths != 10 || *first.HighChangePct.Tenths != 20 {
		t.Errorf("%+v, want 1.5, 1.0 and 2.0 per cent", first)
	}
}

// TestTrendsOfDetailComeFirst: the most detailed groups come first, however the file has them.
func TestTrendsOfDetailComeFirst(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.OpenEmbargoed = []string{"trends"}
	wide := c.Embargoed.Trends[0]
	wide.Digits, wide.SOC = 2, wide.SOC[:2]
	c.Embargoed.Trends = append([]snapshots.TrendsRow{wide}, c.Embargoed.Trends...)
	page, err := mountOnce(t, publishedAsOf, c).Trends(t.Context(), api.EmbargoedQuery{Limit: 50})
	if err != nil || len(page.Rows) != len(c.Embargoed.Trends) {
		t.Fatalf("%+v, %v", page.Rows, err)
	}
	if last := page.Rows[len(page.Rows)-1]; last.SOC != wide.SOC {
		t.Errorf("%s is last, not %s", last.SOC, wide.SOC)
	}
}

// A walk through pages gives every row once, in order.
func TestEmbargoedPages(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.OpenEmbargoed = []string{"demand"}
	s := mountOnce(t, publishedAsOf, c)
	q, at := api.EmbargoedQuery{Limit: 4}, int64(0)
	for _, want := range []struct {
		rows int
		more bool
		last int64
	}{{4, true, 4}, {2, false, 6}} {
		a, err := summaryOf(s.Demand)(q)
		if err != nil || a.rows != want.rows || a.more != want.more || a.last != want.last {
			t.Errorf("after %d: %+v, %v", at, a, err)
		}
		at = a.last
		q.After = &api.EmbargoedPosition{Position: a.last}
	}
}

// "the server never loads them": of a closed dataset there is no table to ask.
func TestClosedEmbargoedDatasetsAreNeverLoaded(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.OpenEmbargoed = []string{"reach"}
	s := mountOnce(t, publishedAsOf, c)
	if !s.IsReleased("reach") || s.IsReleased("demand") || s.IsReleased("wages") {
		t.Error("what is open is not what the manifest says")
	}
	if _, err := summaryOf(s.Demand)(api.EmbargoedQuery{Limit: 1}); !errors.Is(err, api.ErrSnapshotGone) {
		t.Errorf("a closed dataset: %v", err)
	}
	var tables []string
	for _, p := range s.parts {
		err := p.tables(func(name string) {
			if strings.HasPrefix(name, "embargoed_") {
				tables = append(tables, name)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(tables) != 1 || tables[0] != "embargoed_reach" {
		t.Errorf("loaded are %v", tables)
	}
}

// tables calls f with the name of each table of a part.
func (p *part) tables(f func(string)) error {
	rows, err := p.db.Query("SELECT table_name FROM information_schema.tables")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		f(name)
	}
	return rows.Err()
}

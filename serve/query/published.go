package query

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// collect runs a question and gathers its rows and the sources of exactly those.
// A paged question is asked for one row more than limit, to see whether any
// follow; with limit 0 every row is taken.
func collect[R any](ctx context.Context, s *Snapshot, q question, arguments map[string]any, limit int,
	scan func(*sql.Rows) (row R, sourceKeys []string, err error)) (api.Page[R], error) {
	var page api.Page[R]
	used := make(map[string]bool)
	err := s.ask(ctx, q, arguments, func(rows *sql.Rows) error {
		if limit > 0 && len(page.Rows) == limit {
			page.More = true
			return nil
		}
		row, keys, err := scan(rows)
		for _, k := range keys {
			used[k] = true
		}
		page.Rows = append(page.Rows, row)
		return err
	})
	if err != nil {
		return api.Page[R]{}, err
	}
	page.Sources = s.entries(used)
	return page, nil
}

// scanRow reads the columns of a question into the fields of a row, in their order, and
// returns the keys of the sources that the row names.
func scanRow[R any](rows *sql.Rows) (row R, sources []string, err error) {
	v := reflect.ValueOf(&row).Elem()
	if err = scan(rows, fieldsOf(v)...); err != nil {
		return row, nil, err
	}
	for i := range v.NumField() {
		switch f := v.Field(i); v.Type().Field(i).Name {
		case "SourceKey":
			sources = append(sources, f.String())
		case "SourceKeys", "PointingSources":
			sources = append(sources, f.Interface().(api.Keys)...)
		}
	}
	return row, sources, nil
}

// fieldsOf lists the fields of a row, and those of a field of several columns in its place.
// A list is a column of JSON.
func fieldsOf(v reflect.Value) (fields []any) {
	for i := range v.NumField() {
		to := v.Field(i).Addr().Interface()
		_, scans := to.(sql.Scanner)
		_, count := to.(*api.Count)
		switch kind := v.Field(i).Kind(); {
		case kind == reflect.Struct && !scans && !count:
			fields = append(fields, fieldsOf(v.Field(i))...)
		case kind == reflect.Slice && !scans:
			fields = append(fields, fromJSON{to})
		default:
			fields = append(fields, to)
		}
	}
	return fields
}

// fromJSON reads a column of JSON into what it points to.
type fromJSON struct{ to any }

// Scan implements sql.Scanner.
func (j fromJSON) Scan(column any) error {
	text, ok := column.(string)
	if !ok {
		return fmt.Errorf("%T is no JSON", column)
	}
	return json.Unmarshal([]byte(text), j.to)
}

// scan reads the columns of a row. A count has two: its number, and its status, without
// which there is no figure.
func scan(rows *sql.Rows, to ...any) error {
	type printed struct {
		number *int64
		status sql.Null[figure.Status]
	}
	columns, counts := []any{}, map[*api.Count]*printed{}
	for _, one := range to {
		if count, ok := one.(*api.Count); ok {
			counts[count] = &printed{}
			columns = append(columns, &counts[count].number, &counts[count].status)
		} else {
			columns = append(columns, one)
		}
	}
	err := rows.Scan(columns...)
	for count, p := range counts {
		if err == nil {
			count.Count, err = figure.Parse(p.number, p.status.V)
		}
	}
	return err
}

// CourseDemand is what people are training for, in the contract's order.
func (s *Snapshot) CourseDemand(ctx context.Context, q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
	return collect(ctx, s, courseDemand, map[string]any{
		"country": q.Country, "region": q.Region, "metric": q.Metric, "subject_area": q.SubjectArea, "limit": q.Limit + 1,
	}, q.Limit, scanRow[api.CourseDemandRow])
}

// SkillsGaps are the forecast gaps of a country or region. Sources has the source
// of each projection and those that sources_agreeing counts.
func (s *Snapshot) SkillsGaps(ctx context.Context, q api.SkillsGapsQuery) (api.Page[api.SkillsGapsRow], error) {
	return collect(ctx, s, skillsGaps, map[string]any{
		"country": q.Country, "region": q.Region, "soc": q.SOC, "horizon": q.Horizon, "limit": q.Limit + 1,
	}, q.Limit, scanRow[api.SkillsGapsRow])
}

// Evidence is the published evidence, newest first, page by page.
func (s *Snapshot) Evidence(ctx context.Context, q api.EvidenceQuery) (api.Page[api.EvidenceRow], error) {
	arguments := map[string]any{"country": q.Country, "region": q.Region, "soc": q.SOC, "kind": q.Kind,
		"after_on": nil, "after_id": "", "limit": q.Limit + 1}
	if q.After != nil {
		arguments["after_on"], arguments["after_id"] = q.After.PublishedOn.UTC(), q.After.ID
	}
	return collect(ctx, s, evidence, arguments, q.Limit, scanRow[api.EvidenceRow])
}

// Sources lists every receivable source. Whether one is stale depends on the time
// of the call: SourcesRow.StaleAt.
func (s *Snapshot) Sources(ctx context.Context, _ api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	return collect(ctx, s, allSources, nil, 0, scanRow[api.SourcesRow])
}

// Regions lists the regions of one kind, all or by name.
func (s *Snapshot) Regions(ctx context.Context, q api.RegionsQuery) (api.Page[api.RegionsRow], error) {
	arguments := map[string]any{"kind": q.Kind, "limit": q.Limit + 1}
	setWords(arguments, q.Name)
	return collect(ctx, s, allRegions, arguments, q.Limit, scanRow[api.RegionsRow])
}

// setWords sets the words that are searched. More than one are looked for only where the
// first one is.
func setWords(arguments map[string]any, text string) {
	arguments["word"], arguments["more_words"] = "", ""
	if asked := prefixsearch.SearchOf(text); len(asked) > 0 {
		arguments["word"], arguments["more_words"] = asked[0], strings.TrimPrefix(strings.Join(asked[1:], ""), " ")
	}
}

// answered lists the embargoed datasets that the manifest says are open. No other is ever
// loaded: "the server never loads them […] until the operator records that the
// condition is met".
func answered(m snapshots.Manifest) []string {
	var names []string
	for _, h := range snapshots.HeldDatasets() {
		if m.HeldNamed(h.Name).Answered() {
			names = append(names, h.Name)
		}
	}
	return names
}

// IsOpen says whether an embargoed dataset is answered from this snapshot.
func (s *Snapshot) IsOpen(dataset string) bool { return s.manifest.HeldNamed(dataset).Answered() }

// heldPage asks one embargoed dataset.
func heldPage[R any](ctx context.Context, s *Snapshot, dataset string, q api.HeldQuery) (api.Page[R], error) {
	if !s.IsOpen(dataset) {
		return api.Page[R]{}, fmt.Errorf("held dataset %s is not open: %w", dataset, api.ErrSnapshotGone)
	}
	arguments := map[string]any{"soc": q.SOC, "digits": q.Digits, "direction": q.Direction, "country": q.Country, "region": q.Region, "months": q.Months,
		"ward": q.Ward, "council": q.Council, "within_km": q.WithinKM, "topic": q.Topic, "kind": q.Kind, "after": int64(0), "limit": q.Limit + 1}
	if q.After != nil {
		arguments["after"] = q.After.Position
	}
	return collect(ctx, s, question(held+"/"+dataset), arguments, q.Limit, scanRow[R])
}

// Demand is live vacancies per day and occupation, the newest day first.
func (s *Snapshot) Demand(ctx context.Context, q api.HeldQuery) (api.Page[api.DemandRow], error) {
	return heldPage[api.DemandRow](ctx, s, "demand", q)
}

// Trends are the occupations growing and shrinking, the most detailed groups first.
func (s *Snapshot) Trends(ctx context.Context, q api.HeldQuery) (api.Page[api.TrendsRow], error) {
	return heldPage[api.TrendsRow](ctx, s, "trends", q)
}

// Outlook is the blended projections, by occupation and horizon.
func (s *Snapshot) Outlook(ctx context.Context, q api.HeldQuery) (api.Page[api.OutlookRow], error) {
	return heldPage[api.OutlookRow](ctx, s, "outlook", q)
}

// Reach is live work reachable from wards, the shortest distance first.
func (s *Snapshot) Reach(ctx context.Context, q api.HeldQuery) (api.Page[api.ReachRow], error) {
	return heldPage[api.ReachRow](ctx, s, "reach", q)
}

// Signals are the summaries of news, newest first.
func (s *Snapshot) Signals(ctx context.Context, q api.HeldQuery) (api.Page[api.SignalsRow], error) {
	return heldPage[api.SignalsRow](ctx, s, "signals", q)
}

// Priorities are what plans list as in demand, by area and plan.
func (s *Snapshot) Priorities(ctx context.Context, q api.HeldQuery) (api.Page[api.PrioritiesRow], error) {
	return heldPage[api.PrioritiesRow](ctx, s, "priorities", q)
}

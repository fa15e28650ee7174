package serve

import (
	"context"
	"fmt"

	"labour/serve/api"
)

// The embargoed datasets of the fake have three rows each; none is open unless a test
// says so.

func (s *fakeSnapshot) IsReleased(dataset string) bool { return s.open[dataset] }

// embargoedRows makes three rows and pages them by position.
func embargoedRows[R any](s *fakeSnapshot, ctx context.Context, name string, q api.EmbargoedQuery,
	row func(i int, at api.EmbargoedPosition) R, key string) (api.Page[R], error) {
	if !s.open[name] {
		return api.Page[R]{}, fmt.Errorf("asked of %s, which is closed", name)
	}
	var rows []R
	for i := range 3 {
		if q.After == nil || int64(i+1) > q.After.Position {
			rows = append(rows, row(i, api.EmbargoedPosition{Position: int64(i + 1)}))
		}
	}
	return page(rows, q.Limit, func(R) string { return key }), s.note(ctx, q)
}

func (s *fakeSnapshot) Demand(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.DemandRow], error) {
	return embargoedRows(s, ctx, "demand", q, func(i int, at api.EmbargoedPosition) api.DemandRow {
		return api.DemandRow{At: at, Day: api.DateOf(day("2026-11-20").AddDate(0, 0, -i)), SOC: "2134",
			Occupation: "Programmers", Vacancies: 40, SourceKeys: api.Keys{"platform"}}
	}, "platform")
}

func (s *fakeSnapshot) Trends(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.TrendsRow], error) {
	return embargoedRows(s, ctx, "trends", q, func(i int, at api.EmbargoedPosition) api.TrendsRow {
		return api.TrendsRow{At: at, Digits: 4, Direction: "shrinking", Rank: i + 1, SOC: "2134",
			Occupation: "Programmers", Vacancies: 30, PreviousVacancies: 60,
			ChangePct: percent(-500), WindowFrom: api.DateOf(day("2026-08-22")),
			WindowTo: api.DateOf(day("2026-11-20")), PreviousFrom: api.DateOf(day("2025-08-23")),
			PreviousTo: api.DateOf(day("2025-11-21")), SourceKeys: api.Keys{"platform"}}
	}, "platform")
}

func (s *fakeSnapshot) Outlook(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.OutlookRow], error) {
	return embargoedRows(s, ctx, "outlook", q, func(i int, at api.EmbargoedPosition) api.OutlookRow {
		return api.OutlookRow{At: at, SOC: "21", Occupation: "Professionals", Classification: "SOC2020", Country: "GB",
			RegionCode:    []*string{nil, ptr("E12000007"), nil}[i],
			HorizonMonths: 6, Signal: "gap", SourcesGap: 1, ProjectedChangePct: percent(15), LowChangePct: percent(10),
			HighChangePct: percent(20), SourceKeys: api.Keys{"skills_england"}}
	}, "skills_england")
}

func (s *fakeSnapshot) VacanciesNearWards(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.ReachRow], error) {
	return embargoedRows(s, ctx, "reach", q, func(i int, at api.EmbargoedPosition) api.ReachRow {
		return api.ReachRow{At: at, WardCode: "E05000128", WardName: "Belsize", CouncilCode: "E09000007",
			WithinKM: []int{5, 10, 20}[i], Vacancies: 50, PlacedByCouncil: 20, SourceKeys: api.Keys{"platform"}}
	}, "platform")
}

func (s *fakeSnapshot) NewsSignals(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.SignalsRow], error) {
	return embargoedRows(s, ctx, "signals", q, func(i int, at api.EmbargoedPosition) api.SignalsRow {
		return api.SignalsRow{At: at, ID: fmt.Sprintf("news_office:%d", 9-i),
			PublishedOn: api.DateOf(day("2026-11-12")), Topics: api.Keys{"pay", "vacancies"},
			Summary:   "An office published on pay and vacancies.",
			SourceKey: "skills_england", Licence: "Open Government Licence v3.0", Link: "https://example.com/news"}
	}, "skills_england")
}

func (s *fakeSnapshot) PlanPriorities(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.PrioritiesRow], error) {
	return embargoedRows(s, ctx, "priorities", q, func(i int, at api.EmbargoedPosition) api.PrioritiesRow {
		return api.PrioritiesRow{At: at, RegionCode: "E69000011", Plan: "local_london", Kind: "sector", Code: "digital",
			Name: "Digital", Summary: "A plan lists digital.", Page: []*string{nil, ptr("4"), ptr("9")}[i],
			PublishedOn: api.DateOf(day("2025-08-01")), SourceKey: "skills_england",
			Licence: "Open Government Licence v3.0", Link: "https://example.com/plan"}
	}, "skills_england")
}

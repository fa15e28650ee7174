package serve

import (
	"context"
	"fmt"

	"labour/serve/labourdata"
	"labour/snapshots"
)

// The held datasets of the fake have three rows each; none is open unless a test says
// so.

func (s *fakeSnapshot) IsOpen(dataset string) bool { return s.open[dataset] }

// heldRows makes three rows and pages them by position.
func heldRows[R any](s *fakeSnapshot, ctx context.Context, name string, q labourdata.HeldQuery, row func(i int) R, key string) (labourdata.Page[labourdata.HeldRow[R]], error) {
	if !s.open[name] {
		return labourdata.Page[labourdata.HeldRow[R]]{}, fmt.Errorf("asked of %s, which is closed", name)
	}
	var rows []labourdata.HeldRow[R]
	for i := range 3 {
		if q.After == nil || int64(i+1) > q.After.Position {
			rows = append(rows, labourdata.HeldRow[R]{Position: int64(i + 1), Row: row(i)})
		}
	}
	return page(rows, q.Limit, func(labourdata.HeldRow[R]) string { return key }), s.note(ctx, q)
}

func (s *fakeSnapshot) Demand(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.DemandRow]], error) {
	return heldRows(s, ctx, "demand", q, func(i int) snapshots.DemandRow {
		return snapshots.DemandRow{Day: day("2026-11-20").AddDate(0, 0, -i), SOC: "2134", Occupation: "Programmers", Vacancies: 40, SourceKeys: "platform"}
	}, "platform")
}

func (s *fakeSnapshot) Trends(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.TrendsRow]], error) {
	return heldRows(s, ctx, "trends", q, func(i int) snapshots.TrendsRow {
		return snapshots.TrendsRow{Digits: 4, Direction: "shrinking", Rank: int32(i + 1), SOC: "2134", Occupation: "Programmers", Vacancies: 30, PreviousVacancies: 60,
			ChangePct: -500, WindowFrom: day("2026-08-22"), WindowTo: day("2026-11-20"), PreviousFrom: day("2025-08-23"), PreviousTo: day("2025-11-21"), SourceKeys: "platform"}
	}, "platform")
}

func (s *fakeSnapshot) Outlook(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.OutlookRow]], error) {
	return heldRows(s, ctx, "outlook", q, func(i int) snapshots.OutlookRow {
		return snapshots.OutlookRow{SOC: "21", Occupation: "Professionals", Classification: "SOC2020", Country: "GB", RegionCode: []string{"", "E12000007", ""}[i],
			HorizonMonths: 6, Signal: "gap", SourcesGap: 1, ProjectedChangePct: 15, LowChangePct: 10, HighChangePct: 20, SourceKeys: "skills_england"}
	}, "skills_england")
}

func (s *fakeSnapshot) Reach(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.ReachRow]], error) {
	return heldRows(s, ctx, "reach", q, func(i int) snapshots.ReachRow {
		return snapshots.ReachRow{WardCode: "E05000128", WardName: "Belsize", CouncilCode: "E09000007", WithinKM: []int16{5, 10, 20}[i], Vacancies: 50, VacanciesPlacedByCouncil: 20, SourceKeys: "platform"}
	}, "platform")
}

func (s *fakeSnapshot) Signals(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.SignalsRow]], error) {
	return heldRows(s, ctx, "signals", q, func(i int) snapshots.SignalsRow {
		return snapshots.SignalsRow{ID: fmt.Sprintf("news_office:%d", 9-i), PublishedOn: day("2026-11-12"), Topics: "pay,vacancies", Summary: "An office published on pay and vacancies.",
			SourceKey: "skills_england", Licence: "Open Government Licence v3.0", Link: "https://example.com/news"}
	}, "skills_england")
}

func (s *fakeSnapshot) Priorities(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.PrioritiesRow]], error) {
	return heldRows(s, ctx, "priorities", q, func(i int) snapshots.PrioritiesRow {
		return snapshots.PrioritiesRow{RegionCode: "E69000011", Plan: "local_london", Kind: "sector", Code: "digital", Name: "Digital", Summary: "A plan lists digital.", Page: []*string{nil, ptr("4"), ptr("9")}[i],
			PublishedOn: day("2025-08-01"), SourceKey: "skills_england", Licence: "Open Government Licence v3.0", Link: "https://example.com/plan"}
	}, "skills_england")
}

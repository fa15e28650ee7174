package query

import (
	"context"
	"fmt"

	"labour/serve/api"
	"labour/snapshots"
)

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

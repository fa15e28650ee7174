package query

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"labour/serve/labourdata"
	"labour/snapshots"
)

// heldPrefix begins the questions and the tables of the held datasets.
const heldPrefix = "held_"

// answered lists the held datasets that the manifest says are open. No other is ever
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

func heldQuestions(m snapshots.Manifest) []question {
	var list []question
	for _, name := range answered(m) {
		list = append(list, question(heldPrefix+name))
	}
	return list
}

// loadHeld copies the open datasets by the files of sql/held.
func loadHeld(ctx context.Context, conn *sql.Conn, dir string, m snapshots.Manifest) error {
	if _, err := conn.ExecContext(ctx, "SET VARIABLE held = "+literal(filepath.Join(dir, snapshots.HeldName))); err != nil {
		return err
	}
	for _, name := range answered(m) {
		text, err := fs.ReadFile(sqlFiles, "sql/held/"+name+".sql")
		if err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, string(text)); err != nil {
			return fmt.Errorf("load held dataset %s: %w", name, err)
		}
	}
	return nil
}

// IsOpen says whether a held dataset is answered from this snapshot.
func (s *Snapshot) IsOpen(dataset string) bool { return s.manifest.HeldNamed(dataset).Answered() }

// heldPage asks one held dataset. scan reads the columns after the position into a
// row and gives the keys of its sources.
func heldPage[R any](ctx context.Context, s *Snapshot, dataset string, q labourdata.HeldQuery, scan func(*R) (columns []any, keys func() string)) (labourdata.Page[labourdata.HeldRow[R]], error) {
	if !s.IsOpen(dataset) {
		return labourdata.Page[labourdata.HeldRow[R]]{}, fmt.Errorf("held dataset %s is not open: %w", dataset, labourdata.ErrSnapshotGone)
	}
	arguments := map[string]any{"soc": q.SOC, "digits": q.Digits, "direction": q.Direction, "country": q.Country, "region": q.Region, "months": q.Months,
		"ward": q.Ward, "council": q.Council, "within_km": q.WithinKM, "topic": q.Topic, "kind": q.Kind, "after": int64(0), "limit": q.Limit + 1}
	if q.After != nil {
		arguments["after"] = q.After.Position
	}
	return collect(ctx, s, question(heldPrefix+dataset), arguments, q.Limit, func(rows *sql.Rows) (row labourdata.HeldRow[R], keys []string, err error) {
		columns, of := scan(&row.Row)
		err = rows.Scan(append([]any{&row.Position}, columns...)...)
		return row, strings.Split(of(), ","), err
	})
}

// Demand is live vacancies per day and occupation, the newest day first.
func (s *Snapshot) Demand(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.DemandRow]], error) {
	return heldPage(ctx, s, "demand", q, func(r *snapshots.DemandRow) ([]any, func() string) {
		return []any{&r.Day, &r.SOC, &r.Occupation, &r.Vacancies, &r.SourceKeys}, func() string { return r.SourceKeys }
	})
}

// Trends are the occupations growing and shrinking, the most detailed groups first.
func (s *Snapshot) Trends(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.TrendsRow]], error) {
	return heldPage(ctx, s, "trends", q, func(r *snapshots.TrendsRow) ([]any, func() string) {
		return []any{&r.Digits, &r.Direction, &r.Rank, &r.SOC, &r.Occupation, &r.Vacancies, &r.PreviousVacancies, &r.ChangePct,
			&r.WindowFrom, &r.WindowTo, &r.PreviousFrom, &r.PreviousTo, &r.SourceKeys}, func() string { return r.SourceKeys }
	})
}

// Outlook is the blended projections, by occupation and horizon.
func (s *Snapshot) Outlook(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.OutlookRow]], error) {
	return heldPage(ctx, s, "outlook", q, func(r *snapshots.OutlookRow) ([]any, func() string) {
		return []any{&r.SOC, &r.Occupation, &r.Classification, &r.Country, &r.RegionCode, &r.HorizonMonths, &r.Signal, &r.SourcesGap, &r.SourcesNoGap,
			&r.ProjectedChangePct, &r.LowChangePct, &r.HighChangePct, &r.ProjectedOpenings, &r.SourceKeys}, func() string { return r.SourceKeys }
	})
}

// Reach is live work reachable from wards, the shortest distance first.
func (s *Snapshot) Reach(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.ReachRow]], error) {
	return heldPage(ctx, s, "reach", q, func(r *snapshots.ReachRow) ([]any, func() string) {
		return []any{&r.WardCode, &r.WardName, &r.CouncilCode, &r.WithinKM, &r.Vacancies, &r.VacanciesPlacedByCouncil, &r.SourceKeys}, func() string { return r.SourceKeys }
	})
}

// Signals are the summaries of news, newest first.
func (s *Snapshot) Signals(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.SignalsRow]], error) {
	return heldPage(ctx, s, "signals", q, func(r *snapshots.SignalsRow) ([]any, func() string) {
		return []any{&r.ID, &r.PublishedOn, &r.Topics, &r.Summary, &r.SourceKey, &r.Licence, &r.Link}, func() string { return r.SourceKey }
	})
}

// Priorities are what plans list as in demand, by area and plan.
func (s *Snapshot) Priorities(ctx context.Context, q labourdata.HeldQuery) (labourdata.Page[labourdata.HeldRow[snapshots.PrioritiesRow]], error) {
	return heldPage(ctx, s, "priorities", q, func(r *snapshots.PrioritiesRow) ([]any, func() string) {
		return []any{&r.RegionCode, &r.Plan, &r.Kind, &r.Code, &r.Name, &r.Summary, &r.Page, &r.PublishedOn, &r.SourceKey, &r.Licence, &r.Link}, func() string { return r.SourceKey }
	})
}

package query

import (
	"context"
	"database/sql"
	"time"

	"labour/serve/api"
)

// beforeAll and afterAll are times before and after everything that a snapshot has.
var (
	beforeAll = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	afterAll  = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Jobs are the live adverts that may be shown, newest first, page by page.
func (s *Snapshot) Jobs(ctx context.Context, q api.JobsQuery) (api.Page[api.JobsRow], error) {
	arguments := map[string]any{"borough": q.Borough, "type": q.Type, "sector": q.Sector, "soc": q.SOC,
		"after_at": afterAll, "after_seen": afterAll, "after_id": "", "limit": q.Limit + 1}
	setWords(arguments, q.Search)
	if q.After != nil {
		arguments["after_at"], arguments["after_seen"], arguments["after_id"] = q.After.PostedAt, q.After.FirstSeen, q.After.ID
	}
	return collect(ctx, s, liveJobs, arguments, q.Limit, scanRow[api.JobsRow])
}

// Events are one page of what a partner may see, and how many there are.
func (s *Snapshot) Events(ctx context.Context, q api.EventsQuery) (page api.EventsPage, err error) {
	arguments := map[string]any{"partner": s.codes[code{ofPartner, q.Partner}], "type": q.Type, "first": "newest", "since": beforeAll, "limit": q.Limit, "skip": int64(q.Page-1) * int64(q.Limit)}
	if q.Since != nil {
		arguments["first"], arguments["since"] = "oldest", *q.Since
	}
	page.OwnMissing = s.withoutPartners
	err = s.ask(ctx, eventsOf, arguments, func(rows *sql.Rows) error {
		var id, kind *string
		var at *time.Time
		var r api.EventsRow
		if err := rows.Scan(&page.Total, &id, &kind, &at, &r.Data.Advert, &r.Data.Borough, &r.Data.Outcome); err != nil || id == nil {
			return err // without an id the page is empty
		}
		r.ID, r.Type, r.OccurredAt = *id, *kind, api.TimestampOf(*at)
		page.Rows = append(page.Rows, r)
		return nil
	})
	return page, err
}

// Pathways are the published careers pathways with their steps and standards.
func (s *Snapshot) Pathways(ctx context.Context) ([]api.PathwaysRow, error) {
	page, err := collect(ctx, s, pathways, nil, 0, scanRow[api.PathwaysRow])
	return page.Rows, err
}

// Candidates are the printed counts of residents. A snapshot without people has
// nothing but figures that are not published.
func (s *Snapshot) Candidates(ctx context.Context) (c api.Candidates, err error) {
	err = s.ask(ctx, candidates, nil, func(rows *sql.Rows) error { return rows.Scan(fromJSON{&c}) })
	return c, err
}

// S106 is the headline counts of a place, or of the whole platform.
func (s *Snapshot) S106(ctx context.Context, place string) (d api.S106, err error) {
	err = s.ask(ctx, s106, map[string]any{"place": place}, func(rows *sql.Rows) error {
		d, _, err = scanRow[api.S106](rows)
		return err
	})
	return d, err
}

package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/snapshots"
)

// beforeAll and afterAll are times before and after everything that a snapshot has.
var (
	beforeAll = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	afterAll  = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Jobs are the live adverts that may be shown, newest first, page by page.
func (s *Snapshot) Jobs(ctx context.Context, q api.JobsQuery) (api.Page[api.JobsRow], error) {
	arguments := map[string]any{"borough": q.Borough, "type": q.Type, "sector": q.Sector, "soc": q.SOC, "word": "", "more_words": "",
		"after_at": afterAll, "after_seen": afterAll, "after_id": "", "limit": q.Limit + 1}
	if asked := prefixsearch.SearchOf(q.Search); len(asked) > 0 {
		arguments["word"], arguments["more_words"] = asked[0], strings.TrimPrefix(strings.Join(asked[1:], ""), " ")
	}
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
	var list []api.PathwaysRow
	at := map[string]int{}
	err := s.ask(ctx, pathways, nil, func(rows *sql.Rows) error {
		p := api.PathwaysRow{Steps: []api.Step{}, Standards: []api.Standard{}}
		err := rows.Scan(&p.ID, &p.Slug, &p.Title, &p.Summary, &p.Sector, &p.UpdatedOn)
		at[p.ID] = len(list)
		list = append(list, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = s.ask(ctx, pathwaySteps, nil, func(rows *sql.Rows) error {
		var step api.Step
		var of string
		err := rows.Scan(&of, &step.Order, &step.Title, &step.Description, &step.SOC, &step.Level)
		p := &list[at[of]] // 04_faults has found it
		p.Steps = append(p.Steps, step)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, s.ask(ctx, pathwayStandards, nil, func(rows *sql.Rows) error {
		var standard api.Standard
		var of string
		err := rows.Scan(&of, &standard.Code, &standard.Title, &standard.Level)
		p := &list[at[of]]
		p.Standards = append(p.Standards, standard)
		return err
	})
}

// Candidates are the printed counts of residents. A snapshot without people has
// nothing but figures that are not published.
func (s *Snapshot) Candidates(ctx context.Context) (api.Candidates, error) {
	c := api.Candidates{ByBorough: []api.CandidatesOfBorough{}, ByLevel: []api.CandidatesOfLevel{}, BySectorSought: []api.CandidatesOfSector{}}
	err := s.ask(ctx, candidates, nil, func(rows *sql.Rows) error {
		var dimension, value, name string
		var n api.Count
		err := scan(rows, &dimension, &value, &name, &n)
		if err == nil {
			err = addCandidates(&c, dimension, value, name, n)
		}
		if err != nil {
			return fmt.Errorf("%s %q: %w", dimension, value, err)
		}
		return nil
	})
	return c, err
}

func addCandidates(c *api.Candidates, dimension, value, name string, n api.Count) (err error) {
	switch dimension {
	case snapshots.CandidatesAll:
		c.Residents = n
	case snapshots.CandidatesSeeking:
		c.SeekingWork = n
	case snapshots.CandidatesBorough:
		c.ByBorough = append(c.ByBorough, api.CandidatesOfBorough{Borough: value, BoroughName: name, Residents: n})
	case snapshots.CandidatesLevel:
		group := api.CandidatesOfLevel{LevelName: name, Residents: n}
		group.Level, err = strconv.Atoi(value)
		c.ByLevel = append(c.ByLevel, group)
	case snapshots.CandidatesSector:
		c.BySectorSought = append(c.BySectorSought, api.CandidatesOfSector{Sector: value, SectorName: name, Residents: n})
	default:
		err = errors.New("unknown dimension")
	}
	return err
}

// S106 is the headline counts of a place, or of the whole platform.
func (s *Snapshot) S106(ctx context.Context, place string) (d api.S106, err error) {
	err = s.ask(ctx, s106, map[string]any{"place": place}, func(rows *sql.Rows) error {
		d, _, err = scanRow[api.S106](rows)
		return err
	})
	return d, err
}

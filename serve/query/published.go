package query

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"labour/serve/labourdata"
	"labour/serve/words"
)

// collect runs a question and gathers its rows and the sources of exactly those.
// A paged question is asked for one row more than limit, to see whether any
// follow; with limit 0 every row is taken.
func collect[R any](ctx context.Context, s *Snapshot, q question, arguments map[string]any, limit int,
	scan func(*sql.Rows) (row R, sourceKeys []string, err error)) (labourdata.Page[R], error) {
	var page labourdata.Page[R]
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
		return labourdata.Page[R]{}, err
	}
	page.Sources = s.entries(used)
	return page, nil
}

// CourseDemand is what people are training for, in the contract's order.
func (s *Snapshot) CourseDemand(ctx context.Context, q labourdata.CourseDemandQuery) (labourdata.Page[labourdata.CourseDemandRow], error) {
	return collect(ctx, s, courseDemand, map[string]any{
		"country": q.Country, "region": q.Region, "metric": q.Metric, "subject_area": q.SubjectArea, "limit": q.Limit,
	}, 0, scanCourseDemand)
}

func scanCourseDemand(rows *sql.Rows) (row labourdata.CourseDemandRow, keys []string, err error) {
	var value, previous, change *int64
	var status, previousStatus *string
	err = rows.Scan(&row.SourceKey, &row.Metric, &row.RegionCode, &row.RegionName, &row.SubjectArea, &row.PeriodEnd,
		&value, &status, &previous, &previousStatus, &change)
	if err != nil {
		return row, nil, err
	}
	if row.Value, err = count(value, status); err != nil {
		return row, nil, fmt.Errorf("value of %s in %s: %w", row.Metric, row.RegionCode, err)
	}
	if row.PreviousValue, err = count(previous, previousStatus); err != nil {
		return row, nil, fmt.Errorf("previous value of %s in %s: %w", row.Metric, row.RegionCode, err)
	}
	row.Change = tenths(change)
	return row, []string{row.SourceKey}, nil
}

// SkillsGaps are the forecast gaps of a country or region. Sources has the source
// of each projection and those that sources_agreeing counts.
func (s *Snapshot) SkillsGaps(ctx context.Context, q labourdata.SkillsGapsQuery) (labourdata.Page[labourdata.SkillsGapsRow], error) {
	return collect(ctx, s, skillsGaps, map[string]any{
		"country": q.Country, "region": q.Region, "soc": q.SOC, "horizon": q.Horizon, "limit": q.Limit,
	}, 0, scanSkillsGaps)
}

func scanSkillsGaps(rows *sql.Rows) (row labourdata.SkillsGapsRow, keys []string, err error) {
	var region, pointing string
	var change *int64
	err = rows.Scan(&row.SOC, &row.Occupation, &row.Classification, &row.Country, &region, &row.SourcesAgreeing, &pointing,
		&row.BaseYear, &row.HorizonYear, &change, &row.ProjectedOpenings, &row.SourceKey)
	if region != "" {
		row.RegionCode = &region
	}
	row.PointingSources = []string{}
	if pointing != "" {
		row.PointingSources = strings.Split(pointing, ",")
	}
	row.ProjectedChange = tenths(change)
	return row, append([]string{row.SourceKey}, row.PointingSources...), err
}

// Evidence is the published evidence, newest first, page by page.
func (s *Snapshot) Evidence(ctx context.Context, q labourdata.EvidenceQuery) (labourdata.Page[labourdata.EvidenceRow], error) {
	arguments := map[string]any{"country": q.Country, "region": q.Region, "soc": q.SOC, "kind": q.Kind,
		"after_on": nil, "after_id": "", "limit": q.Limit + 1}
	if q.After != nil {
		arguments["after_on"], arguments["after_id"] = q.After.PublishedOn.UTC(), q.After.ID
	}
	return collect(ctx, s, evidence, arguments, q.Limit,
		func(rows *sql.Rows) (r labourdata.EvidenceRow, keys []string, err error) {
			err = rows.Scan(&r.ID, &r.PublishedOn, &r.Title, &r.Statement, &r.Kind, &r.Signal, &r.SOC, &r.RegionCode,
				&r.Country, &r.SourceKey, &r.Licence, &r.Link)
			return r, []string{r.SourceKey}, err
		})
}

// Sources lists every receivable source. Whether one is stale depends on the time
// of the call: SourcesRow.Stale.
func (s *Snapshot) Sources(ctx context.Context, _ labourdata.SourcesQuery) (labourdata.Page[labourdata.SourcesRow], error) {
	return collect(ctx, s, allSources, nil, 0,
		func(rows *sql.Rows) (r labourdata.SourcesRow, keys []string, err error) {
			err = rows.Scan(&r.Key, &r.Publisher, &r.Title, &r.Kind, &r.Licence, &r.Link, &r.AttributionStatement,
				&r.Cadence, &r.LastSuccessAt, &r.AdvertsCounted, &r.Rows)
			return r, []string{r.Key}, err
		})
}

// Regions lists the regions of one kind, all or by name.
func (s *Snapshot) Regions(ctx context.Context, q labourdata.RegionsQuery) (page labourdata.Page[labourdata.RegionsRow], err error) {
	used, search := make(map[string]bool), words.SearchOf(q.Name)
	err = s.ask(ctx, allRegions, map[string]any{"kind": q.Kind}, func(rows *sql.Rows) error {
		var r labourdata.RegionsRow
		if err := rows.Scan(&r.Code, &r.Name, &r.NameWelsh, &r.Kind, &r.NationCode, &r.Slug, &r.SourceKey); err != nil {
			return err
		}
		name := words.NameOf(r.Name)
		if r.NameWelsh != nil {
			name = words.NameOf(r.Name, *r.NameWelsh)
		}
		if len(page.Rows) < q.Limit && search.Finds(name) {
			page.Rows, used[r.SourceKey] = append(page.Rows, r), true
		}
		return nil
	})
	page.Sources = s.entries(used)
	return page, err
}

package query

import (
	"context"
	"database/sql"
	"fmt"

	"labour/serve/labourdata"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// The statements on the platform's own records, one file of that name under
// sql/questions each.
const (
	pathways         question = "pathways"
	pathwaySteps     question = "pathway_steps"
	pathwayStandards question = "pathway_standards"
	candidates       question = "candidates"
	s106             question = "s106"
)

func platformQuestions() []question {
	return []question{pathways, pathwaySteps, pathwayStandards, candidates, s106}
}

// Jobs are the live adverts that may be shown, newest first, page by page.
func (s *Snapshot) Jobs(ctx context.Context, q labourdata.JobsQuery) (page labourdata.Page[labourdata.JobsRow], err error) {
	used := make(map[string]bool)
	page.Rows, page.More = s.board.page(q)
	for i := range page.Rows {
		used[page.Rows[i].SourceKey] = true
	}
	page.Sources = s.entries(used)
	return page, ctx.Err()
}

// Pathways are the published careers pathways with their steps and standards.
func (s *Snapshot) Pathways(ctx context.Context) ([]labourdata.Pathway, error) {
	var list []labourdata.Pathway
	at := map[string]int{}
	err := s.ask(ctx, pathways, nil, func(rows *sql.Rows) error {
		var p labourdata.Pathway
		err := rows.Scan(&p.ID, &p.Slug, &p.Title, &p.Summary, &p.Sector, &p.UpdatedOn)
		at[p.ID] = len(list)
		list = append(list, p)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = s.ask(ctx, pathwaySteps, nil, func(rows *sql.Rows) error {
		var step labourdata.PathwayStep
		var of string
		err := rows.Scan(&of, &step.Order, &step.Title, &step.Description, &step.SOC, &step.Level)
		p := &list[at[of]] // 06_platform_faults has found it
		p.Steps = append(p.Steps, step)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, s.ask(ctx, pathwayStandards, nil, func(rows *sql.Rows) error {
		var standard labourdata.Standard
		var of string
		err := rows.Scan(&of, &standard.Code, &standard.Title, &standard.Level)
		p := &list[at[of]]
		p.Standards = append(p.Standards, standard)
		return err
	})
}

// Candidates are the printed counts of residents. A snapshot without people has
// nothing but figures that are not published.
func (s *Snapshot) Candidates(ctx context.Context) (c labourdata.Candidates, err error) {
	groups := map[string]*[]labourdata.CandidatesGroup{snapshots.CandidatesBorough: &c.ByBorough,
		snapshots.CandidatesLevel: &c.ByLevel, snapshots.CandidatesSector: &c.BySector}
	err = s.ask(ctx, candidates, nil, func(rows *sql.Rows) error {
		var g labourdata.CandidatesGroup
		var dimension, status string
		var residents *int64
		if err := rows.Scan(&dimension, &g.Value, &g.Name, &residents, &status); err != nil {
			return err
		}
		if g.Count, err = figure.Parse(residents, figure.Status(status)); err != nil {
			return fmt.Errorf("%s %q: %w", dimension, g.Value, err)
		}
		switch dimension {
		case snapshots.CandidatesAll:
			c.Residents = g.Count
		case snapshots.CandidatesSeeking:
			c.SeekingWork = g.Count
		default:
			list, ok := groups[dimension]
			if !ok {
				return fmt.Errorf("unknown dimension %q", dimension)
			}
			*list = append(*list, g)
		}
		return nil
	})
	return c, err
}

// S106 is the headline counts of a place, or of the whole platform.
func (s *Snapshot) S106(ctx context.Context, place string) (d labourdata.S106, err error) {
	err = s.ask(ctx, s106, map[string]any{"place": place}, func(rows *sql.Rows) error {
		var employed *int64
		var status string
		if err := rows.Scan(&d.Developments, &d.Obligations, &d.JobsCreated, &d.ApprenticeshipsStarted, &employed, &status,
			&d.TrainingPlaces, &d.ContributionsGBP); err != nil {
			return err
		}
		var err error
		d.LocalPeopleEmployed, err = figure.Parse(employed, figure.Status(status))
		return err
	})
	return d, err
}

package web

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"labour/serve/api"
)

// recording is a snapshot that notes every query, and has rows of more kinds.
type recording struct {
	*fixed
	asked    []string
	peopleTo time.Time
	evidence []api.EvidenceRow
	credited []api.Source // the sources of the evidence
	regions  []api.RegionsRow
	areas    []api.PlacesRow
	sources  []api.SourcesRow
	pathways []api.PathwaysRow
	jobs     []api.JobsRow
	counted  api.Candidates
}

func recorded(s *fixed) *recording { return &recording{fixed: s} }

// note keeps the name of a query and its fields that are set, but for Zeros, which only maps need and which has tests
// of its own.
func (r *recording) note(name string, q any) {
	said := name
	for i, of := 0, reflect.ValueOf(q); i < of.NumField(); i++ {
		name, field := of.Type().Field(i).Name, reflect.Indirect(of.Field(i))
		if field.IsValid() && !field.IsZero() && name != "Zeros" {
			said += fmt.Sprintf(" %s=%v", name, field)
		}
	}
	r.asked = append(r.asked, said)
}

// queries are all queries until now, which are then forgotten.
func (r *recording) queries() string {
	defer func() { r.asked = nil }()
	return strings.Join(r.asked, "\n")
}

func (r *recording) PeopleAsOf() time.Time { return r.peopleTo }

func (r *recording) CorrectionOf(record string) (c api.Correction, ok bool) {
	return api.Correction{Reason: record}, true
}

func (r *recording) CorrectionStatedIn(api.EvidenceRow) (c api.Correction, ok bool) { return c, false }

func (r *recording) SkillsUnmet(ctx context.Context, q api.SkillsUnmetQuery) (api.Page[api.SkillsUnmetRow], error) {
	r.note("unmet", q)
	return r.fixed.SkillsUnmet(ctx, q)
}

func (r *recording) SkillsUnmetByQuarter(ctx context.Context, q api.SkillsUnmetQuery) (api.Page[api.Quarter], error) {
	r.note("quarters", q)
	return r.fixed.SkillsUnmetByQuarter(ctx, q)
}

func (r *recording) SkillsGaps(ctx context.Context, q api.SkillsGapsQuery) (api.Page[api.SkillsGapsRow], error) {
	r.note("gaps", q)
	return r.fixed.SkillsGaps(ctx, q)
}

func (r *recording) CourseDemand(ctx context.Context, q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
	r.note("courses", q)
	return r.fixed.CourseDemand(ctx, q)
}

func (r *recording) PlanPriorities(ctx context.Context, q api.EmbargoedQuery) (api.Page[api.PrioritiesRow], error) {
	r.note("priorities", q)
	return r.fixed.PlanPriorities(ctx, q)
}

func (r *recording) NextOccupations(ctx context.Context, q api.NextOccupationsQuery) ([]api.NextOccupation, error) {
	r.note("next", q)
	return r.fixed.NextOccupations(ctx, q)
}

func (r *recording) Evidence(_ context.Context, q api.EvidenceQuery) (api.Page[api.EvidenceRow], error) {
	r.note("evidence", q)
	var p api.Page[api.EvidenceRow]
	for _, row := range r.evidence {
		if q.Kind == "" || q.Kind == row.Kind {
			p.Rows = append(p.Rows, row)
		}
	}
	p.Sources = r.credited
	return p, r.err
}

func (r *recording) Regions(_ context.Context, q api.RegionsQuery) (api.Page[api.RegionsRow], error) {
	r.note("regions", q)
	return api.Page[api.RegionsRow]{Rows: r.regions}, r.err
}

func (r *recording) Places(_ context.Context, q api.VocabularyQuery) (api.Page[api.PlacesRow], error) {
	r.note("places", q)
	return api.Page[api.PlacesRow]{Rows: r.areas}, r.err
}

func (r *recording) Sources(_ context.Context, q api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	r.note("sources", q)
	return api.Page[api.SourcesRow]{Rows: r.sources}, r.err
}

func (r *recording) Jobs(_ context.Context, q api.JobsQuery) (api.Page[api.JobsRow], error) {
	r.note("jobs", q)
	return api.Page[api.JobsRow]{Rows: r.jobs}, r.err
}

func (r *recording) Pathways(context.Context) ([]api.PathwaysRow, error) { return r.pathways, r.err }

func (r *recording) Candidates(context.Context) (api.Candidates, error) { return r.counted, r.err }

// callsSaid are the calls at the foot of a page, one a line.
func callsSaid(v *request) string {
	var lines []string
	for _, c := range v.stamp.Calls {
		lines = append(lines, c.What+": "+c.Path)
	}
	return strings.Join(lines, "\n")
}

// linesOf are the lines of a text without their indentation.
func linesOf(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

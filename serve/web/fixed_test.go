package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"time"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// fixed is a snapshot that answers each query with the rows that it holds.
type fixed struct {
	api.Snapshot
	named    map[api.Vocabulary][]api.Named
	asOf     time.Time
	errors   figure.CodingErrors
	unmet    func(api.SkillsUnmetQuery) []api.SkillsUnmetRow
	quarters []api.Quarter
	gaps     []api.SkillsGapsRow
	training []api.CourseDemandRow
	local    []api.PrioritiesRow // nil = embargoed
	regions  map[string]api.Region
	next     []api.NextOccupation
	outlines []api.Outline
	people   api.People
	err      error
}

func (f *fixed) ID() string                                         { return "2026-11-20.1" }
func (f *fixed) AsOf() time.Time                                    { return f.asOf }
func (f *fixed) AboutPeople(string) api.People                      { return f.people }
func (f *fixed) CodingErrors() figure.CodingErrors                  { return f.errors }
func (f *fixed) NamedValues(v api.Vocabulary) []api.Named           { return f.named[v] }
func (f *fixed) IsReleased(dataset string) bool                     { return dataset == "priorities" && f.local != nil }
func (f *fixed) Candidates(context.Context) (api.Candidates, error) { return api.Candidates{}, f.err }

func (f *fixed) Values(v api.Vocabulary) (values []string) {
	for _, n := range f.named[v] {
		values = append(values, n.Value)
	}
	return values
}

func (f *fixed) SkillsUnmet(_ context.Context, q api.SkillsUnmetQuery) (p api.Page[api.SkillsUnmetRow], err error) {
	if f.unmet != nil {
		p.Rows = f.unmet(q)
	}
	return p, f.err
}

func (f *fixed) SkillsUnmetByQuarter(context.Context, api.SkillsUnmetQuery) (api.Page[api.Quarter], error) {
	return api.Page[api.Quarter]{Rows: f.quarters}, f.err
}

func (f *fixed) SkillsGaps(context.Context, api.SkillsGapsQuery) (api.Page[api.SkillsGapsRow], error) {
	return api.Page[api.SkillsGapsRow]{Rows: f.gaps}, f.err
}

// CourseDemand returns the training figures as those of the region of the query.
func (f *fixed) CourseDemand(_ context.Context, q api.CourseDemandQuery) (api.Page[api.CourseDemandRow], error) {
	rows := slices.Clone(f.training)
	for i := range rows {
		if q.Region != "" {
			rows[i].RegionCode = q.Region
		}
	}
	return api.Page[api.CourseDemandRow]{Rows: rows}, f.err
}

func (f *fixed) PlanPriorities(context.Context, api.EmbargoedQuery) (api.Page[api.PrioritiesRow], error) {
	return api.Page[api.PrioritiesRow]{Rows: f.local}, f.err
}

func (f *fixed) ResolveRegion(_, name string) (api.Region, bool) {
	r, ok := f.regions[name]
	return r, ok
}

// visit returns a request for a page of a snapshot.
func visit(s api.Snapshot, target string) *request {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	return &request{Request: r, ctx: r.Context(), base: "https://labour.example", snapshot: s}
}

func (f *fixed) PlatformName() string { return "Example Works" }

func (f *fixed) Outlines() api.Page[api.Outline] { return api.Page[api.Outline]{Rows: f.outlines} }

func (f *fixed) NextOccupations(context.Context, api.NextOccupationsQuery) ([]api.NextOccupation, error) {
	return f.next, f.err
}

func (f *fixed) Places(context.Context, api.VocabularyQuery) (api.Page[api.PlacesRow], error) {
	return api.Page[api.PlacesRow]{}, f.err
}

func (f *fixed) Sources(context.Context, api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	return api.Page[api.SourcesRow]{}, f.err
}

func (f *fixed) Jobs(context.Context, api.JobsQuery) (api.Page[api.JobsRow], error) {
	return api.Page[api.JobsRow]{}, f.err
}

// loaded publishes one snapshot, or none, and counts those that were not released.
type loaded struct {
	snapshot *fixed
	err      error
	used     int
}

func (l *loaded) Acquire() (api.Snapshot, func(), error) {
	if l.snapshot == nil {
		return nil, nil, api.ErrNoSnapshot
	}
	l.used++
	return l.snapshot, func() { l.used-- }, nil
}

func (l *loaded) AcquireByID(context.Context, string, bool) (api.Snapshot, func(), error) {
	if l.err != nil {
		return nil, nil, l.err
	}
	return l.Acquire()
}

func (l *loaded) IsOpen(string) bool { return l.snapshot != nil }

package query

import (
	"context"
	"slices"

	"labour/serve/api"
)

// cachedTables contains the small tables of the platform's own records. They are read once, when a
// snapshot is mounted, because a request would otherwise spend most of its time on reading them.
type cachedTables struct {
	sources    api.Page[api.SourcesRow] // all sources of the data, without their freshness
	pathways   []api.PathwaysRow
	candidates api.Candidates
	// counts of section 106 agreements by place; "" = the whole platform
	s106 map[string]api.S106
}

// readCached reads the small tables that stay in memory into s.cached. It must run after
// readSources.
func (s *Snapshot) readCached(ctx context.Context) (err error) {
	if s.cached.sources, err = collect[api.SourcesRow](ctx, s, allSources, nil, 0); err != nil {
		return err
	}
	if s.cached.pathways, err = all[api.PathwaysRow](ctx, s, pathways, nil); err != nil {
		return err
	}
	if s.cached.candidates, err = one[api.Candidates](ctx, s, candidates, nil); err != nil {
		return err
	}
	places, err := all[struct {
		Place string
		api.S106
	}](ctx, s, s106, nil)
	s.cached.s106 = map[string]api.S106{}
	for _, p := range places {
		s.cached.s106[p.Place] = p.S106
	}
	return err
}

// Sources lists every source of data that the service can receive. Whether a source is stale is
// computed for the time q.At.
func (s *Snapshot) Sources(ctx context.Context, q api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	page := s.cached.sources
	page.Rows = slices.Clone(page.Rows)
	for i := range page.Rows {
		page.Rows[i].SetFreshness(s.receipts[page.Rows[i].Key], q.At)
	}
	return page, ctx.Err()
}

// Pathways returns the published careers pathways with their steps and apprenticeship standards.
func (s *Snapshot) Pathways(ctx context.Context) ([]api.PathwaysRow, error) {
	return slices.Clone(s.cached.pathways), ctx.Err()
}

// Candidates returns the published counts of registered residents. All counts are null in a
// snapshot without figures about people.
func (s *Snapshot) Candidates(ctx context.Context) (api.Candidates, error) {
	return s.cached.candidates, ctx.Err()
}

// S106 returns the headline counts of section 106 agreements in a place, or of the whole platform
// if place is empty. The result is the zero value if the place is unknown.
func (s *Snapshot) S106(ctx context.Context, place string) (api.S106, error) {
	return s.cached.s106[place], ctx.Err()
}

package query

import (
	"context"
	"slices"

	"labour/serve/api"
)

// cachedTables holds small tables in memory, such as the data sources and the careers pathways.
// They are read once, when a snapshot is mounted, because reading them for each request would be
// slow.
type cachedTables struct {
	sources    api.Page[api.SourcesRow] // all sources of the data, without their freshness
	pathways   []api.PathwaysRow
	candidates api.Candidates
	// counts of section 106 agreements by place; "" = the whole platform
	s106 map[string]api.S106
	// places for which counts of people were made; "" = the whole platform
	peoplePlaces map[string]bool
}

// readCached reads the small tables that stay in memory into s.cached. Call readSources first.
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
	if err != nil {
		return err
	}
	made, err := all[struct{ Place string }](ctx, s, peoplePlaces, nil)
	s.cached.peoplePlaces = map[string]bool{}
	for _, p := range made {
		s.cached.peoplePlaces[p.Place] = true
	}
	return err
}

// Sources returns all data sources of the service. For each source it reports whether the data is
// stale at the time q.At.
func (s *Snapshot) Sources(ctx context.Context, q api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	page := s.cached.sources
	page.Rows = slices.Clone(page.Rows)
	for i := range page.Rows {
		page.Rows[i].SetFreshness(s.receipts[page.Rows[i].Key], q.At)
	}
	return page, ctx.Err()
}

// Pathways returns the published careers pathways, each with its steps and apprenticeship
// standards.
func (s *Snapshot) Pathways(ctx context.Context) ([]api.PathwaysRow, error) {
	return slices.Clone(s.cached.pathways), ctx.Err()
}

// Candidates returns the published counts of registered residents. The counts are null if the
// snapshot has no figures about people.
func (s *Snapshot) Candidates(ctx context.Context) (api.Candidates, error) {
	return s.cached.candidates, ctx.Err()
}

// S106 returns the counts of section 106 agreements (planning obligations) in a place. If place is
// empty, the counts cover the whole platform. If the place is unknown, they are zero.
func (s *Snapshot) S106(ctx context.Context, place string) (api.S106, error) {
	return s.cached.s106[place], ctx.Err()
}

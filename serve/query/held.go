package query

import (
	"context"
	"slices"

	"labour/serve/api"
)

// held are the small tables of the platform, which are read once, since a statement costs more than
// all else in a call for them. They do not change while the snapshot is mounted.
type held struct {
	sources    api.Page[api.SourcesRow] // without their freshness
	pathways   []api.PathwaysRow
	candidates api.Candidates
	s106       map[string]api.S106 // by place; "" = the whole platform
}

// readHeld reads the small tables. The list of sources must have been read before.
func (s *Snapshot) readHeld(ctx context.Context) (err error) {
	if s.held.sources, err = collect[api.SourcesRow](ctx, s, allSources, nil, 0); err != nil {
		return err
	}
	if s.held.pathways, err = all[api.PathwaysRow](ctx, s, pathways, nil); err != nil {
		return err
	}
	if s.held.candidates, err = one[api.Candidates](ctx, s, candidates, nil); err != nil {
		return err
	}
	places, err := all[struct {
		Place string
		api.S106
	}](ctx, s, s106, nil)
	s.held.s106 = map[string]api.S106{}
	for _, p := range places {
		s.held.s106[p.Place] = p.S106
	}
	return err
}

// Sources lists every receivable source, with its freshness at the time of the call.
func (s *Snapshot) Sources(ctx context.Context, q api.SourcesQuery) (api.Page[api.SourcesRow], error) {
	page := s.held.sources
	page.Rows = slices.Clone(page.Rows)
	for i := range page.Rows {
		page.Rows[i].SetFreshness(s.received[page.Rows[i].Key], q.At)
	}
	return page, ctx.Err()
}

// Pathways returns the published careers pathways with their steps and standards.
func (s *Snapshot) Pathways(ctx context.Context) ([]api.PathwaysRow, error) {
	return slices.Clone(s.held.pathways), ctx.Err()
}

// Candidates returns the printed counts of residents. In a snapshot without people, all of them are
// null.
func (s *Snapshot) Candidates(ctx context.Context) (api.Candidates, error) {
	return s.held.candidates, ctx.Err()
}

// S106 returns the headline counts of a place, or of the whole platform.
func (s *Snapshot) S106(ctx context.Context, place string) (api.S106, error) {
	return s.held.s106[place], ctx.Err()
}

package serve

import (
	"context"

	"labour/serve/api"
)

type vocabularyInput struct {
	FormatInput
	SnapshotInput
	api.VocabularyQuery
	Limit int `query:"limit" minimum:"1" default:"5000" doc:"Most rows. Above 5000 it is lowered to 5000, and meta.limit says so."`
}

func (a *handler) places(c *call, in *vocabularyInput) error {
	return sendVocabulary(a, c, in, api.Snapshot.Places)
}

func (a *handler) sectors(c *call, in *vocabularyInput) error {
	return sendVocabulary(a, c, in, api.Snapshot.Sectors)
}

func (a *handler) skills(c *call, in *vocabularyInput) error {
	return sendVocabulary(a, c, in, api.Snapshot.Skills)
}

func (a *handler) occupations(c *call, in *vocabularyInput) error {
	return sendVocabulary(a, c, in, api.Snapshot.Occupations)
}

// sendVocabulary sends the known values of a query parameter, such as all places. read is the
// snapshot method that returns them.
func sendVocabulary[R any](a *handler, c *call, in *vocabularyInput,
	read func(api.Snapshot, context.Context, api.VocabularyQuery) (api.Page[R], error)) error {
	q := api.VocabularyQuery{Name: in.Name, Limit: min(in.Limit, MaxListRows)}
	c.searchable("name", q.Name)
	s, err := a.openIn(c, in.SnapshotInput, AreaInput{}, nil)
	if err != nil {
		return err
	}
	run := func(ctx context.Context, q api.VocabularyQuery) (api.Page[R], error) { return read(s, ctx, q) }
	return sendList(a, c, in.FormatInput, s, q.Limit, run, q)
}

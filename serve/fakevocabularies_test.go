package serve

import (
	"context"

	"labour/serve/api"
)

func (s *fakeSnapshot) Places(ctx context.Context, q api.VocabularyQuery) (api.Page[api.PlacesRow], error) {
	rows := []api.PlacesRow{{Slug: "camden", Name: "Camden", Code: ptr("E09000007"), Kind: "borough",
		Boroughs: api.Keys{}, SourceKey: "platform"},
		{Slug: "central-london", Name: "Central London", Kind: "area", Boroughs: api.Keys{"camden", "islington"},
			SourceKey: "platform"}}
	return page(rows, q.Limit, func(r api.PlacesRow) string { return r.SourceKey }), s.note(ctx, q)
}

func (s *fakeSnapshot) Sectors(ctx context.Context, q api.VocabularyQuery) (api.Page[api.SectorsRow], error) {
	rows := []api.SectorsRow{{Slug: "digital", Name: "Digital", SourceKey: "platform"}}
	return page(rows, q.Limit, func(r api.SectorsRow) string { return r.SourceKey }), s.note(ctx, q)
}

func (s *fakeSnapshot) Skills(ctx context.Context, q api.VocabularyQuery) (api.Page[api.SkillsRow], error) {
	rows := []api.SkillsRow{{Slug: "tiling", Name: "Tiling", Kind: "trade", Level: 3, LevelName: "skilled",
		SourceKey: "platform"}}
	return page(rows, q.Limit, func(r api.SkillsRow) string { return r.SourceKey }), s.note(ctx, q)
}

func (s *fakeSnapshot) Occupations(ctx context.Context, q api.VocabularyQuery) (api.Page[api.OccupationsRow], error) {
	rows := []api.OccupationsRow{{SOC: "2136", Name: "Programmers and software development professionals", Digits: 4,
		SourceKey: "platform"}}
	return page(rows, q.Limit, func(r api.OccupationsRow) string { return r.SourceKey }), s.note(ctx, q)
}

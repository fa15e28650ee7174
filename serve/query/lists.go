package query

import (
	"context"

	"labour/serve/api"
)

// placeList and the constants below name the database queries that list the valid values of a
// parameter.
const (
	// placeList lists the places whose names match a search.
	placeList queryName = platform + "/place_list"
	// sectorList lists the sectors whose names match a search.
	sectorList queryName = platform + "/sector_list"
	// skillList lists the skills whose names match a search.
	skillList queryName = platform + "/skill_list"
	// occupationList lists the SOC 2020 occupation groups whose names match a search.
	occupationList queryName = platform + "/occupation_list"
)

// Places lists the places whose names match q.Name, or all places if q.Name is empty. Their slugs
// are the valid values of the parameters place and borough.
func (s *Snapshot) Places(ctx context.Context, q api.VocabularyQuery) (api.Page[api.PlacesRow], error) {
	return listVocabulary[api.PlacesRow](ctx, s, placeList, q)
}

// Sectors lists the sectors whose names match q.Name, or all sectors if q.Name is empty.
func (s *Snapshot) Sectors(ctx context.Context, q api.VocabularyQuery) (api.Page[api.SectorsRow], error) {
	return listVocabulary[api.SectorsRow](ctx, s, sectorList, q)
}

// Skills lists the skills whose names match q.Name, or all skills if q.Name is empty.
func (s *Snapshot) Skills(ctx context.Context, q api.VocabularyQuery) (api.Page[api.SkillsRow], error) {
	return listVocabulary[api.SkillsRow](ctx, s, skillList, q)
}

// Occupations lists the SOC 2020 occupation groups whose names match q.Name, or all groups if
// q.Name is empty.
func (s *Snapshot) Occupations(ctx context.Context, q api.VocabularyQuery) (api.Page[api.OccupationsRow], error) {
	return listVocabulary[api.OccupationsRow](ctx, s, occupationList, q)
}

func listVocabulary[R any](ctx context.Context, s *Snapshot, of queryName, q api.VocabularyQuery) (api.Page[R], error) {
	arguments := map[string]any{"limit": q.Limit + 1}
	setWords(arguments, q.Name)
	return collect[R](ctx, s, of, arguments, q.Limit)
}

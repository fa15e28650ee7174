package query

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// The lists of the values of parameters are complete, ordered by name, and searched by the beginnings
// of words.
func TestVocabularies(t *testing.T) {
	s, c := mountedDefault(t)
	ctx, all := context.Background(), api.VocabularyQuery{Limit: 5000}
	places, err1 := s.Places(ctx, all)
	sectors, err2 := s.Sectors(ctx, all)
	skills, err3 := s.Skills(ctx, all)
	occupations, err4 := s.Occupations(ctx, all)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(places.Rows) != len(c.Places) || len(sectors.Rows) != len(c.Sectors) || len(skills.Rows) != len(c.Skills) ||
		len(occupations.Rows) != len(c.Occupations) {
		t.Errorf("%d places, %d sectors, %d skills, %d occupations", len(places.Rows), len(sectors.Rows),
			len(skills.Rows), len(occupations.Rows))
	}
	for _, of := range []struct {
		vocabulary api.Vocabulary
		values     []string
	}{
		{api.Places, slugs(places.Rows, func(r api.PlacesRow) string { return r.Slug })},
		{api.Sectors, slugs(sectors.Rows, func(r api.SectorsRow) string { return r.Slug })},
		{api.Skills, slugs(skills.Rows, func(r api.SkillsRow) string { return r.Slug })},
		{api.Occupations, slugs(occupations.Rows, func(r api.OccupationsRow) string { return r.SOC })},
	} {
		if !slices.Equal(of.values, s.Values(of.vocabulary)) {
			t.Errorf("%s: listed %v, taken %v", of.vocabulary, of.values, s.Values(of.vocabulary))
		}
	}
	for _, p := range places.Rows {
		var boroughs []string
		for _, m := range c.PlaceMembers {
			if m.Area == p.Slug {
				boroughs = append(boroughs, m.Borough)
			}
		}
		slices.Sort(boroughs)
		if !slices.Equal(p.Boroughs, boroughs) || (p.Code == nil) != (p.Kind == "area") {
			t.Errorf("%+v has boroughs %v", p, boroughs)
		}
	}
	if !slices.IsSortedFunc(skills.Rows, func(a, b api.SkillsRow) int { return strings.Compare(a.Name, b.Name) }) ||
		skills.Rows[0].LevelName == "" {
		t.Errorf("skills %+v", skills.Rows)
	}
	found, err := s.Places(ctx, api.VocabularyQuery{Name: "CAMD", Limit: 1})
	if err != nil || len(found.Rows) != 1 || found.Rows[0].Slug != "camden" || found.More || len(found.Sources) != 1 {
		t.Errorf("found %+v, %v", found, err)
	}
}

// A place with an official code is credited to the source of the code, and an occupation to the
// publisher of the classification, where the snapshot has these sources.
func TestVocabulariesCreditTheirPublishers(t *testing.T) {
	c := snaptest.DefaultContent(t, publishedAsOf)
	c.Regions = slices.DeleteFunc(c.Regions, func(r snapshots.RegionsRow) bool { return r.Name == "Islington" })
	c.Sources = append(c.Sources, snapshots.SourcesRow{Key: "ons_soc2020", Publisher: "Office for National Statistics"})
	s := mountOnce(t, publishedAsOf, c)
	places, err := s.Places(t.Context(), api.VocabularyQuery{Limit: 5000})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places.Rows {
		want := map[string]string{"camden": "ons_geography", "westminster": "ons_geography"}[p.Slug]
		if got := p.SourceKey; got != cmp.Or(want, "platform") {
			t.Errorf("%s is credited to %s", p.Slug, got)
		}
	}
	occupations, err := s.Occupations(t.Context(), api.VocabularyQuery{Limit: 5000})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range occupations.Rows {
		if o.SourceKey != "ons_soc2020" {
			t.Errorf("%s is credited to %s", o.SOC, o.SourceKey)
		}
	}
}

// slugs are the values of rows, sorted.
func slugs[R any](rows []R, of func(R) string) (out []string) {
	for _, r := range rows {
		out = append(out, of(r))
	}
	slices.Sort(out)
	return out
}

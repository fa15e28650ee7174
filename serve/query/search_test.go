package query

import (
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/snapshots/snaptest"
)

// namesOf returns the names that a list has for a search.
func namesOf(t *testing.T, s *Snapshot, v api.Vocabulary, search string) []string {
	t.Helper()
	q := api.VocabularyQuery{Name: search, Limit: 5000}
	var names []string
	var err error
	switch v {
	case api.Places:
		var p api.Page[api.PlacesRow]
		p, err = s.Places(t.Context(), q)
		names = slugs(p.Rows, func(r api.PlacesRow) string { return r.Name })
	case api.Sectors:
		var p api.Page[api.SectorsRow]
		p, err = s.Sectors(t.Context(), q)
		names = slugs(p.Rows, func(r api.SectorsRow) string { return r.Name })
	case api.Skills:
		var p api.Page[api.SkillsRow]
		p, err = s.Skills(t.Context(), q)
		names = slugs(p.Rows, func(r api.SkillsRow) string { return r.Name })
	case api.Occupations:
		var p api.Page[api.OccupationsRow]
		p, err = s.Occupations(t.Context(), q)
		names = slugs(p.Rows, func(r api.OccupationsRow) string { return r.Name })
	}
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestSearchesOfNames: a name is found by the beginnings of its words, in any order and of any case, and each
// word that is searched must begin one.
func TestSearchesOfNames(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.Places[0].Name, c.Sectors[0].Name = "North Moon Common", "Lantern and Moon Care"
	c.Skills[0].Name, c.Occupations[0].Name = "Moon minding by night", "Moon minders and winders"
	s := mountOnce(t, "2026-11-20", c)
	for _, of := range []struct {
		vocabulary  api.Vocabulary
		name        string
		finds, none []string
	}{
		{api.Places, "North Moon Common", []string{"moon", "NORTH", "com", "comm no", "moon north common"},
			[]string{"orth", "moon south", "common northern"}},
		{api.Sectors, "Lantern and Moon Care", []string{"moon", "LANT", "care lantern"},
			[]string{"antern", "lantern sun", "care lanterns"}},
		{api.Skills, "Moon minding by night", []string{"moon", "NIGHT", "min moon", "night by"},
			[]string{"ight", "moon day", "night moons"}},
		{api.Occupations, "Moon minders and winders", []string{"moon", "WIND", "winders mind"},
			[]string{"inders", "moon grinders", "winders moons"}},
	} {
		all := namesOf(t, s, of.vocabulary, "")
		if !slices.Contains(all, of.name) || len(all) < 2 {
			t.Errorf("%s: %q", of.vocabulary, all)
		}
		for _, search := range of.finds {
			got := namesOf(t, s, of.vocabulary, search)
			var want []string
			for _, name := range all {
				if hasWords(name, strings.ToLower(search)) {
					want = append(want, name)
				}
			}
			if !slices.Contains(got, of.name) || !slices.Equal(got, want) {
				t.Errorf("%s, %q: %q, want %q", of.vocabulary, search, got, want)
			}
		}
		for _, search := range of.none {
			if got := namesOf(t, s, of.vocabulary, search); len(got) > 0 {
				t.Errorf("%s, %q: %q, want none", of.vocabulary, search, got)
			}
		}
	}
}

package ingest

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/coding"
	"labour/pipeline/coding/place"
	"labour/pipeline/config"
	"labour/pipeline/report"
	"labour/pipeline/servedplaces"
	"labour/pipeline/staging"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/sourcetest"
)

// An advert in London is staged in the served area that holds London whole, in no
// borough; an ambiguous one with the councils that it may mean.
func TestAdvertsOfAreasAreStaged(t *testing.T) {
	var boroughs []sources.Borough
	var all []string
	for i, name := range strings.Split(
		"City of London|Barking and Dagenham|Barnet|Bexley|Brent|Bromley|Camden|Croydon|Ealing|Enfield|Greenwich|Hackney|"+
			"Hammersmith and Fulham|Haringey|"+
			"Harrow|Havering|Hillingdon|Hounslow|Islington|Kensington and Chelsea|Kingston upon Thames|Lambeth|Lewisham|"+
			"Merton|Newham|Redbridge|Richmond upon Thames|Southwark|Sutton|"+
			"Tower Hamlets|Waltham Forest|Wandsworth|Westminster", "|") {
		slug := strings.ReplaceAll(strings.ToLower(name), " ", "-")
		boroughs = append(boroughs, sources.Borough{Slug: slug, Name: name, Code: "E0900" + string(rune('A'+i))})
		all = append(all, slug)
	}
	files, err := staging.Create(filepath.Join(t.TempDir(), "staging"))
	if err != nil {
		t.Fatal(err)
	}
	served := servedplaces.NewPlaces(boroughs, nil, []config.ServedArea{
		{Slug: "the-capital", Name: "The capital", Boroughs: all},
		{Slug: "two", Name: "Two boroughs", Boroughs: all[:2]}})
	gazetteer, faults := place.NewGazetteer(nil, nil, boroughs, served.Areas()...)
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	s := &stager{reader: &reader{files: files}}
	for i, text := range []string{"London", "Camden, London", "Sutton or Kent", "Leeds", "Richmond"} {
		coded := gazetteer.CodeAdvert(&sources.Advert{Locations: []sources.Location{{Text: text}}}, &place.LocationCache{})
		s.stageAdvert(int32(i), &codedAdvert{coded: coding.CodedAdvert{Place: coded}})
	}
	if err := errors.Join(s.writeError, files.Close()); err != nil {
		t.Fatal(err)
	}
	areas, err := parquetio.ReadAll[staging.AdvertArea](files.Dir + "/advert_areas.parquet")
	if err != nil || !slices.Equal(areas, []staging.AdvertArea{{Ordinal: 0, Area: "the-capital"}}) {
		t.Errorf("areas %v, %v", areas, err)
	}
	councils, err := parquetio.ReadAll[staging.AdvertPlace](files.Dir + "/advert_places.parquet")
	code := func(name string) string {
		return boroughs[slices.IndexFunc(boroughs, func(b sources.Borough) bool { return b.Name == name })].Code
	}
	want := []staging.AdvertPlace{{Ordinal: 1, CouncilCode: code("Camden"), IsCertain: true},
		{Ordinal: 2, CouncilCode: code("Sutton"), IsCertain: true}, {Ordinal: 4, CouncilCode: code("Richmond upon Thames")}}
	if err != nil || !slices.Equal(councils, want) {
		t.Errorf("places %v, %v; want %v", councils, err, want)
	}
}

// A boundary that cannot be read is a fault of its source, and no unknown place of the platform.
func TestUnreadableBoundariesAreFaultsOfTheirSource(t *testing.T) {
	var steps []string
	geography := recorded{info: sources.Info{Key: "geography", IsReference: true}, objects: map[string][]sources.Record{
		"all1": {sources.Boundary{Source: "geography", Code: "E09000007", GeoJSON: []byte("{")}}}}
	feed := recorded{info: sources.Info{Key: "feed", Kind: sources.KindPlatform},
		objects: map[string][]sources.Record{"all1": {camden(), advertOf("feed", "17")}}}
	to := report.New(dayOf(0))
	if _, err := Read(t.Context(), sourcetest.OpenArchive(t), []SourceWithExtracts{
		{geography, []sources.Extract{extractOf("geography", 0, "all1")}},
		{feed, []sources.Extract{extractOf("feed", 0, "all1")}}}, optionsOf(t, &steps), to); err != nil {
		t.Fatal(err)
	}
	f := to.EnsureSource("geography").Samples
	if len(f) != 1 || f[0].Code != sources.FaultBadValue || !strings.HasPrefix(f[0].Detail, "boundary of E09000007") {
		t.Errorf("the faults of the geography are %+v, want one on the boundary", f)
	}
	if f := to.EnsureSource("platform").Samples; len(f) > 0 {
		t.Errorf("the faults of the platform are %+v", f)
	}
}

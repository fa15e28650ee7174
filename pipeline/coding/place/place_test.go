package place

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"labour/sources"
)

func testGazetteer(t testing.TB) *Gazetteer {
	t.Helper()
	var councils []sources.Area
	for code, name := range map[string]string{"E09000007": "Camden", "E09000012": "Hackney", "E09000033": "Westminster",
		"E06000038": "Reading", "E06000023": "Bristol, City of", "E08000003": "Manchester", "E07000008": "Cambridge",
		"E09000025": "Newham", "E07000221": "Stratford-on-Avon", "S12000036": "City of Edinburgh",
		"E09000002": "Barking and Dagenham"} {
		councils = append(councils, sources.Area{Code: code, Name: name, Kind: "council"})
	}
	square := func(west, south, east, north float64) []byte {
		b, err := json.Marshal(map[string]any{"type": "Polygon", "coordinates": [][][2]float64{
			{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	g, faults := NewGazetteer(councils, []sources.Boundary{
		{Code: "E09000007", GeoJSON: square(-0.2, 51.5, -0.1, 51.6)},
		{Code: "E09000012", GeoJSON: square(-0.1, 51.5, 0, 51.6)},
	}, []sources.Borough{{Slug: "camden", Name: "Camden", Code: "E09000007"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	return g
}

func TestFreeText(t *testing.T) {
	g := testGazetteer(t)
	tests := []struct {
		text    string
		council string
		country CountryStatus
	}{
		{"London", "", CountryUK},
		{"London, UK; Remote", "", CountryUK},
		{"Camden, London", "E09000007", CountryUK},
		{"London Borough of Hackney", "E09000012", CountryUK},
		{"Shoreditch, London, United Kingdom", "E09000012", CountryUK},
		{"Reading (London)", "E06000038", CountryUK},
		{"Bristol, UK", "E06000023", CountryUK},
		{"City of Bristol", "E06000023", CountryUK},
		{"UK - Edinburgh", "S12000036", CountryUK},
		{"UK - Glasgow\u00a0", "", CountryUK},
		{"Manchester", "E08000003", CountryUK},
		{"Stratford", "", CountryUK},
		{"Stratford, London", "E09000025", CountryUK},
		{"Stratford, Warwickshire", "E07000221", CountryUK},
		{"Cambridge, Cambridgeshire", "E07000008", CountryUK},
		{"Kings Cross Station, London", "E09000007", CountryUK},
		{"Univeristy of Cambridge; Cambrige", "E07000008", CountryUK},
		{"London N1C 4AG", "E09000007", CountryUK},
		{"New York Privy HQ", "", CountryAbroad},
		{"Rotterdam, South Holland, Netherlands", "", CountryAbroad},
		{"Chicago and NYC", "", CountryAbroad},
		{"Remote, India; Remote, Phillipines", "", CountryAbroad},
		{"Ireland, Bedfordshire", "", CountryUK},
		{"Boston, Lincolnshire", "", CountryUK},
		{"Shepton Mallet", "", CountryUK},
		{"London, Ontario", "", CountryAbroad},
		{"Cambridge, MA", "", CountryAbroad},
		{"Cambridge", "E07000008", CountryUK},
		{"Dublin, London", "", CountryUK},
		{"Chicago, New York, Reading or London", "E06000038", CountryUK},
		{"London, New York", "", CountryUK},
		{"Reading, New York", "", CountryAbroad},
		{"Dublin OR London", "", CountryUK},
		{"Paris or London", "", CountryUK},
		{"Brazil - Rio de Janeiro", "", CountryAbroad},
		{"Remote", "", CountryUnknown},
		{"Remote - EMEA", "", CountryUnknown},
		{"Remote, United Kingdom", "", CountryUK},
		{"Remote, US", "", CountryAbroad},
		{"US-Remote", "", CountryAbroad},
		{"Remote in the US", "", CountryAbroad},
		{"UK-London", "", CountryUK},
		{"Belgium; Portugal; United Kingdom; United States", "", CountryUK},
		{"UK; Ireland", "", CountryUK},
		{"Ireland or UK", "", CountryUK},
		{"Manchester or Dublin", "E08000003", CountryUK},
		{"Belgium; Portugal; London; United States", "", CountryUK},
		{"United Kingdom", "", CountryUK},
		{"SF / NY / Remote", "", CountryAbroad},
		{"San Francisco", "", CountryAbroad},
		{"Boston", "", CountryUnknown},
		{"N/A", "", CountryUnknown},
		{"", "", CountryUnknown},
		{"barking & dagenham", "E09000002", CountryUK},
		{"WC1", "E09000007", CountryUK},
		{"London WC1", "E09000007", CountryUK},
		{"EC1", "", CountryUK},
		{"M4", "E08000003", CountryUK},
		{"Swindon, near the M4", "", CountryUK},
		{"M4 corridor", "", CountryUK},
		{"Along the M4 corridor", "", CountryUK},
		{"Hackney, M25 area", "E09000012", CountryUK},
		{"Within the M25", "", CountryUnknown},
		{"Prestwich, M25 1AA", "", CountryUK},
	}
	for _, tt := range tests {
		c := g.CodeAdvert(&sources.Advert{Locations: []sources.Location{{Text: tt.text}}}, &LocationCache{})
		if strings.Join(c.Councils, ",") != tt.council || c.Country != tt.country {
			t.Errorf("%q: %v in country %d, want %q in %d", tt.text, c.Councils, c.Country, tt.council, tt.country)
		}
	}
}

func TestOtherForms(t *testing.T) {
	g := testGazetteer(t)
	tests := []struct {
		name       string
		locations  []sources.Location
		nationwide bool
		want       Coding
	}{
		{"slug", []sources.Location{{Slug: "camden"}}, false, Coding{Councils: []string{"E09000007"},
			Precision: PrecisionCouncil,
			Country:   CountryUK, MatchedBy: "slug"}},
		{"unknown slug", []sources.Location{{Slug: "atlantis"}}, false,
			Coding{Country: CountryUK, UnknownBoroughSlug: "atlantis"}},
		{"coordinates", []sources.Location{{Latitude: 51.55, Longitude: -0.05}}, false,
			Coding{Councils: []string{"E09000012"}, Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "coordinates"}},
		{"just outside", []sources.Location{{Latitude: 51.55, Longitude: 0.01}}, false,
			Coding{Councils: []string{"E09000012"}, Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "coordinates"}},
		{"far outside", []sources.Location{{Latitude: 48, Longitude: 2}}, false, Coding{}},
		{"postcode", []sources.Location{{Postcode: "NW1 2BU", Text: "London"}}, false,
			Coding{Councils: []string{"E09000007"}, Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "postcode"}},
		{"postcode of a council that is not listed", []sources.Location{{Postcode: "LS1 4BN"}}, false,
			Coding{Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "postcode"}},
		{"postcode of Northern Ireland", []sources.Location{{Postcode: "BT7 1AA"}}, false, Coding{Country: CountryUK}},
		{"postcode of elsewhere", []sources.Location{{Postcode: "10115", Text: "Mitte"}}, false,
			Coding{Country: CountryAbroad}},
		{"postcode of elsewhere, town of a British name", []sources.Location{{Postcode: "02139", Text: "Cambridge"}},
			false, Coding{Country: CountryAbroad}},
		{"postcode of a form", []sources.Location{{Postcode: "00000", Text: "Cambridge"}}, false,
			Coding{Councils: []string{"E07000008"}, Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "text"}},
		{"country field abroad", []sources.Location{{Text: "Cambridge", Country: "us"}}, false,
			Coding{Country: CountryAbroad}},
		{"country field at home", []sources.Location{{Text: "Remote", Country: "GB"}}, false,
			Coding{Precision: PrecisionArea, Country: CountryUK, MatchedBy: "area"}},
		{"country field at home, place unknown", []sources.Location{{Text: "Nether Nowhere", Country: "GB"}}, false,
			Coding{Country: CountryUK}},
		{"country field at home, doubtful name", []sources.Location{{Text: "Boston", Country: "GB"}}, false,
			Coding{Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "text"}},
		{"two boroughs", []sources.Location{{Text: "Hackney"}, {Slug: "camden"}, {Text: "Camden"}}, false,
			Coding{Councils: []string{"E09000007", "E09000012"}, Precision: PrecisionCouncil, Country: CountryUK,
				MatchedBy: "text"}},
		{"home and abroad", []sources.Location{{Text: "Paris"}, {Text: "Hackney"}}, false,
			Coding{Councils: []string{"E09000012"}, Precision: PrecisionCouncil, Country: CountryUK, MatchedBy: "text"}},
		{"the country next to offices abroad", []sources.Location{{Text: "Paris"}, {Text: "United Kingdom"}}, false,
			Coding{Precision: PrecisionArea, Country: CountryUK, MatchedBy: "area"}},
		{"only abroad", []sources.Location{{Text: "Paris"}, {Text: "Germany"}}, false, Coding{Country: CountryAbroad}},
		{"nationwide", []sources.Location{{Text: "Hackney"}}, true,
			Coding{Precision: PrecisionArea, Country: CountryUK, MatchedBy: "nationwide"}},
		{"several places of a name", []sources.Location{{Text: "Stratford"}}, false,
			Coding{PossibleCouncils: []string{"E07000221", "E09000025"}, Precision: PrecisionArea, Country: CountryUK,
				MatchedBy: "area"}},
		{"none", nil, false, Coding{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := g.CodeAdvert(&sources.Advert{Locations: tt.locations, Nationwide: tt.nationwide}, &LocationCache{})
			if d := cmp.Diff(tt.want, got, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("coding (-want +got):\n%s", d)
			}
		})
	}
}

func TestNewRefusesUnknownBoroughs(t *testing.T) {
	_, faults := NewGazetteer([]sources.Area{{Code: "E1", Name: "One"}}, nil, []sources.Borough{{Slug: "two", Code: "E2"},
		{Slug: "three", Code: "E3"}})
	var details []string
	for _, f := range faults {
		details = append(details, f.Source+" "+string(f.Code)+" "+f.Detail)
	}
	if want := []string{
		`platform unknown_place borough "two": "E2" is not the code of a council; correct the feed's boroughs`,
		`platform unknown_place borough "three": "E3" is not the code of a council; correct the feed's boroughs`,
	}; !slices.Equal(details, want) {
		t.Errorf("the faults are %q, want %q", details, want)
	}
}

// A broken row in the list of councils takes no borough of the platform away. A borough with a wrong code is refused,
// since the list has its council under another one.
func TestABoroughThatTheListOmitsIsKept(t *testing.T) {
	list := []sources.Area{{Source: "office", Code: "E09000019", Name: "Islington"}}
	g, faults := NewGazetteer(list, nil, []sources.Borough{{Slug: "camden", Code: "E09000007", Name: "Camden"},
		{Slug: "islington", Code: "E09000091", Name: "Islington"}})
	got := g.CodeAdvert(&sources.Advert{Locations: []sources.Location{{Slug: "camden"}}}, &LocationCache{})
	if !slices.Equal(got.Councils, []string{"E09000007"}) {
		t.Errorf("an advert in Camden is in %v", got.Councils)
	}
	var details []string
	for _, f := range faults {
		details = append(details, f.Source+": "+f.Detail)
	}
	all := strings.Join(details, "\n")
	if len(faults) != 2 || !strings.Contains(all, "office: the list of councils has no valid row of E09000007 (Camden)") ||
		!strings.Contains(all, `platform: borough "islington": "E09000091" is not the code of a council`) {
		t.Errorf("%+v", faults)
	}
}

// Without an official list of councils, a borough has the places and postcodes of its council also if the platform
// does not use the full official name.
func TestABoroughByAShortName(t *testing.T) {
	for name, place := range map[string]sources.Location{"Bristol": {Text: "Bristol"},
		"City of Bristol": {Postcode: "BS1 4DJ"}, "Edinburgh": {Text: "Leith, Edinburgh"},
		"Herefordshire": {Text: "Leominster"}, "Newham": {Postcode: "E15 1AA"}} {
		g, faults := NewGazetteer(nil, nil, []sources.Borough{{Slug: "own", Code: "X1", Name: name}})
		got := g.CodeAdvert(&sources.Advert{Locations: []sources.Location{place}}, &LocationCache{})
		if len(faults) > 0 || !slices.Equal(got.Councils, []string{"X1"}) {
			t.Errorf("%s: %+v is in %q, %+v", name, place, got.Councils, faults)
		}
	}
}

// A council for which there is no room, and a boundary that cannot be read, are faults of their source. The other
// boundaries are used.
func TestBadListsAreFaultsOfTheirSources(t *testing.T) {
	var councils []sources.Area
	for n := range setSize + 1 {
		councils = append(councils, sources.Area{Source: "office", Code: fmt.Sprint("E", n), Name: fmt.Sprint("Newplace", n)})
	}
	square := []byte(`{"type":"Polygon","coordinates":[[[0,51],[1,51],[1,52],[0,51]]]}`)
	g, faults := NewGazetteer(councils, []sources.Boundary{{Source: "office", Code: "E1", GeoJSON: []byte("{")},
		{Source: "office", Code: "E2", GeoJSON: square}}, nil)
	if len(faults) < 2 {
		t.Fatalf("%+v", faults)
	}
	for _, f := range faults {
		if f.Source != "office" || f.Code != sources.FaultBadValue {
			t.Errorf("%+v", f)
		}
	}
	if first, last := faults[0].Detail, faults[len(faults)-1].Detail; !strings.Contains(first, "more than 512 councils") ||
		!strings.HasPrefix(last, "boundary of E1") {
		t.Errorf("the first fault is %q, and the last %q", first, last)
	}
	if len(g.outlines) != 1 || g.outlines[0].code != "E2" {
		t.Errorf("the outlines are %+v, want that of E2", g.outlines)
	}
}

// The order of the locations changes nothing, naming one twice neither, nor what was
// coded before.
func TestOrderDoesNotMatter(t *testing.T) {
	g, before := testGazetteer(t), &LocationCache{}
	texts := []string{"London", "Camden", "Hackney, London", "Paris", "Remote", "Boston", "Bristol", "New York, NY", ""}
	rapid.Check(t, func(t *rapid.T) {
		var ls []sources.Location
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(texts), 0, 5).Draw(t, "texts") {
			ls = append(ls, sources.Location{Text: s})
		}
		want := g.CodeAdvert(&sources.Advert{Locations: ls}, &LocationCache{})
		shuffled := append(rapid.Permutation(ls).Draw(t, "order"), ls...)
		got := g.CodeAdvert(&sources.Advert{Locations: shuffled}, before)
		if !slices.Equal(got.Councils, want.Councils) || got.Country != want.Country {
			t.Fatalf("%v: %+v, shuffled %+v", ls, want, got)
		}
	})
}

func FuzzCode(f *testing.F) {
	g := testGazetteer(f)
	f.Add("London, UK; Remote", "GB", "E1 6AN")
	f.Fuzz(func(t *testing.T, text, country, code string) {
		c := g.CodeAdvert(&sources.Advert{Locations: []sources.Location{{Text: text, Country: country, Postcode: code}}},
			&LocationCache{})
		if len(c.Councils) > 0 && c.Country != CountryUK {
			t.Errorf("%q is in council %v and not in the United Kingdom", text, c.Councils)
		}
	})
}

func BenchmarkCode(b *testing.B) {
	g := testGazetteer(b)
	a := &sources.Advert{Locations: []sources.Location{{Text: "Shoreditch, London, United Kingdom; Remote"}}}
	b.ReportAllocs()
	for b.Loop() {
		g.CodeAdvert(a, &LocationCache{})
	}
}

package serve

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/serve/partners/access"
)

// wrongParameters are requests with one wrong parameter, and what is said of it.
var wrongParameters = []struct {
	target, code string
	want         api.Fault // without its message
	words        string    // part of the message
}{
	{"skills-unmet?plaice=camden", "invalid_parameter", api.Fault{Parameter: "plaice", Nearest: []string{"place"}},
		"The nearest one is place."},
	{"skills-unmet?xyz=", "invalid_parameter", api.Fault{Parameter: "xyz"}, "This call takes by, cursor"},
	{"skills-unmet?borough=camden", "invalid_parameter", api.Fault{Parameter: "borough", Nearest: []string{"place"}},
		"The nearest one is place."},
	{"skills-unmet?Place=camden", "invalid_parameter", api.Fault{Parameter: "Place", Nearest: []string{"place"}}, ""},
	{"sources?limit=1", "invalid_parameter", api.Fault{Parameter: "limit"}, "This call takes format"},
	{"sources?format=xml", "invalid_parameter", api.Fault{Parameter: "format",
		Allowed: []string{"json", "csv", "parquet"}}, "one of json, csv, parquet"},
	{"sources?format=CSV", "invalid_parameter", api.Fault{Parameter: "format",
		Allowed: []string{"json", "csv", "parquet"}}, ""},
	{"skills-unmet?place=camden&place=camden", "invalid_parameter", api.Fault{Parameter: "place"}, "2 times"},
	{"skills-unmet?place=", "invalid_parameter", api.Fault{Parameter: "place"}, "place is empty"},
	{"skills-unmet?cursor=", "invalid_parameter", api.Fault{Parameter: "cursor"}, "cursor is empty"},
	{"skills-unmet?soc=9999", "invalid_parameter", api.Fault{Parameter: "soc"}, "There is no soc"},
	{"skills-unmet?limit=&limit=5", "invalid_parameter", api.Fault{Parameter: "limit"}, "2 times"},
	{"skills-unmet?place=camdne", "unknown_place", api.Fault{Parameter: "place"}, `"camdne"`},
	{"skills-unmet?place=London", "unknown_place", api.Fault{Parameter: "place"}, `"London"`},
	{"skills-unmet?sector=digitl", "invalid_parameter", api.Fault{Parameter: "sector", Nearest: []string{"digital"}}, ""},
	{"skills-unmet?skill=weld", "invalid_parameter", api.Fault{Parameter: "skill"}, ""},
	{"skills-unmet?soc=21365", "invalid_parameter", api.Fault{Parameter: "soc"}, "1 to 4 digits of SOC 2020"},
	{"skills-unmet?soc=2a", "invalid_parameter", api.Fault{Parameter: "soc"}, "1 to 4 digits"},
	{"skills-unmet?level=6", "invalid_parameter", api.Fault{Parameter: "level",
		Allowed: []string{"1", "2", "3", "4", "5"}}, "one of 1, 2, 3, 4, 5"},
	{"skills-unmet?source=indeed", "invalid_parameter", api.Fault{Parameter: "source",
		Allowed: []string{"platform", "employer_boards", "find_an_apprenticeship"}}, ""},
	{"skills-unmet?window=13", "invalid_parameter", api.Fault{Parameter: "window",
		Allowed: []string{"3", "6", "12", "24"}}, "one of 3, 6, 12, 24"},
	{"skills-unmet?window=012", "invalid_parameter", api.Fault{Parameter: "window",
		Allowed: []string{"3", "6", "12", "24"}}, ""},
	{"skills-unmet?by=borough&skill=tiling", "invalid_parameter",
		api.Fault{Parameter: "by", Allowed: []string{"place", "sector", "soc", "soc2020", "SOC 2020", "level", "month"}},
		""},
	{"skills-unmet?by=place", "invalid_parameter", api.Fault{Parameter: "by"}, "give skill too"},
	{"skills-unmet?limit=0", "invalid_parameter", api.Fault{Parameter: "limit"}, "at least 1"},
	{"skills-unmet?limit=-1", "invalid_parameter", api.Fault{Parameter: "limit"}, "at least 1"},
	{"skills-unmet?limit=1.0", "invalid_parameter", api.Fault{Parameter: "limit"}, "whole number"},
	{"skills-unmet?limit=%2B5", "invalid_parameter", api.Fault{Parameter: "limit"}, "whole number"},
	{"skills-unmet?limit=-99999999999", "invalid_parameter", api.Fault{Parameter: "limit"}, "at least 1"},
	{"skills-unmet?limit=05", "invalid_parameter", api.Fault{Parameter: "limit"}, "whole number"},
	{"skills-gaps?horizon=35", "invalid_parameter", api.Fault{Parameter: "horizon"}, "from 2000 to 2100"},
	{"skills-gaps?soc=x", "invalid_parameter", api.Fault{Parameter: "soc"}, "15-1252"},
	{"course-demand?country=UK", "invalid_parameter", api.Fault{Parameter: "country"}, "ISO 3166-1"},
	{"course-demand?country=GBR", "invalid_parameter", api.Fault{Parameter: "country"}, "two letters"},
	{"course-demand?country=US&region=E12000007", "invalid_parameter", api.Fault{Parameter: "region"},
		"United Kingdom only"},
	{"course-demand?region=E1200007", "unknown_region", api.Fault{Parameter: "region", Nearest: []string{"E12000007"}},
		"/v1/labour/regions"},
	{"course-demand?metric=starts", "invalid_parameter", api.Fault{Parameter: "metric",
		Allowed: []string{"apprenticeship_starts", "further_education_enrolments", "skills_bootcamp_starts"},
		Nearest: []string{"apprenticeship_starts"}}, ""},
	{"evidence?kind=rumour", "invalid_parameter", api.Fault{Parameter: "kind",
		Allowed: []string{"statistic", "projection", "report", "news"}}, ""},
	{"regions?kind=ward", "invalid_parameter", api.Fault{Parameter: "kind",
		Allowed: []string{"travel_to_work_area", "council", "lsip", "itl", "itl1", "itl2", "itl3", "region", "nation"}}, ""},
	{"regions?name=" + strings.Repeat("a", 101), "invalid_parameter", api.Fault{Parameter: "name"}, "100 characters"},
	{"regions?name=%20", "invalid_parameter", api.Fault{Parameter: "name"}, "no letter or digit"},
	{"regions?name=%F0%9F%98%80-", "invalid_parameter", api.Fault{Parameter: "name"}, "no letter or digit"},
	{"regions?name=%FF", "invalid_parameter", api.Fault{Parameter: "name"}, "UTF-8"},
	{"regions?name=a%00b", "invalid_parameter", api.Fault{Parameter: "name"}, "U+0000"},
	{"regions?name=%zz", "invalid_parameter", api.Fault{}, "encoded"},
	{"regions?name=a;limit=1", "invalid_parameter", api.Fault{}, "encoded"},
}

func TestWrongParameters(t *testing.T) {
	s := newService(t, nil)
	for _, tt := range wrongParameters {
		res := s.get(t, "/v1/labour/"+tt.target)
		e := errorOf(t, res)
		if res.status != http.StatusBadRequest || e.Code != tt.code || len(e.Details) != 1 {
			t.Errorf("%s: %d %+v", tt.target, res.status, e)
			continue
		}
		got := e.Details[0]
		if !strings.Contains(got.Message, tt.words) || got.Message == "" || e.Message != got.Message {
			t.Errorf("%s: message %q and %q", tt.target, e.Message, got.Message)
		}
		got.Message = ""
		if tt.want.Nearest == nil {
			got.Nearest = nil // which one is checked elsewhere
		}
		if tt.code == "unknown_place" && (len(e.Details[0].Nearest) == 0 || len(e.Details[0].Nearest) > 3) {
			t.Errorf("%s: nearest %v", tt.target, e.Details[0].Nearest)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %s", tt.target, diff)
		}
	}
}

// "All faults of a request are reported at once in error.details."
func TestAllFaultsAtOnce(t *testing.T) {
	s := newService(t, nil)
	e := errorOf(t, s.get(t, "/v1/labour/skills-unmet?plce=x&place=atlantis&limit=0&by=month&cursor=abc"+
		"&window=5&soc=1&soc=2"))
	var got []string
	for _, d := range e.Details {
		got = append(got, d.Parameter)
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"by", "cursor", "limit", "place", "plce", "soc", "window"}, got); diff != "" {
		t.Error(diff)
	}
	if e.Code != "invalid_parameter" || !strings.Contains(e.Message, "7 things") {
		t.Errorf("%s: %s", e.Code, e.Message)
	}
	if s.live.now().last() != nil {
		t.Error("the wrong call was asked")
	}
	// A fault of one kind keeps its own code when it is alone.
	e = errorOf(t, s.get(t, "/v1/labour/evidence?region=nowhere&kind=rumour"))
	if len(e.Details) != 2 || e.Code != "invalid_parameter" {
		t.Errorf("%+v", e)
	}
}

func TestMostSimilar(t *testing.T) {
	known := []string{"camden", "central-london", "hackney", "islington", "kensington-and-chelsea", "westminster"}
	for wrong, want := range map[string]string{
		"camdne": "camden", "CAMDEN": "camden", "kensington": "kensington-and-chelsea", "london": "central-london",
		"west-minster": "westminster",
	} {
		if got := nearest(wrong, known, 3); len(got) == 0 || len(got) > 3 || got[0] != want {
			t.Errorf("nearest to %q: %v, want %s first", wrong, got, want)
		}
	}
	for _, wrong := range []string{"", "atlantis", "xyz", "?"} {
		if got := nearest(wrong, known, 3); len(got) != 0 {
			t.Errorf("nearest to %q: %v", wrong, got)
		}
	}
	skills := []api.Named{{Value: "excel", Name: "Excel and spreadsheets"},
		{Value: "nlp", Name: "Natural language processing"}, {Value: "soc", Name: "Security operations"}}
	for wrong, want := range map[string]string{"spreadsheets": "excel", "spread": "excel", "exel": "excel",
		"language processing": "nlp", "foo": "", "nope": ""} {
		if got := strings.Join(MostSimilarValues(wrong, skills, 3), " "); got != want {
			t.Errorf("nearest to %q by name: %q, want %q", wrong, got, want)
		}
	}
	if got := nearest("x", nil, 3); len(got) != 0 {
		t.Errorf("nearest of none: %v", got)
	}
}

// Two spellings with the same meaning are the same call: letter cases that do not matter, and the
// names that the specification has for soc.
func TestSpellingsThatMeanTheSame(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	for target, others := range map[string][]string{
		"/v1/labour/skills-unmet?skill=tiling&by=soc": {"by=soc2020", "by=SOC2020", "by=SOC%202020", "by=soc+2020",
			"by=Soc+2020", "by=SOC"},
		"/v1/labour/evidence?country=GB": {"country=gb", "country=Gb"},
	} {
		path, query, _ := strings.Cut(target, "?")
		want := s.get(t, target)
		if want.status != http.StatusOK {
			t.Fatalf("%s: %d %s", target, want.status, want.body)
		}
		kept := strings.TrimSuffix(query, query[strings.LastIndex(query, "&")+1:])
		for _, other := range others {
			res := s.get(t, path+"?"+kept+other)
			if res.status != http.StatusOK || res.header.Get("ETag") != want.header.Get("ETag") {
				t.Errorf("%s: %d, tag %s, want %s", other, res.status, res.header.Get("ETag"), want.header.Get("ETag"))
			}
		}
	}
	if e := errorOf(t, s.get(t, "/v1/events?page=99999999999999999999")); len(e.Details) != 1 ||
		e.Details[0].Parameter != "page" {
		t.Errorf("a page that no list has: %+v", e)
	}
	if e := errorOf(t, s.get(t, "/v1/jobs?place=camden")); len(e.Details) != 1 || len(e.Details[0].Nearest) != 1 ||
		e.Details[0].Nearest[0] != "borough" {
		t.Errorf("the place of jobs: %+v", e)
	}
}

// A caller's text is repeated in part only, at a character.
func TestLongTextIsClipped(t *testing.T) {
	s := newService(t, nil)
	e := errorOf(t, s.get(t, "/v1/labour/regions?"+strings.Repeat("é", 5000)+"=1"))
	if got := e.Details[0].Parameter; got != strings.Repeat("é", longestCompared/2) {
		t.Errorf("repeated %d bytes", len(got))
	}
	if got := TruncateText("a\xffb"); got != "ab" {
		t.Errorf("clip kept %q", got)
	}
}

func FuzzQuery(f *testing.F) {
	p, err := parametersOf(reflect.TypeFor[skillsUnmetInput]())
	if err != nil {
		f.Fatal(err)
	}
	f.Add("place=camden&limit=5")
	f.Add("a;b&%zz=%00&limit=1&limit=2")
	f.Fuzz(func(t *testing.T, raw string) {
		c := &call{}
		p.decode(c, raw, new(skillsUnmetInput))
		for name, values := range c.query {
			if len(values) != 1 || p[name].fault(values[0]) != "" || values[0] == "" {
				t.Fatalf("%q lets %s=%q through", raw, name, values)
			}
		}
	})
}

func TestCountriesAreSortedAndComplete(t *testing.T) {
	codes := countryCodes
	if len(codes) != 249 || !slices.IsSorted(codes) || len(slices.Compact(slices.Clone(codes))) != 249 {
		t.Errorf("%d codes, sorted %v; ISO 3166-1 has 249", len(codes), slices.IsSorted(codes))
	}
	for code, want := range map[string]bool{"GB": true, "US": true, "UK": false, "": false, "G": false, "B ": false,
		" G": false, "GBR": false} {
		if isCountry(code) != want {
			t.Errorf("isCountry(%q) = %v", code, !want)
		}
	}
}

func TestVocabulariesAreSearchedWhole(t *testing.T) {
	s := newService(t, nil)
	for _, place := range s.live.now().Values(api.Places) {
		if res := s.get(t, "/v1/labour/skills-unmet?place="+place); res.status != http.StatusOK {
			t.Errorf("%s: %s", place, res.body)
		}
	}
}

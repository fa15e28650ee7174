package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"testing"

	"labour/serve/api"
)

// TestTheFirstFaultIsShownAndEachParameterIsKept: the visitor sees the first fault, and no link keeps any
// of the faulty parameters.
func TestTheFirstFaultIsShownAndEachParameterIsKept(t *testing.T) {
	v := visit(nil, "/skills")
	v.fail(nil)
	first := &fault{parameter: "place"}
	v.fail(first)
	v.fail(&fault{title: "no parameter"})
	v.fail(fmt.Errorf("page: %w", &fault{parameter: "soc"}))
	if !errors.Is(v.err, first) || !slices.Equal(v.faultyParameters, []string{"place", "soc"}) {
		t.Errorf("%v, and the faulty parameters are %q", v.err, v.faultyParameters)
	}
}

// placesAndJobs is a snapshot with two places and two occupations.
func placesAndJobs() *fixed {
	return &fixed{named: map[api.Vocabulary][]api.Named{
		api.Places: {{Value: "camden", Name: "Camden", Code: "E09000007"},
			{Value: "east", Name: "East London", Kind: "area"}},
		api.Occupations: {{Value: "61", Name: "Care"}, {Value: "6135", Name: "Care workers"}},
	}}
}

// TestPlaceOfAVisit: the place of the path comes before that of the region, and that before the parameter place.
// A place has a slug, a name and a code, whose letters may be of any case.
func TestPlaceOfAVisit(t *testing.T) {
	for _, c := range []struct{ path, target, want string }{
		{"", "/skills", ""},
		{"", "/skills?place=camden", "camden"},
		{"", "/skills?place=CAMDEN", "camden"},
		{"", "/skills?place=e09000007", "camden"},
		{"", "/skills?place=east+london", "east"},
		{"", "/skills?place=nowhere", ""},
		{"", "/courses?region=camden&place=east", "camden"},
		{"", "/courses?region=nowhere&place=east", ""},
		{"east", "/places/east?region=camden&place=camden", "east"},
	} {
		v := visit(placesAndJobs(), c.target)
		v.SetPathValue("place", c.path)
		if got := placeOfVisit(v); got != c.want {
			t.Errorf("%s: %q, want %q", c.target, got, c.want)
		}
	}
	if got := placeOf(placesAndJobs(), "NoWhere"); got != "NoWhere" {
		t.Errorf("an unknown place is changed to %q", got)
	}
	if got := placeOf(placesAndJobs(), ""); got != "" {
		t.Errorf("no place is %q", got)
	}
}

func TestOccupationOfAVisit(t *testing.T) {
	for _, c := range []struct{ path, target, want string }{
		{"", "/skills", ""}, {"", "/skills?soc=61", "61"}, {"", "/skills?soc=6136", ""},
		{"6135", "/occupations/6135?soc=61", "6135"}, {"9", "/occupations/9?soc=61", ""},
	} {
		v := visit(placesAndJobs(), c.target)
		v.SetPathValue("soc", c.path)
		if got := occupationOfVisit(v); got != c.want {
			t.Errorf("%s: %q, want %q", c.target, got, c.want)
		}
	}
}

// otherEdition is a snapshot with an id of its own.
type otherEdition struct{ *fixed }

func (otherEdition) ID() string { return "2026-11-19.1" }

// TestATagIsOfEverythingAPageDependsOn: the program, the snapshot, whether it is a past one, the address of the
// service, and that of the page.
func TestATagIsOfEverythingAPageDependsOn(t *testing.T) {
	page := func() *request { return visit(&fixed{}, "/skills?soc=61") }
	tag := (&Site{version: "a"}).tagOf(page())
	if again := (&Site{version: "a"}).tagOf(page()); again != tag || len(tag) != len(`W/""`)+24 {
		t.Errorf("%s, and the same page has %s", tag, again)
	}
	past, moved, served := page(), visit(&fixed{}, "/skills?soc=62"), page()
	past.past, served.base = &earlier, "https://other.example"
	for what, got := range map[string]string{"another program": (&Site{version: "b"}).tagOf(page()),
		"another snapshot": (&Site{version: "a"}).tagOf(visit(otherEdition{&fixed{}}, "/skills?soc=61")),
		"a past snapshot":  (&Site{version: "a"}).tagOf(past), "another address": (&Site{version: "a"}).tagOf(moved),
		"another service": (&Site{version: "a"}).tagOf(served)} {
		if got == tag {
			t.Errorf("%s has the same tag", what)
		}
	}
}

var earlier = past{ID: "2026-11-20.1"}

// TestAPageThatTheVisitorHasIsNotMade: a page of figures is known by its tag before it is made, and a page that
// depends on the time of the visit is not. The snapshot is released after each visit.
func TestAPageThatTheVisitorHasIsNotMade(t *testing.T) {
	l := &loaded{snapshot: placesAndJobs()}
	s, _ := siteFor(t, l)
	s.Backend.RunQuery = func(ctx context.Context, query func(context.Context) error) error { return query(ctx) }
	for _, c := range []struct {
		page  page
		known bool
	}{
		{page{queries: true}, true}, {page{queries: true, ofTheMoment: true}, false},
		{page{}, false}, {page{tables: true}, false},
	} {
		made, place, tag := 0, "", ""
		c.page.show = func(v *request) view {
			made, place, tag = made+1, v.place, v.tag
			return view{}
		}
		h := s.handler(c.page, func(w http.ResponseWriter, v *request, _ view) {
			if !v.at.Equal(nowOf()) || v.base != "https://labour.example" {
				t.Errorf("%+v: the visit is at %s on %s", c.page, v.at, v.base)
			}
		})
		r := httptest.NewRequest(http.MethodGet, "/skills?place=Camden", nil)
		h.ServeHTTP(httptest.NewRecorder(), r)
		if made != 1 || place != "camden" || (tag != "") != c.known || l.used != 0 {
			t.Errorf("%+v: made %d times for %q with the tag %q, %d snapshots in use", c.page, made, place, tag, l.used)
		}
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if c.known && (made != 1 || w.Code != http.StatusNotModified || w.Header().Get("ETag") != tag ||
			w.Header().Get("Cache-Control") == "") || !c.known && made != 2 || l.used != 0 {
			t.Errorf("%+v again: made %d times, %d %v, %d snapshots in use", c.page, made, w.Code, w.Header(), l.used)
		}
	}
}

// TestAPageThatMovedLeadsOn: with status 301, and no page is sent.
func TestAPageThatMovedLeadsOn(t *testing.T) {
	s, _ := siteFor(t, &loaded{snapshot: placesAndJobs()})
	s.Backend.RunQuery = func(ctx context.Context, query func(context.Context) error) error { return query(ctx) }
	show := func(v *request) view {
		v.fail(redirectError("/places/camden"))
		return view{}
	}
	w := httptest.NewRecorder()
	s.handler(page{queries: true, show: show}, func(http.ResponseWriter, *request, view) { t.Error("a page is sent") }).
		ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/places/CAMDEN", nil))
	if w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != "/places/camden" {
		t.Errorf("%d to %q", w.Code, w.Header().Get("Location"))
	}
}

// TestAPageOfDocumentsNeedsNoSnapshot: a page of figures does.
func TestAPageOfDocumentsNeedsNoSnapshot(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	v := visit(nil, "/docs?snapshot=2026-11-19.1&cursor=x")
	release, err := s.acquire(v, page{})
	if err != nil || release == nil || v.snapshot != nil {
		t.Fatalf("%v with the snapshot %v", err, v.snapshot)
	}
	release()
	if _, err := s.acquire(visit(nil, "/skills"), page{queries: true}); !errors.Is(err, api.ErrNoSnapshot) {
		t.Errorf("a page of figures without a snapshot: %v", err)
	}
}

// TestACursorOpensItsSnapshot: with the position in the list. A page without a list, and an address without a
// cursor, have the current snapshot.
func TestACursorOpensItsSnapshot(t *testing.T) {
	l := &loaded{snapshot: placesAndJobs()}
	s, _ := siteFor(t, l)
	after := &api.EvidencePosition{ID: "e1"}
	opened := ""
	cursor := func(_ *Site, token string) (string, any, error) {
		if opened = token; token == "broken" {
			return "", nil, errors.New("a broken cursor")
		}
		return "2026-11-20.1", after, nil
	}
	for _, c := range []struct {
		target string
		page   page
		opened string
		after  *api.EvidencePosition
	}{
		{"/evidence?cursor=abc", page{queries: true, cursor: cursor}, "abc", after},
		{"/evidence", page{queries: true, cursor: cursor}, "", nil},
		{"/gaps?cursor=abc", page{queries: true}, "", nil},
	} {
		opened = ""
		v := visit(nil, c.target)
		release, err := s.acquire(v, c.page)
		if err != nil || opened != c.opened || v.snapshot == nil || positionOf[api.EvidencePosition](v) != c.after {
			t.Fatalf("%s: %v, the cursor %q is opened, after %v", c.target, err, opened, v.after)
		}
		if release(); l.used != 0 {
			t.Errorf("%s: %d snapshots in use", c.target, l.used)
		}
	}
	v := visit(nil, "/evidence?cursor=broken")
	if _, err := s.acquire(v, page{cursor: cursor}); err == nil || v.snapshot != nil {
		t.Errorf("a broken cursor opens %v: %v", v.snapshot, err)
	}
}

// TestCallsHaveTheFiguresOfThePage: they name their parameters but for default values, the snapshot of a past
// page, and the cursor of the page. A call of a paged list asks for 200 rows at most.
func TestCallsHaveTheFiguresOfThePage(t *testing.T) {
	at := nowOf()
	for _, c := range []struct {
		question any
		past     *past
		want     string
	}{
		{api.SkillsUnmetQuery{Window: 12, Limit: 200}, nil, "skills-unmet?limit=200"},
		{api.SkillsUnmetQuery{Window: 12, Limit: 201, Zeros: true}, nil, "skills-unmet?limit=200"},
		{api.SkillsUnmetQuery{Window: 24, Level: 2, By: api.ByPlace, Limit: 5}, nil,
			"skills-unmet?by=place&level=2&limit=5&window=24"},
		{api.SkillsUnmetQuery{Window: 12, After: &api.SkillsUnmetPosition{}}, nil, "skills-unmet?cursor=abc"},
		{api.SkillsUnmetQuery{Window: 12, After: &api.SkillsUnmetPosition{}}, &earlier,
			"skills-unmet?cursor=abc&snapshot=2026-11-20.1"},
		{api.SkillsGapsQuery{Country: "GB", Limit: 5000}, nil, "skills-unmet?limit=5000"},
		{api.SkillsGapsQuery{Country: "US", SOC: "15", Limit: 12}, nil, "skills-unmet?country=US&limit=12&soc=15"},
		{api.SourcesQuery{At: at}, nil, "skills-unmet"},
	} {
		v := visit(&fixed{}, "/skills?cursor=abc")
		v.past = c.past
		v.calls("The figures", skillsPath, c.question)
		want := call{What: "The figures", Path: c.want, URL: "https://labour.example/v1/labour/" + c.want}
		if !reflect.DeepEqual(v.stamp.Calls, []call{want}) {
			t.Errorf("%+v: %+v, want %+v", c.question, v.stamp.Calls, want)
		}
	}
}

func TestAddressOfTheService(t *testing.T) {
	plain := httptest.NewRequest(http.MethodGet, "/", nil)
	plain.Host = "labour.example"
	proxied, direct := plain.Clone(t.Context()), plain.Clone(t.Context())
	proxied.Header.Set("X-Forwarded-Proto", "https")
	direct.TLS = &tls.ConnectionState{}
	other := plain.Clone(t.Context())
	other.Header.Set("X-Forwarded-Proto", "ftp")
	for _, c := range []struct {
		request *http.Request
		public  string
		want    string
	}{
		{plain, "", "http://labour.example"}, {proxied, "", "https://labour.example"},
		{direct, "", "https://labour.example"}, {other, "", "http://labour.example"},
		{plain, "https://public.example", "https://public.example"},
	} {
		s := &Site{Options: Options{PublicURL: c.public}}
		if got := s.baseOf(c.request); got != c.want {
			t.Errorf("%v with %q: %s, want %s", c.request.Header, c.public, got, c.want)
		}
	}
}

// TestTheErrorPageLeadsToOtherPages: the page that is missing leads to three others, and a list that was replaced
// to its first page.
func TestTheErrorPageLeadsToOtherPages(t *testing.T) {
	s, _ := siteFor(t, &loaded{})
	v := visit(nil, "/nothing")
	s.missing(v)
	data, _ := s.errorPage(v, page{}, v.err).data.(map[string]any)
	want := []link{{"Unmet skills", "/skills"}, {"Search", "/find"}, {"Documentation", "/docs"}}
	if got, _ := data["Nearest"].([]link); !slices.Equal(got, want) {
		t.Errorf("a missing page leads to %v", got)
	}
	data, _ = s.errorPage(visit(nil, "/skills?soc=61&cursor=x"), page{}, api.ErrSnapshotGone).data.(map[string]any)
	if got, _ := data["Nearest"].([]link); !slices.Equal(got, []link{{"First page", "/skills?soc=61"}}) {
		t.Errorf("a list that was replaced leads to %v", got)
	}
}

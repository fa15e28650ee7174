package web_test

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// most is how many pages the tests look at: all that the small snapshot leads to
// in a few steps, or of a larger one so many.
const most = 160

func TestPagesAreSmallAndSafe(t *testing.T) {
	s := siteOf(t, sampleData(t)) // whose log is its own
	for _, p := range s.crawl(t, most) {
		if size := len(p.body); size >= 100<<10 {
			t.Errorf("%s has %d bytes; a page stays under 100 KB", p.path, size)
		}
		for _, e := range elements(p.tree, "") {
			for _, a := range e.Attr {
				if key, ok := strings.CutPrefix(a.Val, "/sources#"); ok && text(e) == key {
					t.Errorf("%s names a source by its key %s, not by its publisher", p.path, key)
				}
				if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: <%s> has an inline %s", p.path, e.Data, a.Key)
				}
				if (a.Key == "src" || e.Data == "link" && a.Key == "href") && !strings.HasPrefix(a.Val, "/static/") {
					t.Errorf("%s loads %s", p.path, a.Val)
				}
			}
			data := attribute(e, "type") == "application/ld+json" // which no browser runs
			if (e.Data == "script" || e.Data == "style") && text(e) != "" && !data {
				t.Errorf("%s has an inline %s", p.path, e.Data)
			}
		}
	}
	h := s.get(t, "/skills").Header()
	if csp := h.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") ||
		strings.Contains(csp, "unsafe") {
		t.Errorf("Content-Security-Policy: %q", csp)
	}
	if s.log.Len() > 0 {
		t.Errorf("the log has warnings: %s", s.log)
	}
}

// A faulty request gets a page that tells the visitor what to do.
func TestFaultsOfVisitors(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]struct {
		status int
		words  string
	}{
		"/nothing":                            {http.StatusNotFound, "There is no such page"},
		"/docs/":                              {http.StatusNotFound, "There is no such page"},
		"/skills?place=%3Cb%3Enowhere":        {http.StatusBadRequest, "There is no place called “&lt;b&gt;nowhere”"},
		"/skills?window=7":                    {http.StatusBadRequest, "3, 6, 12 or 24 months"},
		"/skills?cursor=AAAA":                 {http.StatusBadRequest, "Start again from its first page"},
		"/skills/no-such-skill":               {http.StatusNotFound, "There is no such skill"},
		"/skills/python?by=weather":           {http.StatusBadRequest, "Unknown breakdown"},
		"/skills/python?by=place&map=weather": {http.StatusBadRequest, "Unknown map"},
		"/courses?region=X1":                  {http.StatusBadRequest, "There is no region “X1”"},
		"/evidence?kind=rumour":               {http.StatusBadRequest, "Unknown kind of publication"},
		"/snapshots/2020-01-01.1":             {http.StatusNotFound, "There is no such snapshot"},
		"/skills?utm_source=x&place=":         {http.StatusOK, "all places"},
	} {
		w := s.get(t, path)
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.words) {
			t.Errorf("%s: status %d, want %d and %q", path, w.Code, want.status, want.words)
		}
		if kind := w.Header().Get("Content-Type"); kind != "text/html; charset=utf-8" {
			t.Errorf("%s is %s", path, kind)
		}
	}
}

// The page of methods tells that applicants to adverts which are not counted are left out, since who
// counts the platform's applications gets more, and that they are counted once, in one place.
func TestMethodsTellWhoIsTurnedDown(t *testing.T) {
	page := strings.Join(strings.Fields(text(newSite(t).page(t, "/docs/methods"))), " ")
	for _, want := range []string{"Applicants to adverts that are not counted", "are left out",
		"imported from an employer’s board or from the apprenticeship service counts too",
		"such as those imported from a job board, are left out",
		"Each is counted once per skill"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// Each page is marked in the group of the navigation that leads to it.
func TestGroupOfNavigation(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]string{"/docs/methods": "About the data", "/sources": "About the data",
		"/docs/paging": "Developers", "/skills": ""} {
		here := ""
		for _, e := range elements(s.page(t, path), "details") {
			if attribute(e, "class") == "here" {
				here += text(elements(e, "summary")[0])
			}
		}
		if here != want {
			t.Errorf("%s stands under %q, want %q", path, here, want)
		}
	}
}

// The search says the wording that has the words; skills by name stand before those by wording.
func TestWordingsFound(t *testing.T) {
	s := newSite(t)
	if os.Getenv(dataEnv) != "" {
		t.Skip("the wordings are those of the small snapshot")
	}
	words := text(s.page(t, "/find?q=care"))
	planning, service := strings.Index(words, "Care planning"),
		strings.Index(words, "Customer service adverts say “customer care”")
	if planning < 0 || service < planning {
		t.Errorf("the search for care finds %q", words)
	}
	if words := text(s.page(t, "/find?q=py")); !strings.Contains(words, "Python") ||
		strings.Contains(words, "adverts say") {
		t.Errorf("the search for py finds %q", words)
	}
	if words := text(s.page(t, "/find?q=relational")); !strings.Contains(words,
		"SQL adverts say “relational database") {
		t.Errorf("the search for relational finds %q", words)
	}
}

// Words find evidence by its title, its statement and its occupation.
func TestEvidenceIsSearched(t *testing.T) {
	s := newSite(t)
	if os.Getenv(dataEnv) != "" {
		t.Skip("the words are those of the small snapshot")
	}
	for words, want := range map[string]int{"care": 3, "2134": 2, "sentence": 6, "nothing of that": 0} {
		tree := s.page(t, "/evidence?q="+url.QueryEscape(words))
		got := 0
		for _, e := range elements(tree, "ol") {
			if attribute(e, "class") == "evidence" {
				got = len(elements(e, "li"))
			}
		}
		if got != want {
			t.Errorf("%q finds %d, want %d", words, got, want)
		}
	}
}

// Evidence opens on what forecasts count, by kind, and news is a list of its own.
func TestEvidenceOpensWithoutNews(t *testing.T) {
	s := newSite(t)
	count := func(path string) (items, news int) {
		for _, e := range elements(s.page(t, path), "li") {
			if attribute(e, "data-row") == "" {
				continue
			}
			items++
			if strings.Contains(text(e), "· News") {
				news++
			}
		}
		return items, news
	}
	if items, news := count("/evidence"); items == 0 || news != 0 {
		t.Errorf("%d items, %d of them news", items, news)
	}
	if items, news := count("/evidence?kind=news"); items == 0 || news != items {
		t.Errorf("of news: %d items, %d of them news", items, news)
	}
}

// A borough without an outline is in the table and named next to the map; without any
// outline there is only the table.
func TestMapWithoutSomeOutlines(t *testing.T) {
	for outlines, want := range map[int]string{3: "", 2: "no outline is published with this data: Westminster.",
		1: "no map", 0: "no map"} {
		data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
		c.Outlines = c.Outlines[:outlines]
		snaptest.BuildSnapshot(t, data, "2026-11-20", c)
		tree := siteOf(t, data).page(t, "/skills/sql?by=place")
		words, drawn := text(tree), 0
		for _, e := range elements(tree, "path") {
			if attribute(e, "data-row") != "" {
				drawn++
			}
		}
		if want == "no map" {
			if drawn > 0 || strings.Contains(words, "Map of boroughs") || !strings.Contains(words, "Westminster") {
				t.Errorf("with %d outlines %d boroughs are drawn", outlines, drawn)
			}
			continue
		}
		if drawn != outlines || !strings.Contains(words, want) || want == "" && strings.Contains(words, "no outline") ||
			!strings.Contains(words, "Contains OS data © Crown copyright and database right 2026") {
			t.Errorf("with %d outlines %d boroughs are drawn", outlines, drawn)
		}
	}
}

// Before the first snapshot the pages say so, and the documentation is there.
func TestWithoutSnapshot(t *testing.T) {
	s := siteOf(t, t.TempDir())
	for path, want := range map[string]int{"/": http.StatusServiceUnavailable, "/skills": http.StatusServiceUnavailable,
		"/docs": http.StatusOK, "/snapshots": http.StatusOK} {
		if w := s.get(t, path); w.Code != want {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
}

// Only released files of a snapshot are given away: no counts of adverts, none of
// people, nothing of the platform's own.
func TestOnlyReleasedFilesAreGivenAway(t *testing.T) {
	s := newSite(t)
	id := snapshots.NewID(time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC), 1)
	open := map[string]bool{"course_demand": true, "evidence": true, "levels": true, "occupations": true,
		"outlines": true, "place_members": true, "places": true,
		"regions": true, "sectors": true, "skills": true, "skills_gaps": true, "sources": true}
	for _, table := range snapshots.Tables() {
		want := http.StatusNotFound
		if open[table.Name] {
			want = http.StatusOK
		}
		path := "/snapshots/" + string(id) + "/files/" + snapshots.TableFileName(table.Name)
		if w := s.get(t, path); w.Code != want {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
	for _, path := range []string{"report.json", "changes.parquet", "../CURRENT", "embargoed/demand.parquet", "tables/",
		""} {
		if w := s.get(t, "/snapshots/"+string(id)+"/files/"+path); w.Code == http.StatusOK {
			t.Errorf("%s is given away", path)
		}
	}
}

// TestFiguresNameNoFields: what a page says with its figures is in words for people, and a
// skill's level is the one that adverts usually ask, not a record.
func TestFiguresNameNoFields(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/places/camden", "/changes"} {
		page := s.get(t, path).Body.String()
		if strings.Contains(page, "attribution_statement") ||
			!strings.Contains(page, "show the statement of every source") {
			t.Errorf("%s does not say the rule about statements in words for people", path)
		}
	}
	if page := s.get(t, "/").Body.String(); !strings.Contains(page,
		"are below the level usually asked or do not have it on record") {
		t.Error("the first page does not say what residents are below")
	}
}

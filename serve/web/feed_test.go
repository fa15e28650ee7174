package web_test

import (
	"encoding/xml"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve/web"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestFeedHasADayOnce: the feed names each day of publication once, newest first, under an
// identifier that no later snapshot of the day changes.
func TestFeedHasADayOnce(t *testing.T) {
	data := t.TempDir()
	for _, day := range []string{"2026-11-18", "2026-11-19", "2026-11-20", "2026-11-20"} {
		snaptest.BuildSnapshot(t, data, day, snaptest.DefaultContent(t, day))
	}
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := folder.Withdraw(t.Context(), "2026-11-18.1", store.Withdrawal{By: "An analyst", Reason: "wrong",
		At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}); err != nil {
		t.Fatal(err)
	}
	w := siteOf(t, data).get(t, "/snapshots.atom")
	var f struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Updated string   `xml:"updated"`
		Entries []struct {
			ID   string `xml:"id"`
			Link struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(w.Body.Bytes(), &f); err != nil || w.Code != http.StatusOK ||
		!strings.HasPrefix(w.Header().Get("Content-Type"), "application/atom+xml") {
		t.Fatalf("%d, %v: %s", w.Code, err, w.Body)
	}
	var got []string
	for _, e := range f.Entries {
		got = append(got, e.ID+" "+e.Link.Href)
	}
	want := []string{"http://labour.example/snapshots#2026-11-20 http://labour.example/snapshots/2026-11-20.2",
		"http://labour.example/snapshots#2026-11-19 http://labour.example/snapshots/2026-11-19.1"}
	if !slices.Equal(got, want) || f.Updated != "2026-11-20T00:00:00Z" {
		t.Errorf("updated %s, entries %q", f.Updated, got)
	}
}

// TestDictionary: the page describes every column of the tables that can be downloaded.
func TestDictionary(t *testing.T) {
	page := newSite(t).get(t, "/docs/dictionary").Body.String()
	for _, name := range []string{"course_demand", "evidence", "regions", "skills_gaps", "sources"} {
		table, _ := snapshots.FindTable(name)
		if !strings.Contains(page, `<h2 id="`+name+`">`) {
			t.Errorf("table %s is not described", name)
		}
		for _, c := range table.Columns {
			if c.Doc == "" || !strings.Contains(page, "<code>"+c.Name+"</code>") {
				t.Errorf("column %s of %s is not described", c.Name, name)
			}
		}
	}
}

// TestAddressesAreTheOperators: where the operator gives an address, no page repeats the host and
// the scheme of a request; else the answer lets caches know that pages depend on the scheme.
func TestAddressesAreTheOperators(t *testing.T) {
	folder, err := store.Open(sampleData(t))
	if err != nil {
		t.Fatal(err)
	}
	get := func(base, path string) *httptest.ResponseRecorder {
		site, err := web.New(web.Options{Store: folder, Now: time.Now, Log: slog.New(slog.DiscardHandler), PublicURL: base})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Host = "evil.example"
		r.Header.Set("X-Forwarded-Proto", "https")
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		return w
	}
	for _, path := range []string{"/robots.txt", "/snapshots.atom"} {
		w := get("https://labour.example", path)
		if body := w.Body.String(); strings.Contains(body, "evil") ||
			!strings.Contains(body, "https://labour.example") {
			t.Errorf("%s: %s", path, body)
		}
		if vary := w.Header().Values("Vary"); len(vary) > 0 {
			t.Errorf("%s varies by %q", path, vary)
		}
		if vary := get("", path).Header().Values("Vary"); !slices.Contains(vary, "X-Forwarded-Proto") {
			t.Errorf("%s varies by %q", path, vary)
		}
	}
}

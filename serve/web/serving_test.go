package web

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/web/changed"
	"labour/snapshots"
)

// TestKindsOfPages: pages of figures need a snapshot, and one of them depends on the time of the visit. Two lists have
// cursors. The status has tables without a snapshot too.
func TestKindsOfPages(t *testing.T) {
	var got []string
	for _, p := range (&Site{}).pages() {
		said := strings.TrimPrefix(p.pattern, "GET ")
		for _, c := range []struct {
			is   bool
			mark string
		}{{p.queries, "asks"}, {p.tables, "tables"}, {p.ofTheMoment, "of the moment"}, {p.cursor != nil, "cursor"}} {
			if c.is {
				said += ", " + c.mark
			}
		}
		got = append(got, said)
	}
	want := []string{"/{$}, asks", "/skills, asks, cursor", "/skills/{skill}, asks", "/skills/{skill}/chart.svg, asks",
		"/embed/skills/{skill}, asks", "/places, asks", "/places/{place}, asks", "/occupations, asks",
		"/occupations/{soc}, asks", "/places/{place}/brief, asks", "/plan, asks", "/find, asks", "/changes, asks",
		"/gaps, asks", "/courses, asks", "/evidence, asks, cursor", "/sources, asks, of the moment", "/status, tables",
		"/snapshots", "/snapshots/{id}", "/docs/api", "/docs"}
	if len(got) != 39 || !slices.Equal(got[:len(want)], want) {
		t.Errorf("%d pages: %q, want %q", len(got), got, want)
	}
	for _, document := range got[len(want):] {
		if !strings.HasPrefix(document, "/docs/") || strings.Contains(document, ",") {
			t.Errorf("the document %s", document)
		}
	}
}

// TestHeadersOfEveryResponse: a page loads nothing from elsewhere and is in no frame of another site, but for charts
// that are made for it. The reference of the API has icons in its text.
func TestHeadersOfEveryResponse(t *testing.T) {
	const plain = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	for path, want := range map[string]string{"/skills": plain, "/embedded": plain, "/docs": plain,
		"/docs/api": strings.Replace(plain, "img-src 'self'", "img-src 'self' data:", 1),
		"/embed/skills/sql": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; " +
			"frame-ancestors *"} {
		for public, vary := range map[string][]string{"": {"X-Forwarded-Proto"}, "https://labour.example": nil} {
			served := false
			w := httptest.NewRecorder()
			(&Site{Options: Options{PublicURL: public}}).withSecurityHeaders(http.HandlerFunc(
				func(http.ResponseWriter, *http.Request) { served = true })).
				ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
			h := w.Header()
			if h.Get("Content-Security-Policy") != want || h.Get("Referrer-Policy") != "same-origin" || !served ||
				h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cross-Origin-Opener-Policy") != "same-origin" ||
				!slices.Equal(h.Values("Vary"), vary) || h.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%s of %q: %v", path, public, h)
			}
		}
	}
}

// TestScriptsOfOtherSitesMayRead everything but the pages of partners, which have a cookie.
func TestScriptsOfOtherSitesMayRead(t *testing.T) {
	for _, c := range []struct {
		method, path, asks string
		open, preflight    bool
	}{
		{"GET", "/csv/places", "", true, false}, {"GET", "/csv/places", "GET", true, false},
		{"OPTIONS", "/csv/places", "GET", true, true}, {"OPTIONS", "/csv/places", "", true, false},
		{"OPTIONS", "/partner", "GET", false, false}, {"GET", "/partner/usage", "", false, false},
		{"OPTIONS", "/partners", "GET", true, true},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(c.method, c.path, nil)
		r.Header.Set("Access-Control-Request-Method", c.asks)
		answered := crossOrigin(w, r)
		h := w.Header()
		if answered != c.preflight || (h.Get("Access-Control-Allow-Origin") == "*") != c.open ||
			strings.Contains(h.Get("Access-Control-Expose-Headers"), "X-Snapshot") != c.open ||
			(h.Get("Access-Control-Allow-Methods") == "GET, HEAD") != c.preflight ||
			strings.Contains(h.Get("Access-Control-Allow-Headers"), "If-None-Match") != c.preflight ||
			(h.Get("Access-Control-Max-Age") == "86400") != c.preflight || (w.Code == http.StatusNoContent) != c.preflight {
			t.Errorf("%+v: %v, %d %v", c, answered, w.Code, h)
		}
	}
}

// TestFilesOfASnapshot: a table is sent as it is, by parts too, with the tag of its contents. A snapshot that was
// withdrawn, and one that there is not, have none.
func TestFilesOfASnapshot(t *testing.T) {
	s, log := siteFor(t, &loaded{})
	ids := daysFrom(3)
	keep(t, s, ids, map[snapshots.ID]string{ids[0]: "w"})
	for _, id := range ids {
		write(t, filepath.Join(s.Store.SnapshotDir(id), "tables", "skills.parquet"), "the table")
		write(t, filepath.Join(s.Store.SnapshotDir(id), "tables", "people.parquet"), "secret")
		write(t, filepath.Join(s.Store.SnapshotDir(id), snapshots.DataPackageFileName),
			`{"sources":[{"key":"a","attribution_statement":"Source: A."}]}`)
	}
	get := func(id snapshots.ID, name string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, "/file", nil), httptest.NewRecorder()
		r.SetPathValue("id", string(id))
		r.SetPathValue("name", name)
		s.serveFile(w, r)
		return w
	}
	w := get(ids[1], "tables/skills.parquet")
	if w.Code != 200 || w.Body.String() != "the table" || w.Header().Get("Cache-Control") != "no-cache" ||
		w.Header().Get("Content-Type") != "application/vnd.apache.parquet" || w.Header().Get("ETag") != `""` {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if w := get(ids[1], snapshots.DataPackageFileName); w.Code != 200 || strings.Contains(w.Header().Get("Content-Type"),
		"parquet") || w.Header().Get("ETag") != "" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	for name, id := range map[string]snapshots.ID{"tables/skills.parquet": ids[0],
		snapshots.ManifestFileName: "2020-01-01.1",
		"tables/people.parquet":    ids[1], "": ids[1], snapshots.SignatureFileName: ids[1]} {
		if w := get(id, name); w.Code != 404 {
			t.Errorf("%s of %s: %d %s", name, id, w.Code, w.Body)
		}
	}
	e, _, err := s.find(string(ids[1]))
	want := []string{snapshots.ManifestFileName, snapshots.DataPackageFileName, "tables/skills.parquet"}
	if got := s.releasedFiles(e); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	if log.Len() > 0 {
		t.Errorf("the log says %s", log)
	}
	checkZip(t, s, ids[1])
}

// checkZip checks the archive of a snapshot: the note first, and all files in a folder of its name.
func checkZip(t *testing.T, s *Site, id snapshots.ID) {
	t.Helper()
	r, w := httptest.NewRequest(http.MethodGet, "/zip", nil), httptest.NewRecorder()
	r.SetPathValue("id", string(id))
	s.releasedZip(w, r)
	z, err := zip.NewReader(bytes.NewReader(w.Body.Bytes()), int64(w.Body.Len()))
	if err != nil {
		t.Fatal(err)
	}
	folder := "labour-" + string(id) + "/"
	var names []string
	for _, f := range z.File {
		names = append(names, strings.TrimPrefix(f.Name, folder))
		if f.Method != zip.Store || !f.Modified.Equal(id.Date().Add(6*60*60*1e9)) || !strings.HasPrefix(f.Name, folder) {
			t.Errorf("%+v", f.FileHeader)
		}
	}
	if want := []string{"README.txt", snapshots.ManifestFileName, snapshots.DataPackageFileName,
		"tables/skills.parquet"}; !slices.Equal(names, want) || w.Header().Get("Cache-Control") != "no-cache" ||
		w.Header().Get("Content-Type") != "application/zip" ||
		w.Header().Get("Content-Disposition") != `attachment; filename="labour-`+string(id)+`.zip"` {
		t.Errorf("%q with %v", names, w.Header())
	}
	f, err := z.Open(folder + "README.txt")
	if err != nil {
		t.Fatal(err)
	}
	note, err := io.ReadAll(f)
	title := "Labour market data of Example Works, " + id.Date().Format("2006-01-02") + ", snapshot " + string(id) +
		": the tables that are released.\n"
	if err != nil || !strings.HasPrefix(string(note), title) || !strings.Contains(string(note), "\na: Source: A.\n") {
		t.Errorf("%v: %s", err, note)
	}
}

// failing is a response whose client has gone.
type failing struct{ *httptest.ResponseRecorder }

func (failing) Write([]byte) (int, error) { return 0, errors.New("gone") }

// TestAnArchiveThatBreaksIsCutOff, so that it does not look complete.
func TestAnArchiveThatBreaksIsCutOff(t *testing.T) {
	s, log := siteFor(t, &loaded{})
	ids := daysFrom(1)
	keep(t, s, ids, nil)
	cut := func(w http.ResponseWriter) (cut bool) {
		defer func() { cut = recover() == http.ErrAbortHandler }()
		r := httptest.NewRequest(http.MethodGet, "/zip", nil)
		r.SetPathValue("id", string(ids[0]))
		s.releasedZip(w, r)
		return false
	}
	if !cut(httptest.NewRecorder()) || !strings.Contains(log.String(), "archive of a snapshot") {
		t.Errorf("without a description it is complete, and the log says %s", log)
	}
	write(t, filepath.Join(s.Store.SnapshotDir(ids[0]), snapshots.DataPackageFileName), "{")
	if !cut(httptest.NewRecorder()) {
		t.Error("with a broken description it is complete")
	}
	write(t, filepath.Join(s.Store.SnapshotDir(ids[0]), snapshots.DataPackageFileName), "{}")
	if !cut(httptest.NewRecorder()) {
		t.Error("without its table it is complete")
	}
	write(t, filepath.Join(s.Store.SnapshotDir(ids[0]), "tables", "skills.parquet"), "the table")
	if cut(httptest.NewRecorder()) || !cut(failing{httptest.NewRecorder()}) {
		t.Error("only a client that has gone has a part of it")
	}
}

// TestDataOfExamplesAreMadeUp: if the platform, or an advert of its own, has an address under .example.
func TestDataOfExamplesAreMadeUp(t *testing.T) {
	link := func(text string) *string { return &text }
	for _, c := range []struct {
		sources []api.SourcesRow
		jobs    []api.JobsRow
		want    bool
	}{
		{nil, nil, false}, {[]api.SourcesRow{{Key: "platform", Link: "https://works.example/"}}, nil, true},
		{[]api.SourcesRow{{Key: "platform", Link: "https://works.example.org/"}}, nil, false},
		{[]api.SourcesRow{{Key: "platform", Link: "https://works.org/a.example"}}, nil, false},
		{[]api.SourcesRow{{Key: "platform", Link: "https://works.example:8080/"}}, nil, true},
		{[]api.SourcesRow{{Key: "platform", Link: "%zz.example"}}, nil, false},
		{[]api.SourcesRow{{Key: "office", Link: "https://office.example/"}}, nil, false},
		{nil, []api.JobsRow{{SourceKey: "platform"}, {SourceKey: "platform", Link: link("https://a.example/1")}}, true},
		{nil, []api.JobsRow{{SourceKey: "board", Link: link("https://a.example/1")}}, false},
	} {
		s, _ := siteFor(t, &loaded{})
		r := recorded(&fixed{})
		r.sources, r.jobs = c.sources, c.jobs
		if got := s.madeUp(visit(r, "/")); got != c.want || r.queries() != "sources\njobs Limit=200" {
			t.Errorf("%+v: made up %v", c, got)
		}
		r.sources, r.jobs = nil, nil
		if got := s.madeUp(visit(r, "/")); got != c.want || r.queries() != "" {
			t.Errorf("%+v: the second time made up %v", c, got)
		}
	}
	l := &loaded{snapshot: &fixed{}}
	s, _ := siteFor(t, l)
	s.madeUpCache.Store("2026-11-20.1", true)
	if !s.madeUp(visit(nil, "/docs")) || l.used != 0 {
		t.Errorf("a page of documents is not marked, with %d snapshots in use", l.used)
	}
}

// TestAChangedRowAsCSV: its values as they are, empty if it has none, and the statements of its sources, which no
// program takes for a formula.
func TestAChangedRowAsCSV(t *testing.T) {
	list := &changed.Summary{Sources: map[string]snapshots.SourcesRow{"a": {Key: "a", AttributionStatement: "=A."},
		"b": {Key: "b", AttributionStatement: "B."}}}
	key, old, now := `{"k":1}`, `{"v":1}`, `{"v":2}`
	full := snapshots.ChangesRow{Table: "skills", Key: &key, Change: "changed", Old: &old, New: &now, Reason: "source",
		SourceKeys: "b,a", Keys: 3}
	if got, want := csvLine(list, full), []string{"skills", key, "changed", old, now, "source", "b,a", "3",
		"'=A. B."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := csvLine(list, snapshots.ChangesRow{Table: "skills"}), []string{"skills", "", "", "", "", "", "", "0",
		""}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for target, want := range map[string]string{"/c?table=skills&kind=added": "", "/c": "", "/c?table=people": "table",
		"/c?kind=lost": "kind"} {
		v := visit(nil, target)
		if f := changeFilter(v); strings.Join(v.faultyParameters, " ") != want || f.Table != v.FormValue("table") ||
			string(f.Kind) != v.FormValue("kind") {
			t.Errorf("%s: %+v (%v)", target, f, v.err)
		}
	}
}

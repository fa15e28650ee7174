package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/serve"
	"labour/serve/web"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// filesOf returns the handler of the pages and files of a data directory, without loaded snapshots,
// and its log.
func filesOf(t *testing.T, data string, change func(*web.Options)) (http.Handler, *bytes.Buffer) {
	t.Helper()
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	log := &bytes.Buffer{}
	o := web.Options{Store: folder, Log: slog.New(slog.NewTextHandler(log, nil)), PublicURL: "https://labour.example",
		Now: func() time.Time { return time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC) },
		Backend: serve.PageBackend{RunQuery: func(ctx context.Context, f func(context.Context) error) error {
			return f(ctx)
		}}}
	change(&o)
	handler, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return handler, log
}

func getFrom(handler http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

// security.txt has the operator's contact and is valid for half a year. The catalogue names the
// same contact.
func TestContactOfTheOperator(t *testing.T) {
	for contact, want := range map[string][2]string{
		"data@labour.example":     {"mailto:data@labour.example", `"vcard:hasEmail":{"@id":"mailto:data@labour.example"}`},
		"https://labour.example/": {"https://labour.example/", `"vcard:hasURL":{"@id":"https://labour.example/"}`},
		"":                        {"", `"vcard:hasURL":{"@id":"https://labour.example/docs/about"}`},
	} {
		h, _ := filesOf(t, sampleData(t), func(o *web.Options) { o.OperatorContact = contact })
		w := getFrom(h, "/.well-known/security.txt")
		text := "Contact: " + want[0] + "\nExpires: 2027-05-20T00:00:00Z\nPreferred-Languages: en\n"
		if contact == "" {
			if w.Code != http.StatusNotFound {
				t.Errorf("without a contact: %d %s", w.Code, w.Body)
			}
		} else if w.Code != http.StatusOK || w.Body.String() != text ||
			w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || w.Header().Get("Cache-Control") == "" {
			t.Errorf("%s: %d %v %s", contact, w.Code, w.Header(), w.Body)
		}
		catalogue := regexp.MustCompile(`\s`).ReplaceAllString(getFrom(h, "/catalog.jsonld").Body.String(), "")
		if !strings.Contains(catalogue, want[1]) {
			t.Errorf("the catalogue lacks %s", want[1])
		}
	}
}

// The map of the site has every page without a parameter, and the page of each place and skill.
func TestMapOfTheSite(t *testing.T) {
	s := newSite(t)
	if os.Getenv(dataEnv) != "" {
		t.Skip("the pages are those of the small snapshot")
	}
	w := s.get(t, "/sitemap.xml")
	var paths []string
	for _, m := range regexp.MustCompile(`<url><loc>http://labour\.example(/[^<]*)</loc></url>`).FindAllStringSubmatch(
		w.Body.String(), -1) {
		paths = append(paths, m[1])
	}
	want := []string{"/", "/skills", "/places", "/occupations", "/plan", "/find", "/changes", "/gaps", "/courses",
		"/evidence",
		"/sources", "/status", "/snapshots", "/docs/api", "/docs", "/docs/programs", "/docs/methods", "/docs/glossary",
		"/docs/dictionary", "/docs/paging", "/docs/limits", "/docs/errors", "/docs/small-numbers", "/docs/attribution",
		"/docs/jobs", "/docs/pathways", "/docs/candidates", "/docs/s106", "/docs/events", "/docs/webhooks",
		"/docs/changes", "/docs/about"}
	if len(paths) < len(want) || !slices.Equal(paths[:len(want)], want) {
		t.Fatalf("%q, want first %q", paths, want)
	}
	for _, path := range []string{"/places/camden", "/skills/sql", "/skills/python"} {
		if !slices.Contains(paths[len(want):], path) {
			t.Errorf("%s is missing in %q", path, paths)
		}
	}
	if kind := w.Header().Get("Content-Type"); w.Code != http.StatusOK || kind != "application/xml; charset=utf-8" {
		t.Errorf("%d %s", w.Code, kind)
	}
	data := t.TempDir() // no data: the pages are listed, the places are not known
	if got := strings.Count(siteOf(t, data).get(t, "/sitemap.xml").Body.String(), "<loc>"); got != len(want) {
		t.Errorf("without a snapshot %d pages are listed, want %d", got, len(want))
	}
}

func TestTheFormerAddressOfTheSearchLeads(t *testing.T) {
	w := newSite(t).get(t, "/skills/find?q=first+aid&other=x")
	if got := w.Header().Get("Location"); w.Code != http.StatusMovedPermanently || got != "/find?q=first+aid" {
		t.Errorf("%d to %q", w.Code, got)
	}
}

// Static files are kept for ever under their address with a version, and not under another.
func TestStaticFilesAreKept(t *testing.T) {
	s := newSite(t)
	versioned := s.get(t, "/favicon.ico").Header().Get("Location")
	for path, want := range map[string]string{versioned: "public, max-age=31536000, immutable",
		"/static/icon.svg": "no-cache", versioned + "0": "no-cache"} {
		if w := s.get(t, path); w.Code != http.StatusOK || w.Header().Get("Cache-Control") != want {
			t.Errorf("%s: %d %q, want %q", path, w.Code, w.Header().Get("Cache-Control"), want)
		}
	}
}

// Files can be downloaded while the signature is valid and each file is the one that was signed.
func TestOnlySignedFilesAreGivenAway(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.Content{PlatformName: "Nobody"})
	var unsigned error
	h, log := filesOf(t, data, func(o *web.Options) {
		o.CheckSignature = func(of snapshots.ID) error {
			if of != id {
				t.Errorf("the signature of %s is checked", of)
			}
			return unsigned
		}
	})
	root := "/snapshots/" + string(id)
	table, sums := root+"/files/tables/skills.parquet", root+"/files/"+snapshots.SumsFileName
	check := func(when string, want map[string]int) {
		t.Helper()
		for path, code := range want {
			if w := getFrom(h, path); w.Code != code {
				t.Errorf("%s, %s: %d, want %d", when, path, w.Code, code)
			}
		}
	}
	check("signed", map[string]int{table: 200, sums: 200, root + "/released.zip": 200})
	unsigned = errors.New("no signature")
	check("not signed", map[string]int{table: 404, sums: 404, root + "/released.zip": 404})
	if !strings.Contains(log.String(), "no signature") {
		t.Errorf("the log says %s", log)
	}
	unsigned = nil
	file := filepath.Join(data, "snapshots", string(id), "tables", "skills.parquet")
	if err := errors.Join(os.Chmod(filepath.Dir(file), 0o755), os.Chmod(file, 0o644),
		os.WriteFile(file, []byte("changed"), 0o644)); err != nil {
		t.Fatal(err)
	}
	check("one file changed", map[string]int{table: 404, sums: 200, root + "/released.zip": 404,
		root + "/files/tables/places.parquet": 200})
	if !strings.Contains(log.String(), "skills.parquet of "+string(id)+" is not what was sealed") {
		t.Errorf("the log says %s", log)
	}
	if err := errors.Join(os.Chmod(filepath.Dir(filepath.Dir(file)), 0o755),
		os.Remove(filepath.Join(data, "snapshots", string(id), snapshots.SumsFileName))); err != nil {
		t.Fatal(err)
	}
	check("no checksums", map[string]int{root + "/files/tables/places.parquet": 404, sums: 404})
}

// Without data, files that describe it ask to come back. With an index that cannot be read they say so.
func TestFilesWithoutReadableData(t *testing.T) {
	data := t.TempDir()
	h, log := filesOf(t, data, func(*web.Options) {})
	if w := getFrom(h, "/catalog.jsonld"); w.Code != http.StatusServiceUnavailable ||
		w.Header().Get("Retry-After") != "30" {
		t.Errorf("the catalogue without data: %d %v", w.Code, w.Header())
	}
	if err := os.MkdirAll(filepath.Join(data, "snapshots", snapshots.IndexFileName), 0o755); err != nil {
		t.Fatal(err)
	}
	if w := getFrom(h, "/snapshots.atom"); w.Code != http.StatusInternalServerError ||
		w.Body.String() != "The list of publications cannot be read.\n" {
		t.Errorf("the feed without an index: %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "feed of the publications") {
		t.Errorf("the log says %s", log)
	}
	if err := os.Mkdir(filepath.Join(data, "snapshots", snapshots.CurrentFileName), 0o755); err != nil {
		t.Fatal(err)
	}
	if w := getFrom(h, "/catalog.jsonld"); w.Code != http.StatusInternalServerError ||
		w.Body.String() != "The catalogue cannot be read.\n" || !strings.Contains(log.String(), "catalogue of the tables") {
		t.Errorf("the catalogue without a readable current snapshot: %d %s", w.Code, w.Body)
	}
}

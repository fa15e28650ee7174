package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
	"labour/snapshots"
	"labour/snapshots/store"
)

// reader serves the site to programs elsewhere, and counts the answers that are a part of a file.
func reader(t *testing.T) (address string, parts *atomic.Int64) {
	t.Helper()
	site := newSite(t)
	parts = new(atomic.Int64)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site.handler.ServeHTTP(&statusCounter{w, parts}, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, parts
}

type statusCounter struct {
	http.ResponseWriter
	parts *atomic.Int64
}

func (s *statusCounter) WriteHeader(status int) {
	if status == http.StatusPartialContent {
		s.parts.Add(1)
	}
	s.ResponseWriter.WriteHeader(status)
}

// distribution is a file of the catalogue.
type distribution struct {
	URL   struct{ ID string }    `json:"dcat:downloadURL"`
	Bytes struct{ Value string } `json:"dcat:byteSize"`
}

// catalogued reads the catalogue: the addresses of the files by the names of the tables.
func catalogued(t *testing.T, base string) map[string]distribution {
	t.Helper()
	res, err := http.Get(base + "/catalog.jsonld")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var c struct {
		Type     string `json:"@type"`
		Datasets []struct {
			Identifier    string           `json:"dct:identifier"`
			Description   string           `json:"dct:description"`
			Licences      []map[string]any `json:"dct:license"`
			Contact       map[string]any   `json:"dcat:contactPoint"`
			Creators      []map[string]any `json:"dct:creator"`
			Distributions []map[string]any `json:"dcat:distribution"`
		} `json:"dcat:dataset"`
	}
	if err := json.NewDecoder(res.Body).Decode(&c); err != nil ||
		res.Header.Get("Content-Type") != "application/ld+json" || c.Type != "dcat:Catalog" {
		t.Fatalf("%s, %+v, %v", res.Header.Get("Content-Type"), c, err)
	}
	all := map[string]distribution{}
	for _, d := range c.Datasets {
		if !licensed(d.Licences) || d.Contact["vcard:fn"] == "" ||
			d.Contact["vcard:hasEmail"] == nil && d.Contact["vcard:hasURL"] == nil {
			t.Errorf("%s: licences %v, contact %v", d.Identifier, d.Licences, d.Contact)
		}
		for _, c := range d.Creators {
			if c["@type"] != "foaf:Organization" || c["foaf:name"] == "" {
				t.Errorf("%s: creator %v", d.Identifier, c)
			}
		}
		if len(d.Description) < 50 || len(d.Distributions) != 1 {
			t.Errorf("%s: %q, %d files", d.Identifier, d.Description, len(d.Distributions))
			continue
		}
		var one distribution
		one.URL.ID, _ = d.Distributions[0]["dcat:downloadURL"].(map[string]any)["@id"].(string)
		one.Bytes.Value, _ = d.Distributions[0]["dcat:byteSize"].(map[string]any)["@value"].(string)
		all[d.Identifier] = one
	}
	return all
}

// licensed reports whether there is a licence, and each has an address or a title.
func licensed(licences []map[string]any) bool {
	for _, l := range licences {
		address, _ := l["@id"].(string)
		title, _ := l["rdfs:label"].(string)
		if address+title == "" {
			return false
		}
	}
	return len(licences) > 0
}

// TestCatalogueListsWhatCanBeDownloaded: every file of the catalogue is there for anybody, to the
// byte as long as it says, and no table that can be downloaded is left out.
func TestCatalogueListsWhatCanBeDownloaded(t *testing.T) {
	base, _ := reader(t)
	files := catalogued(t, base)
	for name, f := range files {
		res, err := http.Head(f.URL.ID)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusOK || strconv.FormatInt(res.ContentLength, 10) != f.Bytes.Value {
			t.Errorf("%s: %d, %d bytes of %s", f.URL.ID, res.StatusCode, res.ContentLength, f.Bytes.Value)
		}
		if name == "" || !strings.HasSuffix(f.URL.ID, name+".parquet") {
			t.Errorf("%s is called %q", f.URL.ID, name)
		}
	}
	for _, table := range snapshots.Tables() {
		w := newSite(t).get(t, "/snapshots/2026-11-20.1/files/"+snapshots.TableFileName(table.Name))
		if _, listed := files[table.Name]; listed != (w.Code == http.StatusOK) {
			t.Errorf("table %s is listed: %v, and answers %d", table.Name, listed, w.Code)
		}
	}
}

// TestPagesDescribeTheirTable: search engines for data read it in the head of the page.
func TestPagesDescribeTheirTable(t *testing.T) {
	s := newSite(t)
	for path, name := range map[string]string{"/courses": "course_demand", "/gaps": "skills_gaps",
		"/evidence": "evidence", "/places": "places", "/sources": "sources"} {
		_, rest, found := strings.Cut(s.get(t, path).Body.String(), `<script type="application/ld+json">`)
		text, _, _ := strings.Cut(rest, "</script>")
		var d struct {
			Type         string `json:"@type"`
			Name         string
			Description  string
			Identifier   string
			Distribution []struct{ ContentURL string }
		}
		if err := json.Unmarshal([]byte(text), &d); err != nil || !found || d.Type != "Dataset" ||
			d.Identifier != name || d.Name == "" || len(d.Description) < 20 {
			t.Errorf("%s: %+v, %v", path, d, err)
			continue
		}
		file := strings.TrimPrefix(d.Distribution[0].ContentURL, "http://labour.example")
		if w := s.get(t, file); w.Code != http.StatusOK {
			t.Errorf("%s: %d", d.Distribution[0].ContentURL, w.Code)
		}
	}
	if strings.Contains(s.get(t, "/status").Body.String(), "ld+json") {
		t.Error("a page without a table describes one")
	}
}

// TestPartsOfFiles: a program reads a part of a released table by its place, uncompressed, from any
// site; the pages of partners are not for other sites.
func TestPartsOfFiles(t *testing.T) {
	s := newSite(t)
	file := "/snapshots/2026-11-20.1/files/tables/skills.parquet"
	whole := s.get(t, file)
	ask := func(method, path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Origin", "https://notebook.example")
		r.Header.Set("Accept-Encoding", "gzip, zstd")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		return w
	}
	size := whole.Body.Len()
	for rangeOf, want := range map[string][]byte{"bytes=-8": whole.Body.Bytes()[size-8:],
		"bytes=4-11": whole.Body.Bytes()[4:12]} {
		w := ask(http.MethodGet, file, "Range", rangeOf)
		if w.Code != http.StatusPartialContent || !bytes.Equal(w.Body.Bytes(), want) ||
			w.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v", rangeOf, w.Code, w.Header())
		}
	}
	head := ask(http.MethodHead, file)
	if head.Header().Get("Content-Length") != strconv.Itoa(size) || head.Header().Get("Content-Encoding") != "" ||
		head.Header().Get("Accept-Ranges") != "bytes" {
		t.Errorf("HEAD: %v", head.Header())
	}
	//lint:ignore SA1008 the header is sent as it is spelt in RFC 9110
	tag := strings.Join(head.Header()["ETag"], "")
	if w := ask(http.MethodGet, file, "If-None-Match", tag); tag == "" || w.Code != http.StatusNotModified {
		t.Errorf("its own tag %q: %d", tag, w.Code)
	}
	if w := ask(http.MethodOptions, file, "Access-Control-Request-Method", "GET", "Access-Control-Request-Headers",
		"range"); w.Code != http.StatusNoContent ||
		!strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "Range") {
		t.Errorf("a browser that asks first: %d %v", w.Code, w.Header())
	}
	for path, want := range map[string]string{"/v1/openapi.json": "*", "/healthz": "*", "/csv/regions": "*",
		"/catalog.jsonld": "*", "/partner": "", "/v1/labour/regions": ""} {
		if got := ask(http.MethodGet, path).Header().Get("Access-Control-Allow-Origin"); got != want {
			t.Errorf("%s is for %q, want %q", path, got, want)
		}
	}
}

// TestDuckDBReadsByAddress: DuckDB answers a question from a released table by its address, and
// reads only parts of it.
func TestDuckDBReadsByAddress(t *testing.T) {
	python, err := filepath.Abs("../../bin/venv/bin/python3")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(python, "-c", "import duckdb, fsspec, aiohttp").CombinedOutput(); err != nil {
		t.Skipf("duckdb, fsspec or aiohttp is not installed in bin/venv (.ci/run does that): %s", out)
	}
	base, parts := reader(t)
	script := `import datetime, duckdb, fsspec, sys
class HTTP(fsspec.get_filesystem_class("http")):
    def modified(self, path): # which DuckDB asks for, and fsspec does not know of HTTP
        return datetime.datetime(2026, 11, 20)
db = duckdb.connect()
db.register_filesystem(HTTP(block_size=4096))
print(db.sql(f"SELECT count(*), max(as_of) FROM read_parquet('{sys.argv[1]}')").fetchall()[0])`
	command := exec.Command(python, "-c", script, catalogued(t, base)["skills"].URL.ID)
	command.Env = append(os.Environ(), "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	command.Stderr = new(bytes.Buffer)
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, command.Stderr)
	}
	m, err := store.Open(sampleData(t))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := m.Manifest("2026-11-20.1")
	if err != nil {
		t.Fatal(err)
	}
	rows := int64(-1)
	for _, table := range manifest.Tables {
		if table.Name == "skills" {
			rows = table.Rows
		}
	}
	if !strings.HasPrefix(string(out), "("+strconv.FormatInt(rows, 10)+",") || parts.Load() == 0 {
		t.Errorf("%s in %d parts; the table has %d rows", out, parts.Load(), rows)
	}
}

// TestABrowserElsewhereReadsAPart: a page of another site reads the end of a Parquet file.
func TestABrowserElsewhereReadsAPart(t *testing.T) {
	ctx := headlesstest.StartBrowser(t, true)
	base, parts := reader(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>A notebook</title>"))
	}))
	defer other.Close()
	file := catalogued(t, base)["skills"].URL.ID
	script := `fetch("` + file + `", {headers: {Range: "bytes=-4", "If-None-Match": '"x"'}})
		.then(async a => a.status + " " + await a.text() + " " + (a.headers.get("Content-Range") !== null))`
	if err := chromedp.Do(ctx, chromedp.Navigate(other.URL)); err != nil {
		t.Fatal(err)
	}
	got, err := chromedp.Run(ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	if err != nil || got != "206 PAR1 true" || parts.Load() == 0 {
		t.Errorf("%q, %v", got, err)
	}
}

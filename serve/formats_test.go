package serve

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/serve/api"
	"labour/serve/formats/formatstest"
	"labour/serve/partners/access"
)

// withRows are the endpoints that have every format.
func withRows() []string {
	return []string{"/v1/labour/skills-unmet", "/v1/labour/skills-gaps", "/v1/labour/course-demand",
		"/v1/labour/evidence", "/v1/labour/sources", "/v1/labour/regions", "/v1/jobs"}
}

// inFormat asks the same as target in another format.
func (s *service) inFormat(t testing.TB, target, format string) result {
	t.Helper()
	separator := "?"
	if strings.Contains(target, "?") {
		separator = "&"
	}
	res := s.get(t, target+separator+"format="+format)
	if res.status != http.StatusOK {
		t.Fatalf("%s in %s: %d %s", target, format, res.status, res.body)
	}
	return res
}

// Each endpoint says the same in every format, whatever it is asked.
func TestFormatsAnswerTheSame(t *testing.T) {
	s := newService(t, func(o *Options) { o.RequestCounter = free{} })
	s.grant(t, access.Scopes()...)
	same := func(target string) {
		t.Helper()
		plain := s.get(t, target)
		if plain.status != http.StatusOK {
			t.Fatalf("%s: %d %s", target, plain.status, plain.body)
		}
		formatstest.CheckEqual(t, plain.body, s.inFormat(t, target, "csv").body, s.inFormat(t, target, "parquet").body)
	}
	for _, path := range withRows() {
		same(path)
	}
	for _, target := range []string{"/v1/labour/skills-unmet?place=hackney",
		"/v1/labour/skills-unmet?skill=tiling&by=month", "/v1/labour/course-demand?limit=1",
		"/v1/labour/skills-gaps?country=US", "/v1/labour/regions?kind=lsip&name=c", "/v1/jobs?borough=camden&q=care",
		"/v1/labour/evidence?limit=2"} {
		same(target)
	}
	rapid.Check(t, func(rt *rapid.T) {
		same(fmt.Sprintf("%s?limit=%d",
			rapid.SampledFrom([]string{"/v1/labour/skills-unmet", "/v1/labour/evidence", "/v1/jobs",
				"/v1/labour/regions"}).Draw(rt, "path"),
			rapid.IntRange(1, 6).Draw(rt, "limit")))
	})
}

// The header has the fields of the envelope other than the rows.
func TestFileHeaders(t *testing.T) {
	s := newService(t, nil)
	for format, want := range map[string]string{"csv": "text/csv", "parquet": typeParquet} {
		res := s.inFormat(t, "/v1/labour/skills-unmet?limit=2", format)
		kind, parameters, err := mime.ParseMediaType(res.header.Get("Content-Type"))
		if err != nil || kind != want || format == "csv" &&
			(parameters["charset"] != "utf-8" || parameters["header"] != "present") {
			t.Errorf("%s: Content-Type %q", format, res.header.Get("Content-Type"))
		}
		disposition, parameters, err := mime.ParseMediaType(res.header.Get("Content-Disposition"))
		if err != nil || disposition != "attachment" || parameters["filename"] != "skills-unmet-2026-11-20.1."+format {
			t.Errorf("%s: Content-Disposition %q", format, res.header.Get("Content-Disposition"))
		}
		for name, want := range map[string]string{"X-As-Of": "2026-11-20", "X-Generated": "2026-11-20T06:30:00Z",
			"X-Snapshot": "2026-11-20.1", "X-Returned": "2", "X-Limit": "2", "X-People-As-Of": "2026-09-30"} {
			if got := res.header.Get(name); got != want {
				t.Errorf("%s: %s %q, want %q", format, name, got, want)
			}
		}
		var people struct{ From, To string }
		if err := json.Unmarshal([]byte(res.header.Get("X-People")), &people); err != nil ||
			people.From != "2025-10-01" || people.To != "2026-09-30" {
			t.Errorf("%s: X-People %q: %v", format, res.header.Get("X-People"), err)
		}
		if !strings.HasPrefix(res.header.Get("X-Attribution-Notice"), "Wherever a figure is shown") {
			t.Errorf("%s: notice %q", format, res.header.Get("X-Attribution-Notice"))
		}
		last := s.inFormat(t, "/v1/labour/skills-unmet?limit=200", format)
		if last.header.Get("Link")+last.header.Get("X-Next-Cursor") != "" {
			t.Errorf("%s: the last page has a next one: %v", format, last.header)
		}
	}
	if res := s.get(t, "/v1/labour/skills-unmet?limit=2"); res.header.Get("Link")+res.header.Get("Content-Disposition")+
		res.header.Get("X-Snapshot") != "" {
		t.Errorf("JSON, which has an envelope, has its headers too: %v", res.header)
	}
}

// A header is ASCII: other letters are as in JSON, and mean the same when it is read.
func TestHeadersAreASCII(t *testing.T) {
	h := http.Header{}
	note := "The figures were withdrawn: café 𝕏 \"x\"."
	meta := map[string]any{"people": api.People{Note: note}, "note": "Münster"}
	if err := (&call{}).metaHeaders(h, meta); err != nil {
		t.Fatal(err)
	}
	for name, values := range h {
		if strings.ContainsFunc(values[0], func(r rune) bool { return r > '~' }) {
			t.Errorf("%s has %q", name, values[0])
		}
	}
	var people api.People
	if err := json.Unmarshal([]byte(h.Get("X-People")), &people); err != nil || people.Note != note {
		t.Errorf("X-People is read as %q, %v", people.Note, err)
	}
	if h.Get("X-Note") != `M\u00fcnster` {
		t.Errorf("X-Note is %q", h.Get("X-Note"))
	}
}

// A walk over files follows either header, and gives every row once.
func TestFilesArePaged(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	for _, path := range []string{"/v1/labour/skills-unmet", "/v1/labour/evidence", "/v1/jobs"} {
		whole := strings.Split(string(s.inFormat(t, path, "csv").body), "\n")
		var got []string
		target := path + "?format=csv&limit=2&soc=2"
		for range 5 {
			res := s.get(t, target)
			lines := strings.Split(string(res.body), "\n")
			got = append(got, lines[1:len(lines)-1]...)
			next, found := strings.CutSuffix(strings.TrimPrefix(res.header.Get("Link"), "<"), `>; rel="next"`)
			if !found {
				break
			}
			link, err := url.Parse(next)
			if err != nil || link.Query().Get("cursor") != res.header.Get("X-Next-Cursor") ||
				link.Query().Get("soc") != "2" || link.Query().Get("limit") != "2" {
				t.Errorf("%s: Link %q, X-Next-Cursor %q, %v", path, next, res.header.Get("X-Next-Cursor"), err)
			}
			target = next
		}
		if diff := cmp.Diff(whole[1:len(whole)-1], got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

// Each format has an entity tag of its own, and none takes another's.
func TestFormatsHaveTheirOwnTags(t *testing.T) {
	s := newService(t, nil)
	seen := map[string]string{}
	for _, format := range []string{"json", "csv", "parquet"} {
		tag := s.inFormat(t, "/v1/labour/regions", format).header.Get("ETag")
		if other, twice := seen[tag]; twice || tag == "" {
			t.Errorf("%s has the tag %q of %s", format, tag, other)
		}
		seen[tag] = format
		res := s.get(t, "/v1/labour/regions?format="+format, "If-None-Match", tag)
		if res.status != http.StatusNotModified || len(res.body) != 0 || res.header.Get("ETag") != tag ||
			res.header.Get("Content-Type") != "" {
			t.Errorf("%s: %d, %v", format, res.status, res.header)
		}
	}
}

func TestFilesAreCompressed(t *testing.T) {
	s := newService(t, nil)
	for range 20 {
		s.live.now().skills = append(s.live.now().skills, s.live.now().skills[0])
	}
	for _, format := range []string{"csv", "parquet"} {
		for _, encoding := range []string{"gzip", "zstd"} {
			r := newRequest(s, "/v1/labour/skills-unmet?format="+format)
			plain := record(s, r).Body.Bytes()
			r.Header.Set("Accept-Encoding", encoding)
			w := record(s, r)
			if w.Header().Get("Content-Encoding") != encoding || len(plain) <= compressFrom ||
				w.Body.Len() >= len(plain) {
				t.Errorf("%s: encoding %q, %d bytes of %d", format, w.Header().Get("Content-Encoding"), w.Body.Len(),
					len(plain))
			}
			if got := decompress(t, encoding, w.Body); string(got) != string(plain) {
				t.Errorf("%s in %s: other bytes", format, encoding)
			}
		}
	}
}

// Faults are JSON whatever the format; an endpoint without rows has no formats.
func TestFaultsOfFilesAreJSON(t *testing.T) {
	s := newService(t, nil)
	s.grant(t, access.Scopes()...)
	for target, want := range map[string]string{
		"/v1/labour/skills-unmet?format=csv&place=x":    "unknown_place",
		"/v1/labour/evidence?format=parquet&cursor=abc": "invalid_cursor",
		"/v1/labour/demand?format=csv":                  "dataset_not_open",
		"/v1/candidates?format=csv":                     "invalid_parameter",
		"/v1/events?format=csv":                         "invalid_parameter",
	} {
		res := s.get(t, target)
		if e := errorOf(t, res); e.Code != want || res.header.Get("Content-Type") != typeJSON {
			t.Errorf("%s: %+v as %s", target, e, res.header.Get("Content-Type"))
		}
	}
}

// A client that knows no parameter asks with Accept; format wins over it.
func TestAcceptChoosesTheFormat(t *testing.T) {
	s := newService(t, func(o *Options) { o.RequestCounter = free{} })
	s.grant(t, access.Scopes()...)
	for _, path := range withRows() {
		for _, c := range []struct{ target, accept, want string }{
			{path, "text/csv", "text/csv"}, {path, "application/vnd.apache.parquet", "application/vnd.apache.parquet"},
			{path, "text/csv;q=0.5, application/json", "application/json"},
			{path, "text/csv, application/json;q=0.5, */*;q=0.1", "text/csv"},
			{path, "*/*, text/csv;q=0.9", "application/json"}, {path, "*/*, text/csv", "text/csv"},
			{path, "application/*, text/csv;q=0.9", "application/json"},
			{path, "text/csv; q, application/json;q=0.1", "application/json"}, // the first cannot be read
			{path, "TEXT/CSV", "text/csv"}, {path, "*/*", "application/json"},
			{path, "application/xml", "application/json"}, {path, "", "application/json"},
			{path + "?format=json", "text/csv", "application/json"},
			{path + "?format=parquet", "text/csv", "application/vnd.apache.parquet"},
		} {
			res := s.get(t, c.target, "Accept", c.accept)
			kind, _, err := mime.ParseMediaType(res.header.Get("Content-Type"))
			if err != nil || kind != c.want || res.status != http.StatusOK ||
				!strings.Contains(strings.Join(res.header.Values("Vary"), ","), "Accept") {
				t.Errorf("%s with %q: %d %s, Vary %v, want %s", c.target, c.accept, res.status, kind,
					res.header.Values("Vary"), c.want)
			}
			if again := s.get(t, c.target, "Accept", c.accept, "If-None-Match",
				res.header.Get("ETag")); again.status != http.StatusNotModified && path != "/v1/labour/sources" {
				t.Errorf("%s with %q: %d for its own entity tag", c.target, c.accept, again.status)
			}
		}
		csv, plain := s.get(t, path, "Accept", "text/csv"), s.get(t, path)
		if csv.header.Get("ETag") == plain.header.Get("ETag") {
			t.Errorf("%s: one entity tag for CSV and JSON", path)
		}
	}
}

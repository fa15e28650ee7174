package findanapprenticeship

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/sources"
	"labour/sources/sourcetest"
)

func connector(t testing.TB, base string) *VacancySource {
	t.Helper()
	s, err := New(Config{BaseURL: base, KeyEnv: "TEST_KEY"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// publisher answers as the gateway does: 401 without the key, and 404 with an
// empty body without the version header.
func publisher(pages map[string]string) http.Handler {
	bodies := sourcetest.ServeBodies(pages)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Header.Get("Ocp-Apim-Subscription-Key") != "subscription-key-1":
			w.WriteHeader(http.StatusUnauthorized)
		case r.Header.Get("X-Version") != "2", r.Header.Get("AdditionalDataSources") != "":
			w.WriteHeader(http.StatusNotFound)
		default:
			bodies.ServeHTTP(w, r)
		}
	})
}

func TestSuite(t *testing.T) {
	const query = "&PageSize=100&Sort=AgeDesc&IncludeDetails=true"
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source { return connector(t, base+"/vacancies/") },
		Publisher: publisher(map[string]string{
			"/vacancies/vacancy?PageNumber=1" + query: sourcetest.ReadSample(t, "page1.json"),
			"/vacancies/vacancy?PageNumber=2" + query: sourcetest.ReadSample(t, "page2.json"),
		}),
		Secrets:      map[string]string{"TEST_KEY": "subscription-key-1"},
		WantTerms:    sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		CheckRecords: checkSamples,
	})
}

func outline(a sources.Advert) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s | %s | %s | %s | %s to %s | level %d %s | %s", a.ID, a.Origin, a.Title, a.Employer,
		a.Posted, a.Closes, a.CourseLevel, a.Route, a.SalaryText)
	for _, l := range a.Locations {
		fmt.Fprintf(&b, " | %s (%s) %g %g", l.Text, l.Postcode, l.Latitude, l.Longitude)
	}
	if a.Nationwide {
		b.WriteString(" | nationwide")
	}
	for _, w := range a.Wanted {
		fmt.Fprintf(&b, " | wants %s", w.Skill)
	}
	return b.String()
}

func checkSamples(t *testing.T, records []sources.Record) {
	var got []string
	for _, r := range records {
		a := r.(sources.Advert)
		if a.Source != Key || a.Kind != "apprenticeship" || !a.Listed || a.Link == "" {
			t.Errorf("advert %s: source %q, kind %q, listed %v, link %q", a.ID, a.Source, a.Kind, a.Listed, a.Link)
		}
		got = append(got, outline(a))
	}
	want := strings.Split(strings.TrimSpace(sourcetest.ReadSample(t, "want.txt")), "\n")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("adverts (-want +got):\n%s", d)
	}
	first := records[0].(sources.Advert)
	const text = "Short words about the work.\nYou will:\nwrite Python\nanswer [removed] on [removed]\n" +
		"One day a week at college.\nEarly starts."
	if first.Text != text {
		t.Errorf("text is %q, want %q", first.Text, text)
	}
	if apply := records[1].(sources.Advert).ApplyURL; apply != "https://apply.example/care/2" {
		t.Errorf("apply address is %q", apply)
	}
}

// pages is an extract of pages in memory.
type pages [][]byte

// Open opens page n, whose name ends in n+1.
func (p pages) Open(o sources.ArchivedObject) (sources.Body, error) {
	for i := range p {
		if o.Name == name(i+1) {
			return io.NopCloser(bytes.NewReader(p[i])), nil
		}
	}
	return nil, sources.ErrNotFound
}

func (p pages) extract() sources.Extract {
	x := sources.Extract{Source: Key}
	for i := range p {
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: name(i + 1)})
	}
	return x
}

// While a list is paged it moves. However it moves, every vacancy that was on
// a page comes out once, and the fault is there exactly when some did not.
func TestReadWhileTheListMoves(t *testing.T) {
	s := connector(t, "http://127.0.0.1")
	rapid.Check(t, func(t *rapid.T) {
		served := map[int]bool{}
		total := rapid.IntRange(1, 12).Draw(t, "total")
		var p pages
		for range rapid.IntRange(1, 4).Draw(t, "pages") {
			var rows []map[string]any
			for _, ref := range rapid.SliceOfN(rapid.IntRange(1, 12), 0, 5).Draw(t, "rows") {
				rows = append(rows, map[string]any{"vacancyReference": fmt.Sprint(1000 + ref), "title": "x",
					"course": map[string]int{"larsCode": 1}})
				served[ref] = true
			}
			body, _ := json.Marshal(map[string]any{"vacancies": append([]map[string]any{}, rows...), "total": total,
				"totalPages": 1})
			p = append(p, body)
		}
		records, faults, err := sourcetest.ReadExtract(s, p.extract(), p)
		if err != nil || len(records) != len(served) {
			t.Fatalf("%d records (error %v), want %d", len(records), err, len(served))
		}
		if incomplete := len(faults) == 1 &&
			faults[0].Code == sources.FaultIncomplete; incomplete != (len(served) < total) {
			t.Fatalf("%d of %d vacancies, faults %+v", len(served), total, faults)
		}
	})
}

func TestReadFaults(t *testing.T) {
	s := connector(t, "http://127.0.0.1")
	for _, c := range []struct {
		name, body string
		adverts    int
		codes      []sources.FaultCode
	}{
		{"one row of another type",
			`{"vacancies":[{"vacancyReference":"1","title":["x"]},{"vacancyReference":"2","title":"x"}],"total":2}`, 1,
			[]sources.FaultCode{sources.FaultSchema}},
		{"no reference", `{"vacancies":[{"title":"x"}],"total":1}`, 0, []sources.FaultCode{sources.FaultSchema}},
		{"no title", `{"vacancies":[{"vacancyReference":"1"}],"total":1}`, 0, []sources.FaultCode{sources.FaultSchema}},
		{"bad date", `{"vacancies":[{"vacancyReference":"1","title":"x","postedDate":"tomorrow"}],"total":1}`, 0,
			[]sources.FaultCode{sources.FaultBadValue}},
		{"web page", `<html>`, 0, []sources.FaultCode{sources.FaultWrongFormat}},
		{"breaks off", `{"vacancies":[{"vacancyReference":"1","title":"x"}`, 0,
			[]sources.FaultCode{sources.FaultNotJSON}},
		{"too few", `{"vacancies":[],"totalFiltered":3}`, 0, []sources.FaultCode{sources.FaultIncomplete}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pages{[]byte(c.body)}
			records, faults, err := sourcetest.ReadExtract(s, p.extract(), p)
			var codes []sources.FaultCode
			for _, f := range faults {
				codes = append(codes, f.Code)
			}
			if err != nil || len(records) != c.adverts || !cmp.Equal(codes, c.codes) {
				t.Errorf("%d adverts, faults %+v, error %v; want %d and %v", len(records), faults, err, c.adverts,
					c.codes)
			}
		})
	}
}

// TestFaultyRowsAreNumbered from 1 on each page, as the operator counts them.
func TestFaultyRowsAreNumbered(t *testing.T) {
	const sound, faulty = `{"vacancyReference":"1","title":"x"}`, `{"title":"x"}`
	p := pages{[]byte(`{"vacancies":[` + faulty + `]}`), []byte(`{"vacancies":[` + sound + `,` + faulty + `]}`)}
	_, faults, err := sourcetest.ReadExtract(connector(t, "http://127.0.0.1"), p.extract(), p)
	var got []string
	for _, f := range faults {
		got = append(got, f.Object+" "+f.Where)
	}
	if want := []string{name(1) + " row 1", name(2) + " row 2"}; err != nil || !cmp.Equal(got, want) {
		t.Errorf("faults in %q, %v; want %q", got, err, want)
	}
}

// Whatever is not plainly the service's own is taken for an imported listing.
func TestOrigin(t *testing.T) {
	for _, c := range []struct {
		reference, lars string
		want            sources.Origin
	}{
		{"2000041656", "91", sources.OriginApprenticeship}, {"VAC2000041656", "91", sources.OriginApprenticeship},
		{"2000041656", "0", sources.OriginJobBoard}, {"2000041656", "", sources.OriginJobBoard},
		{"2000041656", "x", sources.OriginJobBoard}, {"C9824-26-0895", "91", sources.OriginJobBoard},
		{"", "91", sources.OriginJobBoard}, {"VAC", "91", sources.OriginJobBoard},
	} {
		if got := origin(reference(c.reference), c.lars); got != c.want {
			t.Errorf("reference %q with LARS code %q is of %q, want %q", c.reference, c.lars, got, c.want)
		}
	}
}

func TestMissingSecretSaysWhatToDo(t *testing.T) {
	err := connector(t, "http://127.0.0.1").Fetch(context.Background(), noSecrets{})
	if err == nil || !strings.Contains(err.Error(), "TEST_KEY") {
		t.Errorf("Fetch without the key = %v, want an error that names the secret", err)
	}
}

// noSecrets is a Fetcher that knows no secret and fetches nothing.
type noSecrets struct{ sources.Fetcher }

// Secret knows none.
func (noSecrets) Secret(string) (string, bool) { return "", false }

func TestNew(t *testing.T) {
	if _, err := New(Config{BaseURL: "ftp://example.org"}); err == nil {
		t.Error("New took an address that is not http(s)")
	}
	if s, err := New(Config{}); err != nil || s.base != DefaultBaseURL || s.keyEnv != DefaultKeyEnv {
		t.Errorf("New without settings = %+v, %v", s, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sourcetest.ReadSample(f, "page1.json")))
	f.Add([]byte(sourcetest.ReadSample(f, "page2.json")))
	f.Add([]byte(`{"vacancies":[null,{"vacancyReference":1,"addresses":[{"latitude":1e308,"longitude":null}]}]}`))
	s := connector(f, "http://127.0.0.1")
	f.Fuzz(func(t *testing.T, body []byte) {
		p := pages{body}
		records, faults, err := sourcetest.ReadExtract(s, p.extract(), p)
		if err != nil {
			t.Fatal(err)
		}
		l, err := list(body)
		if err != nil && len(faults) == 0 {
			t.Errorf("%v, and no fault says so", err)
		}
		seen := map[string]bool{}
		for _, r := range records {
			a := r.(sources.Advert)
			if a.ID == "" || a.Title == "" || seen[a.ID] || a.CourseLevel < 0 || a.CourseLevel > 7 {
				t.Errorf("bad advert %+v", a)
			}
			seen[a.ID] = true
		}
		if len(records) > len(l.rows) {
			t.Errorf("%d adverts from %d rows", len(records), len(l.rows))
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var page struct{ Vacancies []map[string]any }
	if err := json.Unmarshal([]byte(sourcetest.ReadSample(b, "page1.json")), &page); err != nil {
		b.Fatal(err)
	}
	var rows []map[string]any
	for i := range 100 {
		row := map[string]any{}
		for k, v := range page.Vacancies[0] {
			row[k] = v
		}
		row["vacancyReference"] = fmt.Sprint(2000000000 + i)
		row["fullDescription"] = strings.Repeat("<p>You will write Python and answer letters.</p>", 60)
		rows = append(rows, row)
	}
	body, _ := json.Marshal(map[string]any{"vacancies": rows, "total": 100, "totalPages": 1})
	p, s := pages{body}, connector(b, "http://127.0.0.1")
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Read(context.Background(), p.extract(), p, discard{}); err != nil {
			b.Fatal(err)
		}
	}
}

// discard is a Sink that keeps nothing.
type discard struct{}

// Emit drops a record.
func (discard) Emit(sources.Record) error { return nil }

// Fault drops a fault.
func (discard) Fault(sources.Fault) {}

// TestKeyThatIsEmpty holds that a secret that is set to nothing is as good as none.
func TestKeyThatIsEmpty(t *testing.T) {
	err := connector(t, "http://127.0.0.1").Fetch(context.Background(), emptySecret{})
	if err == nil || !strings.Contains(err.Error(), "TEST_KEY") {
		t.Errorf("Fetch with an empty key = %v, want an error that names the secret", err)
	}
}

// emptySecret is a Fetcher whose secrets are empty, and that fetches nothing.
type emptySecret struct{ sources.Fetcher }

// Secret returns an empty one.
func (emptySecret) Secret(string) (string, bool) { return "", true }

// TestAnnouncedTotals holds which total of a page counts: that of the answer where it is stated, 0 too.
func TestAnnouncedTotals(t *testing.T) {
	for body, want := range map[string]int{
		`{"vacancies":[]}`:                                -1,
		`{"vacancies":[],"total":0}`:                      0,
		`{"vacancies":[],"total":5}`:                      5,
		`{"vacancies":[],"total":5,"totalFiltered":0}`:    0,
		`{"vacancies":[],"total":5,"totalFiltered":-1}`:   5,
		`{"vacancies":[],"total":5,"totalFiltered":"no"}`: 5,
	} {
		l, err := list([]byte(body))
		if err != nil || l.total != want {
			t.Errorf("%s: total %d, want %d, %v", body, l.total, want, err)
		}
	}
}

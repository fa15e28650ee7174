package sandbox

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/sources"
)

var asOf = sources.Date{Year: 2026, Month: time.November, Day: 20}

var small = Size{Adverts: 900, Residents: 2000, Applications: 6000}

func world(t testing.TB, seed uint64, day sources.Date, size Size) *World {
	t.Helper()
	w, err := New(seed, day, size)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// everything is a fingerprint of all that a world writes and serves.
func everything(t testing.TB, w *World) string {
	t.Helper()
	sum := sha256.New()
	dir := t.TempDir()
	if err := w.WriteFeed(dir); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(sum, "%s %d\n", e.Name(), len(b))
		sum.Write(b)
	}
	h := w.PublishersHandler()
	paths := []string{"/faa/vacancy?PageNumber=1&PageSize=100&IncludeDetails=true",
		"/ees/data-sets/" + startsID + "/csv",
		"/ons/LAD_MAY_2025_UK_BGC_V2/FeatureServer/0/query?where=1=1&f=geojson"}
	for _, b := range w.boards {
		paths = append(paths, "/greenhouse/v1/boards/"+w.employers[b].Slug+"/jobs?content=true")
	}
	for _, p := range paths {
		status, body := ask(h, p)
		if status != http.StatusOK {
			t.Fatalf("%s: %d %s", p, status, body)
		}
		sum.Write(body)
	}
	sum.Write(w.ConfigFile("feed", "http://127.0.0.1:1", ""))
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func ask(h http.Handler, path string) (int, []byte) {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Ocp-Apim-Subscription-Key", ApprenticeshipAPIKey)
	r.Header.Set("X-Version", "2")
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	b, _ := io.ReadAll(answer.Body)
	return answer.Code, b
}

func TestSameSeedSameBytes(t *testing.T) {
	first := everything(t, world(t, 7, asOf, small))
	if again := everything(t, world(t, 7, asOf, small)); again != first {
		t.Error("the same seed, date and size gave another world")
	}
	if other := everything(t, world(t, 8, asOf, small)); other == first {
		t.Error("another seed gave the same world")
	}
	if other := everything(t, world(t, 7, asOf.AddDays(1), small)); other == first {
		t.Error("another date gave the same world")
	}
}

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		day  sources.Date
		size Size
	}{"no date": {sources.Date{}, small}, "far off": {sources.Date{Year: 2150, Month: 1, Day: 1}, small},
		"few adverts":           {asOf, Size{Adverts: 299, Residents: 500}},
		"few residents":         {asOf, Size{Adverts: 300, Residents: 499}},
		"too many applications": {asOf, Size{Adverts: 300, Residents: 500, Applications: 5001}},
		"negative":              {asOf, Size{300, 500, -1}}} {
		if _, err := New(1, c.day, c.size); err == nil {
			t.Errorf("%s: a world was made", name)
		}
	}
	world(t, 1, asOf, Size{Adverts: 300, Residents: 500, Applications: 5000})
}

// TestEveryDay makes worlds on awkward days: the end of a year, a leap day, the
// first of a month.
func TestEveryDay(t *testing.T) {
	for _, day := range []string{"2028-02-29", "2027-01-01"} {
		d, err := sources.ParseDate(day)
		if err != nil {
			t.Fatal(err)
		}
		w := world(t, 3, d, Size{Adverts: 400, Residents: 600, Applications: 2000})
		r := read(t, w)
		if got, want := len(r.faults), w.Planted().Unreadable; got != want {
			t.Errorf("%s: %d faults, want %d: %v", day, got, want, r.faults)
		}
	}
}

func TestConfigurationNamesNoUnknownKey(t *testing.T) {
	w := smallWorld()
	text := w.ConfigFile("feed", "http://127.0.0.1:9", "")
	for _, want := range []string{"http://127.0.0.1:9/greenhouse",
		"http://127.0.0.1:9/faa", "http://127.0.0.1:9/ees", "http://127.0.0.1:9/ons", `feed: "feed"`, "central-london",
		w.employers[w.boards[0]].Slug} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the configuration lacks %s", want)
		}
	}
	if bytes.Contains(text, []byte(`""`)) || bytes.Contains(text, []byte("retired")) {
		t.Errorf("the configuration states what is left out:\n%s", text)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		world(b, 1, asOf, DefaultSize())
	}
}

func BenchmarkWriteFeed(b *testing.B) {
	w := world(b, 1, asOf, DefaultSize())
	b.ReportAllocs()
	for b.Loop() {
		if err := w.WriteFeed(b.TempDir()); err != nil {
			b.Fatal(err)
		}
	}
}

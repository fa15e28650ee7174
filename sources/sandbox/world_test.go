package sandbox

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
	"labour/sources/fetching"
)

var asOf = sources.Date{Year: 2026, Month: time.November, Day: 20}

var small = Size{Adverts: 900, Residents: 2000, Applications: 6000}

func make1(t testing.TB, seed uint64, size Size) *World {
	t.Helper()
	w, err := New(seed, asOf, size)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// reading is what the real connectors make of a world.
type reading struct {
	records map[string][]sources.Record
	faults  []sources.Fault
	dir     string
}

// Emit and Fault make a sink of one source's part of a reading.
type sink struct {
	r   *reading
	key string
}

func (s sink) Emit(r sources.Record) error {
	s.r.records[s.key] = append(s.r.records[s.key], r)
	return nil
}
func (s sink) Fault(f sources.Fault) { s.r.faults = append(s.r.faults, f) }

// read writes the feed, serves the publishers on loopback, and fetches and reads
// everything with the connectors that the configuration names.
func read(t testing.TB, w *World, spoil func(*Publishers)) *reading {
	t.Helper()
	out := &reading{records: map[string][]sources.Record{}, dir: t.TempDir()}
	if err := w.WriteFeed(out.dir); err != nil {
		t.Fatal(err)
	}
	p, err := w.Publishers()
	if err != nil {
		t.Fatal(err)
	}
	if spoil != nil {
		spoil(p)
	}
	server := httptest.NewServer(p.Handler())
	defer server.Close()
	raw, err := w.Config(out.dir, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var c configuration
	if err := yaml.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	list, err := all.List(c.Sources, all.Platform{Name: c.Platform.Name, Link: c.Platform.Link, Feed: c.Platform.Feed})
	if err != nil {
		t.Fatal(err)
	}
	store, err := archive.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, src := range list {
		out.source(t, src, store)
	}
	return out
}

func (r *reading) source(t testing.TB, src sources.Source, store *archive.Archive) {
	t.Helper()
	x, faults, err := fetching.Run(context.Background(), src, fetching.Options{Archive: store, UserAgent: "labour/test (+https://londonworks.example; data@londonworks.example)",
		Now: func() time.Time { return asOf.AddDays(1).Time() }, Sleep: func(context.Context, time.Duration) error { return nil },
		Secrets: func(name string) (string, bool) { return Key, name == KeyEnv }, Attempts: 3})
	if err != nil {
		t.Fatal(err)
	}
	r.faults = append(r.faults, faults...)
	if err := src.Read(context.Background(), x, store, sink{r, src.Info().Key}); err != nil {
		t.Fatal(err)
	}
}

// kind are the records of one type that a source gave.
func kind[T sources.Record](r *reading, key string) []T {
	var out []T
	for _, rec := range r.records[key] {
		if v, ok := rec.(T); ok {
			out = append(out, v)
		}
	}
	return out
}

// smallWorld is read once for all tests that only look.
var smallWorld = sync.OnceValue(func() *World {
	w, err := New(7, asOf, small)
	if err != nil {
		panic(fmt.Sprintf("the small world: %v", err))
	}
	return w
})

func TestConnectorsReadEverything(t *testing.T) {
	w := smallWorld()
	r := read(t, w, nil)
	p := w.Planted()
	if len(r.faults) != p.Unreadable {
		for _, f := range r.faults {
			t.Logf("%+v", f)
		}
		t.Errorf("%d faults, planted are %d", len(r.faults), p.Unreadable)
	}
	want := map[string]int{}
	for _, v := range w.vacancies {
		if !v.unreadable {
			want[v.source]++
		}
	}
	for key, source := range map[string]string{"platform": fromPlatform, "employer_boards": fromBoard, "find_an_apprenticeship": fromService} {
		if got := len(kind[sources.Advert](r, key)); got != want[source] {
			t.Errorf("%s: %d adverts, want %d", key, got, want[source])
		}
	}
	if n := len(w.vacancies); n != small.Adverts {
		t.Errorf("%d adverts in all, want %d", n, small.Adverts)
	}
	for name, got := range map[string][2]int{
		"boroughs": {len(kind[sources.Borough](r, "platform")), 33}, "residents": {len(kind[sources.Resident](r, "platform")), small.Residents},
		"applications": {len(kind[sources.Application](r, "platform")), small.Applications},
		"pathways":     {len(kind[sources.Pathway](r, "platform")), 15}, "outlines": {len(kind[sources.Boundary](r, "ons_geography")), len(w.lists.councils)},
		"statistics": {len(kind[sources.Statistic](r, "dfe_apprenticeships")), 2 * 3 * 16 * (1 + 9 + 33)}} {
		if got[0] != got[1] {
			t.Errorf("%d %s, want %d", got[0], name, got[1])
		}
	}
	t.Logf("planted: %+v", p)
}

func TestDefaultSize(t *testing.T) {
	if os.Getenv("SANDBOX_DEFAULT") == "" {
		t.Skip("set SANDBOX_DEFAULT for the world of the default size")
	}
	start := time.Now()
	w := make1(t, 1, DefaultSize())
	t.Log("new", time.Since(start))
	dir := filepath.Join(os.TempDir(), "sbxfeed")
	start = time.Now()
	if err := w.WriteFeed(dir); err != nil {
		t.Fatal(err)
	}
	t.Log("feed", time.Since(start))
	start = time.Now()
	if _, err := w.Handler(); err != nil {
		t.Fatal(err)
	}
	t.Log("handler", time.Since(start), fmt.Sprintf("%+v", w.Planted()))
}

package sandbox

import (
	"context"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/platform"
	"labour/sources/sourcetest"
)

// smallWorld is made once for all tests that only look at it.
var smallWorld = sync.OnceValue(func() *World {
	w, err := New(7, asOf, small)
	if err != nil {
		panic(fmt.Sprintf("the small world: %v", err))
	}
	return w
})

// reading is what the real connectors make of a world.
type reading struct {
	records map[string][]sources.Record
	faults  []sources.Fault
	dir     string // of the feed
}

// sink takes one source's part of a reading.
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
func read(t testing.TB, w *World) *reading {
	t.Helper()
	dir := t.TempDir()
	if err := w.WriteFeed(dir); err != nil {
		t.Fatal(err)
	}
	out := &reading{records: map[string][]sources.Record{}, dir: dir}
	server := httptest.NewServer(w.PublishersHandler())
	defer server.Close()
	var c struct {
		Platform    platform.Config
		Contact     string
		ServedAreas any `yaml:"served_areas"`
		Sources     all.Config
	}
	if err := yaml.UnmarshalWithOptions(w.ConfigFile(out.dir, server.URL, ""), &c, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	list, err := all.ConfiguredSources(c.Sources, c.Platform)
	if err != nil {
		t.Fatal(err)
	}
	store := sourcetest.OpenArchive(t)
	for _, src := range list {
		out.source(t, src, store)
	}
	return out
}

func (r *reading) source(t testing.TB, src sources.Source, store *archive.Archive) {
	t.Helper()
	now := asOf.AddDays(1).Time()
	x, faults, err := fetching.FetchSource(context.Background(), src, fetching.Options{Archive: store,
		UserAgent:   "labour/test (+https://londonworks.example; data@londonworks.example)",
		Now:         func() time.Time { return now },
		Sleep:       func(context.Context, time.Duration) error { return nil },
		FindSecret:  func(name string) (string, bool) { return ApprenticeshipAPIKey, name == ApprenticeshipAPIKeyEnv },
		MaxAttempts: 2})
	r.faults = append(r.faults, faults...)
	if err != nil {
		return // the faults say why
	}
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

// smallReading is what the connectors make of the small world.
var smallReading = struct {
	once sync.Once
	r    *reading
}{}

func readSmall(t testing.TB) *reading {
	t.Helper()
	smallReading.once.Do(func() { smallReading.r = read(t, smallWorld()) })
	return smallReading.r
}

func TestConnectorsReadEverything(t *testing.T) {
	w, r := smallWorld(), readSmall(t)
	if p := w.Planted(); len(r.faults) != p.Unreadable || p.Unreadable == 0 {
		t.Errorf("%d faults, planted are %d: %v", len(r.faults), p.Unreadable, r.faults)
	}
	want := map[string]int{}
	for number := range w.adverts.list {
		if v := w.vacancy(number); !v.unreadable {
			want[v.source]++
		}
	}
	for key, source := range map[string]string{"platform": fromPlatform, "employer_boards": fromBoard,
		"find_an_apprenticeship": fromService} {
		if got := len(kind[sources.Advert](r, key)); got != want[source] || got < 80 {
			t.Errorf("%s: %d adverts, want %d", key, got, want[source])
		}
	}
	if n := len(w.adverts.list); n != small.Adverts {
		t.Errorf("%d adverts in all, want %d", n, small.Adverts)
	}
	planAreas := 0
	for _, a := range w.lists.areas {
		if a.kind == "lsip" {
			planAreas++
		}
	}
	for name, got := range map[string][2]int{
		"boroughs":     {len(kind[sources.Borough](r, "platform")), 33},
		"residents":    {len(kind[sources.Resident](r, "platform")), small.Residents},
		"applications": {len(kind[sources.Application](r, "platform")), small.Applications},
		"pathways":     {len(kind[sources.Pathway](r, "platform")), 15},
		"outlines":     {len(kind[sources.Boundary](r, "ons_geography")), len(w.lists.councils)},
		"statistics":   {len(kind[sources.Statistic](r, "dfe_apprenticeships")), 2*3*16*(1+9+33+1+planAreas) + 3*8}} {
		if got[0] != got[1] {
			t.Errorf("%d %s, want %d", got[0], name, got[1])
		}
	}
}

// TestGeography checks that every area of the lists comes out.
func TestGeography(t *testing.T) {
	w, r := smallWorld(), readSmall(t)
	got := map[string]int{}
	for _, a := range kind[sources.Area](r, "ons_geography") {
		got[a.Kind]++
	}
	want := map[string]int{"council": len(w.lists.councils)}
	for _, a := range w.lists.areas {
		want[a.kind]++
	}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%d areas of the kind %s, want %d", got[k], k, n)
		}
	}
}

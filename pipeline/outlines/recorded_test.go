package outlines

import (
	"context"
	"math"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"labour/sources"
	"labour/sources/boundaries"
	"labour/sources/fakepublishers"
	"labour/sources/fakepublishers/recordedtest"
	"labour/sources/fetching"
	"labour/sources/onsgeography"
	"labour/sources/sourcetest"
)

// boundarySink keeps what the connector makes of the recorded layer.
type boundarySink struct {
	t   *testing.T
	got []sources.Boundary
}

func (b *boundarySink) Emit(r sources.Record) error {
	if boundary, ok := r.(sources.Boundary); ok {
		b.got = append(b.got, boundary)
	}
	return nil
}

func (b *boundarySink) Fault(f sources.Fault) { b.t.Errorf("fault: %+v", f) }

// recordedBoundaries fetches and reads the recorded boundaries of the councils with
// the connector.
func recordedBoundaries(t *testing.T) []sources.Boundary {
	t.Helper()
	dir, err := recordedtest.RecordedDir()
	if err != nil {
		t.Skip(err)
	}
	tables, err := recordedtest.GeographyTables(filepath.Join(dir, "F"))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(fakepublishers.NewArcGIS(tables))
	defer server.Close()
	source, err := onsgeography.New(onsgeography.Config{BaseURL: server.URL,
		Services: []onsgeography.Service{{ServiceName: "EDGES", BoundaryKind: onsgeography.KindCouncil}}})
	if err != nil {
		t.Fatal(err)
	}
	store := sourcetest.OpenArchive(t)
	now := func() time.Time { return time.Date(2026, 8, 22, 6, 0, 0, 0, time.UTC) }
	extract, _, err := fetching.FetchSource(context.Background(), source,
		fetching.Options{Archive: store, UserAgent: "labour/test (+https://works.example; data@works.example)",
			Now:        now,
			Sleep:      func(context.Context, time.Duration) error { return nil },
			FindSecret: func(string) (string, bool) { return "", false }, MaxAttempts: 1})
	if err != nil {
		t.Fatal(err)
	}
	sink := &boundarySink{t: t}
	if err := source.Read(context.Background(), extract, store, sink); err != nil {
		t.Fatal(err)
	}
	return sink.got
}

// TestRecordedBoundaries simplifies the outlines of all councils of the United
// Kingdom for one map, and of those of London for another. Hardly any area is lost,
// what neighbours share stays shared, and a map weighs little.
func TestRecordedBoundaries(t *testing.T) {
	all := recordedBoundaries(t)
	for _, c := range []struct {
		name, prefix string
		areas, most  int // points at most
		loss         float64
	}{{"London", "E09", 33, 1000, .005}, {"the United Kingdom", "", 361, 13000, .005}} {
		var shapes []orb.MultiPolygon
		for _, b := range all {
			if strings.HasPrefix(b.Code, c.prefix) {
				shape, err := boundaries.Parse(b)
				if err != nil {
					t.Fatal(err)
				}
				shapes = append(shapes, shape)
			}
		}
		simple := Simplify(shapes, 600)
		before, after, points := 0.0, 0.0, 0
		for i, s := range simple {
			if len(s) == 0 {
				t.Errorf("%s: council %d has no outline", c.name, i)
			}
			before, after = before+planar.Area(shapes[i]), after+planar.Area(s)
			for _, polygon := range s {
				for _, ring := range polygon {
					points += len(ring) - 1
				}
			}
		}
		if len(shapes) != c.areas || points > c.most || math.Abs(after/before-1) > c.loss {
			t.Errorf("%s: %d councils, %d points, %.4f of the area", c.name, len(shapes), points, after/before)
		}
		was, is := sharedPart(shapes), sharedPart(simple)
		t.Logf("%s: %d councils, %d points, %.4f of the area; %.3f of the borders shared, %.3f before", c.name,
			len(shapes), points, after/before, is, was)
		if is < was-.02 {
			t.Errorf("%s: %.3f of the borders are shared, and %.3f were", c.name, is, was)
		}
	}
}

// sharedPart is which part of the length of all borders is in two councils.
func sharedPart(shapes []orb.MultiPolygon) float64 {
	all, shared := 0.0, 0.0
	for e, n := range edges(shapes) {
		length := planar.Distance(e[0], e[1])
		all += length
		if n == 2 {
			shared += length
		}
	}
	return shared / all
}

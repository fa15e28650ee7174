package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

const asOf = "2026-11-20"

// TestRowLevelTablesHoldTheCells: the shares of row-level tables are those of the
// cells that they were made of.
func TestRowLevelTablesHoldTheCells(t *testing.T) {
	data := t.TempDir()
	snaptest.MakeRemovable(t, data)
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	content := snaptest.DefaultContent(t, asOf)
	dir := store.SnapshotDir(snaptest.BuildSnapshot(t, data, asOf, content))
	rows, err := inDuckDB(context.Background(), dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	answered := 0
	for _, place := range append(content.Places, snapshots.PlacesRow{}) {
		shares, err := rows.shares(context.Background(), question{Place: place.Place, Window: 24})
		if err != nil {
			t.Fatal(err)
		}
		want, matching := map[string]int64{}, int64(0)
		first := time.Date(2024, 12, 1, 0, 0, 0, 0, time.UTC)
		for _, r := range content.Adverts {
			if r.Place == place.Place && !r.Month.Before(first) {
				want[r.Skill] += int64(r.Adverts)
			}
		}
		for _, r := range content.AdvertsTotal {
			if r.Place == place.Place && !r.Month.Before(first) {
				matching += int64(r.Adverts)
			}
		}
		for _, s := range shares {
			answered++
			if s.Adverts != want[s.Skill] || s.Matching != matching {
				t.Errorf("%s, %s: %d of %d, want %d of %d", place.Place, s.Skill, s.Adverts, s.Matching, want[s.Skill],
					matching)
			}
		}
		if len(shares) != 0 && len(shares) != len(want) {
			t.Errorf("%s: %d skills, want %d", place.Place, len(shares), len(want))
		}
	}
	if answered == 0 {
		t.Error("no place had an answer")
	}
}

func TestLoadMakesEveryCallOnce(t *testing.T) {
	seen := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.URL.Path + " " + r.Header.Get("Authorization") + " " + r.Header.Get("Accept-Encoding")
		if r.URL.Path == "/missing" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	c := caller{BaseURL: server.URL, Keys: []string{"k"}, ServerCPUTime: processorUsed}
	r, err := c.measureCalls(context.Background(), load{Calls: 40, Clients: 3, AcceptEncoding: "gzip",
		Path: func(i int) string { return "/" + strings.Repeat("x", i+1) }})
	if err != nil || r.Requests != 40 {
		t.Fatalf("%+v, %v", r, err)
	}
	close(seen)
	paths := map[string]bool{}
	for s := range seen {
		paths[s] = true
		if !strings.HasSuffix(s, " Bearer k gzip") {
			t.Errorf("call %s", s)
		}
	}
	if len(paths) != 40 {
		t.Errorf("%d different calls", len(paths))
	}
	seen = make(chan string, 100)
	missing := load{Calls: 5, Clients: 3, Path: func(int) string { return "/missing" }}
	if r, err := c.measureCalls(context.Background(), missing); err != nil || r.FailedCalls() != 5 {
		t.Errorf("of 5 calls that are answered 404 %d failed, %v", r.FailedCalls(), err)
	}
	missing.Calls, missing.TimeLimit = 1<<40, time.Nanosecond
	if r, err := c.measureCalls(context.Background(), missing); err != nil || r.Requests > 3 {
		t.Errorf("%d calls in a nanosecond, %v", r.Requests, err)
	}
}

func TestMixHasEveryShapeByWeight(t *testing.T) {
	shapes, err := shapes()
	if err != nil || len(shapes) != 30 {
		t.Fatalf("%d shapes, %v", len(shapes), err)
	}
	total := 0
	for _, s := range shapes {
		total += s.Weight
	}
	got, deal := map[string]int{}, callMix(shapes)
	for i := range total {
		got[deal(i).Name]++
	}
	for _, s := range shapes {
		if got[s.Name] != s.Weight {
			t.Errorf("%s: %d times in %d calls, want %d", s.Name, got[s.Name], total, s.Weight)
		}
	}
}

func TestCallsOfAShapeNameValues(t *testing.T) {
	v := values{Places: []string{"camden", "barnet"}, UnitGroups: []string{"2134", "6135", "9263"}}
	s := shape{Path: "/v1/labour/skills-unmet?place={place}&soc={occupation}&level={level}&window={window}"}
	for i, want := range []string{"place=camden&soc=2134&level=1&window=3", "place=barnet&soc=6135&level=2&window=6"} {
		if got := v.call(s, i); got != "/v1/labour/skills-unmet?"+want {
			t.Errorf("call %d is %s", i, got)
		}
	}
}

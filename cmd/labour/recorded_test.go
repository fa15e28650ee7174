package main

import (
	"bytes"
	"context"
	crand "crypto/rand"
	"encoding/json"
	"log/slog"
	"net/url"
	"testing"
	"time"

	"labour/pipeline"
	"labour/pipeline/config"
	"labour/snapshots"
	"labour/sources"
)

// TestRecordedData serves the recorded answers of real publishers on loopback, in
// their own formats, runs the pipeline on them, and asks the server. It prints
// the report; `make recorded` shows it.
func TestRecordedData(t *testing.T) {
	world, base := servedRecorded(t)
	c, err := config.Parse(world.Config(base))
	if err != nil {
		t.Fatal(err)
	}
	clock := time.Date(2026, 8, 22, 6, 0, 0, 0, time.UTC) // the day of the newest recorded board
	a := &app{stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}, now: func() time.Time { return clock },
		random: crand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	p := &published{t: t, app: a, data: t.TempDir(), clock: &clock}
	p.options = pipeline.Options{Config: c, DataDir: p.data, AsOf: sources.DateOf(clock), Now: a.now,
		Log: slog.New(slog.DiscardHandler), ToolVersion: "test"}
	result, err := pipeline.Run(context.Background(), p.options)
	if err != nil || len(result.FailedSources) > 0 {
		t.Fatalf("run: %v, failed sources %v", err, result.FailedSources)
	}
	var report bytes.Buffer
	if err := printReport(&report, p.data, result.ID, result.Report); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", report.String())
	checkNothingLost(t, result, world.Jobs)
	p.sameRecordedTables(result.ID)
	p.serve()
	checkCourses(t, p)
	for kind, want := range map[string]int{"council": 361, "travel_to_work_area": 228, "lsip": 42, "itl1": 12,
		"itl2": 46, "itl3": 182, "nation": 4} {
		if got := p.get("/v1/labour/regions", url.Values{"kind": {kind}, "limit": {"5000"}}); len(got.Data) != want {
			t.Errorf("%d regions of kind %s, want %d", len(got.Data), kind, want)
		}
	}
	if got := p.get("/v1/labour/skills-unmet", url.Values{"window": {"24"}}); len(got.Data) == 0 ||
		len(got.Sources) != 2 {
		t.Errorf("skills-unmet has %d rows of sources %v", len(got.Data), got.Sources)
	}
	for _, path := range []string{"/v1/labour/skills-gaps", "/v1/labour/evidence", "/v1/labour/sources"} {
		p.get(path, nil)
	}
}

// furtherAdverts are the adverts of the samples of Workable (two rows of one
// vacancy), Recruitee, Teamtailor and Personio.
const furtherAdverts = 6

// checkNothingLost: every job of a recorded board is counted or excluded for a
// reason.
func checkNothingLost(t *testing.T, r pipeline.Result, jobs int) {
	t.Helper()
	for _, s := range r.Report.Sources {
		if len(s.Faults) > 0 {
			t.Errorf("faults of %s: %v %+v", s.Source, s.Faults, s.Samples)
		}
		if s.Source != "employer_boards" {
			continue
		}
		ended := s.Adverts.Counted
		for _, n := range s.Adverts.Excluded {
			ended += n
		}
		if s.Adverts.Read != int64(jobs+furtherAdverts) || ended != s.Adverts.Read {
			t.Errorf("%d jobs recorded, %d read, %d counted or excluded", jobs, s.Adverts.Read, ended)
		}
		if s.Adverts.Counted < 600 {
			t.Errorf("only %d adverts counted", s.Adverts.Counted)
		}
	}
	if r.ID != snapshots.NewID(time.Date(2026, 8, 22, 0, 0, 0, 0, time.UTC), 1) {
		t.Errorf("snapshot %s", r.ID)
	}
}

// checkCourses: England's starts as the recorded file says.
func checkCourses(t *testing.T, p *published) {
	t.Helper()
	got := p.get("/v1/labour/course-demand", url.Values{"metric": {"apprenticeship_starts"}, "subject_area": {"Total"},
		"region": {"E92000001"}})
	want := map[string]string{"2023-07-31": "337140", "2024-07-31": "339580", "2025-07-31": "353500"}
	for _, row := range got.Data {
		end, _ := row["period_end"].(string)
		if figure, ok := want[end]; ok {
			if v, _ := row["value"].(json.Number); v.String() != figure {
				t.Errorf("starts in the year to %s: %v, want %s", end, row["value"], figure)
			}
			delete(want, end)
		}
		if end == "2025-07-31" {
			yoy, _ := row["year_on_year"].(map[string]any)
			if v, _ := yoy["change_pct"].(json.Number); v.String() != "4.1" {
				t.Errorf("change on the year: %v, want 4.1", yoy)
			}
		}
	}
	for end := range want {
		t.Errorf("no starts in the year to %s", end)
	}
}

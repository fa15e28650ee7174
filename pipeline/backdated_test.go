package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/config"
	"labour/pipeline/protected"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// TestBuildOfAnEarlierDate: a build of an earlier date reads what had been fetched by the end of that
// day, and says so where that is nothing.
func TestBuildOfAnEarlierDate(t *testing.T) {
	s := newSmall(t)
	for _, live := range [][]int{{1, 2, 3, 4}, {3, 4, 5}, {5}} { // of 19, 20 and 21 November
		s.vacancies = live
		s.run()
	}
	for date, want := range map[int]string{19: "1 2 3 4", 20: "3 4 5", 22: "5"} {
		fresh := t.TempDir()
		if err := os.CopyFS(fresh+"/protected", os.DirFS(s.data+"/protected")); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(protected.RoundingSecretFile(fresh), 0o600); err != nil { // a copy may be read by others
			t.Fatal(err)
		}
		o := *s.last
		o.DataDir, o.AsOf, o.Now = fresh, sources.Date{Year: 2026, Month: 11, Day: date},
			func() time.Time { return s.clock }
		b, err := Build(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		data := s.data
		s.data = fresh
		for _, j := range rowsOf[snapshots.JobsRow](s, Result{ID: b.ID}, "jobs") {
			if id, ok := strings.CutPrefix(j.ID, "find_an_apprenticeship:20000"); ok {
				ids = append(ids, strings.TrimLeft(id, "0"))
			}
		}
		s.data = data
		if slices.Sort(ids); strings.Join(ids, " ") != want {
			t.Errorf("as_of %d November: vacancies %v, want %s", date, ids, want)
		}
	}
	o := *s.last
	o.AsOf, o.Now = sources.Date{Year: 2026, Month: 11, Day: 18}, func() time.Time { return s.clock }
	if _, err := Build(t.Context(), o); err == nil ||
		!strings.Contains(err.Error(), "had been fetched by the end of 2026-11-18") {
		t.Errorf("as_of 18 November: %v", err)
	}
}

// TestOptionsThatAreNotComplete: every step refuses them before it does anything else.
func TestOptionsThatAreNotComplete(t *testing.T) {
	for name, step := range map[string]func(context.Context, Options) error{
		"fetch": func(ctx context.Context, o Options) error { _, err := Fetch(ctx, o); return err },
		"run":   func(ctx context.Context, o Options) error { _, err := Run(ctx, o); return err },
		"build": func(ctx context.Context, o Options) error { _, err := Build(ctx, o); return err },
	} {
		err := step(t.Context(), Options{DataDir: t.TempDir()})
		if err == nil || err.Error() != "a configuration is needed" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBuildOfAnEmptyArchive: it says what is missing, and begins no snapshot.
func TestBuildOfAnEmptyArchive(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	o := Options{DataDir: t.TempDir(), AsOf: sources.DateOf(now), Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler), Config: &config.Config{Platform: platform.Config{Name: "Works",
			FeedAddress: "https://feed.example"}}}
	if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), "has nothing of platform yet") {
		t.Errorf("a build without archived data: %v", err)
	}
	if _, err := os.Stat(snapshots.SnapshotsDir(o.DataDir)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of snapshots: %v", err)
	}
}

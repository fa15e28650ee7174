package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// TestWhatWasPrintedIsKept: each month's figures are kept for the audits after it, made
// again of the snapshots where they were lost, and deleted when they are too old.
func TestWhatWasPrintedIsKept(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	month := peopleMonth(sources.DateOf(s.clock))
	first := s.run()
	kept := rowsBySkill(t, printedFile(s.data, month))
	if want := bySkill(rowsOf[snapshots.PeopleRow](s, first, "people")); len(want) == 0 || gocmp.Diff(want, kept) != "" {
		t.Fatalf("kept otherwise than printed: %s", gocmp.Diff(want, kept))
	}
	old := printedFile(s.data, month-disclosure.KeptReleases)
	if err := os.Rename(printedFile(s.data, month), old); err != nil { // lost, and one that is too old
		t.Fatal(err)
	}
	s.clock = s.clock.AddDate(0, 1, 0)
	s.run()
	if d := gocmp.Diff(kept, rowsBySkill(t, printedFile(s.data, month))); d != "" {
		t.Errorf("made again otherwise: %s", d)
	}
	if _, err := os.Stat(printedFile(s.data, month+1)); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("what is too old is still there: %v", err)
	}
}

// TestOnlyWhatWasPublishedIsKept: what a snapshot prints that is not promoted is not taken
// for what the month printed; once it is promoted, it is.
func TestOnlyWhatWasPublishedIsKept(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	s.run()
	month := printedFile(s.data, peopleMonth(sources.DateOf(s.clock)))
	published := rowsBySkill(t, month)
	stale, err := os.ReadFile(month)
	if err != nil {
		t.Fatal(err)
	}
	s.turnedDown(60)
	again := *s.last
	again.RebuildPeople = "a correction"
	for _, name := range []string{"residents.ndjson", "applications.ndjson"} {
		if err := os.WriteFile(filepath.Join(again.Config.Platform.Feed, name), []byte(s.feed[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fetched, err := Fetch(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	built, err := Build(t.Context(), again, fetched)
	if err != nil {
		t.Fatal(err)
	}
	if d := gocmp.Diff(published, rowsBySkill(t, month)); d != "" {
		t.Errorf("what was built and not promoted is kept: %s", d)
	}
	if err := Promote(t.Context(), again, built.ID); err != nil {
		t.Fatal(err)
	}
	promoted := rowsBySkill(t, month)
	if gocmp.Diff(published, promoted) == "" {
		t.Error("what was promoted is not kept")
	}
	// A run that is killed just after it promoted leaves the figures of before.
	if err := errors.Join(os.Rename(month, printedFile(s.data, built.ID)), os.WriteFile(month, stale, 0o600)); err != nil {
		t.Fatal(err)
	}
	s.run()
	if d := gocmp.Diff(promoted, rowsBySkill(t, month)); d != "" {
		t.Errorf("what a killed run promoted is not kept: %s", d)
	}
}

func rowsBySkill(t *testing.T, file string) []snapshots.PeopleRow {
	t.Helper()
	rows, err := parquetio.ReadAll[snapshots.PeopleRow](file)
	if err != nil {
		t.Fatal(err)
	}
	return bySkill(rows)
}

// bySkill orders rows by skill, and within it as the table does.
func bySkill(rows []snapshots.PeopleRow) []snapshots.PeopleRow {
	slices.SortStableFunc(rows, func(a, b snapshots.PeopleRow) int { return cmp.Compare(a.Skill, b.Skill) })
	return rows
}

// TestMonthThatIsLost: what earlier months print is all there for a snapshot that is made again, or
// an error, also where a run beside it deletes what is too old.
func TestMonthThatIsLost(t *testing.T) {
	const months = 500
	data, scratch := t.TempDir(), t.TempDir()
	f := &archived{manifest: snapshots.Manifest{PeopleAsOf: &snapshots.Date{}}}
	if err := f.restore(nil, data, scratch); err != nil {
		t.Error(err)
	}
	name := func(i int) string { return fmt.Sprintf("%04d.parquet", i) }
	if err := os.MkdirAll(printedDir(data), 0o700); err != nil {
		t.Fatal(err)
	}
	for i := range months {
		if err := os.WriteFile(filepath.Join(printedDir(data), name(i)), []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lost := make(chan error, 1)
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(filepath.Join(printedDir(scratch), name(0))); err == nil { // the names have been read
				lost <- os.Remove(filepath.Join(printedDir(data), name(months-1)))
				return
			}
			time.Sleep(10 * time.Microsecond)
		}
	}()
	err := f.restore(nil, data, scratch)
	if err := <-lost; err != nil {
		t.Fatal(err)
	}
	if kept, readErr := os.ReadDir(printedDir(scratch)); readErr != nil || err == nil && len(kept) < months {
		t.Errorf("%d of %d months without an error, %v", len(kept), months, readErr)
	}
}

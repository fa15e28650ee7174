package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
)

// turnedDown writes a feed in which n people are turned down for the skill that all its
// adverts ask for.
func (s *small) turnedDown(n int) {
	var residents, applications strings.Builder
	for i := range n {
		fmt.Fprintf(&residents,
			`{"id":"p-%d","borough":"camden","seeking_work":true,"skills":[{"skill":"teamwork","level":1}]}`+"\n", i)
		fmt.Fprintf(&applications,
			`{"id":"ap-%[1]d","resident":"p-%[1]d","advert":"ad-%[2]d","applied_at":"2026-07-01T09:00:00Z",`+
				`"outcome":"turned_down","outcome_recorded_at":"2026-08-01T09:00:00Z",`+
				`"skills":[{"skill":"teamwork","asked_level":2,"held_level":1,"turned_down_for":true}]}`+"\n", i, i%9)
	}
	s.feed["residents.ndjson"], s.feed["applications.ndjson"] = residents.String(), applications.String()
}

// shownPeople are the rows of people with a figure.
func shownPeople(s *small, r Result) string {
	var out strings.Builder
	for _, row := range rowsOf[snapshots.PeopleRow](s, r, "people") {
		if row.PeopleTurnedDown != nil && *row.PeopleTurnedDown > 0 {
			fmt.Fprintln(&out, row.Skill, row.Signature, row.Place, row.Value, *row.PeopleTurnedDown)
		}
	}
	return out.String()
}

// A run that was killed while it rounded people leaves its true counts. None of them is
// counted in the next run. One that fails leaves none.
func TestCountsOfAKilledRunAreNotCounted(t *testing.T) {
	clean := newSmall(t)
	clean.turnedDown(40)
	want := shownPeople(clean, clean.run())
	if want == "" {
		t.Fatal("no figure of people is shown, so nothing is tried")
	}
	s := newSmall(t)
	s.turnedDown(90)
	ctx, stop := context.WithCancel(context.Background())
	truth, left := filepath.Join(s.data, "protected", "truth"), filepath.Join(t.TempDir(), "truth")
	s.progress = func(step string) {
		if step == "round people" {
			stop()
			if err := os.CopyFS(left, os.DirFS(truth)); err != nil {
				t.Error(err)
			}
		}
	}
	s.context = ctx
	if _, err := s.runOnly(""); !errors.Is(err, context.Canceled) {
		t.Fatalf("the run was not stopped: %v", err)
	}
	if _, err := os.Stat(truth); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a run that fails leaves its true counts: %v", err)
	}
	if err := os.CopyFS(truth, os.DirFS(left)); err != nil { // as one that is killed does
		t.Fatal(err)
	}
	renameLeft(t, truth)
	s.progress, s.context = nil, nil
	s.turnedDown(40)
	if got := shownPeople(s, s.run()); got != want {
		t.Errorf("after a killed run:\n%s\nwant:\n%s", got, want)
	}
}

// renameLeft gives the files of true counts other names, as those of a run with more
// threads have.
func renameLeft(t *testing.T, dir string) {
	t.Helper()
	renamed := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasPrefix(e.Name(), "left-") {
			return err
		}
		renamed++
		return os.Rename(path, filepath.Join(filepath.Dir(path), "left-"+e.Name()))
	})
	if err != nil || renamed == 0 {
		t.Fatalf("the killed run left %d files, %v", renamed, err)
	}
}

// Staged rows that are there already are an error, not a part of the stage.
func TestStageIsNewOrAnError(t *testing.T) {
	if s, err := staging.Create(t.TempDir()); !errors.Is(err, fs.ErrExist) {
		t.Errorf("staged in a directory that was there: %v, %v", s, err)
	}
}

// A light run that starts while a whole run checks and promotes waits: the whole run
// is promoted.
func TestLightRunDoesNotOvertake(t *testing.T) {
	s := newSmall(t)
	s.run()
	tried := map[string]error{}
	s.progress = func(step string) {
		if name, _, _ := strings.Cut(step, " "); name == "check" || name == "promote" {
			light := *s.last
			light.IsLight, light.OnStep, light.LockWait = true, nil, time.Millisecond
			_, tried[name] = Run(context.Background(), light)
		}
	}
	s.change(1)
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	if current, err := s.store().Current(); current != whole.ID || err != nil {
		t.Errorf("current is %s, %v; the whole run made %s", current, err, whole.ID)
	}
	if len(tried) != 2 || !errors.Is(tried["check"], store.ErrWriterActive) ||
		!errors.Is(tried["promote"], store.ErrWriterActive) {
		t.Errorf("light runs: %v", tried)
	}
	s.progress = nil
	s.light()
}

// What a board's answer of yesterday lacked does not count any more when today's is whole:
// the vacancies that it listed stay as they were.
func TestOldFaultsAreNotCountedAgain(t *testing.T) {
	s := newSmall(t)
	good := s.boards["acme"]
	s.boards["acme"] = strings.Replace(good, `"jobs":[`,
		`"jobs":[{"id":"acme-0","title":"","location":"Camden, London","isListed":true,`+
			`"publishedAt":"2026-10-05T09:00:00Z","jobUrl":"https://jobs.example/acme/0"},`, 1)
	if first := sourceReport(t, s.run(), "employer_boards"); first.Faults[sources.FaultSchema] != 1 ||
		first.Adverts.Counted != 2 {
		t.Fatalf("%+v", first)
	}
	s.boards["acme"] = strings.NewReplacer("acme-1", "acme-2", "acme/1", "acme/2", "Software developer",
		"Data engineer").Replace(good)
	if second := sourceReport(t, s.run(), "employer_boards"); len(second.Faults) != 0 || second.Adverts.Counted != 3 {
		t.Errorf("faults %v, %d counted", second.Faults, second.Adverts.Counted)
	}
}

// A change that a column has no room for is left out, and costs no other figure.
func TestChangesThatDoNotFit(t *testing.T) {
	s := newSmall(t)
	s.csv += "202526,Academic year,National,E92000001,England,Total,1000000000\n"
	changed := map[string]bool{}
	for _, row := range rowsOf[snapshots.CourseDemandRow](s, s.run(), "course_demand") {
		changed[row.PeriodEnd.Format("2006")] = row.ChangePct != nil
	}
	if len(changed) != 3 || changed["2024"] || !changed["2025"] || changed["2026"] {
		t.Errorf("%v", changed)
	}
}

// A number that no count can be is a fault of its row. It stops neither the run nor the other figures.
func TestImpossibleCountStopsNoRun(t *testing.T) {
	s := newSmall(t)
	for i := range 25 {
		s.csv += fmt.Sprintf("202425,Academic year,National,E92000001,England,Subject %d,100\n", i)
	}
	s.csv = strings.Replace(s.csv, "Total,1100", "Total,5000000000000000", 1)
	result := s.run()
	got := sourceReport(t, result, "dfe_apprenticeships")
	if got.Faults[sources.FaultBadValue] != 1 || result.Report.Tables["course_demand"] != 26 {
		t.Fatalf("%+v, %d figures on courses", got, result.Report.Tables["course_demand"])
	}
	if f := got.Samples[0]; f.Where != "line 3" || !strings.Contains(f.Detail, "5000000000000000") {
		t.Errorf("%+v", f)
	}
}

// A run that is stopped as it begins to count people says so, and publishes nothing.
func TestRunIsStoppedAsPeopleAreCounted(t *testing.T) {
	s := newSmall(t)
	s.turnedDown(40)
	ctx, stop := context.WithCancel(context.Background())
	s.context, s.progress = ctx, func(step string) {
		if step == "count people" {
			stop()
		}
	}
	if _, err := s.runOnly(""); !errors.Is(err, context.Canceled) {
		t.Errorf("the run ends with %v", err)
	}
	if current, err := s.store().Current(); !errors.Is(err, store.ErrNoCurrent) {
		t.Errorf("%s is published: %v", current, err)
	}
}

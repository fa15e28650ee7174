package pipeline

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/rebuild"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestLightSnapshotOfTheSameFeed: tables without a change are the same bytes as before, and such a
// snapshot is sound and can be made again.
func TestLightSnapshotOfTheSameFeed(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	s.change(1)
	whole, err := s.runOnly("")
	if err != nil {
		t.Fatal(err)
	}
	s.light()
	last := s.light()
	before, after := s.manifest(whole), s.manifest(last)
	for _, f := range after.Tables {
		was, _ := before.Table(f.Name)
		if was.SHA256 != f.SHA256 && f.Name != "events" && f.Name != "freshness" {
			t.Errorf("table %s has other bytes", f.Name)
		}
	}
	report, err := verify.VerifyDir(t.Context(), s.store().SnapshotDir(last.ID), verify.Options{})
	if err != nil || !report.HasNoFaults() {
		t.Errorf("verify: %v, %v", err, report.Err())
	}
	tables, err := Rebuild(t.Context(), *s.last, last.ID)
	if err != nil || slices.ContainsFunc(tables, func(r rebuild.Result) bool { return !r.Equal() }) {
		t.Errorf("rebuilt: %v, %v", err, tables)
	}
}

// TestLightRunKeepsTheRatesOfItsBase: the shares of a light snapshot are copied, so it states the rates of error
// in coding that its base was coded with, and not those of the program that makes it.
func TestLightRunKeepsTheRatesOfItsBase(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	base := s.run()
	s.sealAgain(base.ID, func(m *snapshots.Manifest) { m.CodingErrors.RandomError /= 2 })
	err := os.Remove(snapshots.JoinPath(snapshots.SnapshotsDir(s.data), snapshots.IndexFileName))
	if err := errors.Join(err, s.store().RebuildIndex(t.Context())); err != nil {
		t.Fatal(err)
	}
	s.change(1)
	want, got := s.manifest(base).CodingErrors, s.manifest(s.light()).CodingErrors
	if *got != *want {
		t.Errorf("rates %+v, want %+v", *got, *want)
	}
}

// TestLightRunKeepsTheNameOfThePlatform: the copied table of sources credits the platform by its name of then,
// so a new name in the configuration waits for a whole run, and light runs go on with the old one.
func TestLightRunKeepsTheNameOfThePlatform(t *testing.T) {
	s := newSmall(t)
	snaptest.MakeRemovable(t, s.data)
	s.run()
	renamed := *s.last
	renamed.IsLight = true
	renamed.Config.Platform.Name = "Works"
	r, err := Run(t.Context(), renamed)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.manifest(r).PlatformName; got != "Small Works" {
		t.Errorf("the platform is named %s", got)
	}
}

// TestJobsOfASourceThatIsGone: a light run no longer shows the jobs of a source that was taken out of
// the configuration, and its report says so once.
func TestJobsOfASourceThatIsGone(t *testing.T) {
	s := newSmall(t)
	for n := range 20 { // most of all jobs, so that the check of the table's size would refuse the run
		s.vacancies = append(s.vacancies, n+1)
	}
	s.run()
	s.vacancies = nil
	for _, remarked := range []bool{true, false} {
		s.change(1)
		light := s.light()
		if jobs, _ := s.liveWork(light); len(jobs) != 0 {
			t.Errorf("%s still shows the vacancies %v", light.ID, jobs)
		}
		text := strings.Join(light.Report.Remarks, "\n")
		want := "jobs of find_an_apprenticeship (20) are no longer shown: not configured"
		if strings.Contains(text, want) != remarked {
			t.Errorf("%s has the remarks %q", light.ID, text)
		}
	}
}

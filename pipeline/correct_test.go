package pipeline

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/corrections"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
)

// TestCorrectionsReachTheTables: a figure is corrected; one that the publisher has changed and one
// that was not read are not, and are named; all three corrections are published.
func TestCorrectionsReachTheTables(t *testing.T) {
	s := newSmall(t)
	s.corrections = []corrections.Correction{startsCorrected("2025", "1100", "1200"),
		startsCorrected("2024", "900", "1200"), startsCorrected("2013", "900", "1200")}
	result := s.run()
	last := rowsOf[snapshots.CourseDemandRow](s, result, "course_demand")[1]
	if *last.Value != 1200 || *last.ChangePct != 200 {
		t.Errorf("starts %d, change %d tenths", *last.Value, *last.ChangePct)
	}
	outcomes := map[string]string{}
	for _, r := range rowsOf[snapshots.CorrectionsRow](s, result, "corrections") {
		if r.Old == nil || r.Reason != "A misprint." {
			t.Errorf("%+v", r)
		}
		outcomes[r.Record] = r.Outcome
	}
	want := map[string]string{startsOf("2025"): "applied", startsOf("2024"): "mended", startsOf("2013"): "no_record"}
	if !maps.Equal(outcomes, want) {
		t.Errorf("outcomes %v, want %v", outcomes, want)
	}
	faults := sourceReport(t, result, "dfe_apprenticeships").Faults
	if n := faults[sources.FaultCorrectionNotApplied]; n != 2 {
		t.Errorf("%d corrections are reported as not applied, want 2", n)
	}
}

// TestCorrectionOfASourceThatIsNotConfigured: it stops no run and is not published, and the report
// asks the operator to remove it.
func TestCorrectionOfASourceThatIsNotConfigured(t *testing.T) {
	s := newSmall(t)
	gone := corrections.Correction{Source: "ons_geography", Kind: "area", Record: "council E09000007", Field: "name",
		Old: "Camdem", New: "Camden", Reason: "A misprint.", DecidedBy: "The data team", DecidedDay: "2026-11-01"}
	s.corrections = []corrections.Correction{startsCorrected("2025", "1100", "1200"), gone}
	whole := s.run()
	s.change(1)
	for _, result := range []Result{whole, s.light()} {
		want := "corrections[1] is for ons_geography, which is not configured: it has no effect; remove it or configure " +
			"the source"
		if !slices.Contains(result.Report.Remarks, want) {
			t.Errorf("%s has the remarks %q", result.ID, result.Report.Remarks)
		}
		rows := rowsOf[snapshots.CorrectionsRow](s, result, "corrections")
		if len(rows) != 1 || rows[0].SourceKey != "dfe_apprenticeships" {
			t.Errorf("%s lists the corrections %+v", result.ID, rows)
		}
	}
	s.notMade(whole.ID)
}

// TestLightRunAfterACorrectedSourceIsGone: the current snapshot still lists the correction of a source
// that was taken out of the configuration. A light run copies it and does not ask for a whole run.
func TestLightRunAfterACorrectedSourceIsGone(t *testing.T) {
	s := newSmall(t)
	gone := startsCorrected("2025", "1100", "1200")
	gone.Source = "find_an_apprenticeship"
	s.corrections = []corrections.Correction{gone}
	s.vacancies = []int{1}
	s.run()
	s.vacancies = nil
	s.change(1)
	light := s.light()
	if jobs, _ := s.liveWork(light); len(jobs) != 0 {
		t.Errorf("%s still shows the vacancies %v", light.ID, jobs)
	}
	text := strings.Join(light.Report.Remarks, "\n")
	if !strings.Contains(text, "corrections[0] is for find_an_apprenticeship, which is not configured") {
		t.Errorf("%s has the remarks %q", light.ID, text)
	}
}

// startsOf is the record of the apprenticeship starts in England in the academic year that ends in
// the given year.
func startsOf(year string) string { return "apprenticeship_starts E92000001 " + year + "-07-31 Total" }

// startsCorrected corrects the apprenticeship starts of the given year.
func startsCorrected(year, old, fresh string) corrections.Correction {
	return corrections.Correction{Source: "dfe_apprenticeships", Kind: "statistic", Record: startsOf(year),
		Field: "value", Old: old, New: fresh, Reason: "A misprint.", DecidedBy: "The data team",
		DecidedDay: "2026-11-01"}
}

// TestRebuildUnderTheCorrectionsOfTheTime: a snapshot is made again under the corrections that it names,
// whatever the configuration has by now. The values of a source that may not be shown must be in the
// configuration, and the error names what is missing.
func TestRebuildUnderTheCorrectionsOfTheTime(t *testing.T) {
	s := newSmall(t)
	shown := []corrections.Correction{startsCorrected("2025", "1100", "1200"), startsCorrected("2024", "900", "1200")}
	s.corrections = shown
	whole := s.run()
	s.change(1)
	light := s.light()
	s.corrections, s.clock = nil, s.clock.Add(time.Minute)
	later := s.run()
	for _, id := range []snapshots.ID{whole.ID, light.ID, later.ID} {
		s.notMade(id)
	}
	hidden := startsCorrected("2025", "1100", "1200")
	hidden.Source = "employer_boards"
	s.corrections = append(shown, hidden)
	whole = s.run()
	s.notMade(whole.ID)
	s.last.Config.Corrections = nil
	if _, err := Rebuild(t.Context(), *s.last, whole.ID); err == nil || !strings.Contains(err.Error(),
		"put the correction of 2026-11-01 back into the file of corrections") {
		t.Errorf("without a correction whose values are not shown: %v", err)
	}
}

// TestRebuildWithOtherAreas: a light snapshot that cannot be made again with the configuration of today
// does not ask for a whole run, which would not help.
func TestRebuildWithOtherAreas(t *testing.T) {
	s := newSmall(t)
	s.run()
	s.change(1)
	light := s.light()
	s.drift = "served_areas: [{slug: both, name: Both, boroughs: [camden]}]\n"
	s.run()
	_, err := Rebuild(t.Context(), *s.last, light.ID)
	if err == nil || errors.Is(err, previous.ErrWholeRunNeeded) || !strings.Contains(err.Error(),
		"a rebuild needs the configuration and the program of its time") {
		t.Errorf("with other served areas: %v", err)
	}
}

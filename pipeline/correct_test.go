package pipeline

import (
	"errors"
	"strings"
	"testing"
	"time"

	"labour/pipeline/corrections"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
)

// TestCorrectionsReachTheTables: a figure and a title are corrected, one that the
// publisher has mended is not and is named, and all are published.
func TestCorrectionsReachTheTables(t *testing.T) {
	s := newSmall(t)
	correct := func(source, kind, record, field, old, fresh string) corrections.Correction {
		return corrections.Correction{Source: source, Kind: kind, Record: record, Field: field, Old: old, New: fresh,
			Reason: "A misprint.", DecidedBy: "The data team", DecidedDay: "2026-11-01"}
	}
	s.corrections = []corrections.Correction{
		correct("dfe_apprenticeships", "statistic", "apprenticeship_starts E92000001 2025-07-31 Total", "value", "1100",
			"1200"),
		correct("platform", "advert", "ad-1", "title", "Care assistant", "Software developer"),
		correct("platform", "advert", "ad-2", "title", "Nurse", "Software developer"),
	}
	result := s.run()
	last := rowsOf[snapshots.CourseDemandRow](s, result, "course_demand")[1]
	if *last.Value != 1200 || *last.ChangePct != 200 {
		t.Errorf("starts %d, change %d tenths", *last.Value, *last.ChangePct)
	}
	titles := map[string]int{}
	for _, j := range rowsOf[snapshots.JobsRow](s, result, "jobs") {
		titles[j.Title]++
	}
	if titles["Software developer"] != 1 || titles["Care assistant"] != 8 {
		t.Errorf("titles %v", titles)
	}
	outcomes := map[string]string{}
	for _, r := range rowsOf[snapshots.CorrectionsRow](s, result, "corrections") {
		if r.Old == nil || r.Reason != "A misprint." {
			t.Errorf("%+v", r)
		}
		outcomes[r.Record] = r.Outcome
	}
	if len(outcomes) != 3 || outcomes["ad-1"] != "applied" || outcomes["ad-2"] != "mended" {
		t.Errorf("outcomes %v", outcomes)
	}
	checkOutcome(t, result, "platform", sources.FaultCorrectionNotApplied, "", false)
}

// TestRebuildUnderTheCorrectionsOfTheTime: a snapshot is made again under the corrections that it names,
// whatever the configuration has by now. The values of a source that may not be shown must be in the
// configuration, and the error names what is missing.
func TestRebuildUnderTheCorrectionsOfTheTime(t *testing.T) {
	s := newSmall(t)
	correct := func(source, kind, record, field, old, fresh string) corrections.Correction {
		return corrections.Correction{Source: source, Kind: kind, Record: record, Field: field, Old: old, New: fresh,
			Reason: "A misprint.", DecidedBy: "The data team", DecidedDay: "2026-11-01"}
	}
	shown := []corrections.Correction{
		correct("dfe_apprenticeships", "statistic", "apprenticeship_starts E92000001 2025-07-31 Total", "value", "1100",
			"1200"),
		correct("platform", "advert", "ad-1", "title", "Care assistant", "Software developer"),
		correct("platform", "advert", "ad-2", "title", "Nurse", "Software developer"),
	}
	s.corrections = shown
	whole := s.run()
	s.change(1)
	light := s.light()
	s.corrections, s.clock = nil, s.clock.Add(time.Minute)
	later := s.run()
	for _, id := range []snapshots.ID{whole.ID, light.ID, later.ID} {
		s.notMade(id)
	}
	hidden := correct("employer_boards", "advert", "ashby/acme/acme-1", "title", "Software developer", "Nurse")
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

package pipeline

import (
	"testing"

	"labour/pipeline/corrections"
	"labour/snapshots"
	"labour/sources"
)

// TestCorrectionsReachTheTables: a figure and a title are corrected, one that the
// publisher has mended is not and is named, and all are published.
func TestCorrectionsReachTheTables(t *testing.T) {
	s := newSmall(t)
	correct := func(source, kind, record, field, old, fresh string) corrections.Correction {
		return corrections.Correction{Source: source, Kind: kind, Record: record, Field: field, Old: old, New: fresh,
			Reason: "A misprint.", By: "The data team", Day: "2026-11-01"}
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
	checkOutcome(t, result, "platform", sources.FaultCorrection, "", false)
}

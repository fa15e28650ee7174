package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestLimitsAtTheirEdges holds every limit of the configuration at both ends of its range and one past
// them.
func TestLimitsAtTheirEdges(t *testing.T) {
	ofTable := func(set func(l *TableLimits, v int)) func(l *Limits, v int) {
		return func(l *Limits, v int) {
			var of TableLimits
			set(&of, v)
			l.PerTable = map[string]TableLimits{"adverts": of}
		}
	}
	for name, c := range map[string]struct {
		set         func(l *Limits, v int)
		least, most int // most 0 = no upper end
	}{
		"max_shrink_pct":         {func(l *Limits, v int) { l.MaxShrinkPct = v }, 1, 100},
		"max_growth_pct":         {func(l *Limits, v int) { l.MaxGrowthPct = v }, 1, 1_000_000},
		"max_revised_pct":        {func(l *Limits, v int) { l.MaxRevisedPct = v }, 1, 100},
		"max_faulty_pct":         {func(l *Limits, v int) { l.MaxFaultyPct = v }, 1, 100},
		"tables: min_rows":       {ofTable(func(l *TableLimits, v int) { l.MinRows = int64(v) }), 0, 0},
		"tables: max_shrink_pct": {ofTable(func(l *TableLimits, v int) { l.MaxShrinkPct = v }), 0, 100},
		"tables: max_growth_pct": {ofTable(func(l *TableLimits, v int) { l.MaxGrowthPct = v }), 0, 0},
	} {
		taken := func(v int) bool {
			l, ok := defaults, true
			c.set(&l, v)
			l.Validate(func(sound bool, _ string, _ ...any) { ok = ok && sound })
			return ok
		}
		if taken(c.least-1) || !taken(c.least) {
			t.Errorf("%s: %d is taken: %t, %d: %t", name, c.least-1, taken(c.least-1), c.least, taken(c.least))
		}
		if c.most > 0 && (!taken(c.most) || taken(c.most+1)) {
			t.Errorf("%s: %d is taken: %t, %d: %t", name, c.most, taken(c.most), c.most+1, taken(c.most+1))
		}
	}
}

// TestSourceLimitsAtTheirEdges does so for the bounds of a source.
func TestSourceLimitsAtTheirEdges(t *testing.T) {
	percent := map[string]func(l *SourceLimits, v int){
		"max_fall_pct":          func(l *SourceLimits, v int) { l.MaxFallPct = v },
		"min_placed_pct":        func(l *SourceLimits, v int) { l.MinWithCouncilPct = v },
		"min_soc_pct":           func(l *SourceLimits, v int) { l.MinWithOccupationPct = v },
		"min_sector_pct":        func(l *SourceLimits, v int) { l.MinWithSectorPct = v },
		"min_skill_pct":         func(l *SourceLimits, v int) { l.MinWithSkillPct = v },
		"max_coded_fall_points": func(l *SourceLimits, v int) { l.MaxCodedShareFallPoints = v },
		"max_unknown_pct":       func(l *SourceLimits, v int) { l.MaxUnknownPct = v },
	}
	for name, set := range percent {
		for v, want := range map[int]bool{-1: false, 0: true, 100: true, 101: false} {
			var l SourceLimits
			set(&l, v)
			err := l.Validate()
			if (err == nil) != want || err != nil && !strings.Contains(err.Error(), name) {
				t.Errorf("%s of %d: %v", name, v, err)
			}
		}
	}
	for _, c := range []struct {
		limits SourceLimits
		want   bool
	}{
		{SourceLimits{MaxRisePct: 101}, true}, {SourceLimits{MaxRisePct: -1}, false},
		{SourceLimits{MinRecords: 1}, true}, {SourceLimits{MinRecords: -1}, false},
		{SourceLimits{MaxRecords: 1, MinRecords: 1}, true}, {SourceLimits{MaxRecords: 1, MinRecords: 2}, false},
		{SourceLimits{MaxRecords: -1}, false},
		{SourceLimits{MinCounted: 1}, true}, {SourceLimits{MinCounted: -1}, false},
		{SourceLimits{MaxCounted: 1, MinCounted: 1}, true}, {SourceLimits{MaxCounted: 1, MinCounted: 2}, false},
		{SourceLimits{MaxCounted: -1}, false},
	} {
		if err := c.limits.Validate(); (err == nil) != c.want {
			t.Errorf("%+v: %v", c.limits, err)
		}
	}
}

// TestStandingExceptions holds that an exception stands to the end of its last day, and that one whose
// last day cannot be read neither stands nor has expired.
func TestStandingExceptions(t *testing.T) {
	l := Limits{Exceptions: []Exception{{Check: CheckTableShrink, Subject: "today", ValidUntil: "2026-11-20"},
		{Check: CheckTableShrink, Subject: "yesterday", ValidUntil: "2026-11-19"}, {Check: CheckTableShrink, Subject: "soon",
			ValidUntil: "soon"}}}
	standing, expired := l.ValidExceptions(manifest("2026-11-20", nil).AsOf.Time)
	if len(standing) != 1 || standing[0].Subject != "today" || len(expired) != 1 || expired[0].Subject != "yesterday" {
		t.Errorf("%v stand, %v have expired", standing, expired)
	}
}

// writeReport writes a snapshot's report on its sources and returns its folder.
func writeReport(t *testing.T, list string) string {
	t.Helper()
	dir := t.TempDir()
	text := fmt.Sprintf(`{"sources": [%s]}`, list)
	if err := os.WriteFile(filepath.Join(dir, snapshots.ReportFileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestTakenOverIsNotJudgedAgain holds that a source that was not read is judged by none of the checks of
// reports: it was judged when it was read, perhaps with an exception that has expired since.
func TestTakenOverIsNotJudgedAgain(t *testing.T) {
	for _, over := range []bool{false, true} {
		dir := writeReport(t, fmt.Sprintf(`{"source": "boards", "records": 100, "taken_over": %t,
			"faults": {"schema": 50, "missing_file": 1, "torn_file": 1, "unknown_code": 50}}`, over))
		faults, err := checkReport(dir, Limits{MaxFaultyPct: 25,
			PerSource: map[string]SourceLimits{"boards": {MinRecords: 101}}})
		want := []string{"faulty boards", CheckMissingFile + " boards", "records boards", CheckTruncatedFile + " boards",
			"unknown boards"}
		if over {
			want = nil
		}
		got := checksOf(faults)
		slices.Sort(got)
		slices.Sort(want)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("taken over %t: %q, %v; want %q", over, got, err, want)
		}
	}
}

// TestFaultyRecordsAboutPeople holds that the share of faulty records about people, which the report
// states without a count, is held to the limit of faulty records.
func TestFaultyRecordsAboutPeople(t *testing.T) {
	for pct, want := range map[int][]string{25: nil, 26: {"faulty platform"}} {
		dir := writeReport(t, fmt.Sprintf(`{"source": "platform", "records": 5000, "people_faulty_pct": %d}`, pct))
		faults, err := checkReport(dir, Limits{MaxFaultyPct: 25})
		if got := checksOf(faults); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d per cent: %q, %v; want %q", pct, got, err, want)
		}
	}
}

// TestShareOfUnknownSkills holds that the share of skills that nobody knows is held to the limit of faulty
// records.
func TestShareOfUnknownSkills(t *testing.T) {
	for pct, want := range map[int][]string{25: nil, 26: {"faulty platform"}} {
		dir := writeReport(t, fmt.Sprintf(`{"source": "platform", "people_unknown_skills_pct": %d}`, pct))
		faults, err := checkReport(dir, Limits{MaxFaultyPct: 25})
		if got := checksOf(faults); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d per cent: %q, %v; want %q", pct, got, err, want)
		}
	}
}

// TestKindsThatAreFaultyAsAWhole are refused however few records they have, if more than half are faulty
// and more than the operator permits.
func TestKindsThatAreFaultyAsAWhole(t *testing.T) {
	for _, c := range []struct {
		pct, limit int
		want       []string
	}{{99, 25, nil}, {100, 25, []string{"faulty platform"}}, {100, 99, []string{"faulty platform"}}, {100, 100, nil}} {
		dir := writeReport(t, fmt.Sprintf(`{"source": "platform", "faulty_pct_by_kind": {"adverts": 3, "s106": %d}}`,
			c.pct))
		faults, err := checkReport(dir, Limits{MaxFaultyPct: c.limit})
		if got := checksOf(faults); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
		for _, f := range faults {
			if !strings.Contains(f.String(), "all of the feed's s106 are faulty") {
				t.Errorf("%+v: %s", c, f)
			}
		}
	}
}

// TestPrintedOfPeopleIsAddedUp holds the totals that the gates compare against sums by hand: of every
// row without filters, and 0 where nothing is printed.
func TestPrintedOfPeopleIsAddedUp(t *testing.T) {
	root := t.TempDir()
	totals := func(asOf string, c snaptest.Content) [len(printedTotals)]int64 {
		t.Helper()
		id := snaptest.SealSnapshot(t, root, asOf, c)
		store, err := store.Open(root)
		got, readErr := readPrinted(context.Background(), store.SnapshotDir(id), nil)
		if err := errors.Join(err, readErr); err != nil {
			t.Fatal(err)
		}
		return got
	}
	c := ofPeople(t, "2026-11-20", 1000, 600, 1)
	c.Candidates = append(c.Candidates, snapshots.CandidatesRow{Dimension: snapshots.CandidatesByLevel, Value: "2"})
	c.Candidates[2].SetResidents(figure.CountOf(250))
	want := [len(printedTotals)]int64{1000, 850, 600, 250}
	for _, r := range c.Residents {
		if r.PeopleBelowSharePct != nil {
			want[7]++
		}
	}
	for _, r := range c.People {
		if r.Signature == snapshots.SignatureNone {
			want[8] += int64(*r.PeopleTurnedDown)
		}
		if r.HiredWithSkillPct != nil {
			want[9]++
		}
		if r.TurnedDownWithSkillPct != nil {
			want[10]++
		}
	}
	if got := totals("2026-11-20", c); got != want || want[8] <= 1000 {
		t.Errorf("%v, want %v of several rows", got, want)
	}
	c.People, c.Candidates, c.Residents = nil, nil, nil
	if got := totals("2026-11-21", c); got != ([len(printedTotals)]int64{}) {
		t.Errorf("of nothing printed: %v", got)
	}
}

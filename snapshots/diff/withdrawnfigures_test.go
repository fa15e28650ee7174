package diff_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/figure"
)

// withdrawal is the operator's correction that makes a statistic of a region null.
func withdrawal(region string) snapshots.CorrectionsRow {
	null := "null"
	return snapshots.CorrectionsRow{SourceKey: "dfe", Kind: "statistic", Field: "value", New: &null, Outcome: "applied",
		Record: "apprenticeship_starts " + region + " 2025-07-31 Health, and Care"}
}

// health is a row of course_demand about health. value and before are the figures of the period and
// of the year before; -1 = none.
func health(region, period string, value, before int64) snapshots.CourseDemandRow {
	r, previous := course(period, value), figure.CountOf(before)
	r.RegionCode, r.SubjectArea = region, "Health, and Care"
	r.PreviousValue, r.PreviousValueStatus = previous.Value(), previous.Status()
	return r
}

func statement(id, text string) snapshots.EvidenceRow {
	return snapshots.EvidenceRow{ID: id, PublishedOn: date("2026-01-15").Time, Statement: text, SourceKey: "dfe",
		Kind: "statistic"}
}

const (
	health2025  = "dfe:apprenticeship_starts:E08000038:health-and-care:full-year:2025-07-31"
	health2024  = "dfe:apprenticeship_starts:E08000038:health-and-care:full-year:2024-07-31"
	another2025 = "dfe:apprenticeship_starts:E08000038:health:full-year:2025-07-31"
)

// A statistic that the operator withdrew is not repeated in what changed: neither as itself, nor as the
// figure of the year before, in its evidence, or in an earlier correction. What else changed keeps its old values.
// The publisher names the area by a former code.
func TestWithdrawnStatisticsAreNotRepeated(t *testing.T) {
	former := "E08000016"
	old, corrected := "271828", "314159"
	earlier := withdrawal(former)
	earlier.Old, earlier.New = &old, &corrected
	tables := func(c snapshots.CorrectionsRow, evidence []snapshots.EvidenceRow,
		courses ...snapshots.CourseDemandRow) tablesBy {
		return tablesBy{"course_demand": rowsOf(courses), "evidence": rowsOf(evidence),
			"corrections": rowsOf([]snapshots.CorrectionsRow{c}),
			"regions":     rowsOf([]snapshots.RegionsRow{{Code: "E08000038", FormerCodes: &former}})}
	}
	from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tables(earlier,
		[]snapshots.EvidenceRow{statement(health2025, "314,159"), statement(health2024, "1,000"),
			statement(another2025, "2,000")},
		health("E08000038", "2025-07-31", 314159, 1000), health("E08000038", "2026-07-31", 500, 314159),
		health("E12000007", "2025-07-31", 3000, -1)))
	to := side(t, t.TempDir(), "2026-11-21", snapshots.Manifest{}, tables(withdrawal(former), nil,
		health("E08000038", "2025-07-31", -1, 1000), health("E08000038", "2026-07-31", 500, -1),
		health("E12000007", "2025-07-31", -1, -1)))
	rows, _ := compare(t, from, to, diff.Options{Tables: []string{"corrections", "course_demand", "evidence"}})
	var withdrawn, kept []string
	for _, r := range rows {
		if r.Reason == snapshots.ReasonWithdrawal {
			withdrawn = append(withdrawn, r.Table+deref(r.Old))
		} else {
			kept = append(kept, r.Table)
		}
		if strings.Contains(deref(r.Old)+deref(r.New), "314") || strings.Contains(deref(r.Old)+deref(r.New), "271828") {
			t.Errorf("%s %s repeats the figure: %s, %s", r.Table, deref(r.Key), deref(r.Old), deref(r.New))
		}
	}
	want := []string{"corrections{}", "course_demand{}", "course_demand{}", "evidence{}"}
	if !slices.Equal(withdrawn, want) || !slices.Equal(kept, []string{"course_demand", "evidence", "evidence"}) {
		t.Errorf("withdrawn are %q, and others %q", withdrawn, kept)
	}
}

// What changes after the withdrawal is listed with its old values, and so is what becomes known again.
func TestChangesAfterAWithdrawal(t *testing.T) {
	tables := func(courses ...snapshots.CourseDemandRow) tablesBy {
		return tablesBy{"course_demand": rowsOf(courses),
			"corrections": rowsOf([]snapshots.CorrectionsRow{withdrawal("E12000007")})}
	}
	from := side(t, t.TempDir(), "2026-11-20", snapshots.Manifest{}, tables(health("E12000007", "2025-07-31", -1, 800),
		health("E12000007", "2026-07-31", 500, -1)))
	to := side(t, t.TempDir(), "2026-11-21", snapshots.Manifest{}, tables(health("E12000007", "2025-07-31", -1, 900),
		health("E12000007", "2026-07-31", 600, -1)))
	rows, _ := compare(t, from, to, diff.Options{Tables: []string{"course_demand"}})
	if len(rows) != 2 || deref(rows[0].Old) != `{"previous_value":800}` || deref(rows[1].Old) != `{"value":500}` {
		t.Errorf("%+v", rows)
	}
}

// A damaged table of corrections or regions is an error, and no reason to repeat a figure.
func TestDamagedCorrectionsAreNotIgnored(t *testing.T) {
	for _, table := range []string{"corrections", "regions"} {
		m := snapshots.Manifest{}
		from := side(t, t.TempDir(), "2026-11-20", m, tablesBy{})
		to := side(t, t.TempDir(), "2026-11-20", m, tablesBy{
			"corrections": rowsOf([]snapshots.CorrectionsRow{withdrawal("E12000007")})})
		if err := os.WriteFile(snapshots.TablePath(to.Dir, table), []byte("PAR1"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := diff.Compare(t.Context(), from, to, diff.Options{Tables: []string{"levels"}},
			func(snapshots.ChangesRow) error { return nil })
		if err == nil || !strings.Contains(err.Error(), table) {
			t.Errorf("a damaged table %s: %v", table, err)
		}
	}
}

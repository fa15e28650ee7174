package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/check/limits"
	"labour/snapshots"
)

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
		faults, err := checkReport(dir, limits.Checks{MaxFaultyPct: 25,
			PerSource: map[string]limits.Source{"boards": {MinRecords: 101}}})
		want := []string{"faulty boards", limits.CheckMissingFile + " boards", "records boards",
			limits.CheckTruncatedFile + " boards", "unknown boards"}
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
		faults, err := checkReport(dir, limits.Checks{MaxFaultyPct: 25})
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
		faults, err := checkReport(dir, limits.Checks{MaxFaultyPct: 25})
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
		faults, err := checkReport(dir, limits.Checks{MaxFaultyPct: c.limit})
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

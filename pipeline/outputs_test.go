package pipeline

import (
	"os"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/calendar"
	"labour/snapshots"
)

// TestEveryTableHasAnOutput: each table and each embargoed dataset of a snapshot is written by one
// output.
func TestEveryTableHasAnOutput(t *testing.T) {
	var written, want []string
	for _, out := range outputs() {
		written = append(written, out.Tables...)
	}
	for _, table := range slices.Concat(snapshots.Tables(), snapshots.EmbargoedTables()) {
		want = append(want, table.Name)
	}
	slices.Sort(written)
	slices.Sort(want)
	if !slices.Equal(written, want) {
		t.Errorf("outputs write %v\nwant %v", written, want)
	}
}

// made lists the tables that a light run builds.
func made() (names []string) {
	for _, out := range outputs() {
		if out.Cadence.IsDueAt(calendar.EveryMinute) {
			names = append(names, out.Tables...)
		}
	}
	return names
}

// TestWhatIsDue: "minute: events, jobs, pathways, s106 (without people), freshness of the sources …
// quarter: people, residents, candidates, people of s106".
func TestWhatIsDue(t *testing.T) {
	want := []string{"jobs", "events", "pathways", "pathway_standards", "pathway_steps", "s106", "freshness"}
	if got := made(); !slices.Equal(got, want) {
		t.Errorf("every minute %v, want %v", got, want)
	}
	handbook, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range outputs() {
		_, row, _ := strings.Cut(string(handbook), "\n| "+out.Cadence.String()+" | ")
		row, _, _ = strings.Cut(row, "\n")
		for _, table := range out.Tables {
			_, embargoed := snapshots.FindEmbargoedTable(table)
			if !embargoed && !strings.Contains(row, "`"+table+"`") {
				t.Errorf("the handbook does not list %s as due every %s", table, out.Cadence)
			}
		}
		if (out.Cadence == calendar.EveryQuarter) != snapshots.IsPeopleTable(out.Tables[0]) {
			t.Errorf("%s is due every %s", out.Tables[0], out.Cadence)
		}
	}
}

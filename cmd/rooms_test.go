package cmd_test

import (
	"strings"
	"testing"
)

// rooms lists the packages of the pipeline in the order in which they build on each other. A package
// imports only packages of earlier rows, and packages in its own folder. Rules and data types come
// first. The steps of a run follow in the order in which a run takes them.
var rooms = []struct {
	packages []string // with the packages in their folders that have no row of their own
	holds    string
}{
	{[]string{"calendar"}, "the rules of dates"},
	{[]string{"protected"}, "the names of the files and folders of the protected zone"},
	{[]string{"coding", "corrections", "disclosure"},
		"the rules for one record or one figure, which know no step of a run"},
	{[]string{"counting", "staging"}, "which adverts count, and the coded records that this is decided for"},
	{[]string{"cells/engine", "locks", "outlines"}, "tools for queries, locks and maps, which know no table of ours"},
	{[]string{"decisions", "secrets"}, "what the data directory keeps for the operator"},
	{[]string{"check/limits"}, "the limits of the checks and the exceptions to them"},
	{[]string{"config"}, "the configuration, with one block for each room that has settings"},
	{[]string{"servedplaces"}, "the places, by the configuration"},
	{[]string{"previous"}, "the published snapshots, with the places that they were made for"},
	{[]string{"options"}, "the settings of a run"},
	{[]string{"report"}, "the report: each step below adds its counts to it, in the terms of the rules above"},
	{[]string{"fetch", "pruning"}, "the archive: what a run adds to it, and what is removed from it"},
	{[]string{"ingest"}, "from archived to coded and staged records"},
	{[]string{"cells/engine/duckdb"}, "DuckDB, the database inside the program"},
	{[]string{"cells"}, "from staged records to counts"},
	{[]string{"tablewriter"}, "from counts and rows to tables"},
	{[]string{"people", "embargoed"}, "the tables of people and of embargoed datasets"},
	{[]string{"lists"}, "the tables of what others published and the platform keeps"},
	{[]string{"manifestinputs"}, "the inputs that the manifest of the finished snapshot names"},
	{[]string{"verify", "trace"}, "whether a sealed snapshot is sound, and where its rows came from"},
	{[]string{"check"}, "whether a sealed snapshot may replace the current one"},
	{[]string{"buildinput", "rebuild"}, "the inputs of a run and of a rebuild: they are chosen by the rules of the steps"},
	{[]string{"."}, "the hall, which calls all of them"},
}

// TestRoomsOfThePipelineHaveAnOrder: an import that runs back ties an early step to a later one, and
// soon they are one.
func TestRoomsOfThePipelineHaveAnOrder(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		if !under(f.pkg, "labour/pipeline") || f.test || strings.HasSuffix(f.pkg, "test") {
			continue
		}
		from, row := roomOf(f.pkg)
		if row < 0 {
			t.Errorf("%s has no row in the table of rooms", f.pkg)
			continue
		}
		seen[from] = true
		for _, i := range f.imports {
			to, other := roomOf(i)
			if other < row || to == from {
				continue
			}
			t.Errorf("%s imports %s, but %s (%s) comes before %s (%s)", f.path, i, from, rooms[row].holds, to,
				rooms[other].holds)
		}
	}
	for _, r := range rooms { // a renamed folder must not switch its rule off
		for _, name := range r.packages {
			if !seen[name] {
				t.Errorf("there is no package %s in the pipeline any more", name)
			}
		}
	}
}

// roomOf returns the entry of the table of rooms that is the package or the nearest folder around it,
// and the entry's row. The row is -1 if there is none.
func roomOf(pkg string) (room string, row int) {
	if pkg == "labour/pipeline" {
		return ".", len(rooms) - 1
	}
	row = -1
	for n, r := range rooms {
		for _, name := range r.packages {
			if under(pkg, "labour/pipeline/"+name) && len(name) > len(room) {
				room, row = name, n
			}
		}
	}
	return room, row
}

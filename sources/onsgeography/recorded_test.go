package onsgeography

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/fakepublishers"
	recordeddata "labour/sources/fakepublishers/recordedtest"
)

// recorded opens a list that was recorded outside the project.
func recorded(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "F", name))
	if err != nil {
		t.Skipf("the recorded data ../shared/data is not here: %v", err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// table reads a recorded list, keeps what keep admits (nil: everything) and names
// its columns as the portal does.
func table(t *testing.T, name string, keep func(row) bool, columns ...string) fakepublishers.ArcGISTable {
	t.Helper()
	all, err := recordeddata.ReadCSVTable(recorded(t, name))
	if err != nil {
		t.Fatal(err)
	}
	var out fakepublishers.ArcGISTable
	for _, r := range all {
		if keep != nil && !keep(r) {
			continue
		}
		n := row{}
		for _, c := range columns {
			from, to, renamed := strings.Cut(c, ">")
			if !renamed {
				to = from
			}
			n[to] = r[from]
		}
		out.Rows = append(out.Rows, n)
	}
	return out
}

// TestRecordedLists serves the recorded lists of the office through the simulated
// portal and counts what comes out.
func TestRecordedLists(t *testing.T) {
	dir, err := recordeddata.RecordedDir()
	if err != nil {
		t.Skip(err)
	}
	lists, err := recordeddata.GeographyTables(filepath.Join(dir, "F"))
	if err != nil {
		t.Fatal(err)
	}
	jointOrCamden := func(r row) bool {
		code := r["lad_code"].(string)
		return strings.Contains(code, "/") || code == "E09000007" // a table without any code would not be used
	}
	lists["JOINT"] = table(t, "dfe-lads.csv", jointOrCamden, "lad_code>LAD23CD", "lad_name>LAD23NM")
	a := fakepublishers.NewArcGIS(lists)
	_, run := portal(t, a, []Service{
		{ServiceName: "CTRY", AreaKinds: []string{KindNation}},
		{ServiceName: "LAD", AreaKinds: []string{KindCouncil, KindRegion},
			PageSize: 100},
		{ServiceName: "TTWA", AreaKinds: []string{KindTravelToWorkArea}},
		{ServiceName: "ITL1", AreaKinds: []string{KindITL1}},
		{ServiceName: "ITL2", AreaKinds: []string{KindITL2}},
		{ServiceName: "ITL3", AreaKinds: []string{KindITL3}}, {ServiceName: "LSIP", AreaKinds: []string{KindLSIP}},
		{ServiceName: "EDGES", BoundaryKind: KindCouncil}, {ServiceName: "JOINT", AreaKinds: []string{KindCouncil}},
	})
	records, faults := run()
	checkLists(t, records)
	joint := 0
	for _, f := range faults {
		switch {
		case strings.HasPrefix(f.Object, "JOINT/") && strings.Contains(f.Detail, " / "):
			joint++
		default:
			t.Errorf("fault: %+v", f)
		}
	}
	if joint != 3 || len(faults) != 3 {
		t.Errorf("%d faults, %d of them joint codes", len(faults), joint)
	}
	t.Logf("%d records, %d faults", len(records), len(faults))
}

// checkLists counts areas by kind, and boundaries.
func checkLists(t *testing.T, records []sources.Record) {
	t.Helper()
	got := map[string]int{}
	for _, r := range records {
		switch r := r.(type) {
		case sources.Area:
			got[r.Kind]++
			if r.Kind == KindLSIP && r.Slug == "" || r.Kind == KindCouncil && r.NationCode == "" {
				t.Errorf("%+v", r)
			}
			if r.Kind == KindTravelToWorkArea && r.NationCode == "" {
				got["crossing nations"]++
			}
		case sources.Boundary:
			got["boundary"]++
		}
	}
	want := map[string]int{KindNation: 4, KindRegion: 9, KindCouncil: 361 + 1, KindTravelToWorkArea: 228, KindLSIP: 42,
		KindITL1: 12, KindITL2: 46,
		KindITL3:   182,
		"boundary": 361}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: %d, want %d", k, got[k], n)
		}
	}
	t.Logf("%v", got)
}

// TestRecordedChanges reads the recorded codes of councils of nine years.
func TestRecordedChanges(t *testing.T) {
	var columns []string
	for year := 16; year <= 24; year++ {
		columns = append(columns, fmt.Sprintf("ltla%[1]d_code>LAD%[1]dCD", year))
	}
	_, run := portal(t, fakepublishers.NewArcGIS(map[string]fakepublishers.ArcGISTable{
		"CHANGES": table(t, "LAD16-24_code-changes.csv", nil, columns...)}),
		[]Service{{ServiceName: "CHANGES", CodeChangeKind: KindCouncil}})
	records, faults := run()
	changed, years := 0, map[string]bool{}
	for _, r := range records {
		if c := r.(sources.AreaCodeChange); c.From != c.To {
			changed++
			years[c.Edition] = true
		}
	}
	t.Logf("%d changes in %v, %d faults", changed, slices.Sorted(maps.Keys(years)), len(faults))
	if changed < 40 || len(faults) != 0 || !years["2019"] || !years["2023"] {
		t.Errorf("%d changes in %v, faults %+v", changed, years, faults)
	}
}

package check

import (
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/check/limits"
	"labour/snapshots"
)

func manifest(asOf string, rows map[string]int64) snapshots.Manifest {
	t, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		panic(err)
	}
	m := snapshots.Manifest{AsOf: snapshots.DateOf(t), PlatformName: "London Works"}
	for _, name := range []string{"adverts", "regions", "lists", "rankings", "rankings_by_skill"} {
		if n, ok := rows[name]; ok {
			m.Tables = append(m.Tables, snapshots.TableFile{Name: name, Rows: n})
		}
	}
	return m
}

func TestFindSuccessionFaults(t *testing.T) {
	previous := manifest("2026-11-19", map[string]int64{"adverts": 100, "regions": 10})
	tests := []struct {
		name string
		next snapshots.Manifest
		want string // part of the only fault; "" = may succeed
	}{
		{"grows", manifest("2026-11-20", map[string]int64{"adverts": 101, "regions": 10}), ""},
		{"same day again", manifest("2026-11-19", map[string]int64{"adverts": 100, "regions": 10}), ""},
		{"shrinks to the limit", manifest("2026-11-20", map[string]int64{"adverts": 50, "regions": 10}), ""},
		{"shrinks past it", manifest("2026-11-20", map[string]int64{"adverts": 49, "regions": 10}), "adverts shrinks"},
		{"a short table may shrink", manifest("2026-11-20", map[string]int64{"adverts": 100, "regions": 1}), ""},
		{"goes back", manifest("2026-11-18", map[string]int64{"adverts": 100, "regions": 10}), "as_of goes back"},
		{"grows to the limit", manifest("2026-11-20", map[string]int64{"adverts": 1000, "regions": 10}), ""},
		{"grows past it", manifest("2026-11-20", map[string]int64{"adverts": 1001, "regions": 10}), "adverts grows"},
		{"loses a table", manifest("2026-11-20", map[string]int64{"adverts": 100}), "regions vanished"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := FindManifestSuccessionFaults(previous, tt.next, limits.Checks{MaxShrinkPct: 50, MaxGrowthPct: 900})
			if tt.want == "" && len(faults) > 0 || tt.want != "" &&
				(len(faults) != 1 || !strings.Contains(faults[0].String(), tt.want)) {
				t.Errorf("faults %v, want %q", faults, tt.want)
			}
		})
	}
}

// One row of ten thousand decides whether a table shrinks by more than half.
func TestShrinkIsExact(t *testing.T) {
	previous := manifest("2026-11-19", map[string]int64{"adverts": 10_000})
	for rows, want := range map[int64]int{5000: 0, 4999: 1} {
		next := manifest("2026-11-20", map[string]int64{"adverts": rows})
		got := FindManifestSuccessionFaults(previous, next, limits.Checks{MaxShrinkPct: 50, MaxGrowthPct: 900})
		if len(got) != want {
			t.Errorf("%d of 10,000 rows: the faults are %v, want %d", rows, got, want)
		}
	}
}

// TestListsAndRankingsMayNotShrink holds that the lists and the rankings are checked too. They can
// become empty while the table of adverts stays as it is: a list needs three employers, and no
// table has the employers. The rankings in the order of skills are not checked a second time.
func TestListsAndRankingsMayNotShrink(t *testing.T) {
	previous := manifest("2026-11-19", map[string]int64{"adverts": 100, "lists": 40, "rankings": 200,
		"rankings_by_skill": 200})
	for _, c := range []struct {
		lists, rankings int64
		want            []string
	}{
		{20, 100, nil},
		{19, 100, []string{"shrink lists"}},
		{20, 99, []string{"shrink rankings"}},
		{0, 0, []string{"shrink lists", "shrink rankings"}},
		{40, 2001, []string{"growth rankings"}},
	} {
		next := manifest("2026-11-20", map[string]int64{"adverts": 100, "lists": c.lists, "rankings": c.rankings,
			"rankings_by_skill": c.rankings})
		got := checksOf(FindManifestSuccessionFaults(previous, next, limits.Checks{MaxShrinkPct: 50, MaxGrowthPct: 900}))
		if !slices.Equal(got, c.want) {
			t.Errorf("%d lists, %d rows of rankings: %q, want %q", c.lists, c.rankings, got, c.want)
		}
	}
}

// TestAcknowledge: an exception excuses exactly the fault that it names, to its last day
// and only where the manifest lists it.
func TestAcknowledge(t *testing.T) {
	exception := snapshots.Exception{Check: limits.CheckTableShrink, Subject: "adverts", AcceptedBy: "An analyst",
		Reason:     "a board left",
		ValidUntil: manifest("2026-11-30", nil).AsOf}
	for _, c := range []struct {
		name, asOf string
		fault      Fault
		listed     bool
		excused    bool
	}{
		{"named", "2026-11-20", Fault{Check: limits.CheckTableShrink, Subject: "adverts"}, true, true},
		{"its last day", "2026-11-30", Fault{Check: limits.CheckTableShrink, Subject: "adverts"}, true, true},
		{"the day after", "2026-12-01", Fault{Check: limits.CheckTableShrink, Subject: "adverts"}, true, false},
		{"another table", "2026-11-20", Fault{Check: limits.CheckTableShrink, Subject: "regions"}, true, false},
		{"another check", "2026-11-20", Fault{Check: limits.CheckTableGrowth, Subject: "adverts"}, true, false},
		{"in no manifest", "2026-11-20", Fault{Check: limits.CheckTableShrink, Subject: "adverts"}, false, false},
	} {
		m := manifest(c.asOf, nil)
		if c.listed {
			m.Exceptions = []snapshots.Exception{exception}
		}
		got := acknowledge([]Fault{c.fault}, m)
		if excused := len(UnacknowledgedFaults(got)) == 0; excused != c.excused {
			t.Errorf("%s: excused %t", c.name, excused)
		}
		if c.excused && !strings.Contains(got[0].String(),
			"acknowledged by An analyst until 2026-11-30: a board left") {
			t.Errorf("%s: %s", c.name, got[0])
		}
	}
}

// TestRefusalsSayWhatAllowsThem: every fault that can be excused says how, by a setting where
// there is one.
func TestRefusalsSayWhatAllowsThem(t *testing.T) {
	before, after := manifest("2026-11-20", nil), manifest("2026-11-20", nil)
	after.PlatformName = "Another"
	l := limits.DefaultChecks()
	faults := FindManifestSuccessionFaults(before, after, l)
	was, is := snapshots.TableFile{Name: "regions", Rows: 1000}, snapshots.TableFile{Name: "regions", Rows: 10}
	faults = append(faults, rowFaults(was, is, l)...)
	faults = append(faults, Fault{Check: limits.CheckLostSource, Subject: "ons_geography", Text: "it is gone"},
		Fault{Check: limits.CheckVerify, Subject: "x", Text: "it is unsound"})
	var said []string
	for _, f := range faults {
		_, advice, _ := strings.Cut(f.String(), "; if that is right, ")
		said = append(said, advice)
	}
	want := []string{"acknowledge it in checks.exceptions (check: platform)",
		"set checks.tables.regions.max_shrink_pct or acknowledge it in checks.exceptions (check: shrink, of: regions)",
		"acknowledge it in checks.exceptions (check: lost_source, of: ons_geography)", ""}
	if !slices.Equal(said, want) {
		t.Errorf("advice %q, want %q", said, want)
	}
}

// TestFloor: the service's own lists are never empty, a table's own floor goes first.
func TestFloor(t *testing.T) {
	m := manifest("2026-11-20", map[string]int64{"adverts": 4, "regions": 0})
	m.Tables = append(m.Tables, snapshots.TableFile{Name: "skills"})
	got := floors(m, limits.Checks{PerTable: map[string]limits.Table{"adverts": {MinRows: 5}}})
	if len(got) != 2 || got[0].Subject != "adverts" || got[1].Subject != "skills" || got[0].Check != limits.CheckMinRows {
		t.Errorf("%v", got)
	}
}

package limits

import (
	"fmt"
	"strings"
	"testing"
)

// refused are the rules that limits for tables and exceptions break.
func refused(own Checks) (broken []string) {
	l := DefaultChecks()
	l.PerTable, l.Exceptions = own.PerTable, own.Exceptions
	l.Validate(func(ok bool, format string, args ...any) {
		if !ok {
			broken = append(broken, fmt.Sprintf(format, args...))
		}
	})
	return broken
}

// TestLimitsAtTheirEdges holds every limit of the configuration at both ends of its range and one past
// them.
func TestLimitsAtTheirEdges(t *testing.T) {
	ofTable := func(set func(l *Table, v int)) func(l *Checks, v int) {
		return func(l *Checks, v int) {
			var of Table
			set(&of, v)
			l.PerTable = map[string]Table{"adverts": of}
		}
	}
	for name, c := range map[string]struct {
		set         func(l *Checks, v int)
		least, most int // most 0 = no upper end
	}{
		"max_shrink_pct":         {func(l *Checks, v int) { l.MaxShrinkPct = v }, 1, 100},
		"max_growth_pct":         {func(l *Checks, v int) { l.MaxGrowthPct = v }, 1, 1_000_000},
		"max_revised_pct":        {func(l *Checks, v int) { l.MaxRevisedPct = v }, 1, 100},
		"max_faulty_pct":         {func(l *Checks, v int) { l.MaxFaultyPct = v }, 1, 100},
		"tables: min_rows":       {ofTable(func(l *Table, v int) { l.MinRows = int64(v) }), 0, 0},
		"tables: max_shrink_pct": {ofTable(func(l *Table, v int) { l.MaxShrinkPct = &v }), 1, 100},
		"tables: max_growth_pct": {ofTable(func(l *Table, v int) { l.MaxGrowthPct = &v }), 1, 1_000_000},
	} {
		taken := func(v int) bool {
			l, ok := DefaultChecks(), true
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

// TestLimitsOfATable holds the defaults of a table's limits, and that a limit that is set stays. The
// lists of the service need a row, other tables need none.
func TestLimitsOfATable(t *testing.T) {
	all := Checks{MaxShrinkPct: 50, MaxGrowthPct: 900, PerTable: map[string]Table{
		"skills": {MinRows: 3}, "regions": {MinRows: 2, MaxGrowthPct: new(20)}, "levels": {MaxShrinkPct: new(10)}}}
	for table, want := range map[string]RowLimits{
		"skills":      {3, 50, 900},
		"regions":     {2, 50, 20},
		"levels":      {1, 10, 900},
		"sectors":     {1, 50, 900},
		"occupations": {1, 50, 900},
		"sources":     {1, 50, 900},
		"adverts":     {0, 50, 900},
	} {
		if got := all.ForTable(table); got != want {
			t.Errorf("%s: %+v, want %+v", table, got, want)
		}
	}
}

// TestLimitsOfNoTable: a table that is not there is named, and each limit out of its range.
func TestLimitsOfNoTable(t *testing.T) {
	for _, tt := range []struct {
		table  string
		limits Table
		want   string
	}{
		{"regions", Table{}, ""}, {"region", Table{}, "checks.tables.region: there is no such table"},
		{"regions", Table{MaxShrinkPct: new(100), MaxGrowthPct: new(1), MinRows: 1}, ""},
		{"regions", Table{MaxShrinkPct: new(101)}, "checks.tables.regions.max_shrink_pct must be 1 to 100"},
		{"regions", Table{MaxShrinkPct: new(0)}, "checks.tables.regions.max_shrink_pct must be 1 to 100"},
		{"regions", Table{MaxGrowthPct: new(-1)}, "checks.tables.regions.max_growth_pct must be 1 to 1000000"},
		{"regions", Table{MinRows: -1}, "checks.tables.regions.min_rows must not be negative"},
	} {
		said := refused(Checks{PerTable: map[string]Table{tt.table: tt.limits}})
		if got := strings.Join(said, "; "); got != tt.want {
			t.Errorf("%s %+v: %q, want %q", tt.table, tt.limits, got, tt.want)
		}
	}
}

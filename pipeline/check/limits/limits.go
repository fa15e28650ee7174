// Package limits holds the limits of the checks that decide whether a snapshot may be promoted, and
// the exceptions with which the operator acknowledges faults. They are the blocks `checks` and
// `drift` of the configuration. Package check applies them.
package limits

import (
	"maps"
	"slices"

	"labour/snapshots"
)

// Checks is the block `checks` of the configuration. A snapshot that exceeds a limit is not
// promoted unless an exception permits it. Limits in PerTable override the general limits for one
// table.
type Checks struct {
	// largest fall of a table's number of rows, 1 to 100 per cent; default 50
	MaxShrinkPct int `yaml:"max_shrink_pct"`
	// largest rise of a table's number of rows, 1 to 1,000,000 per cent; default 900
	MaxGrowthPct int `yaml:"max_growth_pct"`
	// largest share of changed rows in a table of published statistics, 1 to 100 per cent; default 50
	MaxRevisedPct int `yaml:"max_revised_pct"`
	// largest share of faulty records of a source, 1 to 100 per cent; default 25
	MaxFaultyPct int `yaml:"max_faulty_pct"`
	// PerTable has limits for single tables, by the table's name.
	PerTable map[string]Table `yaml:"tables"`
	// Exceptions acknowledge one fault each; the snapshot is then published despite the fault.
	Exceptions []Exception `yaml:"exceptions"`
	// PerSource has limits for what each source delivers, by source key. They are the block `drift`
	// of the configuration.
	PerSource map[string]Source `yaml:"-"`
}

// Table holds the limits for the number of rows of one table.
type Table struct {
	// smallest number of rows; 0 = 1 for the service's own lists, such as skills, and no limit for
	// other tables
	MinRows int64 `yaml:"min_rows"`
	// largest fall of the number of rows, 1 to 100 per cent; default as for all tables
	MaxShrinkPct *int `yaml:"max_shrink_pct"`
	// largest rise of the number of rows, 1 to 1,000,000 per cent; default as for all tables
	MaxGrowthPct *int `yaml:"max_growth_pct"`
}

// RowLimits holds the limits that apply to the number of rows of one table: its own or the defaults.
type RowLimits struct {
	MinRows      int64 // smallest number of rows
	MaxShrinkPct int   // largest fall of the number of rows, in per cent
	MaxGrowthPct int   // largest rise of the number of rows, in per cent
}

// DefaultChecks returns the limits that apply where the configuration sets none.
func DefaultChecks() Checks {
	return Checks{MaxShrinkPct: 50, MaxGrowthPct: 900, MaxRevisedPct: 50, MaxFaultyPct: 25}
}

// ForTable returns the limits for one table. Limits that PerTable does not set have their defaults.
func (c *Checks) ForTable(table string) RowLimits {
	own := c.PerTable[table]
	l := RowLimits{MinRows: own.MinRows, MaxShrinkPct: c.MaxShrinkPct, MaxGrowthPct: c.MaxGrowthPct}
	if own.MinRows == 0 {
		l.MinRows = defaultMinRows(table)
	}
	if own.MaxShrinkPct != nil {
		l.MaxShrinkPct = *own.MaxShrinkPct
	}
	if own.MaxGrowthPct != nil {
		l.MaxGrowthPct = *own.MaxGrowthPct
	}
	return l
}

// defaultMinRows returns the minimum number of rows of a table for which the configuration sets
// none: 1 for the service's own lists, such as skills, and 0 for other tables.
func defaultMinRows(table string) int64 {
	switch table {
	case "skills", "levels", "sectors", "occupations", "sources":
		return 1
	}
	return 0
}

// Validate checks each limit and each exception, and calls require once for each. The argument ok
// is false if the value is not valid. format and args are the message for that case.
func (c *Checks) Validate(require func(ok bool, format string, args ...any)) {
	percent := func(name string, value, maximum int) {
		require(value > 0 && value <= maximum, "checks.%s must be 1 to %d", name, maximum)
	}
	percent("max_shrink_pct", c.MaxShrinkPct, 100)
	percent("max_growth_pct", c.MaxGrowthPct, 1_000_000)
	percent("max_revised_pct", c.MaxRevisedPct, 100)
	percent("max_faulty_pct", c.MaxFaultyPct, 100)
	for _, name := range slices.Sorted(maps.Keys(c.PerTable)) {
		t := c.PerTable[name]
		_, exists := snapshots.FindTable(name)
		require(exists, "checks.tables.%s: there is no such table", name)
		require(t.MinRows >= 0, "checks.tables.%s.min_rows must not be negative", name)
		if t.MaxShrinkPct != nil {
			percent("tables."+name+".max_shrink_pct", *t.MaxShrinkPct, 100)
		}
		if t.MaxGrowthPct != nil {
			percent("tables."+name+".max_growth_pct", *t.MaxGrowthPct, 1_000_000)
		}
	}
	c.validateExceptions(require)
}

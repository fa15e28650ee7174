package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
)

// Limits is the block `checks` of the configuration. A snapshot that exceeds a limit is not
// promoted unless an exception permits it. A limit of 0 means the default. Limits in PerTable
// override the general limits for one table.
type Limits struct {
	// largest fall of a table's number of rows, in per cent; default 50
	MaxShrinkPct int `yaml:"max_shrink_pct"`
	// largest rise of a table's number of rows, in per cent; default 900
	MaxGrowthPct int `yaml:"max_growth_pct"`
	// largest share of changed rows in a table of published statistics, in per cent; default 50
	MaxRevisedPct int `yaml:"max_revised_pct"`
	// largest share of faulty records of a source, in per cent; default 25
	MaxFaultyPct int `yaml:"max_faulty_pct"`
	// PerTable has limits for single tables, by the table's name.
	PerTable map[string]TableLimits `yaml:"tables"`
	// Exceptions acknowledge one fault each; the snapshot is then published despite the fault.
	Exceptions []Exception `yaml:"exceptions"`
	// PerSource has limits for what each source delivers, by source key. They are the block `drift`
	// of the configuration.
	PerSource map[string]SourceLimits `yaml:"-"`
}

// TableLimits holds the limits for the number of rows of one table.
type TableLimits struct {
	// smallest number of rows; default 1 for the service's own lists, such as skills, else 0
	MinRows int64 `yaml:"min_rows"`
	// largest fall of the number of rows, in per cent; default as for all tables
	MaxShrinkPct int `yaml:"max_shrink_pct"`
	// largest rise of the number of rows, in per cent; default as for all tables
	MaxGrowthPct int `yaml:"max_growth_pct"`
}

// Exception acknowledges one fault, so that snapshots may be published despite it. It is valid
// until a date. The manifest and the report of a snapshot list the exceptions that were valid.
type Exception struct {
	// the check that found the fault: platform, min_rows, faulty, shrink, growth, revised,
	// lost_source, records, counted, listed, coded, people or unknown
	Check string `yaml:"check"`
	// key of the faulty table or source; empty for the check platform
	Subject    string `yaml:"of"`
	AcceptedBy string `yaml:"who"` // name of the person who acknowledged the fault
	Reason     string `yaml:"why"` // why the fault is acceptable
	// the last date of a snapshot (as_of) for which the exception is valid, YYYY-MM-DD
	ValidUntil string `yaml:"until"`
}

// SetDefaults sets limits that are 0 to their defaults.
func (l *Limits) SetDefaults() {
	l.MaxShrinkPct = cmp.Or(l.MaxShrinkPct, 50)
	l.MaxGrowthPct = cmp.Or(l.MaxGrowthPct, 900)
	l.MaxRevisedPct = cmp.Or(l.MaxRevisedPct, 50)
	l.MaxFaultyPct = cmp.Or(l.MaxFaultyPct, 25)
}

// ValidExceptions returns the configured exceptions that are valid on the day asOf, and the expired
// ones.
func (l *Limits) ValidExceptions(asOf time.Time) (standing, expired []snapshots.Exception) {
	for _, e := range l.Exceptions {
		until, err := snapshots.ParseDate(e.ValidUntil)
		if err != nil {
			continue // Validate refuses such a date
		}
		x := snapshots.Exception{Check: e.Check, Subject: e.Subject, AcceptedBy: e.AcceptedBy, Reason: e.Reason,
			ValidUntil: until}
		if until.Before(asOf) {
			expired = append(expired, x)
		} else {
			standing = append(standing, x)
		}
	}
	return standing, expired
}

// Validate checks each limit and each exception. For each of them it calls require with whether the
// value is valid, and with the message for a value that is not.
func (l *Limits) Validate(require func(ok bool, format string, args ...any)) {
	percent := func(name string, value, maximum int) {
		require(value > 0 && value <= maximum, "checks.%s must be 1 to %d", name, maximum)
	}
	percent("max_shrink_pct", l.MaxShrinkPct, 100)
	percent("max_growth_pct", l.MaxGrowthPct, 1_000_000)
	percent("max_revised_pct", l.MaxRevisedPct, 100)
	percent("max_faulty_pct", l.MaxFaultyPct, 100)
	for _, name := range slices.Sorted(maps.Keys(l.PerTable)) {
		t := l.PerTable[name]
		_, exists := snapshots.FindTable(name)
		require(exists, "checks.tables.%s: there is no such table", name)
		isPercent := t.MaxShrinkPct >= 0 && t.MaxShrinkPct <= 100
		require(isPercent && t.MinRows >= 0 && t.MaxGrowthPct >= 0,
			"checks.tables.%s: a limit is out of its range", name)
	}
	l.validateExceptions(require)
}

func (l *Limits) validateExceptions(require func(ok bool, format string, args ...any)) {
	seen := map[[2]string]bool{}
	for i, e := range l.Exceptions {
		at := fmt.Sprintf("checks.exceptions[%d]", i)
		require(slices.Contains(ExcusableChecks(), e.Check), "%s: check %q cannot be excused; it must be one of %s", at,
			e.Check, strings.Join(ExcusableChecks(), ", "))
		require((e.Subject == "") == (e.Check == CheckPlatformName),
			"%s: of must name the table or source, and be left out for platform", at)
		if e.Subject != "" && slices.Contains(TableChecks(), e.Check) {
			_, exists := snapshots.FindTable(e.Subject)
			require(exists, "%s: there is no table %q", at, e.Subject)
		}
		require(!seen[[2]string{e.Check, e.Subject}], "%s: there is another for %s of %q", at, e.Check, e.Subject)
		seen[[2]string{e.Check, e.Subject}] = true
		require(strings.TrimSpace(e.AcceptedBy) != "" && strings.TrimSpace(e.Reason) != "",
			"%s: who and why must be given: they are published", at)
		_, err := snapshots.ParseDate(e.ValidUntil)
		require(err == nil, "%s: until must be a date like 2026-12-31", at)
	}
}

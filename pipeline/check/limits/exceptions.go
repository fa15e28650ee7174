package limits

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
)

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

// ValidExceptions divides the configured exceptions into standing, which are valid on the day asOf,
// and expired. It omits exceptions whose date cannot be parsed.
func (c *Checks) ValidExceptions(asOf time.Time) (standing, expired []snapshots.Exception) {
	for _, e := range c.Exceptions {
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

func (c *Checks) validateExceptions(require func(ok bool, format string, args ...any)) {
	seen := map[[2]string]bool{}
	for i, e := range c.Exceptions {
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
			"%s: the fields who and why must be given: they are published", at)
		_, err := snapshots.ParseDate(e.ValidUntil)
		require(err == nil, "%s: until must be a date like 2026-12-31", at)
	}
}

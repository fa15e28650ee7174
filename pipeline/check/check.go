// Package check decides whether a sealed snapshot may be promoted, that is published as the current
// one. It finds faults in the snapshot, and in how the snapshot differs from the one it replaces. A
// snapshot with an unacknowledged fault is not promoted.
//
// The operator can acknowledge a fault by an exception in the configuration, with a name, a reason
// and an end date. An exception counts only if the manifest lists it.
package check

import (
	"context"
	"fmt"
	"slices"

	"labour/pipeline/verify"
	"labour/snapshots"
)

// The names of the checks. An exception in the configuration accepts the faults of a check, and
// refers to the check by its name.
const (
	CheckVerify        = "verify"       // faults found by `labour snapshot verify`; no exception allows it
	CheckDate          = "date"         // as_of goes back; no exception allows it
	CheckPlatform      = "platform"     // the platform's name changes
	CheckMinRows       = "min_rows"     // a table has fewer rows than its floor
	CheckFaulty        = "faulty"       // too many of a source's records were faulty
	CheckShrink        = "shrink"       // a table shrinks beyond its limit
	CheckGrowth        = "growth"       // a table grows beyond its limit
	CheckRevised       = "revised"      // too many published values changed
	CheckLostSource    = "lost_source"  // a source is missing
	CheckMissingFile   = "missing_file" // a delivery lacks a required file; no exception allows it
	CheckTruncatedFile = "torn_file"    // a delivery has a truncated file; no exception allows it
	CheckRecords       = "records"      // records of a source: minimum, maximum, fall and rise
	CheckCounted       = "counted"      // counted adverts of a source: minimum, maximum, fall and rise
	CheckListed        = "listed"       // adverts in the newest fetch of a listing: fall
	CheckCoded         = "coded"        // share of a source's adverts that could be coded: minimum and fall
	CheckPeople        = "people"       // printed figures of people: fall and rise from one quarter to the next
	CheckUnknown       = "unknown"      // columns, categories and codes that the program does not know
)

// ExcusableChecks returns the names of the checks whose faults an exception may acknowledge.
func ExcusableChecks() []string {
	return []string{CheckPlatform, CheckMinRows, CheckFaulty, CheckShrink, CheckGrowth, CheckRevised, CheckLostSource,
		CheckRecords, CheckCounted, CheckListed, CheckCoded, CheckPeople,
		CheckUnknown}
}

// TableChecks returns the names of the checks whose exceptions name a table.
func TableChecks() []string { return []string{CheckMinRows, CheckShrink, CheckGrowth, CheckRevised} }

// Fault is one error in a snapshot, or one difference from the previous snapshot that is too large.
type Fault struct {
	Check   string // one of the names above
	Subject string // the table or source; empty = the snapshot
	Text    string
	// AllowSetting is the setting that would permit it; empty if only an exception can.
	AllowSetting string
	// Exception acknowledges the fault; nil if there is none.
	Exception *snapshots.Exception
}

// String returns the fault as one line of text.
func (f Fault) String() string {
	if f.Exception == nil {
		return f.Text + f.advice()
	}
	return fmt.Sprintf("%s (acknowledged by %s until %s: %s)", f.Text, f.Exception.AcceptedBy, f.Exception.Until,
		f.Exception.Reason)
}

// advice returns how the operator can accept the fault if the snapshot is correct.
func (f Fault) advice() string {
	if !slices.Contains(ExcusableChecks(), f.Check) {
		return ""
	}
	setting, of := "", ""
	if f.AllowSetting != "" {
		setting = "set " + f.AllowSetting + " or "
	}
	if f.Subject != "" {
		of = ", of: " + f.Subject
	}
	return fmt.Sprintf("; if that is right, %sacknowledge it in checks.exceptions (check: %s%s)", setting, f.Check, of)
}

// FindFaults returns the faults of the sealed snapshot in dir. If package verify finds faults, it
// returns only these, since the numbers of such a snapshot are unreliable. Otherwise it returns a
// fault for each table with too few rows and each figure of the report outside its limits.
func FindFaults(ctx context.Context, dir string, l Limits) ([]Fault, error) {
	report, err := verify.VerifyDir(ctx, dir, verify.Options{})
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", dir, err)
	}
	var faults []Fault
	for _, f := range report.Faults {
		faults = append(faults, Fault{Check: CheckVerify, Subject: f.File, Text: f.String()})
	}
	if len(faults) > 0 {
		return faults, nil // its numbers cannot be trusted
	}
	m, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", dir, err)
	}
	faults = append(faults, floors(m, l)...)
	said, err := checkReport(dir, l)
	return acknowledge(append(faults, said...), m), err
}

// floors returns a fault for each table with fewer rows than required.
func floors(m snapshots.Manifest, l Limits) []Fault {
	var faults []Fault
	for _, t := range m.Tables {
		if floor := l.floor(t.Name); t.Rows < floor {
			faults = append(faults, Fault{Check: CheckMinRows, Subject: t.Name, AllowSetting: ofTable(t.Name, "min_rows"),
				Text: fmt.Sprintf("table %s has %d rows, fewer than %d", t.Name, t.Rows, floor)})
		}
	}
	return faults
}

// ofTable returns the name of a table's setting in the configuration.
func ofTable(table, setting string) string { return "checks.tables." + table + "." + setting }

// floor returns the smallest permitted number of rows of a table. The service's own lists are never
// empty; any other table may be, unless the configuration sets a limit.
func (l Limits) floor(table string) int64 {
	if floor := l.Tables[table].MinRows; floor > 0 {
		return floor
	}
	switch table {
	case "skills", "levels", "sectors", "occupations", "sources":
		return 1
	}
	return 0
}

// acknowledge sets the Exception of each fault for which the manifest lists one.
func acknowledge(faults []Fault, m snapshots.Manifest) []Fault {
	for i, f := range faults {
		for _, e := range m.Exceptions {
			if e.Check == f.Check && e.Subject == f.Subject && !e.Until.Before(m.AsOf.Time) {
				faults[i].Exception = &e
			}
		}
	}
	return faults
}

// UnacknowledgedFaults returns the faults without an exception.
func UnacknowledgedFaults(faults []Fault) []Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f Fault) bool { return f.Exception != nil })
}

// UnusedExceptions returns the exceptions that match none of the faults.
func UnusedExceptions(list []snapshots.Exception, faults []Fault) []snapshots.Exception {
	return slices.DeleteFunc(slices.Clone(list), func(e snapshots.Exception) bool {
		return slices.ContainsFunc(faults, func(f Fault) bool { return f.Check == e.Check && f.Subject == e.Subject })
	})
}

// checkReport returns the faults in the snapshot's own report on its sources: faulty records, and
// figures outside their limits.
func checkReport(dir string, l Limits) ([]Fault, error) {
	list, err := readSources(dir)
	if err != nil {
		return nil, fmt.Errorf("check the report: %w", err)
	}
	faults := allBounds(list, l.Sources)
	for _, s := range list {
		if s.TakenOver {
			continue
		}
		for _, lost := range []string{CheckMissingFile, CheckTruncatedFile} {
			if s.Faults[lost] > 0 {
				faults = append(faults, Fault{Check: lost, Subject: s.Key, Text: "source " + s.Key + ": " + s.Details(lost)})
			}
		}
		if s.PeopleFaultyPct > l.MaxFaultyPct {
			faults = append(faults, Fault{Check: CheckFaulty, Subject: s.Key, AllowSetting: "checks.max_faulty_pct",
				Text: fmt.Sprintf("source %s: %d %% of its records about people are faulty, more than %d %%", s.Key,
					s.PeopleFaultyPct, l.MaxFaultyPct)})
		}
		var faulty int64
		for _, n := range s.Faults {
			faulty += n
		}
		if s.Records >= MinCompared && faulty*100 > s.Records*int64(l.MaxFaultyPct) {
			faults = append(faults, Fault{Check: CheckFaulty, Subject: s.Key, AllowSetting: "checks.max_faulty_pct",
				Text: fmt.Sprintf("source %s has %d faults in %d records, more than %d %%", s.Key, faulty, s.Records,
					l.MaxFaultyPct)})
		}
	}
	return faults, nil
}

// checkDeliveries returns a fault for each source with far fewer or far more records than in the
// previous snapshot.
func checkDeliveries(previousDir, nextDir string, l Limits) ([]Fault, error) {
	before, err := readSources(previousDir)
	if err != nil {
		return nil, err
	}
	now, err := readSources(nextDir)
	return allChanges(before, now, l.Sources), err
}

// readSources returns the sources' entries in the report of the snapshot in dir.
func readSources(dir string) ([]Source, error) {
	report, err := snapshots.ReadReport[struct {
		Sources []Source `json:"sources"`
	}](dir)
	return report.Sources, err
}

// Package check decides whether a sealed snapshot may be promoted, which means that it is published
// as the current one. It finds faults in the snapshot, and in its differences from the snapshot that
// it replaces. A snapshot with an unacknowledged fault is not promoted.
//
// The operator can acknowledge a fault with an exception in the configuration. An exception has a
// name, a reason and an end date. It counts only if the manifest lists it.
package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"labour/pipeline/check/limits"
	"labour/pipeline/report"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
)

// Fault is an error in a snapshot, or a difference from the previous snapshot that is too large.
type Fault struct {
	Check   string // name of the check that found the fault, such as limits.CheckTableShrink
	Subject string // name of the faulty table or source; empty = the whole snapshot
	Text    string
	// LimitSetting is the configuration key of the limit that was exceeded, such as
	// checks.max_shrink_pct. It is empty if no setting can permit the fault.
	LimitSetting string
	// Exception is the operator's acknowledgement of the fault; nil if there is none.
	Exception *snapshots.Exception
}

// String describes the fault in one line. The line says who acknowledged the fault, or how to
// acknowledge it.
func (f Fault) String() string {
	if f.Exception == nil {
		return f.Text + f.advice()
	}
	return fmt.Sprintf("%s (acknowledged by %s until %s: %s)", f.Text, f.Exception.AcceptedBy, f.Exception.ValidUntil,
		f.Exception.Reason)
}

// advice tells the operator how to acknowledge the fault if the snapshot is correct. It returns ""
// if the fault cannot be acknowledged.
func (f Fault) advice() string {
	if !slices.Contains(limits.ExcusableChecks(), f.Check) {
		return ""
	}
	setting, of := "", ""
	if f.LimitSetting != "" {
		setting = "set " + f.LimitSetting + " or "
	}
	if f.Subject != "" {
		of = ", of: " + f.Subject
	}
	return fmt.Sprintf("; if that is right, %sacknowledge it in checks.exceptions (check: %s%s)", setting, f.Check, of)
}

// FindFaults returns the faults of the sealed snapshot id in folder. First it verifies the files
// and compares the manifest with the store's index. If that finds faults, FindFaults returns only
// these. Then it finds tables with too few rows, and figures of the report outside their limits.
func FindFaults(ctx context.Context, folder *store.Store, id snapshots.ID, l limits.Checks) ([]Fault, error) {
	dir := folder.SnapshotDir(id)
	verified, err := verify.VerifyDir(ctx, dir, verify.Options{Store: folder, AllowIncompleteIndex: true})
	if err != nil {
		return nil, fmt.Errorf("check %s: %w", dir, err)
	}
	var faults []Fault
	for _, f := range verified.Faults {
		faults = append(faults, Fault{Check: limits.CheckVerify, Subject: f.File, Text: f.String()})
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

// floors returns a fault for each table with fewer rows than its minimum.
func floors(m snapshots.Manifest, l limits.Checks) []Fault {
	var faults []Fault
	for _, t := range m.Tables {
		if floor := l.ForTable(t.Name).MinRows; t.Rows < floor {
			faults = append(faults, Fault{
				Check:        limits.CheckMinRows,
				Subject:      t.Name,
				LimitSetting: tableLimitKey(t.Name, "min_rows"),
				Text:         fmt.Sprintf("table %s has %d rows, fewer than %d", t.Name, t.Rows, floor),
			})
		}
	}
	return faults
}

// tableLimitKey returns the configuration key of a limit for a table, such as
// "checks.tables.jobs.min_rows".
func tableLimitKey(table, setting string) string { return "checks.tables." + table + "." + setting }

// acknowledge sets the field Exception of each fault that an exception in the manifest m matches,
// and returns the faults. It ignores exceptions that had expired on the snapshot's date.
func acknowledge(faults []Fault, m snapshots.Manifest) []Fault {
	for i, f := range faults {
		for _, e := range m.Exceptions {
			if e.Check == f.Check && e.Subject == f.Subject && !e.ValidUntil.Before(m.AsOf.Time) {
				faults[i].Exception = &e
			}
		}
	}
	return faults
}

// UnacknowledgedFaults returns the faults that the operator has not acknowledged with an exception.
func UnacknowledgedFaults(faults []Fault) []Fault {
	return slices.DeleteFunc(slices.Clone(faults), func(f Fault) bool { return f.Exception != nil })
}

// UnusedExceptions returns the operator's exceptions that match no fault.
func UnusedExceptions(list []snapshots.Exception, faults []Fault) []snapshots.Exception {
	return slices.DeleteFunc(slices.Clone(list), func(e snapshots.Exception) bool {
		return slices.ContainsFunc(faults, func(f Fault) bool { return f.Check == e.Check && f.Subject == e.Subject })
	})
}

// checkReport finds faults in the report of the snapshot in dir. It looks for faulty records,
// missing or truncated files, and figures outside their limits.
func checkReport(dir string, l limits.Checks) ([]Fault, error) {
	list, err := readSources(dir)
	if err != nil {
		return nil, fmt.Errorf("check the report: %w", err)
	}
	faults := allBounds(list, l.PerSource)
	for _, s := range list {
		if s.TakenOver {
			continue
		}
		for _, lost := range []sources.FaultCode{sources.FaultFileMissing, sources.FaultTruncated} {
			if s.Faults[lost] > 0 {
				faults = append(faults, Fault{Check: string(lost), Subject: s.Source,
					Text: "source " + s.Source + ": " + details(s, lost)})
			}
		}
		faults = append(faults, faultyShares(s, l)...)
	}
	return faults, nil
}

// faultyShares returns faults for the records of one source. There is a fault for each of these:
//
//   - too many of the source's records are faulty,
//   - too many skills in records about people are not in the register,
//   - all records of one type are faulty.
func faultyShares(s *report.SourceEntry, l limits.Checks) (faults []Fault) {
	add := func(format string, args ...any) {
		faults = append(faults, Fault{
			Check:        limits.CheckFaultyRecords,
			Subject:      s.Source,
			LimitSetting: "checks.max_faulty_pct",
			Text:         "source " + s.Source + fmt.Sprintf(format, args...),
		})
	}
	if s.PeopleFaultyPct > int64(l.MaxFaultyPct) {
		add(": %d %% of its records about people are faulty, more than %d %%", s.PeopleFaultyPct, l.MaxFaultyPct)
	}
	if s.PeopleUnknownSkillsPct > int64(l.MaxFaultyPct) {
		add(": %d %% of the skills that its records about people name are not known, more than %d %%; name them as the "+
			"register of skills does, or add them to it", s.PeopleUnknownSkillsPct, l.MaxFaultyPct)
	}
	for _, kind := range slices.Sorted(maps.Keys(s.FaultyPctByKind)) {
		if s.FaultyPctByKind[kind] == 100 && l.MaxFaultyPct < 100 { // however few they are
			add(": all of the feed's %s are faulty, so that their figures would be 0", kind)
		}
	}
	var faulty, faultyRead int64
	for code, n := range s.Faults {
		faulty += n
		if code.KeepsRecord() {
			faultyRead += n
		}
	}
	// Faults are those of the newest fetch. A faulty record is not among the records that were read,
	// unless it was used nevertheless.
	all := s.NewestRecords() + faulty - faultyRead
	if all >= MinComparedRecords && faulty*100 > all*int64(l.MaxFaultyPct) {
		add(" has %d faults in %d records, more than %d %%", faulty, all, l.MaxFaultyPct)
	}
	return faults
}

// checkDeliveries compares the reports of the snapshots in previousDir and nextDir. It returns a
// fault for each figure of a source that changed too much: numbers of records and adverts, and
// percentages of coded adverts.
func checkDeliveries(previousDir, nextDir string, l limits.Checks) ([]Fault, error) {
	previous, err := readSources(previousDir)
	if err != nil {
		return nil, err
	}
	current, err := readSources(nextDir)
	if err != nil {
		return nil, err
	}
	kinds, err := readSourceKinds(nextDir)
	return allChanges(previous, current, kinds, l.PerSource), err
}

// readSourceKinds returns the kind of each source of the snapshot in dir, by the source's key.
func readSourceKinds(dir string) (map[string]sources.Kind, error) {
	kinds := map[string]sources.Kind{}
	return kinds, parquetio.ForEachRow(snapshots.TablePath(dir, "sources"), func(r snapshots.SourcesRow) error {
		kinds[r.Key] = sources.Kind(r.Kind)
		return nil
	})
}

// readSources returns what the report of the snapshot in dir says about each source.
func readSources(dir string) ([]*report.SourceEntry, error) {
	r, err := report.Read(dir)
	if err != nil {
		return nil, err
	}
	return r.Sources, nil
}

package check

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/check/limits"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/parquetio"
	"labour/sources/platform"
)

const (
	// minRowsToShrink is the smallest number of rows in the previous snapshot for which a table is
	// checked for lost rows.
	minRowsToShrink = 20
	// growFrom is the smallest number of rows in the previous snapshot for which a table is checked
	// for too many new rows.
	growFrom = 100
	// revisedFrom is the smallest number of rows in both snapshots for which changed values of a
	// table are checked.
	revisedFrom = 100
)

// FindSuccessionFaults returns the reasons why the snapshot in nextDir may not replace the one in
// previousDir. For example, its date is earlier, or a table shrank too much.
func FindSuccessionFaults(ctx context.Context, previousDir, nextDir string, l limits.Checks) ([]Fault, error) {
	previous, _, err := snapshots.ReadManifest(previousDir)
	if err != nil {
		return nil, fmt.Errorf("check the succession: %w", err)
	}
	next, _, err := snapshots.ReadManifest(nextDir)
	if err != nil {
		return nil, fmt.Errorf("check the succession: %w", err)
	}
	sizes, sizesErr := sizeFaults(previousDir, nextDir, previous, next, l)
	lost, lostErr := lostSources(previousDir, nextDir, next)
	revised, revisedErr := revisions(ctx, diff.ComparedSnapshot{Dir: previousDir, Manifest: previous},
		diff.ComparedSnapshot{Dir: nextDir, Manifest: next}, l)
	drifted, driftedErr := checkDeliveries(previousDir, nextDir, l)
	people, peopleErr := peopleChanges(ctx, previousDir, nextDir, previous, next, l)
	if err := errors.Join(sizesErr, lostErr, revisedErr, driftedErr, peopleErr); err != nil {
		return nil, fmt.Errorf("check the succession: %w", err)
	}
	return acknowledge(slices.Concat(sizes, lost, revised, drifted, people), next), nil
}

// sizeFaults returns the same faults as FindManifestSuccessionFaults, with one exception. A run of
// only one source (a light run) leaves out the jobs of sources that are no longer configured. These
// jobs do not count as lost rows of the table jobs. sizeFaults reads the rows of that table only if
// it shrank too much.
func sizeFaults(previousDir, nextDir string, previous, next snapshots.Manifest, l limits.Checks) ([]Fault, error) {
	faults := FindManifestSuccessionFaults(previous, next, l)
	isJobsFall := func(f Fault) bool { return f.Check == limits.CheckTableShrink && f.Subject == "jobs" }
	if !slices.ContainsFunc(faults, isJobsFall) {
		return faults, nil
	}
	leftOut, err := jobsLeftOut(previousDir, nextDir)
	return FindManifestSuccessionFaults(withoutJobs(previous, leftOut), next, l), err
}

// jobsLeftOut returns the number of jobs of the previous snapshot that a light run left out because
// their source is no longer configured. A light run reads only the platform. For any other source,
// it either copies the jobs of the previous snapshot that have not closed, or leaves all of them out.
// A source whose jobs have all closed is taken for one that was left out. jobsLeftOut returns 0 if the
// next snapshot is not of a light run.
func jobsLeftOut(previousDir, nextDir string) (n int64, err error) {
	next, err := report.Read(nextDir)
	if err != nil || next.OnlySource == "" {
		return 0, err
	}
	before, err := jobsOfOtherSources(previousDir)
	after, afterErr := jobsOfOtherSources(nextDir)
	for key, jobs := range before {
		if after[key] == 0 {
			n += jobs
		}
	}
	return n, errors.Join(err, afterErr)
}

// sourceOfJob has the columns of the table jobs that jobsOfOtherSources reads.
type sourceOfJob struct {
	ID        string `col:"id"`
	SourceKey string `col:"source_key"`
}

// jobsOfOtherSources returns the number of jobs in the snapshot in dir that were not delivered by
// the platform, by the source's key.
func jobsOfOtherSources(dir string) (map[string]int64, error) {
	jobs := map[string]int64{}
	return jobs, parquetio.ForEachRow(snapshots.TablePath(dir, "jobs"), func(r sourceOfJob) error {
		if !strings.HasPrefix(r.ID, platform.Key+":") {
			jobs[r.SourceKey]++
		}
		return nil
	})
}

// withoutJobs returns a copy of a manifest with n fewer rows in the table jobs.
func withoutJobs(m snapshots.Manifest, n int64) snapshots.Manifest {
	m.Tables = slices.Clone(m.Tables)
	for i, t := range m.Tables {
		if t.Name == "jobs" {
			m.Tables[i].Rows -= n
		}
	}
	return m
}

// FindManifestSuccessionFaults returns the reasons why one snapshot may not replace another. It
// reads only their manifests. It checks the date, the platform's name and the sizes of tables.
func FindManifestSuccessionFaults(previous, next snapshots.Manifest, l limits.Checks) []Fault {
	var faults []Fault
	if next.AsOf.Before(previous.AsOf.Time) {
		faults = append(faults,
			Fault{Check: limits.CheckEarlierDate,
				Text: fmt.Sprintf(
					"as_of goes back from %s to %s; if %s is wrong, promote an earlier snapshot first: labour snapshot list, "+
						"labour promote ID",
					previous.AsOf, next.AsOf, previous.AsOf)})
	}
	if next.PlatformName != previous.PlatformName {
		faults = append(faults,
			Fault{Check: limits.CheckPlatformName, Text: fmt.Sprintf("platform changes from %q to %q", previous.PlatformName,
				next.PlatformName)})
	}
	for _, before := range previous.Tables {
		if before.Name == "rankings_by_skill" {
			continue // it has the rows of rankings, in another order
		}
		after, ok := next.Table(before.Name)
		if !ok {
			faults = append(faults,
				Fault{Check: limits.CheckTableShrink, Subject: before.Name,
					Text: fmt.Sprintf("table %s vanished", before.Name)})
			continue
		}
		if snapshots.IsPeopleTable(before.Name) && mayShrinkByWithdrawal(before.Name, previous, next) {
			continue
		}
		faults = append(faults, rowFaults(before, after, l)...)
	}
	return faults
}

// rowFaults returns a fault if the number of rows of a table fell or rose too much.
func rowFaults(before, after snapshots.TableFile, l limits.Checks) []Fault {
	table := l.ForTable(before.Name)
	shrink, growth := int64(table.MaxShrinkPct), int64(table.MaxGrowthPct)
	switch {
	case before.Rows >= minRowsToShrink && after.Rows*100 < before.Rows*(100-shrink):
		return []Fault{{
			Check:        limits.CheckTableShrink,
			Subject:      before.Name,
			LimitSetting: tableLimitKey(before.Name, "max_shrink_pct"),
			Text: fmt.Sprintf("table %s shrinks from %d to %d rows, more than %d %%", before.Name, before.Rows,
				after.Rows, shrink),
		}}
	case before.Rows >= growFrom && after.Rows*100 > before.Rows*(100+growth):
		return []Fault{{
			Check:        limits.CheckTableGrowth,
			Subject:      before.Name,
			LimitSetting: tableLimitKey(before.Name, "max_growth_pct"),
			Text: fmt.Sprintf("table %s grows from %d to %d rows, more than %d %%", before.Name, before.Rows,
				after.Rows, growth),
		}}
	}
	return nil
}

// lostSources returns a fault for each source that had records in the previous snapshot and was not
// read for the new one. It ignores sources whose adverts the platform imports.
func lostSources(previousDir, nextDir string, next snapshots.Manifest) ([]Fault, error) {
	rows := func(dir string) ([]snapshots.SourcesRow, error) {
		return parquetio.ReadAll[snapshots.SourcesRow](snapshots.TablePath(dir, "sources"))
	}
	before, err := rows(previousDir)
	after, afterErr := rows(nextDir)
	var faults []Fault
	for _, s := range before {
		read := slices.ContainsFunc(next.Inputs, func(in snapshots.ArchivedFetch) bool { return in.Source == s.Key })
		listed := slices.ContainsFunc(after,
			func(row snapshots.SourcesRow) bool { return row.Key == s.Key && (row.Rows > 0 || read) })
		if s.Rows > 0 && !listed {
			faults = append(faults,
				Fault{Check: limits.CheckLostSource, Subject: s.Key, Text: "source " + s.Key + " is no longer configured"})
		}
	}
	return faults, errors.Join(err, afterErr)
}

// revisable returns the tables of published statistics. A new edition rarely changes old figures.
// Many changes therefore suggest an error, such as a wrong unit.
func revisable() []string { return []string{"course_demand", "evidence", "regions", "skills_gaps"} }

// revisions returns a fault for each table of published statistics in which too many rows changed.
// It skips tables in which the two snapshots have few rows in common. It does not use
// changes.parquet, which may describe changes from a different snapshot.
func revisions(ctx context.Context, previous, next diff.ComparedSnapshot, l limits.Checks) ([]Fault, error) {
	totals, err := diff.Compare(ctx, previous, next, diff.Options{Tables: revisable(), MaxListedChanges: 1},
		func(snapshots.ChangesRow) error { return nil })
	var faults []Fault
	for _, of := range totals {
		t, _ := next.Manifest.Table(of.Table)
		shared := t.Rows - of.Added
		if shared >= revisedFrom && of.Changed*100 > shared*int64(l.MaxRevisedPct) {
			faults = append(faults, Fault{
				Check:        limits.CheckRevisedValues,
				Subject:      of.Table,
				LimitSetting: "checks.max_revised_pct",
				Text: fmt.Sprintf("of %d rows of %s that were published before, %d have other values, more than %d %%",
					shared, of.Table, of.Changed, l.MaxRevisedPct),
			})
		}
	}
	return faults, err
}

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/embargoed"
	"labour/pipeline/people"
	"labour/pipeline/report"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/store"
)

// Output is a group of tables of a snapshot. A run makes all of them, or copies all of them
// from an earlier snapshot.
type Output struct {
	Tables      []string // names of the tables and embargoed datasets in the group
	Cadence     calendar.Cadence
	WriteTables func(context.Context, *draft) error
	// CopyEntries copies the group's entries in the report and the manifest. It is nil if there are
	// none.
	CopyEntries func(*draft) error
}

// draft is a snapshot while its tables are made. The fields in, read and plan are the inputs. The
// functions that write tables set the other fields.
type draft struct {
	in   *inputs
	read readRecords
	plan plan

	writer       *store.Writer
	tables       *tablewriter.Writer // writer of the tables; its lists of files and sources stay valid after closing
	report       *report.Report
	copiedTables map[string]bool            // tables and embargoed datasets that were copied
	people       *snapshots.People          // period and protection of the counts of people; nil without people
	embargoed    []snapshots.EmbargoedState // state of each embargoed dataset, with its number of rows
	fetchedUntil time.Time                  // time up to which fetches are in the table freshness
}

// outputs lists the groups of tables in the order in which they are made. The embargoed datasets
// come last, because their queries read the table occupations. Other groups do not read each other.
func outputs() []Output {
	return []Output{
		{Tables: []string{"adverts", "adverts_total"}, Cadence: calendar.EveryDay, WriteTables: writeAdverts},
		{Tables: snapshots.PeopleTables(), Cadence: calendar.EveryQuarter, WriteTables: writePeople,
			CopyEntries: copyPeople},
		{Tables: []string{"jobs"}, Cadence: calendar.EveryMinute, WriteTables: writeJobs},
		{Tables: []string{"events"}, Cadence: calendar.EveryMinute, WriteTables: writeEvents},
		{Tables: []string{"pathways", "pathway_standards", "pathway_steps"}, Cadence: calendar.EveryMinute,
			WriteTables: writePathways},
		{Tables: []string{"s106"}, Cadence: calendar.EveryMinute, WriteTables: writeSection106Sites},
		{Tables: []string{"freshness"}, Cadence: calendar.EveryMinute, WriteTables: writeFreshness},
		{Tables: []string{"lists", "rankings", "rankings_by_skill"}, Cadence: calendar.EveryDay,
			WriteTables: writeRankings},
		{Tables: []string{"sources"}, Cadence: calendar.EveryDay, WriteTables: writeSources, CopyEntries: copySources},
		{Tables: []string{"corrections", "levels", "occupations", "outlines", "place_members", "places", "regions",
			"sectors", "skills"}, Cadence: calendar.EveryDay, WriteTables: writeNames},
		{Tables: []string{"course_demand", "evidence", "skills_gaps"}, Cadence: calendar.EveryDay,
			WriteTables: writeStatistics},
		{Tables: embargoed.DatasetNames(), Cadence: calendar.EveryDay, WriteTables: writeEmbargoed,
			CopyEntries: copyEmbargoed},
	}
}

// makeTables makes all tables of the snapshot, and adds their numbers of rows to the report.
func makeTables(ctx context.Context, d *draft) (err error) {
	if d.tables, err = openTables(d); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.tables.Close()) }()
	if d.tables.QueryRunner, err = openQueryRunner(ctx, d); err != nil {
		return err
	}
	for _, out := range outputs() {
		if err := makeOutput(ctx, d, out); err != nil {
			return fmt.Errorf("%s: %w", out.Tables[0], err)
		}
	}
	if err := d.tables.Finish(); err != nil {
		return err
	}
	d.report.AddTableRowCounts(d.tables.Files())
	return nil
}

// makeOutput builds the tables in the group out if they are due in this run, or copies them.
func makeOutput(ctx context.Context, d *draft, out Output) error {
	if out.Cadence.IsDueAt(d.plan.level) {
		return out.WriteTables(ctx, d)
	}
	if out.CopyEntries != nil {
		if err := out.CopyEntries(d); err != nil {
			return err
		}
	}
	for _, name := range out.Tables {
		if err := copyTable(d, name); err != nil {
			return fmt.Errorf("copy %s from %s: %w", name, d.plan.copyFrom.ID, err)
		}
		d.copiedTables[name] = true
	}
	return nil
}

// copyTable copies a table or an embargoed dataset from an earlier snapshot, byte for byte. If some
// of its counts of people may no longer be published, it leaves out their rows.
func copyTable(d *draft, name string) error {
	_, file, err := snapshots.FindFile(name)
	if err != nil {
		return err
	}
	from := d.plan.copyFrom
	if err := from.CheckFile(file); err != nil {
		return err
	}
	written, withdrawn, err := people.RewriteWithoutHidden(d.tables, from, name, d.plan.hiddenCounts)
	d.report.SubtractPeople(withdrawn)
	if written || err != nil {
		return err
	}
	if before, ok := from.Table(name); ok {
		d.tables.RecordTable(name, before.Rows)
	}
	return d.writer.CopyFile(snapshots.JoinPath(from.Dir, file), file)
}

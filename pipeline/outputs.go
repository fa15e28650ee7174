package pipeline

import (
	"context"
	"fmt"

	"labour/pipeline/calendar"
	"labour/pipeline/embargoed"
	"labour/pipeline/lists"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/snapshots"
)

// SnapshotPart is a part of a snapshot that is rebuilt as one unit, or else copied from the previous
// snapshot, byte for byte.
type SnapshotPart struct {
	Tables         []string // names of the tables and embargoed datasets that this output writes
	RebuildCadence calendar.Cadence
	// CanBuild reports whether the output can be built when it is due; nil means that it always can.
	CanBuild    func(*tables) bool
	WriteTables func(*tables, context.Context) error
	// CopyEntries copies the output's entries in the report and the manifest from the previous snapshot.
	// It is nil if the output has no such entries. The files themselves are copied without Carry.
	CopyEntries func(*tables) error
}

// outputs lists the outputs (the parts that are rebuilt as one unit) of a snapshot, in the order
// in which they are built.
func outputs() []SnapshotPart {
	return []SnapshotPart{
		{Tables: []string{"adverts", "adverts_total", "course_demand"}, RebuildCadence: calendar.EveryDay,
			WriteTables: (*tables).aggregate},
		{Tables: snapshots.PeopleTables(), RebuildCadence: calendar.EveryQuarter, CanBuild: (*tables).quarterIsNew,
			WriteTables: (*tables).people, CopyEntries: (*tables).carryPeople},
		{Tables: []string{"jobs"}, RebuildCadence: calendar.EveryMinute, WriteTables: (*tables).jobs},
		{Tables: []string{"events"}, RebuildCadence: calendar.EveryMinute, WriteTables: (*tables).events},
		{Tables: []string{"pathways", "pathway_standards", "pathway_steps"}, RebuildCadence: calendar.EveryMinute,
			WriteTables: (*tables).pathways},
		{Tables: []string{"s106"}, RebuildCadence: calendar.EveryMinute, WriteTables: (*tables).s106},
		{Tables: []string{"freshness"}, RebuildCadence: calendar.EveryMinute, WriteTables: (*tables).freshness},
		{Tables: []string{"lists", "rankings", "rankings_by_skill"}, RebuildCadence: calendar.EveryDay,
			WriteTables: (*tables).rankings},
		{Tables: []string{"sources"}, RebuildCadence: calendar.EveryDay, WriteTables: (*tables).sources,
			CopyEntries: (*tables).carrySources},
		{Tables: []string{"corrections", "levels", "occupations", "outlines", "place_members", "places", "regions",
			"sectors", "skills"},
			RebuildCadence: calendar.EveryDay, WriteTables: (*tables).lists},
		{Tables: []string{"evidence", "skills_gaps"}, RebuildCadence: calendar.EveryDay, WriteTables: (*tables).evidence},
		{Tables: embargoed.DatasetNames(), RebuildCadence: calendar.EveryDay, WriteTables: (*tables).embargoed,
			CopyEntries: (*tables).carryEmbargoed},
	}
}

// findLevel decides which outputs (parts of the snapshot) are rebuilt, and from which snapshot the
// others are copied. A light run copies from the current snapshot. A whole run copies only counts
// of people, from a snapshot that has those of the quarter, if there is one.
func (t *tables) findLevel(context.Context) (err error) {
	b := t.build
	switch t.level = b.o.BuildCadence(); {
	case t.level == calendar.EveryMinute:
		if t.previous, err = previous.OpenCurrent(b.o.DataDir); err != nil {
			return err
		}
		return t.sameRules()
	case b.hasPeople():
		return t.findPrinted()
	}
	return nil
}

// sameRules returns an error if the previous snapshot was made under other rules than this one:
// with other places, corrections or withdrawn counts of people, or without one of today's tables.
func (t *tables) sameRules() error {
	b := t.build
	reason, err := t.previous.RuleDifference(previous.TableRules{Served: b.served(),
		Corrections: lists.CorrectionRows(b.corrections, b.infos), Withdrawn: b.withdrawn})
	if err == nil && reason != "" {
		err = b.provider.RulesDifferError(reason)
	}
	return err
}

// makeOutputs rebuilds the outputs (parts of the snapshot) that are due, and copies the others
// from an older snapshot.
func (t *tables) makeOutputs(ctx context.Context) error {
	for _, out := range outputs() {
		var err error
		if out.RebuildCadence.IsDueAt(t.level) && (out.CanBuild == nil || out.CanBuild(t)) {
			err = out.WriteTables(t, ctx)
		} else {
			err = t.carry(out)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", out.Tables[0], err)
		}
	}
	return nil
}

// carry copies an output (a part of the snapshot) from the previous snapshot.
func (t *tables) carry(out SnapshotPart) error {
	if out.CopyEntries != nil {
		if err := out.CopyEntries(t); err != nil {
			return err
		}
	}
	for _, name := range out.Tables {
		if err := t.carryTable(name); err != nil {
			return fmt.Errorf("copy %s from %s: %w", name, t.previous.ID, err)
		}
		t.carried[name] = true
	}
	return nil
}

// carryTable copies a table or an embargoed dataset from the previous snapshot, byte for byte. If
// it has rows of people that may no longer be shown, it is rewritten without these rows.
func (t *tables) carryTable(name string) error {
	_, file, err := snapshots.FindFile(name)
	if err != nil {
		return err
	}
	if err := t.previous.CheckFile(file); err != nil {
		return err
	}
	written, withdrawn, err := people.RewriteWithoutHidden(t.out, t.previous, name, t.hidden)
	t.build.report.SubtractPeople(withdrawn)
	if written || err != nil {
		return err
	}
	if before, ok := t.previous.Table(name); ok {
		t.out.RecordTable(name, before.Rows)
	}
	return t.writer.CopyFile(snapshots.JoinPath(t.previous.Dir, file), file)
}

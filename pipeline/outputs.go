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

// Output is a part of a snapshot that is rebuilt as one unit or copied from the previous snapshot.
type Output struct {
	Tables  []string // names of the tables and embargoed datasets that this output writes
	Cadence calendar.Cadence
	// CanBuild reports whether the output can be built when it is due; nil means that it always can.
	CanBuild    func(*tables) bool
	WriteTables func(*tables, context.Context) error
	// CopyEntries copies the entries of the report and the manifest with the files; nil = there are none.
	CopyEntries func(*tables) error
}

// outputs lists the outputs of a snapshot in the order in which they are built.
func outputs() []Output {
	return []Output{
		{Tables: []string{"adverts", "adverts_total", "course_demand"}, Cadence: calendar.EveryDay,
			WriteTables: (*tables).aggregate},
		{Tables: snapshots.PeopleTables(), Cadence: calendar.EveryQuarter, CanBuild: (*tables).quarterIsNew,
			WriteTables: (*tables).people, CopyEntries: (*tables).carryPeople},
		{Tables: []string{"jobs"}, Cadence: calendar.EveryMinute, WriteTables: (*tables).jobs},
		{Tables: []string{"events"}, Cadence: calendar.EveryMinute, WriteTables: (*tables).events},
		{Tables: []string{"pathways", "pathway_standards", "pathway_steps"}, Cadence: calendar.EveryMinute,
			WriteTables: (*tables).pathways},
		{Tables: []string{"s106"}, Cadence: calendar.EveryMinute, WriteTables: (*tables).s106},
		{Tables: []string{"freshness"}, Cadence: calendar.EveryMinute, WriteTables: (*tables).freshness},
		{Tables: []string{"lists", "rankings", "rankings_by_skill"}, Cadence: calendar.EveryDay,
			WriteTables: (*tables).rankings},
		{Tables: []string{"sources"}, Cadence: calendar.EveryDay, WriteTables: (*tables).sources,
			CopyEntries: (*tables).carrySources},
		{Tables: []string{"corrections", "levels", "occupations", "outlines", "place_members", "places", "regions",
			"sectors", "skills"}, Cadence: calendar.EveryDay, WriteTables: (*tables).lists},
		{Tables: []string{"evidence", "skills_gaps"}, Cadence: calendar.EveryDay, WriteTables: (*tables).evidence},
		{Tables: embargoed.DatasetNames(), Cadence: calendar.EveryDay, WriteTables: (*tables).embargoed,
			CopyEntries: (*tables).carryEmbargoed},
	}
}

// findLevel decides which outputs are rebuilt, and from which snapshot the others are copied: in a
// light run from the current one; in a whole run only counts of people, from one of the quarter.
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

// makeOutputs rebuilds the outputs that are due, and copies the others from an older snapshot.
func (t *tables) makeOutputs(ctx context.Context) error {
	for _, out := range outputs() {
		var err error
		if out.Cadence.IsDueAt(t.level) && (out.CanBuild == nil || out.CanBuild(t)) {
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

// carry copies an output from the previous snapshot.
func (t *tables) carry(out Output) error {
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

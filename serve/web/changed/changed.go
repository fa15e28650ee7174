// Package changed reads which rows of a published snapshot differ from the previous snapshot, from
// the snapshot's file changes.parquet. Callers must name only tables that may be published as a
// whole. For other tables, the number of changed rows would disclose how many adverts or people
// were added in a day.
package changed

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// TableTotal counts the rows of one table that differ from the previous snapshot.
type TableTotal struct {
	Table string
	Kinds map[string]int64 // number of rows that were added, changed or removed, by kind of change
}

// Filter selects changed rows by table and by kind of change: added, changed or removed. An empty
// field selects all.
type Filter struct {
	Table string
	Kind  snapshots.ChangeKind
}

func (f Filter) holds(r snapshots.ChangesRow) bool {
	isTable := f.Table == "" || f.Table == r.Table
	isKind := f.Kind == "" || f.Kind == r.Change
	return isTable && isKind
}

// Summary holds the number of changed rows of each table, and a snapshot's sources by key. It is
// safe for concurrent use.
type Summary struct {
	Totals  []TableTotal // totals of the tables with changed rows, ordered by table name
	Sources map[string]snapshots.SourcesRow
}

// ReadSummary counts the changed rows of the given tables, for the snapshot in the directory dir.
// If the snapshot has no file changes.parquet, the result has no totals.
func ReadSummary(dir string, tables []string) (*Summary, error) {
	l := &Summary{Sources: map[string]snapshots.SourcesRow{}}
	err := each(dir, func(r snapshots.ChangesRow) error {
		if !slices.Contains(tables, r.Table) {
			return nil
		}
		l.count(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	sources, err := parquetio.ReadAll[snapshots.SourcesRow](snapshots.JoinPath(dir, snapshots.TableFileName("sources")))
	if err != nil {
		return nil, fmt.Errorf("read the sources of %s: %w", dir, err)
	}
	for _, s := range sources {
		l.Sources[s.Key] = s
	}
	return l, nil
}

// EachRow calls fn for the changed rows of the given tables that match f, in the order of
// changes.parquet. dir is the directory of the snapshot. If fn returns an error, EachRow stops and
// returns that error.
func EachRow(dir string, tables []string, f Filter, fn func(snapshots.ChangesRow) error) error {
	return each(dir, func(r snapshots.ChangesRow) error {
		if !slices.Contains(tables, r.Table) || !f.holds(r) {
			return nil
		}
		return fn(r)
	})
}

// each calls fn for all changed rows of the snapshot in the directory dir. It calls fn for none if
// the snapshot has no file changes.parquet.
func each(dir string, fn func(snapshots.ChangesRow) error) error {
	err := parquetio.ForEachRow(snapshots.JoinPath(dir, snapshots.ChangesFileName), fn)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what changed: %w", err)
	}
	return nil
}

// count adds a changed row to the total of its table and kind of change.
func (l *Summary) count(r snapshots.ChangesRow) {
	i, known := slices.BinarySearchFunc(l.Totals, r.Table,
		func(t TableTotal, name string) int { return cmp.Compare(t.Table, name) })
	if !known {
		l.Totals = slices.Insert(l.Totals, i,
			TableTotal{r.Table, map[string]int64{string(snapshots.RowAdded): 0, string(snapshots.RowChanged): 0,
				string(snapshots.RowRemoved): 0}})
	}
	l.Totals[i].Kinds[string(r.Change)] += r.Keys
}

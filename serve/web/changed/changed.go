// Package changed reads the published differences between a snapshot and the previous one: the rows
// of changes.parquet for the tables that may be published completely. It skips the other tables:
// the number of their differing keys would disclose how many more adverts or people there are than
// the day before.
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

// Total counts the differences in one table.
type Total struct {
	Table string
	Kinds map[string]int64 // number of keys by kind of change
}

// Filter selects rows of the list of changes. An empty field selects every row.
type Filter struct {
	Table string
	Kind  snapshots.ChangeKind
}

func (f Filter) holds(r snapshots.ChangesRow) bool {
	return (f.Table == "" || f.Table == r.Table) && (f.Kind == "" || f.Kind == r.Change)
}

// List contains the numbers of changed rows, by table. It is safe for concurrent use.
type List struct {
	Totals  []Total // totals of the tables that differ, by name
	Sources map[string]snapshots.SourcesRow
}

// Read counts the changes of the snapshot in dir. The list is empty if the snapshot has no file of
// changes.
func Read(dir string, tables []string) (*List, error) {
	l := &List{Sources: map[string]snapshots.SourcesRow{}}
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
	sources, err := parquetio.ReadAll[snapshots.SourcesRow](snapshots.Within(dir, snapshots.TableFileName("sources")))
	if err != nil {
		return nil, fmt.Errorf("read the sources of %s: %w", dir, err)
	}
	for _, s := range sources {
		l.Sources[s.Key] = s
	}
	return l, nil
}

// Each calls fn for every changed row of the given tables that matches f, in the order of the file.
func Each(dir string, tables []string, f Filter, fn func(snapshots.ChangesRow) error) error {
	return each(dir, func(r snapshots.ChangesRow) error {
		if !slices.Contains(tables, r.Table) || !f.holds(r) {
			return nil
		}
		return fn(r)
	})
}

// each calls fn with every row of the file, of any table. A snapshot without the file has no rows.
func each(dir string, fn func(snapshots.ChangesRow) error) error {
	err := parquetio.Read(snapshots.Within(dir, snapshots.ChangesName), fn)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what changed: %w", err)
	}
	return nil
}

// count adds a row to the total of its table.
func (l *List) count(r snapshots.ChangesRow) {
	i, known := slices.BinarySearchFunc(l.Totals, r.Table,
		func(t Total, name string) int { return cmp.Compare(t.Table, name) })
	if !known {
		l.Totals = slices.Insert(l.Totals, i,
			Total{r.Table, map[string]int64{string(snapshots.KeyAdded): 0, string(snapshots.KeyChanged): 0,
				string(snapshots.KeyRemoved): 0}})
	}
	l.Totals[i].Kinds[string(r.Change)] += r.Keys
}

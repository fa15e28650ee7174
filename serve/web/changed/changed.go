// Package changed reads what differs between a snapshot and the one before it, for
// people: the rows of changes.parquet of the tables that may be given away whole.
// Of the other tables it reads nothing: how many of their keys differ would tell how
// many adverts or people there are more than the day before.
package changed

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"labour/serve"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Held is how many rows of a table and kind are kept in memory for turning pages. All
// of them are in the CSV.
const Held = 2000

// Total is what differs in one table.
type Total struct {
	Table string
	Kinds map[string]int64 // keys by kind of change
}

// Keys is how many keys differ, of a kind or of all for the empty one.
func (t Total) Keys(kind snapshots.ChangeKind) (keys int64) {
	for k, n := range t.Kinds {
		if kind == "" || k == string(kind) {
			keys += n
		}
	}
	return keys
}

// Filter narrows rows; an empty field is no filter.
type Filter struct {
	Table string
	Kind  snapshots.ChangeKind
}

func (f Filter) holds(r snapshots.ChangesRow) bool {
	return (f.Table == "" || f.Table == r.Table) && (f.Kind == "" || f.Kind == r.Change)
}

// List is what differs, with the first rows of each table and kind. It does not
// change and is safe for concurrent use.
type List struct {
	Totals  []Total  // of the tables that differ, by name
	Others  []string // the other tables that differ, of which nothing else is said
	Sources map[string]snapshots.SourcesRow
	rows    []snapshots.ChangesRow // in the order of the file
}

// Read reads the list of the snapshot in dir. A snapshot that was sealed before
// there was such a file has an empty one.
func Read(dir string, tables []string) (*List, error) {
	l := &List{Sources: map[string]snapshots.SourcesRow{}}
	kept := map[Filter]int{}
	err := each(dir, func(r snapshots.ChangesRow) error {
		if !slices.Contains(tables, r.Table) {
			l.Others = slices.Compact(append(l.Others, r.Table))
			return nil
		}
		l.count(r)
		if f := (Filter{r.Table, r.Change}); kept[f] < Held {
			kept[f]++
			l.rows = append(l.rows, r)
		}
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

// Each gives every row of the tables that the filter holds, in the order of the file.
func Each(dir string, tables []string, f Filter, fn func(snapshots.ChangesRow) error) error {
	return each(dir, func(r snapshots.ChangesRow) error {
		if !slices.Contains(tables, r.Table) || !f.holds(r) {
			return nil
		}
		return fn(r)
	})
}

// each gives every row of the file, whichever table it is of. A snapshot without the file
// has none.
func each(dir string, fn func(snapshots.ChangesRow) error) error {
	err := parquetio.Read(snapshots.Within(dir, snapshots.ChangesName), fn)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read what changed: %w", err)
	}
	return nil
}

// count adds a row to the total of its table.
func (l *List) count(r snapshots.ChangesRow) {
	i, known := slices.BinarySearchFunc(l.Totals, r.Table, func(t Total, name string) int { return cmp.Compare(t.Table, name) })
	if !known {
		l.Totals = slices.Insert(l.Totals, i, Total{r.Table, map[string]int64{string(snapshots.KeyAdded): 0, string(snapshots.KeyChanged): 0, string(snapshots.KeyRemoved): 0}})
	}
	l.Totals[i].Kinds[string(r.Change)] += r.Keys
}

// Page gives rows from the first-th on (from 0), at most so many; shown is how many
// rows can be paged through, and keys for how many keys all rows of the filter stand.
func (l *List) Page(f Filter, first, most int) (rows []snapshots.ChangesRow, shown int, keys int64) {
	for _, r := range l.rows {
		if f.holds(r) && shown < Held {
			if shown >= first && len(rows) < most {
				rows = append(rows, r)
			}
			shown++
		}
	}
	for _, t := range l.Totals {
		if f.Table == "" || f.Table == t.Table {
			keys += t.Keys(f.Kind)
		}
	}
	return rows, shown, keys
}

// Value is a column with its printed value. Null is its own kind of value: it is
// never zero and never an empty text.
type Value struct {
	Column string
	Text   string
	Null   bool
}

// Pair is a column before and after; a side is nil where the key was not.
type Pair struct {
	Column   string
	Old, New *Value
}

// Values reads the columns of a key, or of one side of a change, in the order of the
// table. A nil object has none.
func Values(object *string) ([]Value, error) {
	if object == nil {
		return nil, nil
	}
	fields, err := serve.Fields([]byte(*object))
	if err != nil {
		return nil, fmt.Errorf("read the columns of %.60q: %w", *object, err)
	}
	var out []Value
	for _, f := range fields {
		v := Value{Column: f.Name, Text: string(f.Value)}
		switch f.Value[0] {
		case '{', '[':
			return nil, fmt.Errorf("%.60q has a column that is no plain value", *object)
		case 'n':
			v.Text, v.Null = "", true
		case '"':
			if err := json.Unmarshal(f.Value, &v.Text); err != nil {
				return nil, err
			}
		}
		out = append(out, v)
	}
	return out, nil
}

// Pairs are the columns that differ, with what the two snapshots print.
func Pairs(r snapshots.ChangesRow) ([]Pair, error) {
	old, badOld := Values(r.Old)
	fresh, badNew := Values(r.New)
	if err := errors.Join(badOld, badNew); err != nil {
		return nil, err
	}
	var pairs []Pair
	for i, v := range old {
		pairs = append(pairs, Pair{Column: v.Column, Old: &old[i]})
	}
	for i, v := range fresh {
		at := slices.IndexFunc(pairs, func(p Pair) bool { return p.Column == v.Column })
		if at < 0 {
			pairs, at = append(pairs, Pair{Column: v.Column}), len(pairs)
		}
		pairs[at].New = &fresh[i]
	}
	return pairs, nil
}

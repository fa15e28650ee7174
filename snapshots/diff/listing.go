package diff

import (
	"cmp"
	"maps"
	"slices"

	"labour/snapshots"
)

// listing emits the changes of one table. It keeps up to limit changes until end is called. If
// there are more, it emits counts: one for each combination of kind, reason, sources and archived
// files. If limit is 0, it emits each change at once.
type listing struct {
	limit int
	emit  func(snapshots.ChangesRow) error
	rows  []snapshots.ChangesRow
	// number of changes by kind, reason and sources; nil while changes are kept one by one
	counts map[snapshots.ChangesRow]int64
}

// add adds one change of the table. row has no key and no values. If the change may be listed one
// by one, add calls write, which sets the key and the values of row.
func (l *listing) add(row snapshots.ChangesRow, write func(*snapshots.ChangesRow)) error {
	if l.counts != nil {
		l.counts[row]++
		return nil
	}
	if l.limit > 0 && len(l.rows) == l.limit {
		l.counts = map[snapshots.ChangesRow]int64{row: 1}
		for _, r := range l.rows {
			r.Key = nil
			r.Old = nil
			r.New = nil
			l.counts[r]++
		}
		l.rows = nil
		return nil
	}
	write(&row)
	if l.limit == 0 {
		return l.emit(row)
	}
	l.rows = append(l.rows, row)
	return nil
}

// end emits the table's remaining changes: one by one, or only their numbers if there are too many.
func (l *listing) end() error {
	rows := l.rows
	if l.counts != nil {
		rows = slices.SortedFunc(maps.Keys(l.counts), func(a, b snapshots.ChangesRow) int {
			return cmp.Or(cmp.Compare(a.Change, b.Change), cmp.Compare(a.Reason, b.Reason),
				cmp.Compare(a.SourceKeys, b.SourceKeys), cmp.Compare(a.ArchiveSHA256, b.ArchiveSHA256))
		})
		for i, row := range rows {
			rows[i].Keys = l.counts[row]
		}
	}
	for _, row := range rows {
		if err := l.emit(row); err != nil {
			return err
		}
	}
	return nil
}

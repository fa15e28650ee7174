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
	// number of changes by kind, reason, sources and archived files; nil until there are more than
	// limit changes
	counts map[snapshots.ChangesRow]int64
}

// add adds one change of the table. The caller leaves the key and the values of row empty. While the
// table has at most limit changes, or if limit is 0, add calls write, which sets the key and the
// values of row. When there are more changes, add only counts them.
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

// end emits the changes that add kept: each change, or only their numbers if there are more than
// limit.
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

package eventfeed

import (
	"cmp"
	"fmt"
	"iter"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// name is what makes an event the same in two snapshots. The table is sorted by it.
type name struct {
	OccurredAt time.Time `col:"occurred_at" is:"moment"`
	ID         string    `col:"id"`
}

func (n name) compare(o name) int {
	return cmp.Or(n.OccurredAt.Compare(o.OccurredAt), strings.Compare(n.ID, o.ID))
}

// difference gives every row of a file of events, with whether the older file
// lacked it; an empty name is of a file that is not there. Both are read side by side in the table's order, so that the size of
// neither matters.
func difference(file, older string, each func(row snapshots.EventsRow, fresh bool) error) error {
	before := func(func(name, error) bool) {}
	if older != "" {
		before = parquetio.Each[name](older)
	}
	next, stop := iter.Pull2(before)
	defer stop()
	old, err, more := next()
	return parquetio.Read(file, func(row snapshots.EventsRow) error {
		this := name{row.OccurredAt, row.ID}
		for more && err == nil && old.compare(this) < 0 {
			old, err, more = next()
		}
		if more && err != nil {
			return fmt.Errorf("read the events announced before: %w", err)
		}
		return each(row, !more || old.compare(this) != 0)
	})
}

package verify

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// orderCheck: the rows are in the order of the table, and no key is there twice
// (a cell with two rows would be counted twice, or printed twice). Texts are
// ordered by their bytes; a null comes after every value.
func orderCheck(t snapshots.Table) rowCheck {
	var last []parquetio.Value
	return rowCheck{"order", t.Sort, func(v []parquetio.Value) error {
		c := -1
		if last != nil {
			c = compareKeys(last, v)
		}
		last = keep(last, v)
		switch {
		case c == 0:
			return errors.New("has the same key as the row before")
		case c > 0:
			return fmt.Errorf("comes before the row before in the order %s", strings.Join(t.Sort, ", "))
		}
		return nil
	}}
}

// keep copies a key out of the batch. A text that stays the same, as most of a
// sorted key does, is not copied again.
func keep(last, v []parquetio.Value) []parquetio.Value {
	if last == nil {
		last = make([]parquetio.Value, len(v))
	}
	for i, value := range v {
		if text := last[i].Text; text == value.Text {
			value.Text = text
		} else {
			value.Text = strings.Clone(value.Text)
		}
		last[i] = value
	}
	return last
}

func compareKeys(a, b []parquetio.Value) int {
	for i := range a {
		if a[i].Null != b[i].Null {
			if a[i].Null {
				return 1
			}
			return -1
		}
		if c := cmp.Or(strings.Compare(a[i].Text, b[i].Text), cmp.Compare(a[i].Int, b[i].Int)); c != 0 {
			return c
		}
	}
	return 0
}

package verify

import (
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
			c = parquetio.CompareValues(last, v)
		}
		last = parquetio.KeepValues(last, v)
		switch {
		case c == 0:
			return errors.New("has the same key as the row before")
		case c > 0:
			return fmt.Errorf("comes before the row before in the order %s", strings.Join(t.Sort, ", "))
		}
		return nil
	}}
}

package verify

import (
	"fmt"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

const secondsPerDay = 24 * 60 * 60

// dayOf is a day that a file holds as days since 1970.
func dayOf(day int64) time.Time { return time.Unix(day*secondsPerDay, 0).UTC() }

// asOfCheck: every row says the date that the manifest says.
func asOfCheck(m snapshots.Manifest) rowCheck {
	want := m.AsOf.Unix() / secondsPerDay
	return rowCheck{"as_of", []string{"as_of"}, func(v []parquetio.Value) error {
		if v[0].Null || v[0].Int != want {
			got := snapshots.DateOf(dayOf(v[0].Int))
			return fmt.Errorf("as_of is %s, not %s", got, m.AsOf)
		}
		return nil
	}}
}

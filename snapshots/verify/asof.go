package verify

import (
	"fmt"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// asOfCheck: every row says the date that the manifest says.
func asOfCheck(m snapshots.Manifest) rowCheck {
	const day = 24 * 60 * 60
	want := m.AsOf.Unix() / day
	return rowCheck{"as_of", []string{"as_of"}, func(v []parquetio.Value) error {
		if v[0].Null || v[0].Int != want {
			got := snapshots.DateOf(time.Unix(v[0].Int*day, 0))
			return fmt.Errorf("as_of is %s, not %s", got, m.AsOf)
		}
		return nil
	}}
}

package verify

import (
	"fmt"
	"strings"

	"labour/snapshots"
	"labour/snapshots/outline"
	"labour/snapshots/parquetio"
)

// outlineChecks: an outline can be read, and it is of a borough that the snapshot
// lists, under the code that it has there.
func outlineChecks(s *subject, t snapshots.Table) []rowCheck {
	if t.Name != "outlines" {
		return nil
	}
	readable := rowCheck{"outlines", []string{"outline"}, func(v []parquetio.Value) error {
		_, err := outline.Parse(v[0].Text)
		return err
	}}
	codes := map[string]string{} // of the boroughs by place
	path := snapshots.Within(s.dir, snapshots.TableFileName("places"))
	err := parquetio.Scan(path, []string{"place", "code", "area_kind"}, func(_ int64, v []parquetio.Value) error {
		if v[2].Text == snapshots.AreaBorough {
			codes[strings.Clone(v[0].Text)] = strings.Clone(v[1].Text)
		}
		return nil
	})
	if err != nil {
		return []rowCheck{readable} // said by checkSchemas or by the scan of the table
	}
	return []rowCheck{readable, {"outlines", []string{"place", "code"}, func(v []parquetio.Value) error {
		if code, ok := codes[v[0].Text]; !ok || code != v[1].Text {
			return fmt.Errorf("%q with the code %q is no borough of the table places", v[0].Text, v[1].Text)
		}
		return nil
	}}}
}

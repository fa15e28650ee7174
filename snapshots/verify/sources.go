package verify

import (
	"fmt"
	"slices"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// sourceKeys says of the keys of the sources table whether it is an excluded source
// of adverts; nil when the table cannot be read.
type sourceKeys map[string]bool

func readSourceKeys(s *subject) sourceKeys {
	known := sourceKeys{}
	path := snapshots.Within(s.dir, snapshots.TableFileName("sources"))
	adverts := snapshots.SourceKinds("adverts")
	err := parquetio.Scan(path, []string{"key", "kind", "adverts_counted"}, func(_ int64, v []parquetio.Value) error {
		known[strings.Clone(v[0].Text)] = slices.Contains(adverts, v[1].Text) && v[2].Int == 0
		return nil
	})
	if err != nil {
		return nil // said by checkSchemas or by the scan of the table
	}
	return known
}

// sourceChecks: whatever names a source names one of the sources table, so that
// its licence and attribution can be shown. No cell of adverts, and nothing that is
// counted from adverts, is from a source whose adverts are not counted.
func sourceChecks(t snapshots.Table, known sourceKeys) []rowCheck {
	if known == nil {
		return nil
	}
	counted := slices.Contains([]string{"adverts", "adverts_total", "demand", "trends", "reach"}, t.Name)
	var checks []rowCheck
	for _, name := range snapshots.SourceColumns() {
		if _, has := t.Column(name); !has {
			continue
		}
		checks = append(checks, rowCheck{"sources", []string{name}, func(v []parquetio.Value) error {
			if v[0].Text == "" && name == "pointing_sources" {
				return nil
			}
			for key := range strings.SplitSeq(v[0].Text, ",") {
				excluded, listed := known[key]
				if !listed {
					return fmt.Errorf("%s %q is not in the sources table", name, key)
				}
				if counted && excluded {
					return fmt.Errorf("%s %q is a source whose adverts are not counted", name, key)
				}
			}
			return nil
		}})
	}
	return checks
}

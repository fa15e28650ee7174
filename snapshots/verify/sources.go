package verify

import (
	"fmt"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// sourceKeys is the keys of the sources table; nil when it cannot be read.
type sourceKeys map[string]bool

func readSourceKeys(s *subject) sourceKeys {
	known := sourceKeys{}
	path := snapshots.Within(s.dir, snapshots.TableFileName("sources"))
	err := parquetio.Scan(path, []string{"key"}, func(_ int64, v []parquetio.Value) error {
		known[strings.Clone(v[0].Text)] = true
		return nil
	})
	if err != nil {
		return nil // said by checkSchemas or by the scan of the table
	}
	return known
}

// sourceChecks: whatever names a source names one of the sources table, so that
// its licence and attribution can be shown.
func sourceChecks(t snapshots.Table, known sourceKeys) []rowCheck {
	if known == nil {
		return nil
	}
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
				if !known[key] {
					return fmt.Errorf("%s %q is not in the sources table", name, key)
				}
			}
			return nil
		}})
	}
	return checks
}

// statementChecks: no source without the text that must be displayed with its
// figures, its licence and its publisher.
func statementChecks(t snapshots.Table) []rowCheck {
	if t.Name != "sources" {
		return nil
	}
	var checks []rowCheck
	for _, name := range []string{"attribution_statement", "licence", "publisher"} {
		checks = append(checks, rowCheck{"attribution", []string{name}, func(v []parquetio.Value) error {
			if strings.TrimSpace(v[0].Text) == "" {
				return fmt.Errorf("%s is empty", name)
			}
			return nil
		}})
	}
	return checks
}

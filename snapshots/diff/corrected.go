package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// correctedSources are the sources of which other corrections were applied in one
// snapshot than in the other.
func correctedSources(from, to string) (map[string]bool, error) {
	before, err := corrections(from)
	if err != nil {
		return nil, err
	}
	after, err := corrections(to)
	if err != nil {
		return nil, err
	}
	differ := map[string]bool{}
	for _, side := range []map[string][]string{before, after} {
		for source := range side {
			differ[source] = !slices.Equal(before[source], after[source])
		}
	}
	return differ, nil
}

// corrections are the corrections of a snapshot that were applied, as text by
// source. A directory without the table has none.
func corrections(dir string) (map[string][]string, error) {
	all := map[string][]string{}
	rows, err := parquetio.ReadAll[snapshots.CorrectionsRow](snapshots.Within(dir, snapshots.TableFileName("corrections")))
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read corrections: %w", err)
	}
	for _, r := range rows {
		if r.Outcome == "applied" {
			text := fmt.Sprintf("%q %q %q %q %q", r.Kind, r.Record, r.Field, printed(r.Old), printed(r.New))
			all[r.SourceKey] = append(all[r.SourceKey], text)
		}
	}
	return all, nil
}

func printed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

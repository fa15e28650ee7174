package pipeline

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"labour/snapshots"
)

// ReadReport reads the report of the sealed snapshot in dir.
func ReadReport(dir string) (*Report, error) {
	b, err := os.ReadFile(snapshots.Within(dir, snapshots.ReportName))
	if err != nil {
		return nil, fmt.Errorf("read the report: %w", err)
	}
	var r Report
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, fmt.Errorf("read the report of %s: %w", dir, err)
	}
	return &r, nil
}

// takeOver puts into the report of a light snapshot what the one it rests on says of the
// sources that it does not read, so that its report speaks of all its tables, and the
// next whole snapshot is compared with all sources.
func (r *Report) takeOver(from *Report) {
	for _, s := range from.Sources {
		if !slices.ContainsFunc(r.Sources, func(own *SourceReport) bool { return own.Source == s.Source }) {
			taken := *s
			taken.TakenOver = true
			r.Sources = append(r.Sources, &taken)
		}
	}
}

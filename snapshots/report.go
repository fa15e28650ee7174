package snapshots

import (
	"encoding/json"
	"fmt"
	"os"
)

// ReadReport reads of the report of the snapshot in dir what T has fields for.
func ReadReport[T any](dir string) (report T, err error) {
	b, err := os.ReadFile(Within(dir, ReportName))
	if err != nil {
		return report, fmt.Errorf("read the report: %w", err)
	}
	if err := json.Unmarshal(b, &report); err != nil {
		return report, fmt.Errorf("read the report of %s: %w", dir, err)
	}
	return report, nil
}

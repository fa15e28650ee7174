package pipeline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
)

// WithheldAt is how many figures of people_turned_down one rule withheld in one
// place. Which rule it was says something of the people there: for the protected zone
// and the operator's eyes alone.
type WithheldAt struct {
	Place   string `json:"place"` // "" = all places
	Reason  string `json:"reason"`
	Figures int64  `json:"figures"`
}

// ReasonsFile is where a data directory keeps the rules by place, a list of
// WithheldAt as JSON, by the quarter end that the figures describe.
func ReasonsFile(data, peopleAsOf string) string {
	return filepath.Join(data, "protected", "audit", peopleAsOf+".reasons.json")
}

// withhold counts one figure that a rule withheld.
func (a *audits) withhold(place, reason string) {
	if a.withheld == nil {
		a.withheld = map[WithheldAt]int64{}
	}
	a.withheld[WithheldAt{Place: place, Reason: reason}]++
}

// reasons are the rules by place, in order.
func (a *audits) reasons() []WithheldAt {
	out := make([]WithheldAt, 0, len(a.withheld))
	for at, n := range a.withheld {
		at.Figures = n
		out = append(out, at)
	}
	slices.SortFunc(out, func(x, y WithheldAt) int {
		return cmp.Or(strings.Compare(x.Place, y.Place), strings.Compare(x.Reason, y.Reason))
	})
	return out
}

// carryReport carries the totals that belong to the figures: which rules withheld
// how many, and what the audit found.
func (t *tables) carryReport(dir string) error {
	b, err := os.ReadFile(snapshots.Within(dir, snapshots.ReportName))
	if err != nil {
		return fmt.Errorf("carry the totals of people: %w", err)
	}
	var before struct {
		Withheld map[string]int64 `json:"people_withheld"`
		Audit    AuditReport      `json:"people_audit"`
	}
	if err := json.Unmarshal(b, &before); err != nil {
		return fmt.Errorf("carry the totals of people: %w", err)
	}
	maps.Copy(t.report.Withheld, before.Withheld)
	t.report.Audit = before.Audit
	return nil
}

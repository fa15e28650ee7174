package query

import (
	"context"
	"path/filepath"
	"testing"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// TestFrozenSamplesAnswer asks a snapshot of each format version, as it was written when that
// was the newest, for its skills: figures of people are hidden in the first, and rounded
// since.
func TestFrozenSamplesAnswer(t *testing.T) {
	for version, protection := range map[string]string{"v1": "hidden", "v2": "rounded"} {
		s := mountDir(t, filepath.Join("..", "..", "snapshots", "testdata", version, "snapshots", "2026-11-20.1"))
		page, err := s.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Place: "camden", Window: 24, Limit: 50})
		if err != nil || len(page.Rows) == 0 || page.People.Protection != protection {
			t.Fatalf("%s: %d rows, people %+v, %v", version, len(page.Rows), page.People, err)
		}
		numbers := 0
		for _, r := range page.Rows {
			if n, ok := r.TurnedDown.Number(); ok && n > 0 {
				if numbers++; protection == "rounded" && n%figure.RoundedTo != 0 {
					t.Errorf("%s: %s has %d people", version, r.Skill, n)
				}
			}
		}
		if numbers == 0 {
			t.Errorf("%s prints no number of people", version)
		}
	}
}

package check

import (
	"strings"
	"testing"
	"time"

	"labour/snapshots"
)

func manifest(asOf string, rows map[string]int64) snapshots.Manifest {
	t, err := time.Parse(time.DateOnly, asOf)
	if err != nil {
		panic(err)
	}
	m := snapshots.Manifest{AsOf: snapshots.DateOf(t), PlatformName: "London Works"}
	for _, name := range []string{"adverts", "regions"} {
		if n, ok := rows[name]; ok {
			m.Tables = append(m.Tables, snapshots.TableFile{Name: name, Rows: n})
		}
	}
	return m
}

func TestSuccession(t *testing.T) {
	previous := manifest("2026-11-19", map[string]int64{"adverts": 100, "regions": 10})
	tests := []struct {
		name string
		next snapshots.Manifest
		want string // part of the only fault; "" = may succeed
	}{
		{"grows", manifest("2026-11-20", map[string]int64{"adverts": 101, "regions": 10}), ""},
		{"same day again", manifest("2026-11-19", map[string]int64{"adverts": 100, "regions": 10}), ""},
		{"shrinks to the limit", manifest("2026-11-20", map[string]int64{"adverts": 50, "regions": 10}), ""},
		{"shrinks past it", manifest("2026-11-20", map[string]int64{"adverts": 49, "regions": 10}), "adverts shrinks"},
		{"a short table may shrink", manifest("2026-11-20", map[string]int64{"adverts": 100, "regions": 1}), ""},
		{"goes back", manifest("2026-11-18", map[string]int64{"adverts": 100, "regions": 10}), "as_of goes back"},
		{"loses a table", manifest("2026-11-20", map[string]int64{"adverts": 100}), "regions vanished"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			faults := Succession(previous, tt.next, Limits{MaxShrinkPct: 50})
			if tt.want == "" && len(faults) > 0 || tt.want != "" && (len(faults) != 1 || !strings.Contains(faults[0], tt.want)) {
				t.Errorf("faults %q, want %q", faults, tt.want)
			}
		})
	}
}

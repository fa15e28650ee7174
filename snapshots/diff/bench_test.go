package diff_test

import (
	"fmt"
	"testing"
	"time"

	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/parquetio"
)

func readChanges(t testing.TB, dir string) []snapshots.ChangesRow {
	t.Helper()
	rows, err := parquetio.ReadAll[snapshots.ChangesRow](snapshots.JoinPath(dir, snapshots.ChangesFileName))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// BenchmarkCompare compares 200,000 cells, every tenth of them different, and counts those beyond the
// limit.
func BenchmarkCompare(b *testing.B) {
	cells := func(add int32) func(string, snapshots.Table, time.Time) error {
		month := date("2026-11-01").Time
		var rows []snapshots.AdvertsRow
		for i := range 200_000 {
			n := int32(3)
			if i%10 == 0 {
				n += add
			}
			rows = append(rows, snapshots.AdvertsRow{Skill: fmt.Sprintf("skill-%06d", i), AreaKind: snapshots.AreaKindAll,
				Source: "platform", Month: month, Adverts: n})
		}
		return rowsOf(rows)
	}
	type content = map[string]func(string, snapshots.Table, time.Time) error
	from := side(b, b.TempDir(), "2026-11-20", snapshots.Manifest{}, content{"adverts": cells(0)})
	to := side(b, b.TempDir(), "2026-11-21", snapshots.Manifest{Inputs: []snapshots.ArchivedFetch{input("platform",
		"aa")}},
		content{"adverts": cells(1)})
	for b.Loop() {
		compare(b, from, to, diff.Options{MaxListedChanges: snapshots.MaxTableChanges})
	}
}

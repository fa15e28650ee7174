package duckdb

import (
	"context"
	"fmt"
	"os"
	"testing"

	"labour/pipeline/cells/engine"
)

// TestNeverTwoThreads: with exactly two DuckDB groups wrongly when it spills. What is
// asked, and what a machine of two cores would be given, is three.
func TestNeverTwoThreads(t *testing.T) {
	for asked, want := range map[int]int{1: 1, 2: 3, 3: 3, 4: 4} {
		d := open(t, engine.Limits{Threads: asked})
		var got int
		if err := d.db.QueryRow("SELECT current_setting('threads')").Scan(&got); err != nil || got != want {
			t.Errorf("%d threads for %d asked, %v", got, asked, err)
		}
	}
}

// TestGroupsStandOnce groups rows whose first half has more groups than memory
// holds, and the second half few: one thread spills where another does not.
func TestGroupsStandOnce(t *testing.T) {
	if os.Getenv("LABOUR_LONG") == "" {
		t.Skip("takes half a minute: set LABOUR_LONG=1")
	}
	const half, few = 6_000_000, 50_000
	for _, threads := range []int{1, 2, 4} {
		d := open(t, engine.Limits{MemoryMB: 500, Threads: threads, TempDir: t.TempDir()})
		numbers := fmt.Sprintf("SELECT CASE WHEN i < %d THEN i ELSE i %% %d END AS k FROM range(%d) r(i)", half, few,
			2*half)
		if err := d.Materialise(context.Background(), "numbers", numbers); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			var groups, rows int
			err := d.db.QueryRow(
				"SELECT count(*), sum(n)::BIGINT FROM (SELECT k, count(*) AS n, max(k + 1) FROM numbers GROUP BY k)").
				Scan(&groups, &rows)
			if err != nil || groups != half || rows != 2*half {
				t.Errorf("%d threads: %d groups of %d rows, %v", threads, groups, rows, err)
			}
		}
	}
}

func open(t *testing.T, limits engine.Limits) *Database {
	t.Helper()
	d, err := Open(context.Background(), limits)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Package rollups holds the SQL that makes the roll-ups of a snapshot of its tables
// adverts and adverts_total: the same adverts as small integers, in the orders in which
// questions about skills read them. The pipeline writes them into snapshots; a server
// makes them itself of a snapshot that has none.
package rollups

import (
	"embed"
	"fmt"
)

//go:embed sql
var files embed.FS

// Names lists the roll-ups in the order in which they are made: each reads those before it.
func Names() []string {
	return []string{"rollup_codes", "rollup_months", "rollup_skills", "rollup_totals"}
}

// Query is the SELECT that makes a roll-up. It reads adverts, adverts_total, places,
// sectors, skills and the roll-ups before it by their names, and the variable month,
// which is the first day of the month of as_of.
func Query(name string) (string, error) {
	text, err := files.ReadFile("sql/" + name + ".sql")
	if err != nil {
		return "", fmt.Errorf("no roll-up %s: %w", name, err)
	}
	return string(text), nil
}

// manyRows are so many that threads save more time than they cost: each statement hands its
// work to all of them, and while one of them works the others spin. DuckDB shares out rows by
// the 122,880, so that most tables of fewer rows in all keep one thread busy.
const manyRows = 1_000_000

// ThreadsFor is one thread where DuckDB works on few rows, else 0, which leaves it open.
func ThreadsFor(rows int64) int {
	if rows < manyRows {
		return 1
	}
	return 0
}

// Threads is how many threads DuckDB gets where it groups many rows: as many as asked, but
// three for two. DuckDB 1.4.1 answers the same group twice, or crashes, when one of exactly
// two threads moves its groups to disk and the other does not. One thread alone, and three
// or more, bring their groups into the same partitions first.
func Threads(asked int) int {
	if asked == 2 {
		return 3
	}
	return asked
}

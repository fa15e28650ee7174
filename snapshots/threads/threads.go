// Package threads decides how many threads DuckDB gets.
package threads

// manyRows are so many that threads save more time than they cost: each statement hands its
// work to all of them, and while one of them works the others spin. DuckDB shares out rows by
// the 122,880, so that most tables of fewer rows in all keep one thread busy.
const manyRows = 1_000_000

// For returns the number of threads for DuckDB: 1 if it works on few rows, otherwise 0, which
// leaves it to DuckDB.
func For(rows int64) int {
	if rows < manyRows {
		return 1
	}
	return 0
}

// Safe returns the number of threads for grouping many rows in DuckDB: the given one, but three for
// two. DuckDB 1.4.1 returns the same group twice, or crashes, when one of exactly two threads moves
// its groups to disk and the other does not. A single thread, and three or more, bring their groups
// into the same partitions first.
func Safe(asked int) int {
	if asked == 2 {
		return 3
	}
	return asked
}

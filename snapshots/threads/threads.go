// Package threads decides how many threads DuckDB gets.
package threads

// manyRows is the number of rows from which several threads save more time than they cost. Each
// statement hands its work to all threads, and the idle ones spin. DuckDB distributes rows in
// groups of 122,880, so that most smaller tables keep only one thread busy.
const manyRows = 1_000_000

// ForRows returns the number of threads for DuckDB: 1 if it works on few rows, otherwise 0, which
// leaves it to DuckDB.
func ForRows(rows int64) int {
	if rows < manyRows {
		return 1
	}
	return 0
}

// AvoidTwo returns the number of threads for grouping many rows in DuckDB: the given number, but three
// instead of two. DuckDB 1.4.1 returns the same group twice, or crashes, if one of exactly two
// threads moves its groups to disk and the other does not. One thread, or three or more, first
// bring their groups into the same partitions.
func AvoidTwo(asked int) int {
	if asked == 2 {
		return 3
	}
	return asked
}

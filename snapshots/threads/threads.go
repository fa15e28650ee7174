// Package threads decides how many threads DuckDB uses for a query.
package threads

// manyRows is 1,000,000, the number of rows from which a query is faster with several threads.
// DuckDB gives each thread groups of 122,880 rows. With fewer rows, most threads would only use CPU
// time.
const manyRows = 1_000_000

// CountForRows returns the number of threads that DuckDB should use for a query over the given
// number of rows. It is 1 below 1,000,000 rows, and otherwise 0, which stands for DuckDB's default.
func CountForRows(rows int64) int {
	if rows < manyRows {
		return 1
	}
	return 0
}

// CountForGrouping returns the number of threads that DuckDB should use for grouping many rows if
// count threads are available: 3 if count is 2, and otherwise count. With exactly two threads,
// DuckDB 1.4.1 may crash or return a group twice if only one of them spills to disk.
func CountForGrouping(count int) int {
	if count == 2 {
		return 3
	}
	return count
}

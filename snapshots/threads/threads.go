// Package threads decides how many threads DuckDB uses for a query.
package threads

// manyRows is the smallest number of rows for which a query is faster with several threads than
// with one. DuckDB gives the threads groups of 122,880 rows. For a smaller table, most threads
// would have no rows and only use CPU time.
const manyRows = 1_000_000

// CountForRows returns the number of threads that DuckDB should use for a query over the given number
// of rows: 1 for few rows, otherwise 0, which means DuckDB's default.
func CountForRows(rows int64) int {
	if rows < manyRows {
		return 1
	}
	return 0
}

// CountExceptTwo returns how many threads DuckDB should use to group many rows. It returns 3 if
// count is 2, and otherwise count. With exactly two threads, DuckDB 1.4.1 may crash or return a
// group twice if only one of them spills to disk.
func CountExceptTwo(count int) int {
	if count == 2 {
		return 3
	}
	return count
}

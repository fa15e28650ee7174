// Package engine defines how SELECT statements run over Parquet files, and runs them on a Spark
// cluster. A cluster is reached through Spark Connect. Package duckdb runs them inside the program.
package engine

import "context"

// Engine runs SQL statements that are valid in both DuckDB and Apache Spark.
type Engine interface {
	// Read makes the rows of a local Parquet file available under a name.
	Read(ctx context.Context, name, file string) error
	// CreateView makes the rows of a query available under a name. The query runs each time the
	// name is used.
	CreateView(ctx context.Context, name, query string) error
	// Materialise runs a query once and makes its rows available under a name.
	Materialise(ctx context.Context, name, query string) error
	// Write writes the rows of a query to local Parquet. DuckDB writes one file, in the order of
	// the query. A cluster writes a directory of files, in no order.
	Write(ctx context.Context, query, to string) error
	// Close frees the resources of the engine, on this machine and on the cluster.
	Close() error
}

// Limits holds DuckDB's limits of memory and threads, and its directory for temporary files.
type Limits struct {
	MemoryMB int // memory limit in megabytes; 0 = 2048
	Threads  int // number of threads; 0 = one for each processor core
	// directory for temporary files; must be in the protected zone, since they may hold personal
	// data
	TempDir string
}

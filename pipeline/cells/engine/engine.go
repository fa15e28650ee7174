// Package engine runs SELECT statements over Parquet files, with DuckDB or on a Spark cluster.
// DuckDB runs inside the program. A cluster is reached through Spark Connect.
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

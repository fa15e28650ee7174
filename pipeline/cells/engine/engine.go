// Package engine runs SELECT statements over Parquet files: on DuckDB inside the program,
// or on a cluster through Spark Connect.
package engine

import "context"

// Engine runs statements of the SQL that DuckDB and Apache Spark have in common. The names of
// tables and views are those of package cells and never come from data.
type Engine interface {
	// Read gives the rows of a Parquet file on this machine a name.
	Read(ctx context.Context, name, file string) error
	// CreateView gives a query a name. It is evaluated wherever the name is used.
	CreateView(ctx context.Context, name, query string) error
	// Materialise evaluates a query once and gives its rows a name.
	Materialise(ctx context.Context, name, query string) error
	// Write writes the rows of a query to Parquet files on this machine: a file for DuckDB, in
	// the order of the query, and a directory of files for a cluster, in no order.
	Write(ctx context.Context, query, to string) error
	// Close frees what the engine holds, here and on the cluster.
	Close() error
}

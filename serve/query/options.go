package query

import (
	"cmp"
	"context"
	"runtime"
)

// Options says how a snapshot is mounted. The zero value is usable.
type Options struct {
	// Verify checks a snapshot's directory before it is read; an error refuses
	// it. Nil = the caller has verified it.
	Verify func(ctx context.Context, dir string) error
	// TempDir is where the mounted copy of what DuckDB answers is written; empty =
	// the system's. A snapshot of 1 million adverts takes some ten megabytes there.
	TempDir string
	// MemoryLimit is the most memory that DuckDB may use for one mounted snapshot, as
	// DuckDB writes it; empty = 2GB. What package tally holds comes on top.
	MemoryLimit string
	// Threads is how many cores one question may use; 0 = all.
	Threads int
	// Connections is how many questions may run at once; others wait for their
	// turn or their deadline. 0 = twice the number of cores.
	Connections int
}

func (o Options) withDefaults() Options {
	o.MemoryLimit = cmp.Or(o.MemoryLimit, "2GB")
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	o.Connections = cmp.Or(o.Connections, 2*runtime.GOMAXPROCS(0))
	return o
}

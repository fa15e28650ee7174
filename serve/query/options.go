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
	// TempDir is where the mounted copy is written; empty = the system's. A
	// snapshot of 1 million adverts takes some hundred megabytes.
	TempDir string
	// MemoryLimit is the most memory that one mounted snapshot may use, as DuckDB
	// writes it; empty = 2GB. Mounting sorts on disk when it needs more.
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

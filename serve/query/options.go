package query

import (
	"cmp"
	"context"
	"runtime"

	"labour/snapshots/rollups"
)

// Options says how a snapshot is mounted. The zero value is usable.
type Options struct {
	// Verify checks a snapshot's directory before it is read; an error refuses
	// it. Nil = the caller has verified it.
	Verify func(ctx context.Context, dir string) error
	// TempDir is where the mounted copy of what DuckDB answers is written; empty =
	// the system's. A snapshot of 1 million adverts takes some ten megabytes there.
	TempDir string
	// MemoryLimit is the most memory that DuckDB may use for one part of a snapshot, as
	// DuckDB writes it; empty = 1GB.
	MemoryLimit string
	// Threads is how many cores one question may use, LoadThreads how many mounting may.
	// 0 = 1 and all: a question is so short that sharing it out costs more than it saves.
	Threads, LoadThreads int
	// Connections is how many questions may run at once; others wait for their
	// turn or their deadline. 0 = twice the number of cores.
	Connections int

	library *library // of the parts that snapshots share; nil = one of its own
}

func (o Options) withDefaults() Options {
	o.MemoryLimit = cmp.Or(o.MemoryLimit, "1GB")
	o.Threads = rollups.Threads(cmp.Or(o.Threads, 1))
	o.LoadThreads = rollups.Threads(cmp.Or(o.LoadThreads, runtime.GOMAXPROCS(0)))
	o.Connections = cmp.Or(o.Connections, 2*runtime.GOMAXPROCS(0))
	if o.library == nil {
		o.library = newLibrary()
	}
	return o
}

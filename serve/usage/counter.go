package usage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"labour/serve/access"
	"labour/serve/state"
)

// ErrKeysChanged is returned by Count for a key as it was before a change of any key:
// the call is not counted, and the key must be looked up again.
var ErrKeysChanged = errors.New("the keys have changed")

// ErrClosed is returned by Count when the counter does not run any more.
var ErrClosed = errors.New("the counter of calls is closed")

// maxBatch bounds how many calls one transaction counts.
const maxBatch = 512

// Counter counts calls in the state database. A call is in the file, and would
// survive a power cut, before Count returns. Calls that arrive together share
// one transaction, so that the cost of writing to disk is shared too.
type Counter struct {
	db      *state.DB
	waiting chan ticket
	stopped chan struct{}
	// The statements by how many windows they write, each made when it is first needed;
	// only Run uses them.
	statements map[int]*sql.Stmt
}

// ticket is one call that waits to be counted.
type ticket struct {
	key    string
	as     access.Version
	at     time.Time
	answer chan<- answer
}

type answer struct {
	counts Counts
	err    error
}

// NewCounter is a counter on db. It counts while Run runs.
func NewCounter(db *state.DB) *Counter {
	return &Counter{db: db, waiting: make(chan ticket, maxBatch), stopped: make(chan struct{}), statements: map[int]*sql.Stmt{}}
}

// Count counts one call of a key at a moment and tells how many it has made,
// this one included. as is the version in which the key is known to be good; when the
// database has another by now the error is ErrKeysChanged. A call that gives up while
// it waits still counts.
func (c *Counter) Count(ctx context.Context, key string, as access.Version, at time.Time) (Counts, error) {
	reply := make(chan answer, 1)
	select {
	case c.waiting <- ticket{key, as, at, reply}:
	case <-c.stopped:
		return Counts{}, ErrClosed
	case <-ctx.Done():
		return Counts{}, fmt.Errorf("count a call: %w", ctx.Err())
	}
	select {
	case a := <-reply:
		return a.counts, a.err
	case <-c.stopped:
		return Counts{}, ErrClosed
	case <-ctx.Done():
		return Counts{}, fmt.Errorf("count a call: %w", ctx.Err())
	}
}

// Run counts until ctx ends. It must run exactly once.
func (c *Counter) Run(ctx context.Context) {
	defer close(c.stopped)
	for {
		select {
		case <-ctx.Done():
			return
		case first := <-c.waiting:
			c.countBatch(c.batch(first))
		}
	}
}

// batch is the first call and those that already wait behind it.
func (c *Counter) batch(first ticket) []ticket {
	batch := []ticket{first}
	for len(batch) < maxBatch {
		select {
		case t := <-c.waiting:
			batch = append(batch, t)
		default:
			return batch
		}
	}
	return batch
}

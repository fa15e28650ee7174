package usage

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"labour/serve/state"
)

// Tally counts what calls asked for and how they ended, for partners to look at. No
// call waits for it: it is kept in memory and written at intervals, so that a killed
// server loses the seconds since the last writing. The ceilings are held against the
// exact counts of Counter.
type Tally struct {
	db *state.DB

	mu    sync.Mutex
	calls map[tallied]int64 // not yet written
}

// tallied is what is counted apart.
type tallied struct {
	key    string
	day    int64
	route  string
	status int
}

// NewTally is a tally on db.
func NewTally(db *state.DB) *Tally { return &Tally{db: db, calls: map[tallied]int64{}} }

// Add counts a call of a key: its route is the pattern of the interface that it
// asked for, empty when there is none, and never what the caller wrote.
func (t *Tally) Add(key, route string, status int, at time.Time) {
	one := tallied{key, state.Unix(dayStart(at)), route, status}
	t.mu.Lock()
	t.calls[one]++
	t.mu.Unlock()
}

// Flush writes what was counted. What cannot be written is kept for the next time.
func (t *Tally) Flush(ctx context.Context) error {
	t.mu.Lock()
	batch := t.calls
	t.calls = map[tallied]int64{}
	t.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	err := t.db.Transact(ctx, func(tx *sql.Tx) error { return write(ctx, tx, batch) })
	if err == nil {
		return nil
	}
	t.mu.Lock()
	for one, n := range batch {
		t.calls[one] += n
	}
	t.mu.Unlock()
	return fmt.Errorf("write what calls asked for: %w", err)
}

// write adds a batch in one order, so that two servers never wait for each other.
func write(ctx context.Context, tx *sql.Tx, batch map[tallied]int64) error {
	add, err := tx.PrepareContext(ctx, statement("add_calls"))
	if err != nil {
		return err
	}
	defer add.Close()
	order := slices.SortedFunc(maps.Keys(batch), func(a, b tallied) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.day, b.day), cmp.Compare(a.route, b.route), cmp.Compare(a.status, b.status))
	})
	for _, one := range order {
		if _, err := add.ExecContext(ctx, one.key, one.day, one.route, one.status, batch[one]); err != nil {
			return err
		}
	}
	return nil
}

// Run writes at each interval until ctx ends, and once more then.
func (t *Tally) Run(ctx context.Context, interval time.Duration, report func(error)) {
	state.FlushEvery(ctx, interval, t.Flush, report)
}

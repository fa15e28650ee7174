package usage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"labour/serve/state"
)

//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// Counter counts calls in the state database. It is safe for concurrent use, and any
// number of servers may count in one database: each call gets its own number.
type Counter struct {
	upsert *sql.Stmt
	// writing holds one token per call that may write at once; nil = any number. In
	// SQLite one writes at a time, and waiting here is fair, while SQLite's is not.
	writing chan struct{}
}

// NewCounter returns a counter on db, which it must not outlive.
func NewCounter(ctx context.Context, db *state.DB) (*Counter, error) {
	upsert, err := db.PrepareContext(ctx, statement("count_calls"))
	if err != nil {
		return nil, fmt.Errorf("prepare the counting of calls: %w", err)
	}
	c := &Counter{upsert: upsert}
	if db.Kind == state.SQLite {
		c.writing = make(chan struct{}, 1)
	}
	return c, nil
}

// Count counts one call of a key and returns how many it has made, this one included.
// The call survives the end of the process before Count returns.
func (c *Counter) Count(ctx context.Context, key string, at time.Time) (Counts, error) {
	counts, err := Counts{}, error(nil)
	if c.writing == nil {
		counts, err = c.count(ctx, key, at)
	} else {
		counts, err = c.countAlone(ctx, key, at)
	}
	if err != nil {
		return Counts{}, fmt.Errorf("count a call of key %s: %w", key, err)
	}
	return counts, nil
}

// countAlone counts while no other call does. SQLite waits for another process's lock
// whatever the context says; the caller does not wait for that, and the call may still
// count.
func (c *Counter) countAlone(ctx context.Context, key string, at time.Time) (Counts, error) {
	select {
	case c.writing <- struct{}{}:
	case <-ctx.Done():
		return Counts{}, ctx.Err()
	}
	type result struct {
		Counts
		err error
	}
	ended := make(chan result, 1)
	go func() {
		defer func() { <-c.writing }()
		counts, err := c.count(context.WithoutCancel(ctx), key, at)
		ended <- result{counts, err}
	}()
	select {
	case r := <-ended:
		return r.Counts, r.err
	case <-ctx.Done():
		return Counts{}, ctx.Err()
	}
}

func (c *Counter) count(ctx context.Context, key string, at time.Time) (counts Counts, err error) {
	rows, err := c.upsert.QueryContext(ctx, key, state.Unix(hourStart(at)), state.Unix(state.MonthStart(at)))
	if err != nil {
		return counts, err
	}
	defer rows.Close()
	windows := 0
	for ; rows.Next(); windows++ {
		var span string
		var calls int64
		if err := rows.Scan(&span, &calls); err != nil {
			return counts, err
		}
		if span == "hour" {
			counts.Hour = calls
		} else {
			counts.Month = calls
		}
	}
	// In SQLite the statement commits when it has given its last row.
	if err := rows.Err(); err != nil {
		return counts, err
	}
	if windows != 2 {
		return counts, errors.New("the call was not counted in both windows")
	}
	return counts, nil
}

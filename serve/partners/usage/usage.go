// Package usage counts the requests made with each API key, and decides whether a request exceeds
// the key's hourly or monthly limit. A limit applies to a clock hour or a calendar month in UTC.
// The specification says: "Every key has an hourly and a calendar-month ceiling. The one reached
// first returns 429."
package usage

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"time"

	"labour/serve/state"
	"labour/snapshots/periods"
)

// statements has the SQL statements of this package, one in each file.
//
//go:embed sql/*.sql
var statements embed.FS

var statement = state.Statements(statements)

// Counter counts requests in the state database. It is safe for concurrent use. Several servers may
// share one database.
type Counter struct {
	upsert *sql.Stmt
	// writing is a semaphore that lets one request write at a time; nil = no limit. SQLite allows
	// only one writer, and does not serve waiting writers in order.
	writing chan struct{}
}

// NewCounter returns a Counter that uses the database db.
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

// Count counts one request with an API key at the given time. key is the id of the API key. Count
// returns the number of requests with this key in the current hour and month, including this one.
// If err is nil, the database has stored the request.
func (c *Counter) Count(ctx context.Context, key string, at time.Time) (_ Counts, err error) {
	defer state.WrapError(&err, "count a call of key %s", key)
	if c.writing == nil {
		return c.count(ctx, key, at)
	}
	// The caller does not wait longer than its context. The statement does not get the context, so
	// that a call is counted even if its client has gone.
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
	rows, err := c.upsert.QueryContext(ctx, key, state.UnixSeconds(hourStart(at)),
		state.UnixSeconds(periods.MonthStart(at)))
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
	// In SQLite the statement commits after its last row was read.
	if err := rows.Err(); err != nil {
		return counts, err
	}
	if windows != 2 {
		return counts, errors.New("the call was not counted in both windows")
	}
	return counts, nil
}

// HourlyRetention and MonthlyRetention determine when PruneCounts deletes request counts.
const (
	// HourlyRetention is how long counts of requests by hour are kept.
	HourlyRetention = 32 * 24 * time.Hour
	// MonthlyRetention is the number of months before the current one for which counts of requests
	// by month are kept.
	MonthlyRetention = 25
)

// PruneCounts deletes request counts that are older than HourlyRetention or MonthlyRetention.
func PruneCounts(ctx context.Context, db *state.DB, now time.Time) (err error) {
	defer state.WrapError(&err, "prune counted calls")
	return db.Transact(ctx, func(tx *sql.Tx) error {
		if err := db.AdvisoryLock(ctx, tx, "the pruning of counted calls"); err != nil {
			return err
		}
		return state.ExecAll(ctx, tx, state.NewBoundStatement(statement("forget_windows"),
			state.UnixSeconds(hourStart(now).Add(-HourlyRetention)),
			state.UnixSeconds(periods.MonthStart(now).AddDate(0, -MonthlyRetention, 0))))
	})
}

package usage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
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
	// The statements, made at the first batch; only Run uses them.
	upsert, version *sql.Stmt
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
	return &Counter{db: db, waiting: make(chan ticket, maxBatch), stopped: make(chan struct{})}
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

// countBatch counts the batch in one transaction and answers each call. It does
// not stop with the server's context: whoever waits is answered.
func (c *Counter) countBatch(batch []ticket) {
	answers := make([]answer, len(batch))
	err := c.prepare()
	if err == nil {
		err = c.db.Transact(context.Background(), func(tx *sql.Tx) error {
			return c.addCurrent(tx, batch, answers)
		})
	}
	for i, t := range batch {
		if err != nil {
			answers[i] = answer{err: fmt.Errorf("count a call of key %s: %w", t.key, err)}
		}
		t.answer <- answers[i]
	}
}

// addCurrent adds those calls of a batch whose keys are known as they are now. The
// version is read after every call of the batch has come, so whatever was committed
// before a call came is seen.
func (c *Counter) addCurrent(tx *sql.Tx, batch []ticket, answers []answer) error {
	var now access.Version
	if err := tx.Stmt(c.version).QueryRow().Scan(&now); err != nil {
		return fmt.Errorf("read the version of the keys: %w", err)
	}
	if !slices.ContainsFunc(batch, func(t ticket) bool { return t.as != now }) {
		return addAll(tx.Stmt(c.upsert), batch, answers)
	}
	var current []ticket
	var places []int
	for i, t := range batch {
		answers[i].err = ErrKeysChanged
		if t.as == now {
			current, places = append(current, t), append(places, i)
		}
	}
	counted := make([]answer, len(current))
	err := addAll(tx.Stmt(c.upsert), current, counted)
	for i, place := range places {
		answers[place] = counted[i]
	}
	return err
}

// prepare prepares the statements once, since every batch needs them.
func (c *Counter) prepare() (err error) {
	if c.version == nil {
		if c.version, err = c.db.Prepare(`SELECT version FROM key_version`); err != nil {
			return err
		}
	}
	if c.upsert == nil {
		const upsert = `INSERT INTO usage_counts (key_id, span, starts_at, calls) VALUES ($1, $2, $3, $4)
ON CONFLICT (key_id, span, starts_at) DO UPDATE SET calls = usage_counts.calls + excluded.calls
RETURNING calls`
		c.upsert, err = c.db.Prepare(upsert)
	}
	return err
}

// window is one counter of one key.
type window struct {
	key, span string
	start     int64
}

// addAll adds the calls of a batch and numbers them in order of arrival. Each
// window is written once, in an order that all servers keep to, so that two of
// them never wait for each other.
func addAll(upsert *sql.Stmt, batch []ticket, answers []answer) error {
	calls, order := map[window]int64{}, []window{}
	for _, t := range batch {
		for _, w := range windows(t) {
			if calls[w] == 0 {
				order = append(order, w)
			}
			calls[w]++
		}
	}
	slices.SortFunc(order, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.span, b.span), cmp.Compare(a.start, b.start))
	})
	before := map[window]int64{}
	for _, w := range order {
		total, err := add(upsert, w, calls[w])
		if err != nil {
			return err
		}
		before[w] = total - calls[w]
	}
	for i, t := range batch {
		w := windows(t)
		for _, one := range w {
			before[one]++
		}
		answers[i].counts = Counts{Hour: before[w[0]], Month: before[w[1]]}
	}
	return nil
}

// windows are the hour and the month of a call.
func windows(t ticket) [2]window {
	return [2]window{
		{t.key, "hour", state.Unix(hourStart(t.at))},
		{t.key, "month", state.Unix(monthStart(t.at))},
	}
}

// add adds calls to a window and returns how many it has now.
func add(upsert *sql.Stmt, w window, calls int64) (int64, error) {
	var total int64
	err := upsert.QueryRow(w.key, w.span, w.start, calls).Scan(&total)
	return total, err
}

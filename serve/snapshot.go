package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"labour/serve/api"
)

// revalidate is the Cache-Control of answers that depend only on the snapshot
// and the parameters.
const revalidate = "private, max-age=0, must-revalidate"

// PublicCache is the Cache-Control of the same for what needs no key: a shared cache
// may give it out for a minute, which is how often there may be newer data.
const PublicCache = "public, max-age=60"

// cacheControl is how an answer may be kept.
func (c *call) cacheControl() string {
	if c.taken.Format != "" { // the same for everybody
		return PublicCache
	}
	return revalidate
}

// use acquires the snapshot of that id, which a cursor names, or the call's own when it is
// empty. A snapshot that must be opened again takes a query's turn and time, and only calls
// with a key may ask for that. One that is gone is a fault of the cursor; the current snapshot
// then serves to find the others.
func (a *handler) use(ctx context.Context, c *call, id string) (s api.Snapshot, release func(), err error) {
	if id == "" {
		s, release, err = c.current(a.Live)
	} else {
		s, release, err = a.Live.AcquireID(ctx, id, false)
	}
	if errors.Is(err, api.ErrSnapshotGone) && id != "" && c.key.ID != "" && !errors.Is(err, api.ErrSnapshotWithdrawn) {
		s, release, err = a.reopen(ctx, id)
	}
	if id != "" && errors.Is(err, api.ErrSnapshotGone) {
		c.add(cursorExpired, "cursor", apiErrorOf(c, err).message)
		return c.current(a.Live)
	}
	return s, release, err
}

// reopen acquires a snapshot that may have to be opened first, which takes a query's turn. A
// call whose time ends before is told to come back; the opening goes on without it.
func (a *handler) reopen(ctx context.Context, id string) (s api.Snapshot, release func(), err error) {
	_, err = runLimited(ctx, a, func(ctx context.Context) (_ struct{}, err error) {
		s, release, err = a.Live.AcquireID(ctx, id, true)
		return struct{}{}, err
	})
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", errOpening, err)
	}
	return s, release, err
}

// resume opens a cursor and acquires the snapshot that it belongs to; without a cursor
// the one asked for by name, or the current one. A cursor that is not ours, or a name of none,
// is a fault like others; the current snapshot then serves to find the others.
func (a *handler) resume(ctx context.Context, c *call, from start) (s api.Snapshot, release func(), err error) {
	id := ""
	if from.cursor != "" {
		if id, err = a.Cursors.Open(from.cursor, c.route, from.position); err != nil {
			c.add(invalidCursor, "cursor", "This cursor was not issued here, or for another endpoint. Send meta.next_cursor back unchanged, or start again without cursor.")
		}
	}
	if from.snapshot == "" {
		return a.use(ctx, c, id)
	}
	if id != "" && id != from.snapshot {
		c.add(invalidParameter, "snapshot", "This cursor belongs to snapshot "+id+". Send it with the same snapshot, or start again without cursor.")
		return a.use(ctx, c, id)
	}
	if s, release, err = a.Live.AcquireID(ctx, from.snapshot, false); errors.Is(err, api.ErrSnapshotGone) && c.key.ID != "" {
		s, release, err = a.reopen(ctx, from.snapshot)
	}
	if errors.Is(err, api.ErrSnapshotGone) {
		c.add(invalidParameter, "snapshot", fmt.Sprintf("There is no published snapshot %s here: it may be pruned or withdrawn. /snapshots lists those that are kept.", quote(from.snapshot)))
		return c.current(a.Live)
	}
	return s, release, err
}

// start says where a call begins: the current snapshot, or the row that a cursor
// points after, in the snapshot of its walk.
type start struct {
	cursor   string
	position any    // pointer that takes the cursor's position
	snapshot string // id of the snapshot asked for; empty = the current one
}

// within is the way of every call that a snapshot answers: it opens the snapshot,
// lets check note faults, refuses the call when there are any, and otherwise gives
// what answer gives. The snapshot stays open until then.
func within[B any](ctx context.Context, a *handler, from start, check func(api.Snapshot), answer func(api.Snapshot) (B, error)) (B, error) {
	c := callOf(ctx)
	var none B
	s, release, err := a.resume(ctx, c, from)
	if err != nil {
		// A faulty call is told of its faults even when nothing could answer it.
		if faults := c.refused(); faults != nil && errors.Is(err, api.ErrNoSnapshot) {
			err = faults
		}
		return none, err
	}
	defer release()
	if check != nil {
		check(s)
	}
	if err := c.refused(); err != nil {
		return none, err
	}
	return answer(s)
}

// runLimited runs one question within the bounds of queries at once and of time.
func runLimited[P any](ctx context.Context, a *handler, ask func(context.Context) (P, error)) (P, error) {
	var none P
	slots := callOf(ctx).slots
	ctx, cancel := context.WithTimeout(ctx, a.QueryDeadline)
	defer cancel()
	turn := time.NewTimer(a.QueueWait)
	defer turn.Stop()
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-turn.C:
		a.Metrics.QueryRefused()
		return none, ErrBusy
	case <-ctx.Done():
		a.Metrics.QueryRefused()
		return none, ctx.Err()
	}
	a.Metrics.QueryBegan()
	began := a.Now()
	page, err := ask(ctx)
	a.Metrics.QueryEnded(a.Now().Sub(began), err != nil && ctx.Err() != nil)
	if err != nil && ctx.Err() != nil {
		// Whatever a store says when it is interrupted, this is why.
		return none, fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return page, err
}

// etag is weak, since `generated` differs between answers that otherwise are
// the same. It holds the version of the interface too: a new one may write the
// same figures otherwise. more is what else the answer depends on, such as whose
// key asks.
func etag(c *call, snapshot string, limit int, more ...string) string {
	canonical := fmt.Sprintf("%s\n%s\n%s\n%d\n%s", interfaceVersion, snapshot, c.route, limit, c.query.Encode())
	for _, m := range more {
		canonical += "\n" + m
	}
	sum := sha256.Sum256([]byte(canonical))
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// noneMatch is If-None-Match, whose lines are one list.
func noneMatch(r *http.Request) string { return strings.Join(r.Header["If-None-Match"], ",") }

// matches compares If-None-Match with an entity tag, weakly.
func matches(header, tag string) bool {
	for _, one := range strings.Split(header, ",") {
		one = strings.TrimSpace(one)
		if one == "*" || strings.TrimPrefix(one, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"labour/serve/labourdata"
)

// revalidate is the Cache-Control of answers that depend only on the snapshot
// and the parameters.
const revalidate = "private, max-age=0, must-revalidate"

// use acquires the snapshot of that id, or the current one when it is empty, with
// its kept answers.
func (a *api) use(id string) (labourdata.Snapshot, func(), error) {
	acquire := a.live.Acquire
	if id != "" {
		acquire = func() (labourdata.Snapshot, func(), error) { return a.live.AcquireID(id) }
	}
	s, release, err := acquire()
	if err != nil || a.kept == nil {
		return s, release, err
	}
	return a.kept.Of(s), release, nil
}

// resume opens a cursor and acquires the snapshot that it belongs to, or the
// current one without a cursor. A cursor that is not ours is a fault like
// others; the current snapshot then serves to find the others.
func (a *api) resume(c *call, token string, position any) (labourdata.Snapshot, func(), error) {
	id := ""
	if token != "" {
		var err error
		if id, err = a.cursors.Open(token, c.route, position); err != nil {
			c.add(invalidCursor, "cursor", "This cursor was not issued here, or for another endpoint. Send meta.next_cursor back unchanged, or start again without cursor.")
		}
	}
	return a.use(id)
}

// start says where a call begins: the current snapshot, or the row that a cursor
// points after, in the snapshot of its walk.
type start struct {
	cursor   string
	position any // pointer that takes the cursor's position
}

// within is the way of every call that a snapshot answers: it opens the snapshot,
// lets check note faults, refuses the call when there are any, and otherwise gives
// what answer gives. The snapshot stays open until then.
func within[B any](ctx context.Context, a *api, from start, check func(labourdata.Snapshot), answer func(labourdata.Snapshot) (B, error)) (B, error) {
	c := callOf(ctx)
	var none B
	s, release, err := a.resume(c, from.cursor, from.position)
	if err != nil {
		// A faulty call is told of its faults even when nothing could answer it.
		if faults := c.refused(); faults != nil && errors.Is(err, labourdata.ErrNoSnapshot) {
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

// query runs one question within the bounds of queries at once and of time.
func query[P any](ctx context.Context, a *api, ask func(context.Context) (P, error)) (P, error) {
	var none P
	ctx, cancel := context.WithTimeout(ctx, a.deadline)
	defer cancel()
	turn := time.NewTimer(a.wait)
	defer turn.Stop()
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	case <-turn.C:
		a.watcher.QueryRefused()
		return none, ErrBusy
	case <-ctx.Done():
		a.watcher.QueryRefused()
		return none, ctx.Err()
	}
	a.watcher.QueryBegan()
	began := a.now()
	page, err := ask(ctx)
	a.watcher.QueryEnded(a.now().Sub(began), err != nil && ctx.Err() != nil)
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

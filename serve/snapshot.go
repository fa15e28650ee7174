package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"labour/serve/api"
	"labour/serve/etag"
)

// notOurs is the error message for an invalid cursor. The API did not issue the cursor, or issued
// it for another endpoint.
const notOurs = "This cursor was not issued here, or for another endpoint. Send meta.next_cursor back unchanged, " +
	"or start again without cursor."

// open returns the snapshot for a request: the snapshot of the cursor, the snapshot whose id is
// name, or the current one. It stores the cursor's position in the variable that position points
// to. If cursor or name is invalid, open records an error in c. It still returns a snapshot, so
// that the other parameters can be checked.
func (a *handler) open(c *call, name, cursor string, position any) (api.Snapshot, error) {
	of, id := "", ""
	if cursor != "" {
		var err error
		if id, err = a.Cursors.Open(cursor, c.route, position); err != nil {
			c.add(invalidCursor, "cursor", notOurs)
		}
		of = "cursor"
	}
	switch {
	case name != "" && id != "" && id != name:
		c.add(invalidParameter, "snapshot",
			"This cursor belongs to snapshot "+id+". Send it with the same snapshot, or start again without cursor.")
	case name != "":
		of, id = "snapshot", name
	}
	s, err := a.acquire(c, id)
	if id != "" && errors.Is(err, api.ErrSnapshotGone) {
		if of == "cursor" {
			c.add(cursorExpired, of, apiErrorOf(c, err).message)
		} else {
			c.add(invalidParameter, of,
				fmt.Sprintf("There is no published snapshot %s here: it may be pruned or withdrawn. /snapshots lists those "+
					"that are kept.", quote(name)))
		}
		s, err = a.current(c)
	}
	// The response lists the faults of a call even if there is no snapshot.
	if faults := c.inputError(); faults != nil && errors.Is(err, api.ErrNoSnapshot) {
		err = faults
	}
	return s, err
}

// current returns the current snapshot. It returns the same snapshot throughout a request, even if
// a newer one is published meanwhile.
func (a *handler) current(c *call) (api.Snapshot, error) {
	if c.snapshots.current != nil {
		return c.snapshots.current, nil
	}
	s, release, err := a.Snapshots.Acquire()
	if err != nil {
		return nil, err
	}
	c.snapshots.releases = append(c.snapshots.releases, release)
	c.snapshots.current = s
	return s, nil
}

// acquire returns the snapshot with the given id, or the current snapshot if id is empty. If that
// snapshot is not open yet, acquire opens it, but only for requests with a key. If opening takes
// too long, the error wraps errOpening, and a later request can succeed.
func (a *handler) acquire(c *call, id string) (api.Snapshot, error) {
	if id == "" {
		return a.current(c)
	}
	s, release, err := a.Snapshots.AcquireByID(c.request.Context(), id, false)
	if errors.Is(err, api.ErrSnapshotGone) && c.key.ID != "" && !errors.Is(err, api.ErrSnapshotWithdrawn) {
		s, release, err = a.reopen(c, id)
	}
	if err != nil {
		return nil, err
	}
	c.snapshots.releases = append(c.snapshots.releases, release)
	return s, nil
}

func (a *handler) reopen(c *call, id string) (s api.Snapshot, release func(), err error) {
	err = a.withSlot(c.request.Context(), c.slots, func(ctx context.Context) (err error) {
		s, release, err = a.Snapshots.AcquireByID(ctx, id, true)
		return err
	})
	if errors.Is(err, context.DeadlineExceeded) && c.request.Context().Err() == nil {
		err = fmt.Errorf("%w: %w", errOpening, err)
	}
	return s, release, err
}

// runQuery calls run, a method of a snapshot, with the query q and returns its result. It applies
// the limits on concurrent queries and on the time of a query.
func runQuery[Q, P any](a *handler, c *call, run func(context.Context, Q) (P, error), q Q) (page P, err error) {
	err = a.withSlot(c.request.Context(), c.slots, func(ctx context.Context) (err error) {
		page, err = run(ctx, q)
		return err
	})
	return page, err
}

// withSlot waits for a free slot in slots, which limits the number of concurrent queries, and then
// calls query. It returns ErrBusy if the wait exceeds Options.QueueWait. The wait and the query
// together may take at most Options.QueryTimeout.
func (a *handler) withSlot(ctx context.Context, slots chan struct{}, query func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, a.QueryTimeout)
	defer cancel()
	turn := time.NewTimer(a.QueueWait)
	defer turn.Stop()
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
	case <-turn.C:
		a.Metrics.RecordQueryRefused()
		return ErrBusy
	case <-ctx.Done():
		a.Metrics.RecordQueryRefused()
		return ctx.Err()
	}
	a.Metrics.RecordQueryStart()
	began := a.Now()
	err := query(ctx)
	a.Metrics.RecordQueryEnd(a.Now().Sub(began), err != nil && ctx.Err() != nil)
	if err != nil && ctx.Err() != nil {
		// An interrupted store may return any error; this one is the cause.
		return fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return err
}

// revalidate is the Cache-Control header of API responses. Only the client itself may keep them.
// Before each use it must ask the server whether they are still valid.
const revalidate = "private, max-age=0, must-revalidate"

// PublicCacheControl is the Cache-Control header of responses that are the same for everybody. Any
// cache may keep them for one minute.
const PublicCacheControl = "public, max-age=60"

// sendUnchanged sets the entity tag (ETag) of the response. If the client already has the response
// with this tag, it sends status 304 and returns true. The tag depends on the data that the
// endpoint reads, the query parameters, limit, extraInputs and the API version.
func (c *call) sendUnchanged(s api.Snapshot, limit int, extraInputs ...string) bool {
	canonical := fmt.Sprintf("%s\n%s\n%s\n%d\n%s", interfaceVersion, s.DigestOf(c.endpoint.id), c.route, limit,
		c.query.Encode())
	tag := etag.Of([]byte(strings.Join(append([]string{canonical}, extraInputs...), "\n")))
	h := c.response.header
	h["Etag"], h["Cache-Control"] = []string{tag}, []string{revalidate}
	if c.file != nil { // the same for everybody
		h["Cache-Control"] = []string{PublicCacheControl}
	}
	if !etag.Matches(c.request, tag) {
		return false
	}
	c.response.WriteHeader(http.StatusNotModified)
	return true
}

package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"labour/serve/labourdata"
	"labour/serve/wire"
)

// revalidate is the Cache-Control of answers that depend only on the snapshot
// and the parameters.
const revalidate = "private, max-age=0, must-revalidate"

// reply is an answer of a labour endpoint, with its headers.
type reply[R any, M any] struct {
	Status       int
	ETag         string `header:"ETag" doc:"Weak entity tag of the snapshot and the query. Send it as If-None-Match; 304 means that nothing changed, and counts as a call."`
	CacheControl string `header:"Cache-Control" doc:"How the answer may be kept."`
	Body         wire.Envelope[R, M]
}

// use acquires the snapshot of that id, or the current one when it is empty.
func (a *api) use(id string) (labourdata.Snapshot, func(), error) {
	if id == "" {
		return a.live.Acquire()
	}
	return a.live.AcquireID(id)
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
		return none, errBusy
	case <-ctx.Done():
		return none, ctx.Err()
	}
	page, err := ask(ctx)
	if err != nil && ctx.Err() != nil {
		// Whatever a store says when it is interrupted, this is why.
		return none, fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return page, err
}

// question is one labour question, ready to be asked.
type question[Row, R any] struct {
	snapshot labourdata.Snapshot
	limit    int
	ask      func(context.Context) (labourdata.Page[Row], error)
	row      func(Row) R
	// position is the position of a row, for the cursor after it; nil where
	// the endpoint is not paged.
	position func(Row) any
	// volatile answers depend on more than the snapshot and the parameters,
	// and so have no entity tag.
	volatile bool
}

// answer asks a question and wraps the rows in the envelope. meta makes the
// endpoint's metadata from the common part.
func answer[Row, R, M any](ctx context.Context, a *api, q question[Row, R], meta func(wire.Meta) M) (*reply[R, M], error) {
	c := callOf(ctx)
	out := &reply[R, M]{Status: http.StatusOK, CacheControl: revalidate}
	if !q.volatile {
		out.ETag = etag(c, q.snapshot.ID(), q.limit)
	}
	if out.ETag != "" && matches(c.match, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	page, err := query(ctx, a, q.ask)
	if err != nil {
		return nil, err
	}
	next, err := nextCursor(a, c, q, page)
	if err != nil {
		return nil, err
	}
	out.Body = wire.Envelope[R, M]{
		Data: make([]R, len(page.Rows)), Sources: make([]wire.Source, len(page.Sources)),
		AttributionNotice: wire.AttributionNotice,
		Meta: meta(wire.Meta{
			AsOf: wire.DateOf(q.snapshot.AsOf()), Generated: wire.TimestampOf(c.at), Snapshot: q.snapshot.ID(),
			Returned: len(page.Rows), Limit: q.limit, NextCursor: next,
		}),
	}
	for i, r := range page.Rows {
		out.Body.Data[i] = q.row(r)
	}
	for i, s := range page.Sources {
		out.Body.Sources[i] = wire.FromSource(s)
	}
	return out, nil
}

// nextCursor points after the last row when more follow.
func nextCursor[Row, R any](a *api, c *call, q question[Row, R], page labourdata.Page[Row]) (*string, error) {
	if q.position == nil || !page.More || len(page.Rows) == 0 {
		return nil, nil
	}
	token, err := a.cursors.Seal(c.route, q.snapshot.ID(), q.position(page.Rows[len(page.Rows)-1]))
	if err != nil {
		return nil, err
	}
	return &token, nil
}

// common is the metadata without additions.
func common(m wire.Meta) wire.Meta { return m }

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

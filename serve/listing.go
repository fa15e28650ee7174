package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/api"
	"labour/serve/formats"
)

// The values of the parameter format, and what each is sent as.
const (
	inCSV        = "csv"
	inParquet    = "parquet"
	inWorkbook   = "xlsx" // for pages alone
	typeJSON     = "application/json"
	typeCSV      = "text/csv; charset=utf-8; header=present"
	typeParquet  = "application/vnd.apache.parquet"
	typeWorkbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// Taken says what of the labour data a page gives away, and how.
type Taken struct {
	Dataset string // last part of the endpoint's path
	Format  string // csv or xlsx
	Whole   bool   // all unmet skills instead of a page of them
	Path    string // of the page
	Address string // complete
}

// listQuery is a question for rows. An endpoint makes one of its parameters; how it
// is asked, written and paged is the same for all.
type listQuery[R any] struct {
	format string
	limit  int
	from   start
	// check notes faults that show only in the snapshot, such as an unknown place.
	check func(api.Snapshot)
	ask   func(context.Context, api.Snapshot) (api.Page[R], error)
	// empty is meta.note of an answer without rows; "" = none.
	empty string
	// adjust sets what depends on the call; nil = nothing does.
	adjust func(*R)
	// position is the position of a row, for the cursor after it; nil where
	// the endpoint is not paged.
	position func(R) any
	// ofTheMoment says that the rows depend on the time of the call as well; the entity
	// tag is then made of the rows too.
	ofTheMoment bool
}

// rowsOf is the list that answers a question, which check may complete.
func rowsOf[Q, R any](in InFormat, of InSnapshot, limit int, q *Q, ask func(api.Snapshot, context.Context, Q) (api.Page[R], error)) listQuery[R] {
	return listQuery[R]{format: in.Format, limit: limit, from: start{snapshot: of.Snapshot},
		ask: func(ctx context.Context, s api.Snapshot) (api.Page[R], error) { return ask(s, ctx, *q) }}
}

// pagesOf is rowsOf for a list with pages. The position of the cursor goes to after.
func pagesOf[Q any, R interface{ Position() P }, P any](in InFormat, of InSnapshot, cursor string, limit int, q *Q, after **P,
	ask func(api.Snapshot, context.Context, Q) (api.Page[R], error)) listQuery[R] {
	l := rowsOf(in, of, limit, q, ask)
	if cursor != "" {
		*after = new(P)
		l.from.cursor, l.from.position = cursor, *after
	}
	l.position = func(r R) any { return r.Position() }
	return l
}

// table is what an endpoint of rows is beside its questions.
type table[R, B any] struct {
	layout *formats.Layout[R]
	// body is the JSON answer, and the metadata in it.
	body func(api.Snapshot, api.Page[R], api.Meta) (B, any)
}

// sent is an answer of rows in any format.
type sent struct{ Body func(huma.Context) }

// answer asks a question and gives its answer in the format asked for, unless the
// caller holds the same one already.
func answer[R, B any](ctx context.Context, a *handler, t table[R, B], q listQuery[R]) (*sent, error) {
	c := callOf(ctx)
	return within(ctx, a, q.from, q.check, func(s api.Snapshot) (*sent, error) {
		tag := etag(c, s.ID(), q.limit)
		if !q.ofTheMoment && matches(c.match, tag) {
			return notModified(c, tag), nil
		}
		asJSON := q.format == "" || q.format == "json"
		page, err := runLimited(ctx, a, func(ctx context.Context) (api.Page[R], error) { return q.ask(ctx, s) })
		if err != nil {
			return nil, err
		}
		rows := append([]R{}, page.Rows...) // null is no list
		for i := range rows {
			if q.adjust != nil {
				q.adjust(&rows[i])
			}
		}
		if q.ofTheMoment {
			var said bytes.Buffer
			if err := a.encode(&said, rows); err != nil {
				return nil, err
			}
			if tag = etag(c, s.ID(), q.limit, said.String()); matches(c.match, tag) {
				return notModified(c, tag), nil
			}
		}
		next, err := nextCursor(a, c, s, q, page)
		if err != nil {
			return nil, err
		}
		from := append([]api.Source{}, page.Sources...)
		page.Rows, page.Sources = rows, from
		if len(rows) == 0 && q.from.cursor == "" && q.empty != "" {
			c.note = q.empty
		}
		var truncated *bool
		if q.position == nil {
			truncated = &page.More
		}
		body, meta := t.body(s, page, api.Meta{Truncated: truncated, AsOf: api.DateOf(s.AsOf()), Generated: api.TimestampOf(c.at), Snapshot: s.ID(),
			Returned: len(rows), Limit: q.limit, NextCursor: next, Note: c.note})
		if !asJSON {
			header := http.Header{"Cache-Control": {c.cacheControl()}, "Etag": {tag}}
			return sendFile(c, t.layout, formats.File[R]{Endpoint: c.route, Rows: rows, Sources: from, Meta: meta, Address: c.taken.Address}, q.format, header, s.ID(), next)
		}
		header := http.Header{"Cache-Control": {revalidate}, "Etag": {tag}, "Content-Type": {typeJSON}}
		return send(header, http.StatusOK, func(w io.Writer) error { return a.encode(w, body) }), nil
	})
}

// notModified says that the caller holds the same answer already.
func notModified(c *call, tag string) *sent {
	return send(http.Header{"Cache-Control": {c.cacheControl()}, "Etag": {tag}}, http.StatusNotModified, nil)
}

// send gives an answer to huma. Nothing is sent before the answer is complete, so
// that a fault of write, which means a fault of this program, still becomes a 500.
func send(header http.Header, status int, write func(io.Writer) error) *sent {
	return &sent{func(ctx huma.Context) {
		for name, values := range header {
			for _, v := range values {
				ctx.AppendHeader(name, v)
			}
		}
		ctx.SetStatus(status)
		if write == nil {
			return
		}
		if err := write(ctx.BodyWriter()); err != nil {
			panic(err)
		}
	}}
}

// sendFile gives an answer as a file. What the envelope says beside the rows is in
// the header: the metadata as X- and its name, the next page as a link too.
func sendFile[R any](c *call, layout *formats.Layout[R], f formats.File[R], format string, header http.Header, snapshot string, next *string) (*sent, error) {
	var b bytes.Buffer
	var err error
	switch format {
	case inCSV:
		header.Set("Content-Type", typeCSV)
		err = layout.CSV(&b, f)
	case inWorkbook:
		header.Set("Content-Type", typeWorkbook)
		err = layout.Workbook(&b, f)
	default:
		header.Set("Content-Type", typeParquet)
		err = layout.Parquet(&b, f)
	}
	if err != nil {
		return nil, err
	}
	header.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", path.Base(c.route)+"-"+snapshot+"."+format))
	header.Set("X-Attribution-Notice", api.AttributionNotice)
	if err := metaHeaders(header, f.Meta); err != nil {
		return nil, err
	}
	if next != nil {
		header.Set("Link", "<"+nextPage(c, *next)+`>; rel="next"`)
	}
	return send(header, http.StatusOK, func(w io.Writer) error {
		_, err := w.Write(b.Bytes())
		return err
	}), nil
}

// metaHeaders sets X-Next-Cursor for next_cursor, and so on; null is left out.
func metaHeaders(h http.Header, meta any) error {
	raw, err := json.Marshal(meta)
	if err != nil {
		return fmt.Errorf("encode the metadata: %w", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return fmt.Errorf("read the metadata: %w", err)
	}
	for name, v := range fields {
		var text string
		switch {
		case string(v) == "null":
			continue
		case json.Unmarshal(v, &text) != nil: // a number, true or an object as JSON has it
			text = string(v)
		}
		h.Set(metaHeader(name), text)
	}
	return nil
}

// nextPage is the same call for the page after this one.
func nextPage(c *call, cursor string) string {
	q := maps.Clone(c.query)
	q.Set("cursor", cursor)
	if c.taken.Format != "" { // the page's own address, which gives nothing but that
		q.Del("format")
		return c.taken.Path + "?" + q.Encode()
	}
	return c.route + "?" + q.Encode()
}

// nextCursor points after the last row when more follow.
func nextCursor[R any](a *handler, c *call, s api.Snapshot, q listQuery[R], page api.Page[R]) (*string, error) {
	if q.position == nil || !page.More || len(page.Rows) == 0 {
		return nil, nil
	}
	token, err := a.Cursors.Seal(c.route, s.ID(), q.position(page.Rows[len(page.Rows)-1]))
	if err != nil {
		return nil, err
	}
	return &token, nil
}

package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/formats"
	"labour/serve/labourdata"
	"labour/serve/wire"
)

// The values of the parameter format, and what each is sent as.
const (
	inCSV       = "csv"
	inParquet   = "parquet"
	typeJSON    = "application/json"
	typeCSV     = "text/csv; charset=utf-8; header=present"
	typeParquet = "application/vnd.apache.parquet"
)

// listing is a question for rows. An endpoint makes one of its parameters; how it
// is asked, written and paged is the same for all.
type listing[Row, R any] struct {
	format string
	limit  int
	from   start
	// check notes faults that show only in the snapshot, such as an unknown place.
	check func(labourdata.Snapshot)
	ask   func(context.Context, labourdata.Snapshot) (labourdata.Page[Row], error)
	row   func(Row) R
	// position is the position of a row, for the cursor after it; nil where
	// the endpoint is not paged.
	position func(Row) any
	// until is the last moment for which rows of a moment hold, in answers that depend
	// on more than the snapshot and the parameters; their entity tag is made of the rows
	// too. nil = they do not.
	until func(rows []Row, at time.Time) time.Time
	// kept answers are kept as they are sent: small lists, and pages of the snapshot that
	// answers now.
	kept bool
}

// table is what an endpoint of rows is beside its questions.
type table[R, B any] struct {
	layout *formats.Layout[R]
	// body is the JSON answer, and the metadata in it.
	body func(labourdata.Snapshot, []R, []wire.Source, wire.Meta) (B, any)
}

// sent is an answer of rows in any format.
type sent struct{ Body func(huma.Context) }

// answer asks a question and gives its answer in the format asked for, unless the
// caller holds the same one already.
func answer[Row, R, B any](ctx context.Context, a *api, t table[R, B], q listing[Row, R]) (*sent, error) {
	c := callOf(ctx)
	return within(ctx, a, q.from, q.check, func(s labourdata.Snapshot) (*sent, error) {
		tag := etag(c, s.ID(), q.limit)
		if q.until == nil && matches(c.match, tag) {
			return notModified(tag), nil
		}
		asJSON := q.format != inCSV && q.format != inParquet
		page, err := query(ctx, a, func(ctx context.Context) (labourdata.Page[Row], error) { return q.ask(ctx, s) })
		if err != nil {
			return nil, err
		}
		rows := make([]R, len(page.Rows))
		for i, r := range page.Rows {
			rows[i] = q.row(r)
		}
		if q.until != nil {
			var said bytes.Buffer
			if err := a.encode(&said, rows); err != nil {
				return nil, err
			}
			if tag = etag(c, s.ID(), q.limit, said.String()); matches(c.match, tag) {
				return notModified(tag), nil
			}
		}
		next, err := nextCursor(a, c, s, q, page)
		if err != nil {
			return nil, err
		}
		from := make([]wire.Source, len(page.Sources))
		for i, one := range page.Sources {
			from[i] = wire.FromSource(one)
		}
		body, meta := t.body(s, rows, from, wire.Meta{AsOf: wire.DateOf(s.AsOf()), Generated: wire.TimestampOf(c.at), Snapshot: s.ID(),
			Returned: len(rows), Limit: q.limit, NextCursor: next})
		if !asJSON {
			header := http.Header{"Cache-Control": {revalidate}, "Etag": {tag}}
			return sendFile(c, t.layout, formats.File[R]{Endpoint: c.route, Rows: rows, Sources: from, Meta: meta}, q.format, header, s.ID(), next)
		}
		if q.kept {
			return a.sendKept(c, s.ID(), tag, q.lasts(page.Rows, c.at), body)
		}
		return send(jsonHeader(tag), http.StatusOK, func(w io.Writer) error { return a.encode(w, body) }), nil
	})
}

// lasts is until of a moment's rows; zero where they hold as long as the snapshot.
func (q listing[Row, R]) lasts(rows []Row, at time.Time) time.Time {
	if q.until == nil {
		return time.Time{}
	}
	return q.until(rows, at)
}

// notModified says that the caller holds the same answer already.
func notModified(tag string) *sent {
	return send(http.Header{"Cache-Control": {revalidate}, "Etag": {tag}}, http.StatusNotModified, nil)
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
	default:
		header.Set("Content-Type", typeParquet)
		err = layout.Parquet(&b, f)
	}
	if err != nil {
		return nil, err
	}
	header.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", path.Base(c.route)+"-"+snapshot+"."+format))
	header.Set("X-Attribution-Notice", wire.AttributionNotice)
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
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return fmt.Errorf("read the metadata: %w", err)
	}
	for name, v := range fields {
		if v != nil {
			h.Set(metaHeader(name), fmt.Sprint(v))
		}
	}
	return nil
}

// nextPage is the same call for the page after this one.
func nextPage(c *call, cursor string) string {
	q := url.Values{"cursor": {cursor}}
	for name, values := range c.query {
		if name != "cursor" {
			q[name] = values
		}
	}
	return c.route + "?" + q.Encode()
}

// nextCursor points after the last row when more follow.
func nextCursor[Row, R any](a *api, c *call, s labourdata.Snapshot, q listing[Row, R], page labourdata.Page[Row]) (*string, error) {
	if q.position == nil || !page.More || len(page.Rows) == 0 {
		return nil, nil
	}
	token, err := a.cursors.Seal(c.route, s.ID(), q.position(page.Rows[len(page.Rows)-1]))
	if err != nil {
		return nil, err
	}
	return &token, nil
}

package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"labour/serve/api"
	"labour/serve/formats"
)

// Values of the parameter format, and media types of responses.
const (
	inCSV        = "csv"
	inParquet    = "parquet"
	inWorkbook   = "xlsx" // for pages only
	typeJSON     = "application/json"
	typeCSV      = "text/csv; charset=utf-8; header=present"
	typeParquet  = "application/vnd.apache.parquet"
	typeWorkbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// Download describes a file download from a web page: a list of the labour data, for which no key
// is needed.
type Download struct {
	Dataset string // last part of the endpoint's path, such as skills-unmet
	Format  string // csv or xlsx
	Whole   bool   // whether the file has all skills not met and not only one page of the list
	Path    string // path of the web page
	URL     string // complete URL of the download
	// Table receives the rows if the caller writes a workbook of several lists; nil = the file is
	// sent.
	Table *formats.Table
}

// send writes a JSON response.
func (c *call) send(status int, body any) error {
	c.response.header["Content-Type"] = []string{typeJSON}
	c.response.WriteHeader(status)
	e := json.NewEncoder(c.response)
	e.SetEscapeHTML(false)
	return e.Encode(body)
}

// formatOf returns the response format that a call requests: csv, parquet, xlsx, json or "" (JSON
// too). It is in the parameter format or in the header Accept.
func (c *call) formatOf(in FormatInput) string {
	switch {
	case c.file != nil:
		return c.file.Format
	case c.query.Has("format"):
		return in.Format
	}
	format := accepted(strings.Join(c.request.Header["Accept"], ","))
	if format != "" {
		c.query.Set("format", format) // the entity tag depends on it, and the next page keeps it
	}
	return format
}

// accepted returns the format that an Accept header prefers: csv, parquet, or "" for JSON and
// unknown types.
func accepted(header string) (format string) {
	best := 0.0
	for part := range strings.SplitSeq(header, ",") {
		name, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		quality, err := strconv.ParseFloat(parameters["q"], 64)
		if err != nil {
			quality = 1
		}
		known, ok := map[string]string{typeJSON: "", "text/csv": inCSV, typeParquet: inParquet}[name]
		if ok && quality > best {
			format, best = known, quality
		}
	}
	return format
}

// meta returns the metadata of a list without pages. truncated means that rows were left out
// because of the limit.
func (c *call) meta(s api.Snapshot, returned, limit int, truncated bool) api.Meta {
	m := c.metaOfPage(s, returned, limit, nil)
	m.Truncated = &truncated
	return m
}

// metaOfPage returns the metadata of a page of a list.
func (c *call) metaOfPage(s api.Snapshot, returned, limit int, next *string) api.Meta {
	return api.Meta{AsOf: api.DateOf(s.AsOf()), Generated: api.TimestampOf(c.at), Snapshot: s.ID(), Returned: returned,
		Limit: limit, NextCursor: next, Note: c.note}
}

// nextCursor returns the cursor after the last row of a page; nil if no rows follow.
func nextCursor[R interface{ CursorPosition() P }, P any](a *handler, c *call, s api.Snapshot,
	page api.Page[R]) (*string, error) {
	if !page.More || len(page.Rows) == 0 {
		return nil, nil
	}
	token, err := a.Cursors.Seal(c.route, s.ID(), page.Rows[len(page.Rows)-1].CursorPosition())
	return &token, err
}

// sendLabour writes rows with their sources and the attribution notice, as JSON or as a file.
func sendLabour[R, M any](c *call, format string, page api.Page[R], meta M) error {
	return sendRows(c, format, page, meta, api.Envelope[R, M]{Data: listOf(page.Rows), Sources: listOf(page.Sources),
		AttributionNotice: api.AttributionNotice, Meta: meta})
}

// listOf returns a copy of a list that is not nil, so that an empty list is [] in JSON and not
// null.
func listOf[T any](list []T) []T { return append([]T{}, list...) }

// sendRows writes body as JSON, or only its rows as a file. With a file, the response headers hold
// the metadata, and a link to the next page if there is one.
func sendRows[R any](c *call, format string, page api.Page[R], meta, body any) error {
	if format == "" || format == "json" {
		return c.send(http.StatusOK, body)
	}
	layout, err := formats.NewLayout[R]()
	if err != nil {
		return err
	}
	h := c.response.header
	if err := c.metaHeaders(h, meta); err != nil {
		return err
	}
	h.Set("X-Attribution-Notice", api.AttributionNotice)
	h.Set("Content-Disposition",
		fmt.Sprintf("attachment; filename=%q", path.Base(c.route)+"-"+h.Get("X-Snapshot")+"."+format))
	if next := h.Get("X-Next-Cursor"); next != "" {
		h.Set("Link", "<"+c.nextPage(next)+`>; rel="next"`)
	}
	file := formats.File[R]{Endpoint: c.route, Rows: listOf(page.Rows), Sources: listOf(page.Sources), Meta: meta}
	if c.file != nil {
		file.Address = c.file.URL
	}
	if c.file != nil && c.file.Table != nil {
		*c.file.Table, err = layout.Table(file)
		return err
	}
	write, kind := layout.WriteParquet, typeParquet
	switch format {
	case inCSV:
		write, kind = layout.WriteCSV, typeCSV
	case inWorkbook:
		write, kind = layout.WriteWorkbook, typeWorkbook
	}
	h.Set("Content-Type", kind)
	return write(c.response, file)
}

// metaHeaders sets a header for each field of the metadata, such as X-Next-Cursor. It skips null
// fields.
func (c *call) metaHeaders(h http.Header, meta any) error {
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
		case json.Unmarshal(v, &text) != nil: // a number, true or an object, as in JSON
			text = string(v)
		}
		h.Set(metaHeader(name), inASCII(text))
	}
	return nil
}

// inASCII escapes every non-ASCII character as in JSON, such as \u00e9. Headers must be ASCII.
func inASCII(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// metaHeader returns the header name for a metadata field: X-Next-Cursor for next_cursor.
func metaHeader(field string) string {
	words := strings.Split(field, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "X-" + strings.Join(words, "-")
}

// nextPage returns the URL of the next page: of the API, or of the web page for a download.
func (c *call) nextPage(cursor string) string {
	q := maps.Clone(c.query)
	q.Set("cursor", cursor)
	if c.file != nil { // the page's own address
		q.Del("format")
		return c.file.Path + "?" + q.Encode()
	}
	return c.route + "?" + q.Encode()
}

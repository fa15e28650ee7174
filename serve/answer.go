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

// inCSV, inParquet and inWorkbook are the file formats of responses. inWorkbook is the Excel format,
// which only the web pages offer; the query parameter format of the API does not accept it.
const (
	inCSV      = "csv"
	inParquet  = "parquet"
	inWorkbook = "xlsx"
)

// typeJSON, typeCSV, typeParquet and typeWorkbook are the media types of responses.
const (
	typeJSON     = "application/json"
	typeCSV      = "text/csv; charset=utf-8; header=present"
	typeParquet  = "application/vnd.apache.parquet"
	typeWorkbook = formats.WorkbookType
)

// Download describes a file that a web page offers for download. The file holds the rows of one
// /v1/labour endpoint. The visitor needs no API key.
type Download struct {
	// last part of an endpoint's path, such as skills-unmet
	Dataset  string
	Format   string // format of the file: csv or xlsx
	AllRows  bool   // whether the file has all rows, not only one page of them
	PagePath string // path of the web page that offers the file
	URL      string // complete URL of the file
	// Table receives the rows if the caller combines several lists in one workbook. If it is nil,
	// the file is sent to the client.
	Table *formats.Table
}

// send writes body to the response as JSON. status is the HTTP status.
func (c *call) send(status int, body any) error {
	c.response.header["Content-Type"] = []string{typeJSON}
	c.response.WriteHeader(status)
	e := json.NewEncoder(c.response)
	e.SetEscapeHTML(false)
	return e.Encode(body)
}

// formatOf returns the format in which the response must be written: csv, parquet, xlsx or json. An
// empty result means JSON too. The client chooses the format with the query parameter format or the
// Accept header.
func (c *call) formatOf(in FormatInput) string {
	switch {
	case c.file != nil:
		return c.file.Format
	case c.query.Has("format"):
		return in.Format
	}
	format := preferredFormat(strings.Join(c.request.Header["Accept"], ","))
	if format != "" {
		c.query.Set("format", format) // the entity tag depends on it, and the next page keeps it
	}
	return format
}

// preferredFormat returns the file format that an Accept header prefers: csv or parquet. It returns
// "" if the header prefers JSON or has no media type that the API offers. A range such as */* stands
// for JSON if it has a higher quality than the other formats.
func preferredFormat(header string) (format string) {
	best, anyFormat := 0.0, 0.0
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
		if name == "*/*" || name == "application/*" {
			anyFormat = max(anyFormat, quality)
		}
	}
	if anyFormat > best {
		return ""
	}
	return format
}

// meta returns the "meta" object of a response with a whole list. returned is the number of rows.
// isTruncated reports whether the limit left out rows.
func (c *call) meta(s api.Snapshot, returned, limit int, isTruncated bool) api.Meta {
	m := c.metaOfPage(s, returned, limit, nil)
	m.Truncated = &isTruncated
	return m
}

// metaOfPage returns the "meta" object of a response with one page of a list. returned is the
// number of rows. next is the cursor of the next page; it is nil on the last page.
func (c *call) metaOfPage(s api.Snapshot, returned, limit int, next *string) api.Meta {
	return api.Meta{AsOf: api.DateOf(s.AsOf()), Generated: api.TimestampOf(c.at), Snapshot: s.ID(), Returned: returned,
		Limit: limit, NextCursor: next, Note: c.note}
}

// nextCursor returns the cursor of the next page. A client sends it back to request that page. The
// result is nil if the page is the last one.
func nextCursor[R interface{ CursorPosition() P }, P any](a *handler, c *call, s api.Snapshot,
	page api.Page[R]) (*string, error) {
	if !page.More || len(page.Rows) == 0 {
		return nil, nil
	}
	token, err := a.Cursors.Seal(c.route, s.ID(), page.Rows[len(page.Rows)-1].CursorPosition())
	return &token, err
}

// sendLabour sends the rows of a /v1/labour endpoint, their sources, the attribution notice and
// meta, the "meta" object. The format is JSON, CSV, Parquet or a workbook.
func sendLabour[R, M any](c *call, format string, page api.Page[R], meta M) error {
	return sendRows(c, format, page, meta, api.Envelope[R, M]{Data: listOf(page.Rows), Sources: listOf(page.Sources),
		AttributionNotice: api.AttributionNotice, Meta: meta})
}

// listOf returns a copy of list. The copy is empty, and not nil, if list is nil, so that JSON shows
// an empty list as [] and not as null.
func listOf[T any](list []T) []T { return append([]T{}, list...) }

// sendRows sends a list in the requested format. A JSON response is body. A CSV, Parquet or Excel
// file contains the rows of page; response headers then hold the fields of meta and a link to the
// next page.
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
	file := formats.Response[R]{Endpoint: c.route, Rows: listOf(page.Rows),
		Sources: listOf(page.Sources), ResponseMeta: meta}
	if c.file != nil {
		file.ResponseURL = c.file.URL
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

// metaHeaders sets one response header for each field of the "meta" object, such as X-Next-Cursor
// for next_cursor. It skips null fields.
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

// inASCII replaces each non-ASCII character with its JSON escape, such as \u00e9 for é. HTTP
// headers must be ASCII.
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

// metaHeader returns the name of the HTTP header for a field of the "meta" object. For example,
// next_cursor becomes X-Next-Cursor.
func metaHeader(field string) string {
	words := strings.Split(field, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "X-" + strings.Join(words, "-")
}

// nextPage returns the URL of the next page of a list. For a download it is a URL of the web page
// that offers the file; otherwise it is a URL of the API.
func (c *call) nextPage(cursor string) string {
	q := maps.Clone(c.query)
	q.Set("cursor", cursor)
	if c.file != nil { // the page's own address
		q.Del("format")
		return c.file.PagePath + "?" + q.Encode()
	}
	return c.route + "?" + q.Encode()
}

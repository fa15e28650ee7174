package web

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"labour/serve"
	"labour/serve/api"
)

// response is a response of the API that is kept in memory.
type response struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *response) Header() http.Header         { return r.header }
func (r *response) WriteHeader(status int)      { r.status = status }
func (r *response) Write(b []byte) (int, error) { return r.body.Write(b) }

// inside returns what the interface answers to a call.
func (s *Site) inside(r *http.Request, dataset string, q url.Values) *response {
	answer := &response{header: http.Header{}, status: http.StatusOK}
	asked := r.Clone(r.Context())
	asked.Header.Del("If-None-Match")
	s.Inside.Labour(answer, asked, dataset, q)
	return answer
}

// wholeList gives all pages of the list of unmet skills as one CSV: those of a filter, or
// with each=place those of every place, whose slug and official code stand in front.
func (s *Site) wholeList(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	every := q.Get("each") == "place"
	q.Del("each")
	places := []api.Named{{}}
	if every {
		snapshot, release, err := s.Live.Acquire()
		if err != nil {
			http.Error(w, "The service has no data loaded yet.", http.StatusServiceUnavailable)
			return
		}
		places = snapshot.Named(api.Places)
		release()
	}
	out := csv.NewWriter(w)
	begun := false
	for _, place := range places {
		front := []string{}
		if every {
			q.Set("place", place.Value)
			front = []string{place.Value, place.Code}
		}
		failed := s.eachPage(r, q, func(answer *response) error { return appendCSV(w, out, answer, front, &begun) })
		if failed != nil && !begun {
			pass(w, failed)
			return
		}
		if failed != nil {
			panic(http.ErrAbortHandler) // half a list must not look like a whole one
		}
	}
	out.Flush()
}

// eachPage gives every page of the list as CSV; it returns the response that is none.
func (s *Site) eachPage(r *http.Request, q url.Values, page func(*response) error) (failed *response) {
	q.Set("format", "csv")
	q.Set("limit", strconv.Itoa(mostCalled))
	for cursor := ""; ; {
		q.Del("cursor")
		if cursor != "" {
			q.Set("cursor", cursor)
		}
		answer := s.inside(r, "skills-unmet", q)
		if answer.status != http.StatusOK || page(answer) != nil {
			return answer
		}
		if cursor = answer.header.Get("X-Next-Cursor"); cursor == "" {
			return nil
		}
	}
}

// appendCSV writes the rows of a page, and the line of names before the first one.
func appendCSV(w http.ResponseWriter, out *csv.Writer, answer *response, front []string, begun *bool) error {
	lines, err := csv.NewReader(&answer.body).ReadAll()
	if err != nil || len(lines) == 0 {
		return err
	}
	if !*begun {
		*begun = true
		for _, name := range []string{"Content-Type", "X-Snapshot", "X-As-Of", "X-People-As-Of", "X-Attribution-Notice"} {
			if value := answer.header.Get(name); value != "" {
				w.Header().Set(name, value)
			}
		}
		w.Header().Set("Cache-Control", serve.PublicCache)
		w.Header().Set("Content-Disposition", `attachment; filename="skills-unmet-`+answer.header.Get("X-Snapshot")+`.csv"`)
		serve.Stream(w)
		names := []string{}
		if len(front) > 0 {
			names = []string{"place", "place_code"}
		}
		if err := out.Write(append(names, lines[0]...)); err != nil {
			return err
		}
	}
	for _, line := range lines[1:] {
		if err := out.Write(append(front[:len(front):len(front)], line...)); err != nil {
			return err
		}
	}
	return nil
}

func pass(w http.ResponseWriter, answer *response) {
	maps.Copy(w.Header(), answer.header)
	w.WriteHeader(answer.status)
	w.Write(answer.body.Bytes()) // whoever asked may be gone
}

// workbook answers a call of the labour data as an Excel workbook: the rows on one sheet and
// where they come from on another. Below whole/ it holds every page of the list.
func (s *Site) workbook(w http.ResponseWriter, r *http.Request) {
	dataset, q := path.Base(r.URL.Path), r.URL.Query()
	whole := r.PathValue("dataset") == ""
	if q.Set("format", "json"); whole {
		q.Set("limit", strconv.Itoa(mostCalled))
	}
	b, err := newWorkbook()
	for more := true; more && err == nil; more = whole && b.Meta.NextCursor != nil {
		if b.Meta.NextCursor != nil {
			q.Set("cursor", *b.Meta.NextCursor)
		}
		answer := s.inside(r, dataset, q)
		if answer.status != http.StatusOK {
			pass(w, answer)
			return
		}
		err = b.add(answer.body.Bytes())
	}
	if err == nil {
		err = b.finish(baseOf(r) + r.URL.RequestURI())
	}
	if err != nil {
		s.Log.Error("workbook", "error", err)
		http.Error(w, "The file could not be made. Please try again.", http.StatusInternalServerError)
		return
	}
	plain(w, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", dataset+"-"+b.Meta.Snapshot+".xlsx"))
	serve.Stream(w)
	if err := errors.Join(b.file.Write(w), b.file.Close()); err != nil {
		s.Log.Info("workbook", "error", err) // whoever asked may be gone
	}
}

// workbook is an Excel file that is written row by row.
type workbook struct {
	envelope // the last one
	file     *excelize.File
	rows     *excelize.StreamWriter
	columns  []string // of the figures
	written  int      // rows of the figures
	sources  []api.Source
}

// envelope is a response of the labour data.
type envelope struct {
	Data              []json.RawMessage `json:"data"`
	Sources           []api.Source      `json:"sources"`
	AttributionNotice string            `json:"attribution_notice"`
	Meta              struct {
		AsOf       string  `json:"as_of"`
		PeopleAsOf string  `json:"people_as_of"`
		Snapshot   string  `json:"snapshot"`
		NextCursor *string `json:"next_cursor"`
		Note       string  `json:"note"`
	} `json:"meta"`
}

func newWorkbook() (b *workbook, err error) {
	b = &workbook{file: excelize.NewFile()}
	if err := b.file.SetSheetName("Sheet1", "Figures"); err != nil {
		return b, err
	}
	b.rows, err = b.file.NewStreamWriter("Figures")
	return b, err
}

// add writes the rows of a response.
func (b *workbook) add(body []byte) error {
	b.envelope = envelope{}
	if err := json.Unmarshal(body, &b.envelope); err != nil {
		return err
	}
	for _, raw := range b.Data {
		if err := b.row(raw); err != nil {
			return err
		}
	}
	for _, source := range b.envelope.Sources {
		if !slices.Contains(b.sources, source) {
			b.sources = append(b.sources, source)
		}
	}
	return nil
}

// row writes a row of figures. The first one names the columns, which stay in sight.
func (b *workbook) row(raw json.RawMessage) error {
	names, values, err := flat(raw, "")
	if err != nil {
		return err
	}
	if b.columns == nil {
		b.columns = names
		head := make([]any, len(names))
		for i, name := range names {
			head[i] = name
		}
		err = errors.Join(b.rows.SetColWidth(1, len(names), 18), b.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}), b.rows.SetRow("A1", head))
	}
	if !slices.Equal(names, b.columns) {
		err = fmt.Errorf("a row has the columns %v, and the first %v", names, b.columns)
	}
	cells := make([]any, len(values))
	for i := range values {
		if err == nil {
			cells[i], err = b.cell(values[i])
		}
	}
	if err != nil {
		return err
	}
	b.written++
	return b.rows.SetRow("A"+strconv.Itoa(b.written+1), cells)
}

// cell is a value as Excel takes it: a number is one, with the decimals that the interface
// prints, and null is an empty cell.
func (b *workbook) cell(raw json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case float64:
		format := "0"
		if _, decimals, ok := strings.Cut(string(raw), "."); ok {
			format += "." + strings.Repeat("0", len(decimals))
		}
		style, err := b.file.NewStyle(&excelize.Style{CustomNumFmt: &format}) // the same one for equal formats
		return excelize.Cell{StyleID: style, Value: v}, err
	case []any: // keys, which have no spaces
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), " ", ","), nil
	}
	return v, nil
}

// flat returns the names and values of an object in their order; the names of those within
// another object begin with its name.
func flat(raw json.RawMessage, prefix string) (names []string, values []json.RawMessage, err error) {
	fields, err := serve.Fields(raw)
	for _, f := range fields {
		inner, within := []string{prefix + f.Name}, []json.RawMessage{f.Value}
		if f.Value[0] == '{' && err == nil {
			inner, within, err = flat(f.Value, inner[0]+"_")
		}
		names, values = append(names, inner...), append(values, within...)
	}
	return names, values, err
}

// finish writes the sheet of the sources. address is that of the file.
func (b *workbook) finish(address string) error {
	_, err := b.file.NewSheet("Sources")
	if err = errors.Join(err, b.rows.Flush()); err != nil {
		return err
	}
	lines := [][]any{{"Data as of", b.Meta.AsOf}, {"Figures about people up to", b.Meta.PeopleAsOf}, {"Snapshot", b.Meta.Snapshot}, {"Address", address},
		{"Reading", "An empty cell is a figure that is not published, never zero. <5 is a count of people from 1 to 4."}, {"Note", b.Meta.Note},
		{"Rule", b.AttributionNotice}, nil, {"Source", "Statement to show, word for word", "Publisher", "Licence", "Link"}}
	for _, source := range b.sources {
		lines = append(lines, []any{source.Key, source.AttributionStatement, source.Publisher, source.Licence, source.Link})
	}
	for i, line := range lines {
		err = errors.Join(err, b.file.SetSheetRow("Sources", "A"+strconv.Itoa(i+1), &line))
	}
	return errors.Join(err, b.file.SetColWidth("Sources", "A", "E", 28))
}

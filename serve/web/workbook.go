package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"labour/serve"
	"labour/serve/api"
)

// The sheets of a workbook.
const (
	figuresSheet = "Figures"
	sourcesSheet = "Sources"
)

// workbook answers a call of the labour data as an Excel workbook: the rows on one sheet and
// where they come from on another. Below whole/ it holds every page of the list.
func (s *Site) workbook(w http.ResponseWriter, r *http.Request) {
	dataset, whole := r.PathValue("dataset"), false
	if dataset == "" {
		dataset, whole = path.Base(r.URL.Path), true
	}
	q := r.URL.Query()
	q.Set("format", "json")
	if whole {
		q.Set("limit", strconv.Itoa(mostCalled))
	}
	b, err := newWorkbook()
	if err != nil {
		s.broken(w, err)
		return
	}
	defer b.file.Close()
	for more := true; more; {
		answer := s.inside(r, dataset, q)
		if answer.status != http.StatusOK {
			pass(w, answer)
			return
		}
		cursor, err := b.add(answer.body.Bytes())
		if err != nil {
			s.broken(w, err)
			return
		}
		q.Set("cursor", cursor)
		more = whole && cursor != ""
	}
	if err := b.finish(baseOf(r) + r.URL.RequestURI()); err != nil {
		s.broken(w, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", dataset+"-"+b.last.Meta.Snapshot+".xlsx"))
	h.Set("Cache-Control", serve.PublicCache)
	serve.Stream(w)
	if err := b.file.Write(w); err != nil {
		s.Log.Info("workbook", "error", err) // whoever asked may be gone
	}
}

// broken answers that a file could not be made.
func (s *Site) broken(w http.ResponseWriter, err error) {
	s.Log.Error("workbook", "error", err)
	http.Error(w, "The file could not be made. Please try again.", http.StatusInternalServerError)
}

// workbook is an Excel file that is written row by row.
type workbook struct {
	file    *excelize.File
	rows    *excelize.StreamWriter
	line    int            // the next one of the figures
	columns map[string]int // of the figures, from 0
	styles  map[int]int    // of numbers, by their decimals
	bold    int
	sources []api.Source // of all pages, each once
	last    envelope     // without its rows
}

// envelope is a response of the labour data.
type envelope struct {
	Data              []json.RawMessage `json:"data"`
	Sources           []api.Source      `json:"sources"`
	AttributionNotice string            `json:"attribution_notice"`
	Meta              struct {
		AsOf       string  `json:"as_of"`
		PeopleAsOf *string `json:"people_as_of"`
		Snapshot   string  `json:"snapshot"`
		NextCursor *string `json:"next_cursor"`
		Note       string  `json:"note"`
	} `json:"meta"`
}

func newWorkbook() (*workbook, error) {
	b := &workbook{file: excelize.NewFile(), line: 2, styles: map[int]int{}}
	err := b.file.SetSheetName("Sheet1", figuresSheet)
	if err == nil {
		_, err = b.file.NewSheet(sourcesSheet)
	}
	if err == nil {
		b.bold, err = b.file.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	}
	if err == nil {
		b.rows, err = b.file.NewStreamWriter(figuresSheet)
	}
	return b, err
}

// add writes the rows of a response and returns the cursor of the next page.
func (b *workbook) add(body []byte) (cursor string, err error) {
	var page envelope
	if err := json.Unmarshal(body, &page); err != nil {
		return "", err
	}
	for _, raw := range page.Data {
		names, values, err := flat(raw, "")
		if err == nil {
			err = b.row(names, values)
		}
		if err != nil {
			return "", err
		}
	}
	page.Data = nil
	b.last = page
	for _, source := range page.Sources {
		b.addSource(source)
	}
	if page.Meta.NextCursor != nil {
		cursor = *page.Meta.NextCursor
	}
	return cursor, nil
}

func (b *workbook) addSource(source api.Source) {
	for _, known := range b.sources {
		if known == source {
			return
		}
	}
	b.sources = append(b.sources, source)
}

// row writes a row of figures, and the names of the columns before the first one.
func (b *workbook) row(names []string, values []json.RawMessage) error {
	if b.columns == nil {
		if err := b.head(names); err != nil {
			return err
		}
	}
	cells := make([]any, len(b.columns))
	for i, name := range names {
		at, ok := b.columns[name]
		if !ok {
			return fmt.Errorf("a row has the column %s, which the first has not", name)
		}
		var err error
		if cells[at], err = b.cell(values[i]); err != nil {
			return err
		}
	}
	b.line++
	return b.rows.SetRow("A"+strconv.Itoa(b.line-1), cells)
}

// head writes the names of the columns, which stay in sight.
func (b *workbook) head(names []string) error {
	b.columns = map[string]int{}
	cells := make([]any, len(names))
	for i, name := range names {
		b.columns[name], cells[i] = i, excelize.Cell{StyleID: b.bold, Value: name}
	}
	if err := b.rows.SetColWidth(1, max(len(names), 1), 18); err != nil {
		return err
	}
	if err := b.rows.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	return b.rows.SetRow("A1", cells)
}

// cell is a value as Excel takes it: a number is one, with the decimals that the interface
// prints, and null is an empty cell.
func (b *workbook) cell(raw json.RawMessage) (any, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return nil, err
	}
	if list, ok := v.([]any); ok {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ","), nil // keys have no spaces
	}
	n, ok := v.(float64)
	if !ok {
		return v, nil
	}
	_, decimals, _ := strings.Cut(string(raw), ".")
	style, ok := b.styles[len(decimals)]
	if !ok {
		format := "0"
		if decimals != "" {
			format += "." + strings.Repeat("0", len(decimals))
		}
		var err error
		if style, err = b.file.NewStyle(&excelize.Style{CustomNumFmt: &format}); err != nil {
			return nil, err
		}
		b.styles[len(decimals)] = style
	}
	return excelize.Cell{StyleID: style, Value: n}, nil
}

// flat returns the names and values of an object in their order; the names of those within
// another object begin with its name.
func flat(raw json.RawMessage, prefix string) (names []string, values []json.RawMessage, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, nil, err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, err
		}
		key := prefix + name.(string)
		if value[0] != '{' {
			names, values = append(names, key), append(values, value)
			continue
		}
		inner, within, err := flat(value, key+"_")
		if err != nil {
			return nil, nil, err
		}
		names, values = append(names, inner...), append(values, within...)
	}
	return names, values, nil
}

// finish writes the sheet of the sources. address is that of the file.
func (b *workbook) finish(address string) error {
	if err := b.rows.Flush(); err != nil {
		return err
	}
	sheet, err := b.file.NewStreamWriter(sourcesSheet)
	if err != nil {
		return err
	}
	lines := [][]any{{"Data as of", b.last.Meta.AsOf}}
	if day := b.last.Meta.PeopleAsOf; day != nil {
		lines = append(lines, []any{"Figures about people up to", *day})
	}
	lines = append(lines, []any{"Snapshot", b.last.Meta.Snapshot}, []any{"Address", address},
		[]any{"Reading", "An empty cell is a figure that is not published, never zero. <5 is a count of people from 1 to 4."})
	if b.last.Meta.Note != "" {
		lines = append(lines, []any{"Note", b.last.Meta.Note})
	}
	lines = append(lines, []any{"Rule", b.last.AttributionNotice}, nil, []any{"Source", "Statement to show, word for word", "Publisher", "Licence", "Link"})
	for _, source := range b.sources {
		lines = append(lines, []any{source.Key, source.AttributionStatement, source.Publisher, source.Licence, source.Link})
	}
	if err := sheet.SetColWidth(1, 5, 28); err != nil {
		return err
	}
	for i, line := range lines {
		if err := sheet.SetRow("A"+strconv.Itoa(i+1), line); err != nil {
			return err
		}
	}
	return sheet.Flush()
}

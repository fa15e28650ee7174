package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"labour/serve/api"
)

// Workbook writes a file as an Excel workbook: the rows on one sheet, and where they come
// from on another.
func (l *Layout[R]) Workbook(w io.Writer, f File[R]) error {
	book := excelize.NewFile()
	err := book.SetSheetName("Sheet1", "Figures")
	if err == nil && len(f.Rows) > 0 {
		err = l.figures(book, f.Rows)
	}
	if err == nil {
		err = origin(book, f)
	}
	if err == nil {
		err = book.Write(w)
	}
	if err = errors.Join(err, book.Close()); err != nil {
		return fmt.Errorf("write %s as a workbook: %w", f.Endpoint, err)
	}
	return nil
}

// figures writes the sheet of the rows. Its first row names the columns, which stay in
// sight; a column that JSON leaves out, and the status of a count, are not among them.
func (l *Layout[R]) figures(book *excelize.File, rows []R) error {
	var shown []column
	names, first := []any{}, reflect.ValueOf(rows[0])
	for _, c := range l.columns {
		if !strings.HasSuffix(c.Name, statusEnding) && !(c.optional && first.FieldByIndex(c.index).IsZero()) {
			shown, names = append(shown, c), append(names, c.Name)
		}
	}
	sheet, err := book.NewStreamWriter("Figures")
	if err != nil {
		return err
	}
	err = errors.Join(sheet.SetColWidth(1, len(names), 18), sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}),
		sheet.SetRow("A1", names))
	for at, row := range rows {
		cells := make([]any, len(shown))
		for i := 0; i < len(shown) && err == nil; i++ {
			cells[i], err = cellOfBook(book, reflect.ValueOf(row).FieldByIndex(shown[i].index).Interface())
		}
		if err == nil {
			err = sheet.SetRow("A"+strconv.Itoa(at+2), cells)
		}
	}
	return errors.Join(err, sheet.Flush())
}

// cellOfBook is a value as Excel takes it: a number is one, with the decimals that the
// interface prints, and null is an empty cell.
func cellOfBook(book *excelize.File, value any) (any, error) {
	raw, err := json.Marshal(value)
	var v any
	if err == nil {
		err = json.Unmarshal(raw, &v)
	}
	switch v := v.(type) {
	case float64:
		format := "0"
		if _, decimals, ok := strings.Cut(string(raw), "."); ok {
			format += "." + strings.Repeat("0", len(decimals))
		}
		style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format}) // the same one for equal formats
		return excelize.Cell{StyleID: style, Value: v}, err
	case []any: // keys, which have no spaces
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), " ", ","), nil
	}
	return v, err
}

// origin writes the sheet of the sources.
func origin[R any](book *excelize.File, f File[R]) error {
	var meta struct {
		AsOf       string `json:"as_of"`
		PeopleAsOf string `json:"people_as_of"`
		Snapshot   string `json:"snapshot"`
		Note       string `json:"note"`
	}
	raw, err := json.Marshal(f.Meta)
	if err == nil {
		err = json.Unmarshal(raw, &meta)
	}
	lines := [][]any{{"Data as of", meta.AsOf}, {"Figures about people up to", meta.PeopleAsOf}, {"Snapshot", meta.Snapshot}, {"Address", f.Address},
		{"Reading", "An empty cell is a figure that is not published, never zero. <5 is a count of people from 1 to 4."}, {"Note", meta.Note},
		{"Rule", api.AttributionNotice}, nil, {"Source", "Statement to show, word for word", "Publisher", "Licence", "Link"}}
	for _, source := range f.Sources {
		lines = append(lines, []any{source.Key, source.AttributionStatement, source.Publisher, source.Licence, source.Link})
	}
	_, noSheet := book.NewSheet("Sources")
	err = errors.Join(err, noSheet)
	for i, line := range lines {
		err = errors.Join(err, book.SetSheetRow("Sources", "A"+strconv.Itoa(i+1), &line))
	}
	return errors.Join(err, book.SetColWidth("Sources", "A", "E", 28))
}

package formats

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// figuresSheet is the name of the workbook sheet that contains the rows.
const figuresSheet = "Figures"

// WorkbookType is the media type of an Excel workbook.
const WorkbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// WriteWorkbook writes an API response as an Excel workbook. The first sheet contains the rows, and
// the second one their sources.
func (l *Layout[R]) WriteWorkbook(w io.Writer, f Response[R]) error {
	book := excelize.NewFile()
	table, err := l.Table(f)
	if err == nil {
		err = book.SetSheetName("Sheet1", figuresSheet)
	}
	if err == nil && len(table.rows) > 0 {
		err = table.write(book, figuresSheet)
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

// Table holds the column names and cells of one workbook sheet.
type Table struct {
	names []any   // names of the columns, which are strings
	rows  [][]any // one cell for each column: a string, a json.Number, or nil
}

// Table converts an API response to a workbook sheet. It leaves out the columns that JSON omits and
// the status columns of counts. It leaves out attribution statements that another sheet shows.
func (l *Layout[R]) Table(f Response[R]) (t Table, err error) {
	rows, err := l.rows(f)
	if err != nil || len(rows) == 0 {
		return Table{}, err
	}
	for _, c := range l.Columns {
		_, there := rows[0][c.Name]
		isOnOtherSheet := c.Name == attribution && !l.own
		if there && !isOnOtherSheet && !strings.HasSuffix(c.Name, snapshots.StatusSuffix) {
			t.names = append(t.names, c.Name)
		}
	}
	for _, row := range rows {
		cells := make([]any, len(t.names))
		for i, name := range t.names {
			cells[i] = row[name.(string)]
		}
		t.rows = append(t.rows, cells)
	}
	return t, nil
}

// write writes a table to a sheet of a workbook. The first row shows the column names and stays
// visible while the user scrolls.
func (t Table) write(book *excelize.File, name string) error {
	sheet, err := book.NewStreamWriter(name)
	if err != nil {
		return err
	}
	err = errors.Join(sheet.SetColWidth(1, len(t.names), 18),
		sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}),
		sheet.SetRow("A1", t.names))
	for at, row := range t.rows {
		cells := make([]any, len(row))
		for i, value := range row {
			var bad error
			cells[i], bad = cellOfBook(book, value)
			err = errors.Join(err, bad)
		}
		err = errors.Join(err, sheet.SetRow("A"+strconv.Itoa(at+2), cells))
	}
	return errors.Join(err, sheet.Flush())
}

// cellOfBook converts a value to an Excel cell. A number keeps its decimals: 12.0 is shown as
// "12.0". A nil value becomes an empty cell.
func cellOfBook(book *excelize.File, value any) (any, error) {
	number, ok := value.(json.Number)
	if !ok {
		return value, nil
	}
	format := "0"
	if _, decimals, ok := strings.Cut(number.String(), "."); ok {
		format += "." + strings.Repeat("0", len(decimals))
	}
	style, bad := book.NewStyle(&excelize.Style{CustomNumFmt: &format}) // equal formats share one style
	v, err := number.Float64()
	return excelize.Cell{StyleID: style, Value: v}, errors.Join(bad, err)
}

// bookedPeople holds the fields of a response's "meta" object that describe its counts of people:
// their period and rounding.
type bookedPeople struct {
	From      string `json:"from"`
	To        string `json:"to"`
	RoundedTo int    `json:"rounded_to"`
}

// text describes the counts of people in a response, such as "2025-12-01 to 2026-11-30, rounded to
// multiples of 5". It returns "" if there are none.
func (p bookedPeople) text() string {
	switch {
	case p.To == "":
		return ""
	case p.RoundedTo > 1:
		return fmt.Sprintf("%s to %s, rounded to multiples of %d", p.From, p.To, p.RoundedTo)
	}
	return p.From + " to " + p.To
}

// ReadingNote tells the reader of a workbook what an empty cell and "<5" mean.
const ReadingNote = "An empty cell is a figure that is not published, never zero. " + figure.UnderFiveText +
	" is a count of people from 1 to 4."

// AttributionLines returns the last lines of a workbook's sheet about the figures: the attribution
// rule and a table of the sources with their statements.
func AttributionLines(rule string, list []api.Source) [][]any {
	lines := [][]any{{"Rule", rule}, nil,
		{"Source", "Statement to show, word for word", "Publisher", "Licence", "Link"}}
	for _, source := range list {
		lines = append(lines,
			[]any{source.Key, source.AttributionStatement, source.Publisher, source.Licence, source.Link})
	}
	return lines
}

func origin[R any](book *excelize.File, f Response[R]) error {
	var meta struct {
		AsOf     string       `json:"as_of"`
		People   bookedPeople `json:"people"`
		Snapshot string       `json:"snapshot"`
		Note     string       `json:"note"`
	}
	raw, err := json.Marshal(f.ResponseMeta)
	if err == nil {
		err = json.Unmarshal(raw, &meta)
	}
	lines := [][]any{{"Data as of", meta.AsOf}, {"Figures about people", meta.People.text()},
		{"Snapshot", meta.Snapshot}, {"Address", f.ResponseURL},
		{"Reading", ReadingNote}, {"Note", meta.Note}}
	lines = append(lines, AttributionLines(api.AttributionNotice, f.Sources)...)
	_, noSheet := book.NewSheet("Sources")
	err = errors.Join(err, noSheet)
	for i, line := range lines {
		err = errors.Join(err, book.SetSheetRow("Sources", "A"+strconv.Itoa(i+1), &line))
	}
	return errors.Join(err, book.SetColWidth("Sources", "A", "E", 28))
}

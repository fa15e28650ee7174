package formats

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Sheet is one sheet of an Excel workbook that contains several lists.
type Sheet struct {
	Title      string // heading of the sheet for readers, such as "Skills by place"
	RequestURL string // URL of the API request that returns the rows of the sheet
	Table      Table
}

// contents is the name of the first sheet of a workbook. That sheet lists the other sheets.
const contents = "Contents"

// WriteWorkbookOfSheets writes an Excel workbook with one sheet for each list. An additional first
// sheet lists the other sheets and then shows the lines in notes. Each line is a list of cells.
func WriteWorkbookOfSheets(w io.Writer, sheets []Sheet, notes [][]any) error {
	book := excelize.NewFile()
	err := book.SetSheetName("Sheet1", contents)
	lines := [][]any{{"Sheet", "What it has", "API call"}}
	for i, sheet := range sheets {
		name := sheetName(i+1, sheet.Title)
		lines = append(lines, []any{name, sheet.Title, sheet.RequestURL})
		if err == nil {
			err = addSheet(book, name, sheet.Table)
		}
	}
	lines = append(append(lines, nil), notes...)
	for i, line := range lines {
		if err == nil {
			err = book.SetSheetRow(contents, "A"+strconv.Itoa(i+1), &line)
		}
	}
	if err == nil {
		err = errors.Join(book.SetColWidth(contents, "A", "E", 32), book.Write(w))
	}
	if err = errors.Join(err, book.Close()); err != nil {
		return fmt.Errorf("write a workbook of %d lists: %w", len(sheets), err)
	}
	return nil
}

// longestSheetName is the maximum length of a sheet's name in Excel, in characters.
const longestSheetName = 31

// sheetName returns a valid Excel name for a sheet, such as "2 Skills by place". It replaces
// characters that Excel forbids and cuts the name to 31 characters.
func sheetName(number int, title string) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]'`, r) {
			return ' '
		}
		return r
	}, title)
	name := strconv.Itoa(number) + " " + plain
	for utf8.RuneCountInString(name) > longestSheetName {
		_, last := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-last]
	}
	return strings.TrimSpace(name)
}

// addSheet adds a sheet with the given name to a workbook and writes the table to it.
func addSheet(book *excelize.File, name string, table Table) error {
	if _, err := book.NewSheet(name); err != nil {
		return err
	}
	if len(table.rows) == 0 {
		return book.SetCellStr(name, "A1", "No rows")
	}
	return table.write(book, name)
}

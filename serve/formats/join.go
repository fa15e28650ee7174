package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// Sheet is one list in a workbook of several.
type Sheet struct {
	Title string // in words
	Call  string // address that answers the list
	Book  []byte // the list as Layout.Workbook writes it
}

// contents is the name of the first sheet of a workbook of several lists.
const contents = "Contents"

// Join merges the figures of several workbooks into one: each list on its own sheet, after a sheet
// that lists them, with the lines of about below.
func Join(w io.Writer, sheets []Sheet, about [][]any) error {
	book := excelize.NewFile()
	err := book.SetSheetName("Sheet1", contents)
	lines := [][]any{{"Sheet", "What it has", "API call"}}
	for i, sheet := range sheets {
		name := sheetName(i+1, sheet.Title)
		lines = append(lines, []any{name, sheet.Title, sheet.Call})
		if err == nil {
			err = copyFigures(book, name, sheet.Book)
		}
	}
	lines = append(append(lines, nil), about...)
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

// longestSheetName is how many characters Excel allows.
const longestSheetName = 31

// sheetName returns the name of a sheet: its number, and as much of its title as Excel allows.
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

// copyFigures copies the sheet of the figures of a workbook into another one.
func copyFigures(to *excelize.File, name string, raw []byte) error {
	from, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	defer from.Close()
	if _, err := to.NewSheet(name); err != nil {
		return err
	}
	sheet, err := to.NewStreamWriter(name)
	if err != nil {
		return err
	}
	if index, _ := from.GetSheetIndex(figuresSheet); index < 0 { // a list without rows
		return errors.Join(sheet.SetRow("A1", []any{"No rows"}), sheet.Flush())
	}
	rows, err := from.GetRows(figuresSheet, excelize.Options{RawCellValue: true})
	if err != nil {
		return err
	}
	for at, row := range rows {
		cells, err := copiedCells(to, from, at+1, row)
		if err = errors.Join(err, sheet.SetRow("A"+strconv.Itoa(at+1), cells)); err != nil {
			return err
		}
	}
	return sheet.Flush()
}

// copiedCells returns the cells of a row for another workbook: numbers stay numbers, with their decimals.
func copiedCells(to, from *excelize.File, line int, row []string) ([]any, error) {
	cells := make([]any, len(row))
	for i, text := range row {
		at, err := excelize.CoordinatesToCellName(i+1, line)
		if err != nil {
			return nil, err
		}
		kind, err := from.GetCellType(figuresSheet, at)
		if err != nil {
			return nil, err
		}
		cells[i] = text
		isNumber := kind == excelize.CellTypeNumber || kind == excelize.CellTypeUnset
		if number, bad := strconv.ParseFloat(text, 64); isNumber && bad == nil {
			style, err := copiedStyle(to, from, at)
			if err != nil {
				return nil, err
			}
			cells[i] = excelize.Cell{StyleID: style, Value: number}
		}
	}
	return cells, nil
}

// copiedStyle returns the number format of a cell as a style of another workbook.
func copiedStyle(to, from *excelize.File, at string) (int, error) {
	id, err := from.GetCellStyle(figuresSheet, at)
	if err != nil {
		return 0, err
	}
	style, err := from.GetStyle(id)
	if err != nil {
		return 0, err
	}
	return to.NewStyle(&excelize.Style{CustomNumFmt: style.CustomNumFmt, NumFmt: style.NumFmt})
}

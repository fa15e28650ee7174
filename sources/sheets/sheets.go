// Package sheets reads the tables of statistical offices as rows of text. It supports Excel workbooks
// (xlsx, xlsm) and CSV files. The size of a workbook is limited, because a small compressed file can
// contain a very large table.
package sheets

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"labour/sources"
)

// Size limits of a workbook.
const (
	// MaxRows is the maximum number of rows of a sheet. The largest known sheet has about 1,000.
	MaxRows = 50_000
	// MaxColumns is the maximum number of columns of a sheet. The widest known sheet has about 40.
	MaxColumns = 512
	// maxUnpack is the size limit of an uncompressed workbook, in bytes.
	maxUnpack = 256 << 20
	// maxPart is the size limit of a file inside a workbook that is not a sheet, in bytes. These
	// files are read into memory and take many times their size there.
	maxPart = 16 << 20
	// maxCells is the size limit of the texts in all cells of a sheet together, in bytes.
	maxCells = 64 << 20
	// maxCell is the size limit of one cell's text with its markup, in bytes. A cell holds at most
	// 32,767 characters.
	maxCell = 256 << 10
)

// Sheet is the table of one workbook sheet or CSV file, as text. Numbers are unformatted. Rows may
// have different lengths.
type Sheet struct {
	Name string // name of the workbook's sheet; "" for a CSV file
	Rows [][]string
	// Separator is the character that separates the cells of a CSV file; 0 for a workbook.
	Separator byte
	Faults    []sources.Fault // broken rows of a CSV file, which are not in Rows
	lines     []int           // for CSV, the number of the line on which each row begins, from 1
}

// ReadSheets reads a workbook or a CSV file, and detects which of them body is. It returns the
// named sheet of a workbook, or all sheets if name is empty. For a CSV file it ignores name. An
// error has a sources.FaultCode.
func ReadSheets(ctx context.Context, body []byte, name string) ([]Sheet, error) {
	switch {
	case bytes.HasPrefix(body, []byte("PK\x03\x04")):
		return workbook(ctx, body, name)
	case bytes.HasPrefix(body, []byte("\xd0\xcf\x11\xe0")):
		return nil, notExpected(errors.New("a workbook of the old format (xls); take the xlsx or a CSV of the sheet"))
	}
	sheet, err := table(body)
	if err != nil {
		return nil, err
	}
	return []Sheet{sheet}, nil
}

func workbook(ctx context.Context, body []byte, name string) (list []Sheet, err error) {
	// The library is not made for hostile files; a panic of it is a fault of the file.
	defer func() {
		if p := recover(); p != nil {
			list, err = nil, notExpected(fmt.Errorf("the workbook cannot be read: %v", p))
		}
	}()
	if err := boundParts(body); err != nil {
		return nil, notExpected(fmt.Errorf("the workbook cannot be read: %w", err))
	}
	f, err := excelize.OpenReader(bytes.NewReader(body), excelize.Options{RawCellValue: true,
		UnzipSizeLimit: maxUnpack, UnzipXMLSizeLimit: maxUnpack})
	if err != nil {
		return nil, notExpected(fmt.Errorf("the workbook cannot be opened: %w", err))
	}
	defer f.Close()
	if err := checkWhole(body); err != nil {
		return nil, notExpected(err)
	}
	names := f.GetSheetList()
	if name != "" || len(names) == 0 {
		if !slices.Contains(names, name) {
			return nil, sources.CodedErrorf(sources.FaultSchema, "the workbook has no sheet %q; it has %s", name,
				strings.Join(names, ", "))
		}
		names = []string{name}
	}
	for _, n := range names {
		rows, err := sheet(ctx, f, n)
		if err != nil {
			return nil, fmt.Errorf("sheet %q: %w", n, err)
		}
		list = append(list, Sheet{Name: n, Rows: rows})
	}
	return list, nil
}

func sheet(ctx context.Context, f *excelize.File, name string) ([][]string, error) {
	it, err := f.Rows(name)
	if err != nil {
		return nil, notExpected(err)
	}
	defer it.Close()
	var rows [][]string
	size := 0
	for it.Next() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cells, err := it.Columns()
		if err != nil {
			return nil, notExpected(err)
		}
		if err := bound(len(rows)+1, len(cells)); err != nil {
			return nil, err
		}
		for _, c := range cells {
			size += len(c)
		}
		if size > maxCells {
			return nil, notExpected(fmt.Errorf("its cells hold more than %d bytes", maxCells))
		}
		rows = append(rows, cells)
	}
	if err := it.Error(); err != nil {
		return nil, notExpected(err)
	}
	return rows, nil
}

// boundParts returns an error if a workbook contains a file that is too large, or a text shared by
// cells that is too large. The workbook library reads whole files into memory.
func boundParts(body []byte) error {
	return eachPart(body, func(name string, f *zip.File) error {
		if strings.HasSuffix(name, ".xml") && !isWorksheet(name) && f.UncompressedSize64 > maxPart {
			return fmt.Errorf("%s has %d bytes, more than %d", name, f.UncompressedSize64, maxPart)
		}
		if name != "xl/sharedstrings.xml" {
			return nil
		}
		r, err := f.Open()
		if err != nil {
			return err
		}
		texts := bufio.NewScanner(r)
		texts.Buffer(nil, maxCell)
		texts.Split(eachText)
		for texts.Scan() {
		}
		if err := errors.Join(texts.Err(), r.Close()); err != nil {
			return fmt.Errorf("a text of more than %d bytes: %w", maxCell, err)
		}
		return nil
	})
}

// eachPart calls visit for each file inside a workbook, with its name in lower case. It stops at
// the first error.
func eachPart(body []byte, visit func(name string, f *zip.File) error) error {
	z, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		return err
	}
	for _, f := range z.File {
		if err := visit(strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/")), f); err != nil {
			return err
		}
	}
	return nil
}

// isWorksheet reports whether a file inside a workbook is a sheet. name is its name in lower case.
func isWorksheet(name string) bool { return strings.HasPrefix(name, "xl/worksheets/") }

// eachText is a bufio.SplitFunc for the texts that cells of a workbook share. It ends each text at
// its end tag.
func eachText(data []byte, _ bool) (int, []byte, error) {
	const end = "</si>"
	if i := bytes.Index(data, []byte(end)); i >= 0 {
		return i + len(end), data[:i], nil
	}
	return 0, nil, nil
}

// table reads a CSV file. It adds a fault for each broken row. Too many broken rows are an error.
func table(body []byte) (sheet Sheet, err error) {
	c, err := NewCSV(bytes.NewReader(body))
	if err != nil {
		return sheet, err
	}
	sheet.Separator = c.Separator
	for {
		cells, line, err := c.Read()
		var broken *RowError
		switch {
		case err == io.EOF:
			return sheet, CheckUnreadableShare(sheet.Faults, len(sheet.Rows)+len(sheet.Faults))
		case errors.As(err, &broken) && c.EndsWithoutNewline():
			return sheet, sources.CodedErrorf(sources.FaultSchema, "the file breaks off: %w", err)
		case errors.As(err, &broken):
			sheet.Faults = append(sheet.Faults, sources.Fault{Where: fmt.Sprintf("line %d", broken.Line),
				Code: sources.FaultBrokenRow, Detail: broken.Error()})
		case err != nil:
			return sheet, err
		default:
			sheet.Rows, sheet.lines = append(sheet.Rows, cells), append(sheet.lines, line)
		}
		if err := bound(len(sheet.Rows)+len(sheet.Faults), len(cells)); err != nil {
			return sheet, err
		}
	}
}

// MaxUnreadablePercent is the maximum percentage of unreadable rows in a file. A file with more is
// rejected.
const MaxUnreadablePercent = 5

// CheckUnreadableShare returns an error if more than MaxUnreadablePercent per cent of the rows have
// a fault. rows is the number of all rows.
func CheckUnreadableShare(faults []sources.Fault, rows int) error {
	if 100*len(faults) <= MaxUnreadablePercent*rows {
		return nil
	}
	return sources.CodedErrorf(sources.FaultSchema,
		"%d of %d rows cannot be read, more than %d %%, the first: %s; none of them is used",
		len(faults), rows, MaxUnreadablePercent, faults[0].Detail)
}

func bound(rows, columns int) error {
	if rows > MaxRows || columns > MaxColumns {
		return sources.CodedErrorf(sources.FaultSchema, "more than %d rows or %d columns: not the table that was expected",
			MaxRows, MaxColumns)
	}
	return nil
}

func notExpected(err error) error { return sources.WithFaultCode(sources.FaultWrongFormat, err) }

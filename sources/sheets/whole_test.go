package sheets

import (
	"context"
	"strings"
	"testing"

	"labour/sources"
)

// TestSheetsThatBreakOff: no row of a sheet is used if its XML is not complete and valid, or is nested too
// deep.
func TestSheetsThatBreakOff(t *testing.T) {
	const rows = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>` +
		`<row r="1"><c r="A1"><v>1</v></c></row>`
	const second = `<row r="2"><c r="A2"><v>2</v></c></row>`
	const end = `</sheetData></worksheet>`
	nested := func(levels int) string { return strings.Repeat("<a>", levels) + strings.Repeat("</a>", levels) }
	for name, c := range map[string]struct {
		xml  string
		rows int // 0 = an error
	}{
		"whole":                 {rows + second + end, 2},
		"in another charset":    {`<?xml version="1.0" encoding="ISO-8859-1"?>` + rows + second + end, 2},
		"of nothing":            {"", 0},
		"after a row":           {rows, 0},
		"in a row":              {rows + `<row r="2"><c r="A2">`, 0},
		"in a tag":              {rows + `<row r="2"><c r=`, 0},
		"without its last tag":  {rows + second + `</sheetData>`, 0},
		"of a wrong end tag":    {rows + `<row r="2"><c r="A2"><v>2</c></row>` + end, 0},
		"as deep as is allowed": {rows + nested(maxDepth-2) + end, 1},
		"too deep":              {rows + nested(maxDepth-1) + end, 0},
	} {
		list, err := ReadSheets(context.Background(), withPart(t, book(t), "xl/worksheets/sheet1.xml", c.xml), "Sheet1")
		if c.rows > 0 && (err != nil || len(list[0].Rows) != c.rows) {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
		refused := sources.FaultCodeOf(err) == sources.FaultWrongFormat && len(list) == 0
		if c.rows == 0 && (!refused || !strings.Contains(err.Error(), "download the workbook again")) {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
	}
}

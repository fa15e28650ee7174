package sheets

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"labour/sources"
)

// withPart gives a workbook another text in one of its parts.
func withPart(t *testing.T, book []byte, name, text string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range z.File {
		if file.Name != name {
			err = w.Copy(file)
		} else if into, failed := w.Create(name); failed == nil {
			_, err = io.WriteString(into, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestDamagedFilesHaveNamedFaults: each says what is wrong, and no sheet is returned.
func TestDamagedFilesHaveNamedFaults(t *testing.T) {
	var empty bytes.Buffer
	z := zip.NewWriter(&empty)
	if _, err := z.Create("letter.txt"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	const rows = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	part := func(text string) []byte { return withPart(t, book(t), "xl/worksheets/sheet1.xml", text) }
	for name, c := range map[string]struct {
		body []byte
		code sources.FaultCode
		says string
	}{
		"no workbook": {empty.Bytes(), sources.FaultWrongFormat, "the workbook cannot be opened: "},
		"513 columns": {part(rows + `<row r="1"><c r="SS1"><v>1</v></c></row></sheetData></worksheet>`),
			sources.FaultSchema, "512 columns"},
		"no such column": {part(rows + `<row r="1"><c r="?"><v>1</v></c></row></sheetData></worksheet>`),
			sources.FaultWrongFormat, `sheet "Sheet1": `},
		"another charset": {[]byte("\xff\xfe\x00\x00a\x00\x00\x00"), sources.FaultWrongFormat, "UTF-32"},
		"an open quote":   {[]byte("a,b\nc,\"d"), sources.FaultSchema, "the file breaks off: line 2, cell 2: "},
		"a long line": {[]byte("a,b\n" + strings.Repeat("x", maxLine)), sources.FaultSchema,
			"line 2 is longer than 1048576 bytes"},
		"a long line in quotes": {[]byte("a,\"b\n" + strings.Repeat("x", maxLine) + "\n"), sources.FaultSchema,
			"line 2 is longer than 1048576 bytes"},
	} {
		list, err := ReadSheets(context.Background(), c.body, "")
		if len(list) > 0 || sources.FaultCodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %d sheets, %v; want %s: %s", name, len(list), err, c.code, c.says)
		}
	}
	most := part(rows + `<row r="50000"><c r="A50000"><v>1</v></c></row></sheetData></worksheet>`)
	if list, err := ReadSheets(context.Background(), most, "Sheet1"); err != nil || len(list[0].Rows) != 50_000 {
		t.Errorf("a sheet of 50,000 rows: %v", err)
	}
}

// TestPositionsOfLateRows: also behind the lines from which the separator is detected, a broken row
// is one fault, the rows around it are read, and each has the number of its own line.
func TestPositionsOfLateRows(t *testing.T) {
	text := strings.Repeat("a,b\n", 69) + "a\"b,c\n" + "d,e\n" + "f,g\n"
	list, err := ReadSheets(context.Background(), []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	s := list[0]
	if len(s.Rows) != 71 || s.lines[68] != 69 || s.lines[69] != 71 || s.lines[70] != 72 || s.Rows[69][0] != "d" {
		t.Errorf("%d rows, lines %v", len(s.Rows), s.lines)
	}
	if len(s.Faults) != 1 || s.Faults[0].Where != "line 70" || s.Faults[0].Code != sources.FaultBrokenRow {
		t.Errorf("%+v, want the broken row 70", s.Faults)
	}
}

// TestLineEndsInPieces: a carriage return that arrives before its line feed ends no line by itself.
func TestLineEndsInPieces(t *testing.T) {
	c, err := NewCSV(iotest.OneByteReader(strings.NewReader(strings.Repeat("a,b\r\n", 200))))
	if err != nil {
		t.Fatal(err)
	}
	for want := 1; want <= 200; want++ {
		if cells, line, err := c.Read(); line != want || len(cells) != 2 || err != nil {
			t.Fatalf("row %d: %q on line %d, %v", want, cells, line, err)
		}
	}
	failed := errors.New("the disk failed")
	if _, err := NewCSV(iotest.ErrReader(failed)); !errors.Is(err, failed) {
		t.Errorf("%v, want %v", err, failed)
	}
}

// TestNoteRightBelowTheHeader is a row of one cell, and not a broken row.
func TestNoteRightBelowTheHeader(t *testing.T) {
	list, err := ReadSheets(context.Background(), []byte("a,b\nnote\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	table := TableUnderHeader(list[0], 0, map[string]int{"a": 0, "b": 1})
	if len(table.Rows) != 1 || len(table.Faults) > 0 || table.RowPosition(0) != "line 2" {
		t.Errorf("%q, %+v", table.Rows, table.Faults)
	}
}

// TestTablesOfOneColumn: no row of it is a note, and a row of empty cells is a row.
func TestTablesOfOneColumn(t *testing.T) {
	for text, want := range map[string]int{"a\n1\n2\n": 2, "a,b\n1,2\n,\n3,4\n": 3} {
		list, err := ReadSheets(context.Background(), []byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		if table := TableUnderHeader(list[0], 0, map[string]int{"a": 0}); len(table.Rows) != want || table.Faults != nil {
			t.Errorf("%q: rows %q, %+v; want %d rows", text, table.Rows, table.Faults, want)
		}
	}
}

// TestShortestFiles: a statement of the separator without a table, and a last row of one character.
func TestShortestFiles(t *testing.T) {
	for text, want := range map[string]string{"sep=;\n": "", "a\nb": "1:a 2:b", "a": "1:a"} {
		if rows, _ := rowsIn(t, text); strings.Join(rows, " ") != want {
			t.Errorf("%q: %q, want %s", text, rows, want)
		}
	}
	// an open quote takes further lines while the row has fewer than 1 MiB
	for more, want := range map[int]string{maxLine - 1: "1:a", maxLine: "1!2"} {
		first := "a,\"" + strings.Repeat("x", maxLine/2)
		second := strings.Repeat("x", more-len(first)-len("\n"))
		if rows, _ := rowsIn(t, first+"\n"+second+"\n\"\n"); !strings.HasPrefix(rows[0], want) {
			t.Errorf("%d bytes in quotes: %.10s, want %s", more, rows[0], want)
		}
	}
}

// TestPartsOfWorkbooksToALimit: a sheet may be larger than other parts, which have at most 16 MiB, and
// each shared text at most 256 KiB with its markup.
func TestPartsOfWorkbooksToALimit(t *testing.T) {
	check := func(name string, size uint64, content string) error {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateRaw(&zip.FileHeader{Name: name, CompressedSize64: uint64(len(content)), UncompressedSize64: size,
			CRC32: crc32.ChecksumIEEE([]byte(content))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return boundParts(b.Bytes())
	}
	for _, c := range []struct {
		name string
		size uint64
		says string
	}{{"xl/styles.xml", 16 << 20, ""}, {"xl/Styles.XML", 16<<20 + 1,
		"xl/styles.xml has 16777217 bytes, more than 16777216"},
		{"xl/worksheets/sheet1.xml", 16<<20 + 1, ""}, {"xl/media/image1.png", 16<<20 + 1, ""}} {
		if err := check(c.name, c.size, ""); (err == nil) != (c.says == "") || err != nil && err.Error() != c.says {
			t.Errorf("%s of %d bytes: %v, want %q", c.name, c.size, err, c.says)
		}
	}
	const end = "</si>"
	text := func(size int) string { return strings.Repeat("x", size-len(end)) + end }
	for texts, ok := range map[string]bool{text(256<<10) + text(256<<10) + "</sst>": true, text(256<<10 + 1): false,
		text(100) + text(256<<10+1): false} {
		err := check("xl/sharedStrings.xml", uint64(len(texts)), texts)
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "a text of more than 262144 bytes") {
			t.Errorf("texts of %d bytes: %v", len(texts), err)
		}
	}
}

package sheets

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"labour/sources"
)

// rowsIn are the rows of a text, joined, with their first lines; a broken row is "!" with its cell.
func rowsIn(t *testing.T, text string) (rows []string, cut bool) {
	t.Helper()
	c, err := NewCSV(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for {
		cells, line, err := c.Read()
		if broken, ok := err.(*RowError); ok {
			rows = append(rows, fmt.Sprintf("%d!%d", broken.Line, broken.Cell))
			continue
		}
		if err == io.EOF {
			return rows, c.EndsWithoutNewline()
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, fmt.Sprintf("%d:%s", line, strings.Join(cells, "/")))
	}
}

// TestRowsOfDelimitedText: line ends of each kind, quotes, separators, and rows that cannot be split.
func TestRowsOfDelimitedText(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\nc,d\n": "1:a/b 2:c/d", "a,b\r\nc,d\r\n": "1:a/b 2:c/d", "a,b\rc,d\r": "1:a/b 2:c/d",
		"a,b\r\rc,d": "1:a/b 3:c/d cut", "\n\na,b\n\nc,d": "3:a/b 5:c/d cut", "a,b": "1:a/b cut", "a,b\r": "1:a/b", "": "",
		"a;b\nc;d\n": "1:a/b 2:c/d", "a\tb\nc\td\n": "1:a/b 2:c/d", "a|b\nc|d\n": "1:a/b 2:c/d",
		"a;b,c;d\ne;f;g\n": "1:a/b,c/d 2:e/f/g", "a,b;c,d\n": "1:a/b;c/d", "a\nb\n": "1:a 2:b",
		"sep=;\na,b;c\n": "2:a,b/c", "SEP=|\na,b|c\n": "2:a,b/c", "sep=;;\na\n": "1:sep=// 2:a",
		"sep=\na,b\n": "1:sep= 2:a/b",
		"\"a,b\",c\n": "1:a,b/c", "\"a\"\"b\",c\n": "1:a\"b/c", "a,\"\"\n": "1:a/", "a,\n": "1:a/", "\"a\",\n": "1:a/",
		"=\"13-2011\",b\n": "1:=\"13-2011\"/b", "a\"b,c\nd,e\n": "1!1 2:d/e", "x,\"a\"b\nd,e\n": "1!2 2:d/e",
		"x,=\"a\"b\",c\nd,e\n": "1!2 2:d/e",
		"\"a\nb\",c\nd,e\n":    "1:a\nb/c 3:d/e", "a,\"b\nc,d\ne,f\n": "1!2 2:c/d 3:e/f",
		"a,b\nc,\"d\n1,2\n3\"\n4,5\n": "1:a/b 2!2 3:1/2 4!1 5:4/5", "a,b\n\"c\nd\"\n4,5\n": "1:a/b 2!1 3!1 4:4/5",
	} {
		rows, cut := rowsIn(t, text)
		got := strings.Join(rows, " ")
		if cut {
			got += " cut"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	err := &RowError{Line: 3, Cell: 2, Problem: "broken"}
	if err.Error() != "line 3, cell 2: broken" {
		t.Errorf("%v", err)
	}
}

// TestQuotesMayHoldLines, a hundred more of them; a longer one is never closed.
func TestQuotesMayHoldLines(t *testing.T) {
	for more, want := range map[int]string{1: "1:a", 100: "1:a", 101: "1!2"} {
		rows, _ := rowsIn(t, "a,\"b"+strings.Repeat("\n", more)+"\"\n")
		if len(rows) == 0 || !strings.HasPrefix(rows[0], want) {
			t.Errorf("%d more lines: %q, want %s", more, rows, want)
		}
	}
	for n, ok := range map[int]bool{1<<20 - 1: true, 1 << 20: false, 1<<20 + 1: false} {
		c, err := NewCSV(strings.NewReader("a\n" + strings.Repeat("x", n) + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = c.Read()
		_, _, err2 := c.Read()
		if err != nil || (err2 == nil) != ok || err2 != nil && (sources.FaultCodeOf(err2) != sources.FaultSchema ||
			!strings.Contains(err2.Error(), "line 2 is longer than 1048576 bytes")) {
			t.Errorf("%d bytes: %v, %v", n, err, err2)
		}
	}
}

// TestUnreadableRowsToALimit: five in a hundred, and no more.
func TestUnreadableRowsToALimit(t *testing.T) {
	for _, c := range []struct {
		faults, rows int
		ok           bool
	}{{0, 0, true}, {1, 20, true}, {1, 19, false}, {5, 100, true}, {6, 100, false}, {6, 119, false}, {6, 120, true}} {
		err := CheckUnreadableShare(slices.Repeat([]sources.Fault{{Detail: "why"}}, c.faults), c.rows)
		if (err == nil) != c.ok || err != nil && !strings.Contains(err.Error(),
			fmt.Sprintf("%d of %d rows cannot be read, "+
				"more than 5 %%, the first: why", c.faults, c.rows)) {
			t.Errorf("%d of %d: %v", c.faults, c.rows, err)
		}
	}
	for pair, ok := range map[[2]int]bool{{50_000, 512}: true, {50_001, 1}: false, {1, 513}: false} {
		if err := bound(pair[0], pair[1]); (err == nil) != ok || err != nil &&
			sources.FaultCodeOf(err) != sources.FaultSchema {
			t.Errorf("%v rows and columns: %v", pair, err)
		}
	}
}

// TestHeaderIsNearTheTop: in the first sixty rows, and the first that has all.
func TestHeaderIsNearTheTop(t *testing.T) {
	for before, ok := range map[int]bool{0: true, 59: true, 60: false} {
		s := Sheet{}
		for range before {
			s.Rows = append(s.Rows, []string{"A"})
		}
		s.Rows = append(s.Rows, []string{" a ", "B", "a"}, []string{"1", "2", "3"})
		table, err := FindTable(s, strings.ToLower, "a", "x|b")
		if (err == nil) != ok || ok && (table.Cell(table.Rows[0], "a") != "1" ||
			table.RowPosition(0) != fmt.Sprintf("row %d", before+2)) {
			t.Errorf("%d rows before: %+v, %v", before, table, err)
		}
		if !ok && !strings.Contains(err.Error(), "no row of the first 60 names x|b") {
			t.Errorf("%v, want the columns that the nearest row lacks", err)
		}
	}
	_, err := FindTable(Sheet{Separator: ';'}, strings.ToLower, "a", "b")
	if sources.FaultCodeOf(err) != sources.FaultColumnMissing || !strings.Contains(err.Error(),
		"names a, b (the cells of the CSV file are taken to be parted by ';'") {
		t.Errorf("%v", err)
	}
	if _, err := FindTableByHeader(Sheet{Rows: [][]string{{"a", "b", "A"}}}, "a", "b"); err == nil ||
		!strings.Contains(err.Error(), "the column a is named twice") {
		t.Errorf("a column twice: %v", err)
	}
}

// TestBlocksIgnoreWhatIsBeside: rows are as long as the last column that is read.
func TestBlocksIgnoreWhatIsBeside(t *testing.T) {
	list, err := ReadSheets(context.Background(), []byte("a,b,c,d\n1,2,,\n3,4,5,6\n7\n8,9,,\n\"10\",,,\nnote\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]int{"a": 0, "b": 1}
	block, whole := LeftTableUnderHeader(list[0], 0, columns), TableUnderHeader(list[0], 0, map[string]int{"a": 0, "d": 3})
	var got []string
	for i, row := range block.Rows {
		got = append(got, block.RowPosition(i)+" "+block.Cell(row, "b"))
	}
	if want := []string{"line 2 2", "line 3 4", "line 5 9", "line 6 ", "line 7 "}; !slices.Equal(got, want) ||
		len(block.Faults) != 1 ||
		block.Faults[0].Where != "line 4" || block.Faults[0].Detail != "line 4: the row has 1 cells and the header 2" {
		t.Errorf("%q, %+v", got, block.Faults)
	}
	if len(whole.Rows) != 5 || len(whole.Faults) != 1 ||
		whole.Faults[0].Detail != "line 4: the row has 1 cells and the header 4" {
		t.Errorf("%+v", whole)
	}
}

// TestCellsOfATable: text, code, number and figure of a column, and nothing of one that is not there.
func TestCellsOfATable(t *testing.T) {
	table := Table{Columns: map[string]int{"a": 0, "b": 1, "1999": 2, "2024": 3, "2100": 4, "far": 9}}
	row := []string{" 11 [1] ", "x", "1,5", "[c]", "2.0"}
	if table.Cell(row, "a") != "11 [1]" || table.Code(row, "a") != "11" || table.Cell(row, "none") != "" ||
		table.Cell(row, "far") != "" || CellText(row, -1) != "" || CellText(row, 5) != "" || CellText(row, 4) != "2.0" {
		t.Errorf("cells %q, %q", table.Cell(row, "a"), table.Code(row, "a"))
	}
	if n, ok, err := table.FigureOrMissing(row, "a"); n != 11 || !ok || err != nil {
		t.Errorf("%v, %t, %v", n, ok, err)
	}
	for column, says := range map[string]string{"b": "", "2024": "", "1999": `cell 3, 1999: "1,5" is no number`} {
		n, ok, err := table.FigureOrMissing(row, column)
		if n != 0 || ok || (err == nil) != (says == "") || err != nil && err.Error() != says {
			t.Errorf("%s: %v, %t, %v; want %q", column, n, ok, err, says)
		}
	}
	for _, in := range []string{"x", "1e999", "-1e999", "Inf", "NaN"} {
		if n, ok := ParseNumber(in); n != 0 || ok {
			t.Errorf("%s is the number %v", in, n)
		}
	}
	if got := table.YearColumns(); !slices.Equal(got, []string{"1999", "2024"}) {
		t.Errorf("years %v", got)
	}
	for in, want := range map[string]string{`="13-2011"`: "13-2011", `="a`: `="a`, "'5434": "5434", "'a": "'a", "'": "'",
		"'9": "9", "'0x": "0x", "12.0": "12", "a.0": "a.0", ".0": ".0", "12.00": "12.00", "[1]": "[1]", "*": "*",
		"12 [1] *": "12"} {
		if got := ParseCode(in); got != want {
			t.Errorf("the code of %q is %q, want %q", in, got, want)
		}
	}
}

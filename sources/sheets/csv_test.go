package sheets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
	"pgregory.net/rapid"

	"labour/sources"
)

// rowsOf reads a text: each row with its line, and each broken one by what its error begins with.
func rowsOf(t testing.TB, text string) string {
	t.Helper()
	c, err := NewCSV(strings.NewReader(text))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for {
		cells, line, err := c.Read()
		var broken *RowError
		switch {
		case err == io.EOF:
			return b.String()
		case errors.As(err, &broken):
			fmt.Fprintf(&b, "%d!%d ", broken.Line, broken.Cell)
		case err != nil:
			return err.Error()
		default:
			fmt.Fprintf(&b, "%d%q ", line, cells)
		}
	}
}

func TestCSVIsStrict(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"plain", "a,b\n1,2\n", `1["a" "b"] 2["1" "2"] `},
		{"quotes", "a,\"b,\"\"c\"\"\"\n", `1["a" "b,\"c\""] `},
		{"a cell over two lines", "a,\"b\nc\"\n1,2", `1["a" "b\nc"] 3["1" "2"] `},
		{"blank lines", "\n\na,b\n\n1,2\n", `3["a" "b"] 5["1" "2"] `},
		{"an opening quote that is never closed", "a,b\n1,\"x\n3,4\n5,6\n", `1["a" "b"] 2!2 3["3" "4"] 4["5" "6"] `},
		{"one that another closes", "a,b\n1,\"x\n\"3\",4\n", `1["a" "b"] 2!2 3["3" "4"] `},
		{"one that another closes at the end of a row", "a,b,c\n1,2,\"x\n3,4,5\n6,7,8\"\n9,9,9\n",
			`1["a" "b" "c"] 2!3 3["3" "4" "5"] 4!3 5["9" "9" "9"] `},
		{"a quote inside a cell", "a,b\n1,6\" x\n3,4\n", `1["a" "b"] 2!2 3["3" "4"] `},
		{"text behind a quote", "a,b\n1,\"6\"x\n3,4\n", `1["a" "b"] 2!2 3["3" "4"] `},
		{"a formula", "a,b\n=\"13-2011\",4\n", `1["a" "b"] 2["=\"13-2011\"" "4"] `},
		{"semicolons", "a;b\n1;2,5\n3;4,5\n", `1["a" "b"] 2["1" "2,5"] 3["3" "4,5"] `},
		{"tabs", "a\tb\n1\tx, y\n", `1["a" "b"] 2["1" "x, y"] `},
		{"a stated separator", "sep=;\na;b,c\n", `2["a" "b,c"] `},
		{"carriage returns", "a,b\r1,2\r", `1["a" "b"] 2["1" "2"] `},
		{"both", "a,b\r\n\r\n1,2\r\n", `1["a" "b"] 3["1" "2"] `},
		{"a mark", "\ufeffa,b\n", `1["a" "b"] `},
		{"one byte of Windows-1252", "entr\u00e9e,b\x92s\n", `1["entr\u00e9e" "b\u2019s"] `},
		{"a text of Windows-1252", "caf\xe9,2019\x9629\n", `1["caf\u00e9" "2019\u201329"] `},
		{"a character that was cut through", "a\xf0\x9f\x98,b\n", "1[\"a\ufffd\" \"b\"] "},
		{"nothing", "", ""},
	} {
		want := strings.NewReplacer(`\u00e9`, "\u00e9", `\u2019`, "\u2019", `\u2013`, "\u2013").Replace(c.want)
		if got := rowsOf(t, c.text); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	if got := rowsOf(t, "\xff\xfe\x00\x00a\x00\x00\x00"); !strings.Contains(got, "UTF-32") {
		t.Errorf("UTF-32: %s", got)
	}
	if got := rowsOf(t, "a,b\n"+strings.Repeat("x", maxLine+1)); !strings.Contains(got, "longer than") {
		t.Errorf("a long line: %.80s", got)
	}
}

// UTF-16 is known by its mark or by its zero bytes.
func TestCSVInUTF16(t *testing.T) {
	want := `1["Sector" "SOC"] 2["Care" "caf\u00e9"] `
	want = strings.ReplaceAll(want, `\u00e9`, "\u00e9")
	for _, endian := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		for _, mark := range []unicode.BOMPolicy{unicode.UseBOM, unicode.IgnoreBOM} {
			text, err := unicode.UTF16(endian, mark).NewEncoder().String("Sector\tSOC\nCare\tcaf\u00e9\n")
			if err != nil {
				t.Fatal(err)
			}
			if got := rowsOf(t, text); got != want {
				t.Errorf("%v %v: %s", endian, mark, got)
			}
		}
	}
}

// Whatever stray quote stands in a table, no row vanishes: each is read, or named.
func TestNoRowVanishes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "rows")
		lines := make([]string, n)
		for i := range lines {
			lines[i] = fmt.Sprintf("Care,%d,Title %d", 1000+i, i)
			if rapid.IntRange(0, 5).Draw(t, "quoted") == 0 {
				lines[i] = fmt.Sprintf(`"Care",%d,"Title, %d"`, 1000+i, i)
			}
		}
		for range rapid.IntRange(0, 4).Draw(t, "stray quotes") {
			i := rapid.IntRange(0, n-1).Draw(t, "line")
			at := rapid.IntRange(0, len(lines[i])).Draw(t, "column")
			lines[i] = lines[i][:at] + `"` + lines[i][at:]
		}
		c, err := NewCSV(strings.NewReader("Sector,SOC,Title\n" + strings.Join(lines, "\n")))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for {
			cells, line, err := c.Read()
			if err == io.EOF {
				break
			}
			// a code that cannot be read names the row
			if err == nil && len(cells) > 1 && strings.Trim(cells[1], "0123456789") != "" {
				for more := range strings.Count(strings.Join(cells, ""), "\n") {
					seen[line+1+more] = true
				}
			}
			if seen[line] || line == 0 {
				t.Fatalf("line %d is read twice: %v", line, err)
			}
			seen[line] = true
		}
		for i := range lines {
			if !seen[i+2] {
				t.Fatalf("line %d vanished from\n%s", i+2, strings.Join(lines, "\n"))
			}
		}
	})
}

func TestTable(t *testing.T) {
	read := func(text string) Table {
		list, err := ReadSheets(context.Background(), []byte(text), "")
		if err != nil {
			t.Fatal(err)
		}
		table, err := FindTableByHeader(list[0], "soc", "title", "jobs")
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	many := strings.Repeat("2231,Nurses,1\n", 40)
	table := read("Table 1\nSOC,Title,Jobs\n" + many +
		"5313,Bricklayers\n2136,Programmers,3,4\n6135,Care workers,5,,\n\nNotes: rounded\nSource: office\n")
	if len(table.Rows) != 43 || len(table.Faults) != 2 || table.RowPosition(40) != "line 45" {
		t.Errorf("%d rows, %+v", len(table.Rows), table.Faults)
	}
	for i, where := range []string{"line 43", "line 44"} {
		if f := table.Faults[i]; f.Where != where || f.Code != sources.FaultBrokenRow {
			t.Errorf("%+v, want %s", f, where)
		}
	}
	if _, err := ReadSheets(context.Background(), []byte("SOC,Title,Jobs\n2231,\"Nurses,1\n5313,Bricklayers,2\n"),
		""); sources.FaultCodeOf(err) != sources.FaultSchema {
		t.Errorf("one row of three is broken: %v", err)
	}
	semicolons := read("SOC;Title;Jobs\n2231;Nurses;1,234\n5313;Bricklayers;1234\n")
	if _, ok := semicolons.Number(semicolons.Rows[0], "jobs"); ok {
		t.Error("1,234 between semicolons was read")
	}
	if n, ok := semicolons.Number(semicolons.Rows[1], "jobs"); n != 1234 || !ok {
		t.Errorf("%v %v", n, ok)
	}
}

// Figures as people and spreadsheets write them are read; what cannot be read is never taken for no
// figure.
func TestFigures(t *testing.T) {
	for in, want := range map[string]float64{"400\u00a0000": 400000, "400\u202f000": 400000, "400 000": 400000,
		"1,234,567.5": 1234567.5, "\u22125.5": -5.5, "+3": 3,
		"300,000 [p]": 300000, "300000[r]": 300000, "12\u00b9": 12, "12*": 12, "12 \u2020": 12, "7 [note 2]": 7,
		"\u200e90000": 90000, "1'234": 1234, "2e3": 2000, ".5": .5} {
		if n, ok := ParseNumber(in); n != want || !ok || IsMissingFigure(in) {
			t.Errorf("Number(%q) = %v, %v, want %v", in, n, ok, want)
		}
	}
	for _, in := range []string{"12,5", "1,23", "12,3456", "1 23", "5%", "(5)", "about 5", "5-6", "1,234r", "£5", "5k",
		"12 [x]", "--5", "5."} {
		if n, ok := ParseNumber(in); ok || IsMissingFigure(in) {
			t.Errorf("Number(%q) = %v; absent %v", in, n, IsMissingFigure(in))
		}
	}
	for _, in := range []string{"", " ", "-", "\u2013", "..", ":", "n/a", "N/A", "x", "z", "[c]", "[low]", "~",
		"\u200b"} {
		if _, ok := ParseNumber(in); ok || !IsMissingFigure(in) {
			t.Errorf("%q is not taken for no figure", in)
		}
	}
	for in, want := range map[string]string{"\u200e6135": "6135", "2237 ": "2237", "5241\u200b": "5241",
		"8211.0": "8211", "'5434": "5434", "2231\u00b9": "2231",
		"2231 [note 1]": "2231", "SOC 2314": "SOC 2314", "\u00a02136": "2136", "E09000007*": "E09000007", "": "",
		"*": "*"} {
		if got := ParseCode(in); got != want {
			t.Errorf("Code(%q) = %q, want %q", in, got, want)
		}
	}
}

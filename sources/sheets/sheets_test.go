package sheets

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"labour/sources"
)

// book makes a workbook of two sheets.
func book(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	if _, err := f.NewSheet("Occ T2"); err != nil {
		t.Fatal(err)
	}
	style, err := f.NewStyle(&excelize.Style{NumFmt: 1}) // shown without decimals
	if err != nil {
		t.Fatal(err)
	}
	for cell, v := range map[string]any{"A1": "Levels (000s)", "B1": 2020, "A2": "11 Managers", "B2": 2300.8631856488205} {
		if err := f.SetCellValue("Occ T2", cell, v); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SetCellStyle("Occ T2", "B2", "B2", style); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWorkbook(t *testing.T) {
	got, err := Read(book(t), "Occ T2")
	if err != nil {
		t.Fatal(err)
	}
	want := []Sheet{{"Occ T2", [][]string{{"Levels (000s)", "2020"}, {"11 Managers", "2300.8631856488205"}}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the number must be as stored, not as shown (- want, + got):\n%s", diff)
	}
	if all, err := Read(book(t), ""); err != nil || len(all) != 2 || all[1].Name != "Occ T2" {
		t.Errorf("all sheets: %v, %v", all, err)
	}
	if _, err := Read(book(t), "Occ T9"); sources.CodeOf(err) != sources.FaultSchema || !strings.Contains(err.Error(), "Occ T2") {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

func TestNotATable(t *testing.T) {
	wide := strings.Repeat(",", MaxColumns)
	for name, c := range map[string]struct {
		body string
		want sources.FaultCode
	}{
		"cut workbook": {string(book(t)[:400]), sources.FaultNotExpected},
		"old workbook": {"\xd0\xcf\x11\xe0\xa1\xb1", sources.FaultNotExpected},
		"wide":         {wide, sources.FaultSchema},
		"long":         {strings.Repeat("a\n", MaxRows+1), sources.FaultSchema},
	} {
		if _, err := Read([]byte(c.body), ""); sources.CodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

func TestCSV(t *testing.T) {
	got, err := Read([]byte("\ufeffa,\"b\nc\"\n1\n"), "any")
	if diff := cmp.Diff([]Sheet{{"", [][]string{{"a", "b\nc"}, {"1"}}}}, got); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err = Read([]byte("2019\x9629\n"), ""); err != nil || got[0].Rows[0][0] != "2019–29" {
		t.Errorf("Windows-1252: %q, %v", got, err)
	}
}

func TestCells(t *testing.T) {
	for in, want := range map[string]string{`="13-2011"`: "13-2011", " a \n b ": "a b", `="`: `="`, "": ""} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"1,579.80": "1579.8", "-0.2": "-0.2", `="57"`: "57", "4.3436953863813415e0": "4.3436953863813415",
		"-": "", "—": "", "N/A": "", ">=239,200": "", "": "", "Inf": "", "NaN": "", "0x1p4": "", "1e999": "", "1_000": "", "c": "", "e": ""} {
		got := ""
		if n, ok := Number(in); ok {
			got = fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("Number(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Cell([]string{"a"}, 1) + Cell(nil, -1); got != "" {
		t.Errorf("beyond the row: %q", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(book(f))
	f.Add([]byte("a,b\n1,\"2\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := Read(body, "")
		if err != nil && sources.CodeOf(err) == sources.FaultUnavailable {
			t.Errorf("an error without a named outcome: %v", err)
		}
		for _, s := range list {
			for _, row := range s.Rows {
				for _, cell := range row {
					Number(cell)
				}
			}
		}
	})
}

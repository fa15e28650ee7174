package sheets

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
	for cell, v := range map[string]any{"A1": "Levels (000s)", "B1": 2020, "A2": "11 Managers",
		"B2": 2300.8631856488205} {
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
	got, err := ReadSheets(context.Background(), book(t), "Occ T2")
	if err != nil {
		t.Fatal(err)
	}
	want := []Sheet{{Name: "Occ T2",
		Rows: [][]string{{"Levels (000s)", "2020"}, {"11 Managers", "2300.8631856488205"}}}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Sheet{})); diff != "" {
		t.Errorf("the number must be as stored, not as shown (- want, + got):\n%s", diff)
	}
	if all, err := ReadSheets(context.Background(), book(t), ""); err != nil || len(all) != 2 || all[1].Name != "Occ T2" {
		t.Errorf("all sheets: %v, %v", all, err)
	}
	if _, err := ReadSheets(context.Background(), book(t), "Occ T9"); sources.FaultCodeOf(err) != sources.FaultSchema ||
		!strings.Contains(err.Error(), "Occ T2") {
		t.Errorf("a sheet that is not there: %v", err)
	}
}

func TestNotATable(t *testing.T) {
	wide := strings.Repeat(",", MaxColumns)
	for name, c := range map[string]struct {
		body string
		want sources.FaultCode
	}{
		"cut workbook":           {string(book(t)[:400]), sources.FaultWrongFormat},
		"old workbook":           {"\xd0\xcf\x11\xe0\xa1\xb1", sources.FaultWrongFormat},
		"wide":                   {wide, sources.FaultSchema},
		"long":                   {strings.Repeat("a\n", MaxRows+1), sources.FaultSchema},
		"long with a broken row": {strings.Repeat("a\n", MaxRows) + "\"a\"b\n", sources.FaultSchema},
		"long as it may be":      {strings.Repeat("a\n", MaxRows-1) + "\"a\"b\n", ""},
	} {
		if _, err := ReadSheets(context.Background(), []byte(c.body), ""); sources.FaultCodeOf(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// A small workbook whose cells all name one long text, or many cells a shorter one, or that
// has millions of texts, takes no more memory than the tables that are published.
func TestWorkbookThatUnpacksToMuch(t *testing.T) {
	long := func(texts []byte) []byte {
		return bytes.ReplaceAll(texts, []byte("xx"), bytes.Repeat([]byte("x"), maxCell/1000))
	}
	many := func([]byte) []byte {
		return []byte(`<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` + strings.Repeat(
			"<si></si>", 2<<20) + "</sst>")
	}
	for name, c := range map[string]struct {
		rows, columns int
		name          string
		texts         func([]byte) []byte
	}{
		"one long text": {1, 2, "xl/sharedStrings.xml", long}, "many cells": {100, 40, "xl/sharedStrings.xml",
			bytes.Clone},
		"millions of texts": {1, 2, "xl/sharedStrings.xml", many}, "named otherwise": {1, 2, `xl\SharedStrings.xml`,
			long},
	} {
		f := excelize.NewFile()
		for row := range c.rows {
			values := make([]any, c.columns)
			for i := range values {
				values[i] = strings.Repeat("x", 30_000)
			}
			cell, err := excelize.CoordinatesToCellName(1, row+1)
			if err != nil {
				t.Fatal(err)
			}
			if err := f.SetSheetRow("Sheet1", cell, &values); err != nil {
				t.Fatal(err)
			}
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		body := changed(t, b.Bytes(), c.name, c.texts)
		if _, err := ReadSheets(context.Background(), body, ""); sources.FaultCodeOf(err) != sources.FaultWrongFormat ||
			!strings.Contains(err.Error(), "bytes") {
			t.Errorf("%s in %d bytes: %v", name, len(body), err)
		}
	}
}

// changed gives a workbook other shared texts than a spreadsheet would write, in a part of
// that name.
func changed(t *testing.T, book []byte, name string, texts func([]byte) []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, file := range z.File {
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		to := file.Name
		if to == "xl/sharedStrings.xml" {
			to, part = name, texts(part)
		}
		into, err := w.Create(to)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := into.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Reading a workbook ends with the run.
func TestReadingStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := ReadSheets(ctx, book(t), ""); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestCSV(t *testing.T) {
	got, err := ReadSheets(context.Background(), []byte("\ufeffa,\"b\nc\"\n1\n"), "any")
	if diff := cmp.Diff([]Sheet{{Rows: [][]string{{"a", "b\nc"}, {"1"}}, Separator: ','}}, got,
		cmpopts.IgnoreUnexported(Sheet{})); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if got, err = ReadSheets(context.Background(), []byte("2019\x9629\n"), ""); err != nil ||
		got[0].Rows[0][0] != "2019–29" {
		t.Errorf("Windows-1252: %+v, %v", got, err)
	}
}

func TestCells(t *testing.T) {
	for in, want := range map[string]string{`="13-2011"`: "13-2011", " a \n b ": "a b", `="`: `="`, "": ""} {
		if got := CleanText(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"1,579.80": "1579.8", "-0.2": "-0.2", `="57"`: "57",
		"4.3436953863813415e0": "4.3436953863813415",
		"-":                    "", "—": "", "N/A": "", ">=239,200": "", "": "", "Inf": "", "NaN": "", "0x1p4": "",
		"1e999": "", "1_000": "", "c": "", "e": ""} {
		got := ""
		if n, ok := ParseNumber(in); ok {
			got = fmt.Sprint(n)
		}
		if got != want {
			t.Errorf("Number(%q) = %q, want %q", in, got, want)
		}
	}
	if got := CellText([]string{"a"}, 1) + CellText(nil, -1); got != "" {
		t.Errorf("beyond the row: %q", got)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(book(f))
	f.Add([]byte("a,b\n1,\"2\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := ReadSheets(context.Background(), body, "")
		if err != nil && sources.FaultCodeOf(err) == sources.FaultUnavailable {
			t.Errorf("an error without a named outcome: %v", err)
		}
		for _, s := range list {
			for _, row := range s.Rows {
				for _, cell := range row {
					ParseNumber(cell)
				}
			}
		}
	})
}

func TestFindTableByHeader(t *testing.T) {
	rows := Sheet{Rows: [][]string{{"Table 1"}, {" SOC ", "", "Openings"}, {"2231", "", "100"}}}
	got, err := FindTableByHeader(rows, "soc", "openings")
	if err != nil || len(got.Rows) != 1 || got.Columns["soc"] != 0 || got.Columns["openings"] != 2 ||
		len(got.Columns) != 2 || got.RowPosition(0) != "row 3" {
		t.Errorf("%+v %v", got, err)
	}
	if n, ok := got.Number(got.Rows[0], "openings"); n != 100 || !ok || got.Cell(got.Rows[0], "year") != "" {
		t.Errorf("%v %v", n, ok)
	}
	if _, err := FindTableByHeader(rows, "soc", "year"); sources.FaultCodeOf(err) != sources.FaultColumnMissing ||
		!strings.Contains(err.Error(), "names year") {
		t.Errorf("a column that is missing: %v", err)
	}
	if _, err := FindTableByHeader(Sheet{Rows: [][]string{{"soc", "SOC"}}},
		"soc"); sources.FaultCodeOf(err) != sources.FaultSchema {
		t.Errorf("a column that is there twice: %v", err)
	}
	if _, err := FindTableByHeader(Sheet{}, "soc"); sources.FaultCodeOf(err) != sources.FaultColumnMissing {
		t.Errorf("no rows: %v", err)
	}
}

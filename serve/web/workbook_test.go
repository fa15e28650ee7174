package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"
)

// TestWorkbookOfAPage: the workbook of a page has each table behind it on a sheet of its own, with
// the rows of the table's CSV, and in front the call of each and the statements.
func TestWorkbookOfAPage(t *testing.T) {
	s := newSite(t)
	page := s.page(t, "/places/camden?with=islington")
	w := s.get(t, "/workbook/places/camden?with=islington")
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	f, err := excelize.OpenReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, a := range elements(page, "a") {
		if link := attribute(a, "href"); strings.HasPrefix(link, "/csv/") && !strings.HasPrefix(link, "/csv/whole/") {
			tables = append(tables, link)
		}
	}
	sheets := f.GetSheetList()
	if len(tables) < 5 || len(sheets) != len(tables)+1 {
		t.Fatalf("%d sheets of %d tables: %v", len(sheets), len(tables), sheets)
	}
	for i, sheet := range sheets[1:] {
		rows, err := f.GetRows(sheet)
		if want := len(lines(t, s, tables[i])); err != nil || len(rows) != want {
			t.Errorf("sheet %q has %d rows, want %d as %s, %v", sheet, len(rows), want, tables[i], err)
		}
	}
	compareSheetNamed(t, f, sheets[1], lines(t, s, tables[0]))
	front, err := f.GetRows(sheets[0])
	if err != nil || !slices.ContainsFunc(front, func(row []string) bool {
		return len(row) == 5 && strings.Contains(row[1], "Contains ")
	}) {
		t.Errorf("the first sheet has no statement: %v, %v", front, err)
	}
	for path, want := range map[string]int{"/workbook/places/nowhere": http.StatusNotFound,
		"/workbook/nothing": http.StatusNotFound} {
		if w := s.get(t, path); w.Code != want {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
}

// compareSheetNamed fails unless the shares of a sheet are numbers equal to those of a CSV.
func compareSheetNamed(t *testing.T, f *excelize.File, sheet string, want [][]string) {
	t.Helper()
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	in, of := slices.Index(rows[0], "adverts_share_pct"), slices.Index(want[0], "adverts_share_pct")
	for i := 1; i < len(want); i++ {
		at, err := excelize.CoordinatesToCellName(in+1, i+1)
		if err != nil {
			t.Fatal(err)
		}
		kind, err := f.GetCellType(sheet, at)
		if err != nil || kind != excelize.CellTypeUnset && kind != excelize.CellTypeNumber ||
			strings.TrimSuffix(rows[i][in], ".0") != strings.TrimSuffix(want[i][of], ".0") {
			t.Errorf("%s %s is %q, want the number %q (%v)", sheet, at, rows[i][in], want[i][of], err)
		}
	}
}

// TestWorkbookOfEachPage: a page with a table of figures has a link to its tables, which leads to a
// workbook. A chart for other sites and a sheet to print have none.
func TestWorkbookOfEachPage(t *testing.T) {
	s := newSite(t)
	with := 0
	for _, path := range kindsOfPage() {
		w := s.get(t, path)
		tree, err := html.Parse(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if w.Code != http.StatusOK || !hasFigureTable(tree) {
			continue
		}
		with++
		links := 0
		for _, e := range elements(tree, "a") {
			to := attribute(e, "href")
			if !strings.HasPrefix(to, "/workbook/") {
				continue
			}
			links++
			if book := s.get(t, to); book.Code != http.StatusOK ||
				!strings.Contains(book.Header().Get("Content-Type"), "spreadsheetml") {
				t.Errorf("%s leads to %s: status %d, %s", path, to, book.Code, book.Header().Get("Content-Type"))
			}
		}
		if links != 1 {
			t.Errorf("%s has %d links to its workbook", path, links)
		}
	}
	if with < 20 {
		t.Errorf("only %d pages have a table of figures", with)
	}
}

// hasFigureTable reports whether a page has a table with rows of the interface.
func hasFigureTable(tree *html.Node) bool {
	for _, table := range elements(tree, "table") {
		for _, row := range elements(table, "tr") {
			if attribute(row, "data-row") != "" {
				return true
			}
		}
	}
	return false
}

package formats_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"labour/serve/api"
	"labour/serve/formats"
)

// workbook returns the bytes of a workbook of rows.
func workbook[R any](t *testing.T, f formats.Response[R]) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := layoutOf[R](t).WriteWorkbook(&out, f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// width checks the width of the columns of a sheet.
func width(t *testing.T, book *excelize.File, sheet string, want float64, columns ...string) {
	t.Helper()
	for _, c := range columns {
		if got, err := book.GetColWidth(sheet, c); err != nil || got != want {
			t.Errorf("%s: column %s is %v wide, want %v (%v)", sheet, c, got, want, err)
		}
	}
}

// The names of the columns stay in view, and all columns are wide enough to read.
func TestTheFirstRowOfASheetIsFrozen(t *testing.T) {
	out := workbook(t, formats.Response[bookRow]{Rows: []bookRow{{Skill: "sql"}}})
	book, err := excelize.OpenReader(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	width(t, book, "Figures", 18, "A", "C")
	width(t, book, "Sources", 28, "A", "E")
	panes, err := book.GetPanes("Figures")
	if err != nil || !panes.Freeze || panes.YSplit != 1 || panes.XSplit != 0 || panes.TopLeftCell != "A2" {
		t.Errorf("%+v and %v, want the first row frozen", panes, err)
	}
	var joined bytes.Buffer
	if err := formats.WriteWorkbookOfSheets(&joined, nil, nil); err != nil {
		t.Fatal(err)
	}
	contents, err := excelize.OpenReader(&joined)
	if err != nil {
		t.Fatal(err)
	}
	defer contents.Close()
	width(t, contents, "Contents", 32, "A", "E")
}

func TestAWorkbookHasEveryRow(t *testing.T) {
	for n := range 3 {
		var rows []bookRow
		want := [][]string{}
		for i := range n {
			rows = append(rows, bookRow{Skill: fmt.Sprint("skill ", i)})
			want = append(want, []string{fmt.Sprint("skill ", i)})
		}
		if n > 0 {
			want = slices.Insert(want, 0, []string{"skill", "score", "people"})
		}
		if diff := cmp.Diff(want, read(t, workbook(t, formats.Response[bookRow]{Rows: rows}), "Figures")); diff != "" {
			t.Errorf("%d rows: %s", n, diff)
		}
	}
}

// The second sheet tells the origin of the figures line by line.
func TestLinesOfTheSheetOfSources(t *testing.T) {
	for people, want := range map[string]string{
		"": "", `"people":{"from":"2026-07-01","to":"2026-09-30"},`: "2026-07-01 to 2026-09-30",
		`"people":{"from":"2026-07-01","to":"2026-09-30","rounded_to":1},`: "2026-07-01 to 2026-09-30",
		`"people":{"from":"2026-07-01","to":"2026-09-30","rounded_to":2},`: "2026-07-01 to 2026-09-30, " +
			"rounded to multiples of 2",
	} {
		out := workbook(t, formats.Response[bookRow]{ResponseURL: "https://labour.example/x",
			ResponseMeta: json.RawMessage(`{` + people + `"as_of":"2026-11-20","snapshot":"2026-11-20.1","note":"Made up."}`),
			Sources: []api.Source{{Key: "a", AttributionStatement: "Source: A.", Publisher: "A Ltd", Licence: "OGL",
				Link: "https://a.example/"}, {Key: "b"}}})
		var got []string
		for _, line := range read(t, out, "Sources") {
			got = append(got, strings.Join(line, "|"))
		}
		wanted := []string{"Data as of|2026-11-20", strings.TrimSuffix("Figures about people|"+want, "|"),
			"Snapshot|2026-11-20.1", "Address|https://labour.example/x",
			"Reading|An empty cell is a figure that is not published, never zero. <5 is a count of people from 1 to 4.",
			"Note|Made up.", "Rule|" + api.AttributionNotice, "",
			"Source|Statement to show, word for word|Publisher|Licence|Link",
			"a|Source: A.|A Ltd|OGL|https://a.example/", "b"}
		if diff := cmp.Diff(wanted, got); diff != "" {
			t.Errorf("%s: %s", people, diff)
		}
	}
}

// huge is a number beyond those of a workbook.
type huge string

func (huge) MarshalJSON() ([]byte, error) { return []byte("1e999"), nil }

func TestANumberTooLargeForAWorkbookIsAnError(t *testing.T) {
	type row struct {
		Number huge `json:"number"`
	}
	err := layoutOf[row](t).WriteWorkbook(&bytes.Buffer{}, formats.Response[row]{Rows: []row{{}}})
	if err == nil || !strings.Contains(err.Error(), "1e999") {
		t.Errorf("%v, want an error that tells the number", err)
	}
}

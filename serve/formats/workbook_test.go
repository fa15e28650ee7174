package formats_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"labour/serve/api"
	"labour/serve/formats"
	"labour/snapshots/figure"
)

type bookRow struct {
	Skill  string    `json:"skill"`
	Score  api.Score `json:"score"`
	People api.Count `json:"people"`
}

// read returns the cells of a sheet as they are shown.
func read(t *testing.T, book []byte, sheet string) [][]string {
	t.Helper()
	f, err := excelize.OpenReader(bytes.NewReader(book))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := f.GetRows(sheet)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// A workbook has every row with the decimals of the API, an empty cell for what is not published, and
// on its own sheet the sources and the time of the figures.
func TestWorkbookHasTheFiguresAndTheirOrigin(t *testing.T) {
	layout, err := formats.NewLayout[bookRow]()
	if err != nil {
		t.Fatal(err)
	}
	half := int64(5000)
	rows := []bookRow{{"sql", api.Score{TenThousandths: &half}, api.Count{Count: figure.CountOf(3)}},
		{"care", api.Score{}, api.Count{Count: figure.CountOf(25)}}}
	var out bytes.Buffer
	if err := layout.WriteWorkbook(&out, formats.Response[bookRow]{Endpoint: "/v1/labour/x", Rows: rows,
		ResponseURL: "https://labour.example/v1/labour/x", Sources: []api.Source{{Key: "platform",
			AttributionStatement: "Source: Example Works."}}, ResponseMeta: map[string]any{"as_of": "2026-11-20",
			"people": map[string]any{"from": "2026-07-01", "to": "2026-09-30", "rounded_to": 5}}}); err != nil {
		t.Fatal(err)
	}
	figures := read(t, out.Bytes(), "Figures")
	if want := [][]string{{"skill", "score", "people"}, {"sql", "0.5000", "<5"}, {"care", "", "25"}}; !slices.EqualFunc(
		figures, want, slices.Equal[[]string]) {
		t.Errorf("%q, want %q", figures, want)
	}
	var lines []string
	for _, line := range read(t, out.Bytes(), "Sources") {
		lines = append(lines, strings.Join(line, "|"))
	}
	for _, want := range []string{"Data as of|2026-11-20", "Address|https://labour.example/v1/labour/x",
		"Figures about people|2026-07-01 to 2026-09-30, rounded to multiples of 5", "platform|Source: Example Works."} {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) }) {
			t.Errorf("no line %q in %q", want, lines)
		}
	}
}

// Lists joined to one workbook have a sheet each, in their order, whose name Excel accepts.
func TestJoinedListsHaveASheetEach(t *testing.T) {
	layout, err := formats.NewLayout[bookRow]()
	if err != nil {
		t.Fatal(err)
	}
	table, err := layout.Table(formats.Response[bookRow]{Rows: []bookRow{{Skill: "sql"}}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	long := strings.Repeat("é", 40)
	if err := formats.WriteWorkbookOfSheets(&out, []formats.Sheet{{Title: "Skills: [what]?", RequestURL: "/a",
		Table: table},
		{Title: long, RequestURL: "/b"}}, [][]any{{"As of", "2026-11-20"}}); err != nil {
		t.Fatal(err)
	}
	contents := read(t, out.Bytes(), "Contents")
	want := [][]string{{"Sheet", "What it has", "API call"}, {"1 Skills   what", "Skills: [what]?", "/a"},
		{"2 " + long[:2*29], long, "/b"}, nil, {"As of", "2026-11-20"}}
	if !slices.EqualFunc(contents, want, slices.Equal[[]string]) {
		t.Errorf("%q, want %q", contents, want)
	}
	if first := read(t, out.Bytes(), want[1][0]); len(first) != 2 || first[1][0] != "sql" {
		t.Errorf("%q", first)
	}
	if second := read(t, out.Bytes(), want[2][0]); len(second) != 1 || second[0][0] != "No rows" {
		t.Errorf("%q", second)
	}
}

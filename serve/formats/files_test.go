package formats_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/serve/api"
	"labour/serve/formats"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// kinds has a field of each type that a column may have.
type kinds struct {
	Day     api.Date              `json:"day" doc:"A day."`
	End     api.NullableDate      `json:"end"`
	At      api.Timestamp         `json:"at"`
	Last    api.NullableTimestamp `json:"last"`
	Share   api.Share             `json:"share_pct"`
	Change  api.Percent           `json:"change_pct"`
	Score   api.Score             `json:"score"`
	People  api.Count             `json:"people" doc:"People."`
	Sources api.Keys              `json:"pointing_sources"`
	Name    string                `json:"name"`
	Area    *string               `json:"area"`
	Fresh   bool                  `json:"fresh,omitempty"`
	Rows    int64                 `json:"rows"`
	Parts   struct {
		Stale *int `json:"stale"`
	} `json:"parts"`
	Position int `json:"-"`
}

func TestEachTypeOfFieldHasItsColumn(t *testing.T) {
	got, err := formats.ColumnsOfRow(reflect.TypeFor[kinds]())
	if err != nil {
		t.Fatal(err)
	}
	want := []snapshots.Column{
		{Name: "day", Type: snapshots.TypeDay, Doc: "A day."},
		{Name: "end", Type: snapshots.TypeDay, Nullable: true},
		{Name: "at", Type: snapshots.TypeTimestamp},
		{Name: "last", Type: snapshots.TypeTimestamp, Nullable: true},
		{Name: "share_pct", Type: snapshots.TypeFloat64},
		{Name: "change_pct", Type: snapshots.TypeFloat64, Nullable: true},
		{Name: "score", Type: snapshots.TypeFloat64, Nullable: true},
		{Name: "people", Type: snapshots.TypeInt64, Nullable: true,
			Doc: "People. In CSV <5 for a count of people from 1 to 4; in Parquet only a number, 0 or at least 5."},
		{Name: "people_status", Type: snapshots.TypeText, Doc: "number: people is the count. " +
			"under_5: it is a count of people from 1 to 4. not_published: there is no figure, which is never zero."},
		{Name: "pointing_sources", Type: snapshots.TypeText},
		{Name: "name", Type: snapshots.TypeText},
		{Name: "area", Type: snapshots.TypeText, Nullable: true},
		{Name: "fresh", Type: snapshots.TypeBool},
		{Name: "rows", Type: snapshots.TypeInt64},
		{Name: "parts_stale", Type: snapshots.TypeInt64, Nullable: true},
		{Name: "attribution_statement", Type: snapshots.TypeText,
			Doc: "Every statement to show with the row, word for word; several with a space between."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func layoutOf[R any](t *testing.T) *formats.Layout[R] {
	t.Helper()
	layout, err := formats.NewLayout[R]()
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

type sourced struct {
	Source string   `json:"source_key"`
	Others api.Keys `json:"pointing_sources"`
}

// A row has the statements of the sources that it names, each statement once, and those of the
// sources that no row names. The order is that of the response.
func TestARowHasTheStatementsOfItsSources(t *testing.T) {
	rows := []sourced{{"b", nil}, {"", api.Keys{"c", "d"}}, {"b", api.Keys{"d"}}, {"", nil}}
	var sources []api.Source
	for _, key := range []string{"d", "all", "b", "c", "again"} {
		sources = append(sources, api.Source{Key: key, AttributionStatement: strings.ToUpper(key) + "."})
	}
	sources[4].AttributionStatement = "ALL."
	var out bytes.Buffer
	if err := layoutOf[sourced](t).WriteCSV(&out, formats.Response[sourced]{Rows: rows, Sources: sources}); err != nil {
		t.Fatal(err)
	}
	want := "source_key,pointing_sources,attribution_statement\nb,,ALL. B.\n,\"c,d\",D. ALL. C.\nb,d,D. ALL. B.\n,,ALL.\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

type measured struct {
	Change api.Percent `json:"change_pct"`
	People api.Count   `json:"people"`
	Rows   int64       `json:"rows"`
}

// A percentage has a decimal in CSV even where JSON has none. Whole numbers have none.
func TestPercentagesInCSVHaveADecimal(t *testing.T) {
	var out bytes.Buffer
	rows := []measured{{api.Percent{Tenths: ptr(figure.Tenths(120))}, api.Count{Count: figure.CountOf(25)}, -7},
		{api.Percent{Tenths: ptr(figure.Tenths(-5))}, api.Count{}, 0}}
	if err := layoutOf[measured](t).WriteCSV(&out, formats.Response[measured]{Rows: rows}); err != nil {
		t.Fatal(err)
	}
	want := "change_pct,people,people_status,rows,attribution_statement\n12.0,25,number,-7,\n-0.5,,not_published,0,\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// The metadata of a Parquet file tell its licences and statements once each and sorted, its
// sources, the metadata of the response with <5 as it is, and the meaning of each column.
func TestMetadataOfAParquetFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	sources := []api.Source{{Key: "b", Licence: "OGL", AttributionStatement: "Source: B.", Link: "https://b.example/"},
		{Key: "a", Licence: "CC", AttributionStatement: "Source: A."}, {Key: "c", Licence: "OGL",
			AttributionStatement: "Source: A."}}
	err = layoutOf[measured](t).WriteParquet(file,
		formats.Response[measured]{Endpoint: "/v1/labour/x", Rows: []measured{{}},
			Sources: sources, ResponseMeta: map[string]string{"note": "<5 & more"}})
	if err := errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	footer, err := parquetio.ReadFooter(path)
	if err != nil {
		t.Fatal(err)
	}
	empty := `","publisher":"","licence":"`
	want := map[string]string{
		"labour.endpoint": "/v1/labour/x", "labour.attribution_notice": api.AttributionNotice,
		"labour.licence": "CC\nOGL", "labour.attribution": "Source: A.\nSource: B.",
		"labour.sources": `[{"key":"b` + empty + `OGL","link":"https://b.example/","attribution_statement":"Source: B."},` +
			`{"key":"a` + empty + `CC","link":"","attribution_statement":"Source: A."},` +
			`{"key":"c` + empty + `OGL","link":"","attribution_statement":"Source: A."}]`,
		"labour.meta":              `{"note":"<5 & more"}`,
		"labour.column.change_pct": "",
		"labour.column.people": " In CSV <5 for a count of people from 1 to 4; in Parquet only a number, 0 or at " +
			"least 5.",
		"labour.column.people_status": layoutOf[measured](t).Columns[2].Doc, "labour.column.rows": "",
		"labour.column.attribution_statement": "Every statement to show with the row, word for word; several with a " +
			"space between.",
	}
	for key, value := range want {
		if got := footer.Metadata[key]; got != value {
			t.Errorf("%s is %q, want %q", key, got, value)
		}
	}
	if _, there := footer.Metadata["labour.column.rows"]; !there || footer.Rows != 1 {
		t.Errorf("%d rows with the metadata %v", footer.Rows, footer.Metadata)
	}
}

// failing is a writer that refuses all bytes.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errUnwritable }

func TestFilesThatCannotBeWrittenAreErrors(t *testing.T) {
	layout := layoutOf[measured](t)
	file := formats.Response[measured]{Endpoint: "/v1/labour/x", Rows: []measured{{}}}
	bad := file
	bad.ResponseMeta = make(chan int) // which is no JSON
	var out bytes.Buffer
	for want, err := range map[string]error{
		"write /v1/labour/x as CSV: ":         layout.WriteCSV(failing{}, file),
		"write /v1/labour/x as a workbook: ":  layout.WriteWorkbook(failing{}, file),
		"write a workbook of 2 lists: ":       formats.WriteWorkbookOfSheets(failing{}, make([]formats.Sheet, 2), nil),
		"metadata of /v1/labour/x: ":          layout.WriteParquet(&out, bad),
		"write /v1/labour/x as a workbook: j": layout.WriteWorkbook(&out, bad),
	} {
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want an error that begins with %q", err, want)
		}
	}
	if err := layout.WriteParquet(failing{}, file); !errors.Is(err, errUnwritable) {
		t.Errorf("Parquet: %v", err)
	}
}

package blsprojections

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"labour/sources"
)

// recorded returns a file of the publisher's that was recorded outside the project.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "E", name))
	if err != nil {
		t.Skipf("the recorded data ../shared/data is not here: %v", err)
	}
	return b
}

func readRecorded(t *testing.T, name string) (map[string]projection, map[string]int) {
	t.Helper()
	rows, faults, err := parse(context.Background(), recorded(t, name), "Table 1.2")
	if err != nil || len(faults) != 0 {
		t.Fatalf("%s: %v, %d faults, the first: %+v", name, err, len(faults), faults[:min(len(faults), 3)])
	}
	found, signals := map[string]projection{}, map[string]int{}
	for _, r := range rows {
		found[r.code] = r
		signals[r.signal]++
	}
	return found, signals
}

// TestRecordedEditions reads the downloads of three editions, with codes as formulas
// and as text, and numbers with and without a zero at the end.
func TestRecordedEditions(t *testing.T) {
	for name, want := range map[string]struct {
		occupations, base, horizon  int
		employment, percent, yearly float64 // of accountants and auditors
	}{
		"bls-employment-projections-2019-29.csv": {790, 2019, 2029, 1436.1, 4.3, 125.7},
		"bls-employment-projections-2021-31.csv": {832, 2021, 2031, 1449.8, 5.6, 136.4},
		"bls-employment-projections-2024-34.csv": {832, 2024, 2034, 1579.8, 4.6, 124.2},
	} {
		found, signals := readRecorded(t, name)
		a := found["13-2011"]
		if len(found) != want.occupations || a.baseYear != want.base || a.horizonYear != want.horizon ||
			a.name != "Accountants and auditors" ||
			a.base != want.employment || a.percent != want.percent || a.openings != want.yearly {
			t.Errorf("%s: %d occupations, %+v", name, len(found), a)
		}
		t.Logf("%s: %d occupations, %v", name, len(found), signals)
	}
}

// TestRecordedWorkbook: Table 1.2 of the workbook and the data tool's download of
// the same edition say the same, its sums left out.
func TestRecordedWorkbook(t *testing.T) {
	book, signals := readRecorded(t, "bls-occupation-xlsx-2019-29-table-1-2.csv")
	tool, _ := readRecorded(t, "bls-employment-projections-2019-29.csv")
	if len(book) != 790 {
		t.Errorf("%d line items, want 790", len(book))
	}
	differ := 0
	for code, b := range book {
		a, ok := tool[code]
		a.name, b.name = "", "" // the download cuts some titles
		if !ok || a != b {
			differ++
			t.Logf("%s: %+v and %+v", code, a, b)
		}
	}
	if differ > 0 {
		t.Errorf("%d of %d occupations differ", differ, len(book))
	}
	t.Logf("%v", signals)
}

// TestRecordedSeries reads the two recorded answers of the API.
func TestRecordedSeries(t *testing.T) {
	for _, c := range []struct{ file, id, want string }{
		{"bls-api-v1-cpi-sample.json", "CUUR0000SA0", "x: 335.123 in May 2026"},
		{"bls-api-v2-quarterly-annual-sample.json", "PRS85006091", "x: 2.2 in 2nd Quarter 2026"},
		{"bls-api-v2-quarterly-annual-sample.json", "MPU4910012", "x: 108.441 in 2025; 107.546 in 2024"},
	} {
		list, err := observations(recorded(t, c.file), c.id)
		if err != nil {
			t.Fatal(err)
		}
		e := Series{ID: c.id, Title: "x"}.evidence(list, sources.Date{Year: 2026, Month: 6, Day: 1})
		if want := c.want + ". Retrieved on 2026-06-01."; e.Statement != want {
			t.Errorf("%q, want %q", e.Statement, want)
		}
	}
}

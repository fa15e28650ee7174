package skillsprojections

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// recorded returns a file of the publisher's that was recorded outside the project.
func recorded(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "D", "skills-imperative-2035-"+name+".csv"))
	if err != nil {
		t.Skipf("the recorded data ../shared/data is not here: %v", err)
	}
	return b
}

// england reads a recorded sheet of the workbook of England: its rows by code.
func england(t *testing.T, name string) (map[string]occupation, map[string]int) {
	t.Helper()
	rows, faults, err := parse(context.Background(), recorded(t, name), Publication{ID: "p", Kind: KindProjections})
	if err != nil || len(faults) != 0 {
		t.Fatalf("%s: %v, faults %v", name, err, faults)
	}
	found, signals := map[string]occupation{}, map[string]int{}
	for _, r := range rows {
		found[r.soc] = r
		signals[r.signal]++
		if !r.figures.publishable() {
			t.Errorf("%s of England rests on fewer than 10,000 people", r.name)
		}
	}
	return found, signals
}

// TestRecordedEngland: the figures that the workbook prints for all occupations,
// and what the rule makes of its 26 groups.
func TestRecordedEngland(t *testing.T) {
	for name, want := range map[string]int{"england-occ-t1": 9 + 1, "england-occ-t2": 26 + 1} {
		found, signals := england(t, name)
		all := found[""].figures
		if len(found) != want || all.baseYear != 2020 || all.horizonYear != 2035 {
			t.Fatalf("%s: %d rows, %+v", name, len(found), all)
		}
		for i, pair := range [][2]float64{{all.horizon, 32070.1}, {all.net, 2210.4}, {all.replacement, 14988.1},
			{all.total, 17198.5}} {
			if math.Abs(pair[0]-pair[1]) > 0.05 {
				t.Errorf("%s, figure %d: %v, want %v thousand", name, i, pair[0], pair[1])
			}
		}
		t.Logf("%s: %v", name, signals)
	}
	found, _ := england(t, "england-occ-t2")
	for soc, want := range map[string]string{
		"12": signalGap, "21": signalGap, "61": signalGap, "24": signalGap, // grow, and more people needed than usual
		"11": signalNone,                     // grows, 52.9 against 57.6 per hundred
		"42": signalNoGap, "71": signalNoGap, // shrink
	} {
		if got := found[soc].signal; got != want {
			t.Errorf("SOC %s: %s, want %s", soc, got, want)
		}
	}
}

// TestRecordedLongTable: the sheet says the same as the table of all areas that was
// drawn from the workbooks, to its three decimals.
func TestRecordedLongTable(t *testing.T) {
	found, _ := england(t, "england-occ-t2")
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "D",
		"skills-imperative-2035-occupations-26-by-area.csv"))
	if err != nil {
		t.Skipf("the recorded data ../shared/data is not here: %v", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, row := range rows {
		o, ok := found[row[2]]
		if row[1] != "England" || !ok || row[2] == "" {
			continue
		}
		compared++
		for column, got := range map[int]float64{6: o.figures.base, 8: o.figures.horizon, 9: o.figures.net,
			10: o.figures.replacement, 11: o.figures.total} {
			if want, err := strconv.ParseFloat(row[column], 64); err != nil || math.Abs(got-want) > 0.00051 {
				t.Errorf("SOC %s, column %d: %v, the long table says %s", row[2], column, got, row[column])
			}
		}
	}
	if compared != 26 {
		t.Errorf("%d rows of England in the long table, want 26", compared)
	}
}

// TestRecordedOtherSheets: sheets that hold something else are refused, not misread.
func TestRecordedOtherSheets(t *testing.T) {
	for _, name := range []string{"england-occ-t3", "england-rd-t1", "england-ind-t2", "england-qual-t1",
		"england-contents", "england-warning"} {
		if rows, faults, err := parse(context.Background(), recorded(t, name),
			Publication{ID: "p", Kind: KindProjections}); err == nil {
			t.Errorf("%s: read as %d occupations, faults %v", name, len(rows), faults)
		}
	}
}

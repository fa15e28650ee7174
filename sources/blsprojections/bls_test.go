package blsprojections

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sheets"
	"labour/sources/sourcetest"
)

func newSource(t testing.TB, base string) *Source {
	t.Helper()
	s, err := New(Config{BaseURL: base + "/api/", KeyEnv: "TEST_BLS_KEY",
		Projections: &Projections{URL: base + "/emp.csv", Published: "2025-08-28"},
		Series:      []Series{{ID: "XXS1", Title: "Made-up rate", Unit: "per cent"}}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSuite puts the connector through everything that a publisher and an archive
// can do to it. The key stands in the address, and must be seen by nobody else.
func TestSuite(t *testing.T) {
	const key = "0123secret4567"
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source { return newSource(t, base) },
		Publisher: sourcetest.ServeBodies(map[string]string{"/emp.csv": sourcetest.ReadSample(t, "tool.csv"),
			"/api/timeseries/data/XXS1?registrationkey=" + key: sourcetest.ReadSample(t, "series.json")}),
		Secrets:   map[string]string{"TEST_BLS_KEY": key},
		WantTerms: sources.Terms{MayFetch: true, MayCount: true, MayRepublish: true, MaySummarise: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			if len(records) != 5 {
				t.Fatalf("%d records, want 4 occupations and a series", len(records))
			}
			for _, r := range records {
				if e := r.(sources.Evidence); e.Country != "US" || e.Class != "SOC2018-US" || e.RegionCode != "" ||
					e.Embargoed || e.Source != Key {
					t.Errorf("%+v", e)
				}
			}
			percent, openings := 5.5, int64(63000)
			want := sources.Evidence{Source: Key, ID: "projections/19-9001",
				Published: sources.Date{Year: 2025, Month: 8, Day: 28},
				Title:     "Employment projections 2024–34: Lighthouse inspectors", Kind: "projection", Signal: "gap",
				SOC: "19-9001", Class: "SOC2018-US",
				Statement: "Lighthouse inspectors (US SOC 2018 19-9001): employment 57.0 thousand in 2024, projected 60.1 " +
					"thousand in 2034 (+5.5 per cent); " +
					"6.3 thousand openings a year on average.",
				Occupation: "Lighthouse inspectors", Country: "US",
				Link:     "https://www.bls.gov/emp/tables/emp-by-detailed-occupation.htm",
				BaseYear: 2024, HorizonYear: 2034, ChangePct: &percent, Openings: &openings}
			if diff := cmp.Diff(sources.Record(want), records[1]); diff != "" {
				t.Errorf("(- want, + got):\n%s", diff)
			}
			e := records[4].(sources.Evidence)
			if !strings.HasPrefix(e.Statement,
				"Made-up rate: 4.4 per cent in October 2025; 4.1 per cent in October 2024. Retrieved on 2026-11-20.") ||
				e.ID != "series/XXS1" {
				t.Errorf("%+v", e)
			}
		},
	})
}

// TestTables reads the three forms of the table: sums are left out, and the signal is
// that of the rule, all occupations changing by 1.2 per cent (1.2 by sum, too).
func TestTables(t *testing.T) {
	for name, want := range map[string]string{
		"tool.csv":      "43-1000 gap 1502500; 19-9001 gap 63000; 49-9002 no_gap 22000; 27-1003 none 10000",
		"table-1-2.csv": "43-1001 gap 1503000; 19-9001 gap 63000; 49-9002 no_gap 22000; 27-1003 none 10000",
		"flat-1-2.csv":  "43-1001 gap 1503000; 49-9002 no_gap 22000",
	} {
		rows, faults, err := parse(context.Background(), []byte(sourcetest.ReadSample(t, name)), "Table 1.2")
		if err != nil || len(faults) != 0 {
			t.Errorf("%s: %v, %v", name, err, faults)
		}
		var got []string
		for _, r := range rows {
			e := r.evidence(sources.Date{})
			got = append(got, fmt.Sprint(e.SOC, " ", e.Signal, " ", *e.Openings))
			if r.baseYear != 2024 || r.horizonYear != 2034 || strings.Contains(e.Title, "*") {
				t.Errorf("%+v", r)
			}
		}
		if diff := cmp.Diff(want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (- want, + got):\n%s", name, diff)
		}
	}
}

func TestSignal(t *testing.T) {
	for _, c := range []struct {
		percent, average float64
		want             string
	}{{4.6, 3.1, "gap"}, {3.1, 3.1, "none"}, {0, 3.1, "none"}, {-0.1, 3.1, "no_gap"}, {0, -1, "none"}, {0.1, -1, "gap"},
		{-0.5, -1, "no_gap"}} {
		if got := signalOf(c.percent, c.average); got != c.want {
			t.Errorf("%v against %v: %s, want %s", c.percent, c.average, got, c.want)
		}
	}
}

// TestRefused: what is not the expected table is refused whole; a row that cannot be
// used is named.
func TestRefused(t *testing.T) {
	good := sourcetest.ReadSample(t, "tool.csv")
	for name, c := range map[string]struct {
		text string
		want sources.FaultCode
	}{
		"no code":     {strings.ReplaceAll(good, "-", " "), sources.FaultSchema},
		"one year":    {strings.Replace(good, "Employment 2034", "Workers 2034", 1), sources.FaultColumnMissing},
		"no openings": {strings.Replace(good, "Occupational Openings", "Vacancies", 1), sources.FaultColumnMissing},
		"nothing left": {"Title,Code,Employment 2024,Employment 2034,Change,Percent Change,Openings\n" +
			"All,43-0000,1,1,0,0,1\n", sources.FaultSuddenlyEmpty},
		"no table":      {"", sources.FaultSchema},
		"other country": {"Title,SOC 2020\nBricklayers,5313\n", sources.FaultSchema},
	} {
		if rows, _, err := parse(context.Background(), []byte(c.text), ""); sources.FaultCodeOf(err) != c.want ||
			len(rows) != 0 {
			t.Errorf("%s: %v, %d rows, want %s", name, err, len(rows), c.want)
		}
	}
	for name, c := range map[string]struct {
		old, new string
		want     sources.FaultCode
	}{
		"bad code": {"49-9002", "4113", sources.FaultBadValue}, "twice": {"49-9002", "19-9001", sources.FaultSchema},
		"no figure":       {"40,25.6", "N/A,25.6", sources.FaultBadValue},
		"does not add up": {"40,25.6", "40,35.6", sources.FaultBadValue},
		"a share":         {"-36.1", "-0.361", sources.FaultBadValue},
	} {
		rows, faults, err := parse(context.Background(), []byte(strings.Replace(good, c.old, c.new, 1)), "")
		if err != nil || len(rows) != 3 || len(faults) != 1 || faults[0].Code != c.want || faults[0].Where != "line 4" {
			t.Errorf("%s: %d rows, %+v, %v", name, len(rows), faults, err)
		}
	}
}

func TestConfig(t *testing.T) {
	day := "2025-08-28"
	many := make([]Series, maxSeries+1)
	for i := range many {
		many[i] = Series{ID: fmt.Sprintf("XX%d", i+10), Title: "t"}
	}
	for name, c := range map[string]Config{
		"nothing": {}, "no day": {Projections: &Projections{}},
		"bad address": {Projections: &Projections{URL: "emp.csv", Published: day}},
		"bad id":      {Series: []Series{{ID: "../x", Title: "t"}}}, "no title": {Series: []Series{{ID: "XXS1"}}},
		"too many": {Series: many},
		"twice":    {Series: []Series{many[0], many[0]}},
		"bad base": {BaseURL: "api", Series: many[:1]},
	} {
		if _, err := New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	s, err := New(Config{Projections: &Projections{Published: day}})
	if err != nil || s.cfg.Projections.URL != DefaultProjectionsURL || s.cfg.Projections.Sheet != "Table 1.2" ||
		s.cfg.KeyEnv != DefaultKeyEnv {
		t.Errorf("defaults: %+v, %v", s, err)
	}
	if i := s.Info(); i.Validate() != nil || i.Statement != "Source: U.S. Bureau of Labor Statistics." ||
		i.Cadence != sources.Annual {
		t.Errorf("%+v", i)
	}
}

// FuzzParse: no file makes the reader panic, and every refusal has an outcome.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"tool.csv", "table-1-2.csv", "flat-1-2.csv"} {
		f.Add([]byte(sourcetest.ReadSample(f, name)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		rows, _, err := parse(context.Background(), text, "")
		if err != nil && sources.FaultCodeOf(err) == sources.FaultUnavailable {
			t.Fatalf("no outcome: %v", err)
		}
		seen := map[string]bool{}
		for _, r := range rows {
			if e := r.evidence(sources.Date{}); seen[e.SOC] || !codePattern.MatchString(e.SOC) || *e.Openings < 0 ||
				e.BaseYear >= e.HorizonYear {
				t.Fatalf("%+v", e)
			}
			seen[r.code] = true
		}
	})
}

// TestAverageOfAllOccupations holds that occupations are compared with the published row of all, and not
// with the sum of those that the file happens to list.
func TestAverageOfAllOccupations(t *testing.T) {
	text := strings.TrimSpace(sourcetest.ReadSample(t, "tool.csv")) +
		"\nTotal,00-0000,\"100,000\",\"103,000\",3000,3,9000" + strings.Repeat(",", 7) + "\n"
	rows, faults, err := parse(context.Background(), []byte(text), "")
	if err != nil || len(faults) != 0 || len(rows) != 4 {
		t.Fatalf("%d rows, %v, %v", len(rows), faults, err)
	}
	for code, want := range map[string]string{"43-1000": "none", "19-9001": "gap"} { // 2 and 5.5 per cent against 3
		i := slices.IndexFunc(rows, func(p projection) bool { return p.code == code })
		if i < 0 || rows[i].signal != want {
			t.Errorf("%s: %+v, want %s", code, rows, want)
		}
	}
}

// TestNoNegativeZero holds that a change that rounds to nothing has no sign.
func TestNoNegativeZero(t *testing.T) {
	e := projection{code: "27-1003", name: "Map colourists", percent: math.Copysign(0, -1)}.evidence(sources.Date{})
	if math.Signbit(*e.ChangePct) || strings.Contains(e.Statement, "-0.0") {
		t.Errorf("%v: %s", *e.ChangePct, e.Statement)
	}
}

// TestHeadingsOfAProjectionTable are joined over the rows of the header. A title above it is left
// out, and the text of a merged cell applies to the columns below it.
func TestHeadingsOfAProjectionTable(t *testing.T) {
	got := headings([][]string{{"Table 1.2, by occupation"}, {"", "Occupation", "", "Employment(1)"},
		{"", "Title", "Code", "2024", "2034"}, {"", ""}})
	want := []string{"", "occupation title", "occupation code", "employment 2024", "employment 2034"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestColumnsOfAProjectionTable are to the right of the code, and the first of each name.
func TestColumnsOfAProjectionTable(t *testing.T) {
	l, err := layoutOf(sheets.Sheet{Rows: [][]string{
		{"Employment 2023", "Title", "Code", "Employment 2024", "Employment 2034", "Change, number", "Change, percent",
			"Openings", "Openings of men", "Change of men, number"},
		{"", "Accountants", "13-2011", "1,000", "1,100", "100", "10", "50", "20", "40"}}})
	want := map[string]int{"name": 1, "code": 2, "2024": 3, "2034": 4, "net": 5, "percent": 6, "openings": 7}
	if err != nil || !maps.Equal(l.Columns, want) || l.base != "2024" || l.horizon != "2034" {
		t.Errorf("%v, %s to %s, %v; want %v", l.Columns, l.base, l.horizon, err, want)
	}
}

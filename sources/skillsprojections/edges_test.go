package skillsprojections

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sheets"
	"labour/sources/soc2020"
)

// TestSignalNeedsAChange: more or fewer people, and harder or easier to fill than all occupations
// together; where one of the two is even, there is none.
func TestSignalNeedsAChange(t *testing.T) {
	all := figures{base: 100, total: 50}
	for _, c := range []struct {
		net, total float64
		want       string
	}{{1, 6, signalGap}, {1, 5, signalNone}, {1, 4, signalNone}, {0, 6, signalNone}, {0, 4, signalNone},
		{-1, 4, signalNoGap}, {-1, 5, signalNone}, {-1, 6, signalNone}} {
		if got := signalOf(figures{base: 10, net: c.net, total: c.total}, all); got != c.want {
			t.Errorf("a change of %v with %v of 10 needed, of 50 of 100: %s, want %s", c.net, c.total, got, c.want)
		}
	}
}

// TestEvidenceOfFewPeople: figures of 10 thousand people are published, and of fewer are not.
func TestEvidenceOfFewPeople(t *testing.T) {
	for _, c := range []struct {
		base, horizon, total float64
		kind                 string
		there                bool
		openings             int64 // 0 = none
		says                 string
	}{
		{10, 10, 10, KindProjections, true, 10_000, "Chefs (SOC 2020 5434): employment 10.0 thousand in 2020, " +
			"projected 10.0 thousand in 2035 (+0.0 per cent); 10.0 thousand people needed over the period, leavers replaced."},
		{1200, 1100, 9.9, KindProjections, true, 0, "Chefs (SOC 2020 5434): employment 1,200.0 thousand in 2020, " +
			"projected 1,100.0 thousand in 2035 (-8.3 per cent)."},
		{20, 20, math.NaN(), KindProjections, true, 0, "employment 20.0 thousand"},
		{9.9, 10, 10, KindProjections, false, 0, ""}, {10, 9.9, 10, KindProjections, false, 0, ""},
		{9.9, 10, 10, KindPriorityOccupations, true, 0, "Chefs (SOC 2020 5434) is a priority occupation in a; b."},
		{10, 12, 10, KindPriorityOccupations, true, 10_000, "is a priority occupation in a; b. Chefs (SOC 2020 5434): " +
			"employment"},
	} {
		o := occupation{soc: "5434", name: "Chefs", signal: signalGap, sectors: []string{"a", "b"},
			figures: &figures{baseYear: 2020,
				horizonYear: 2035, base: c.base, horizon: c.horizon, net: c.horizon - c.base, total: c.total}}
		e, ok := o.evidence(sources.Evidence{Title: "T"}, Publication{ID: "p", Kind: c.kind})
		if ok != c.there {
			t.Errorf("%v and %v thousand: %t, want %t", c.base, c.horizon, ok, c.there)
			continue
		}
		if !ok {
			continue
		}
		if !strings.Contains(e.Statement, c.says) || e.ID != "p/5434" || e.SOC != "5434" || e.Title != "T: Chefs" ||
			e.Signal != signalGap || e.Occupation != "Chefs" {
			t.Errorf("%+v, want %q", e, c.says)
		}
		if (e.Openings == nil) != (c.openings == 0) || e.Openings != nil && *e.Openings != c.openings {
			t.Errorf("%v thousand: openings %v, want %d", c.total, e.Openings, c.openings)
		}
		want := "projection"
		if c.kind == KindPriorityOccupations && c.base < 10 {
			want = "report"
		}
		if e.Kind != want || (e.ChangePct != nil) != (want == "projection") || want == "projection" &&
			(e.BaseYear != 2020 || e.HorizonYear != 2035) {
			t.Errorf("%+v, want the kind %s", e, want)
		}
	}
	e, _ := occupation{name: "All occupations", category: "in critical demand"}.evidence(sources.Evidence{},
		Publication{ID: "p", Kind: KindOccupationsInDemand})
	if e.ID != "p/all" || e.Statement != "All occupations: in critical demand." || e.Kind != "statistic" {
		t.Errorf("%+v", e)
	}
	if e, _ := (occupation{soc: "1", name: "x"}).evidence(sources.Evidence{},
		Publication{Kind: KindPriorityOccupations}); e.Statement !=
		"x (SOC 2020 1) is a priority occupation." {
		t.Errorf("%+v", e)
	}
	if got := (figures{net: -0.001, base: 100}).change(); got != 0 || math.Signbit(got) {
		t.Errorf("a change of nearly nothing is %v", got)
	}
	if got := (figures{net: 1, base: 8}).change(); got != 12.5 {
		t.Errorf("one of eight is %v per cent", got)
	}
}

// TestRowsOfAList: notes are passed over, and a row with a name and no code of SOC 2020 is a fault.
func TestRowsOfAList(t *testing.T) {
	rows := "2136,Known\n"
	for name, c := range map[string]struct {
		row    string
		faults int
		soc    string
	}{
		"a note":          {"Source: the publisher,\n", 0, ""},
		"an unknown code": {"0123,Unknown\n", 1, ""},
		"five digits":     {"12345,Unknown\n", 1, ""},
		"no such group":   {"6199,Unknown\n", 1, ""},
		"of SOC 2010":     {"6145,Unknown\n", 1, ""},
		"a minor group":   {"613,Known\n", 0, "613"},
		"a code in words": {"SOC 5434,Known\n", 0, "5434"},
		"no name":         {"5434,\n", 0, ""},
		"an empty row":    {",Heading\n", 0, ""},
		"the same again":  {"2136,Known\n", 0, "2136"},
	} {
		found, faults, err := parse(context.Background(), []byte("SOC code,SOC title\n"+rows+c.row),
			Publication{ID: "p", Kind: KindPriorityOccupations})
		if err != nil || len(faults) != c.faults {
			t.Errorf("%s: faults %+v, %v; want %d", name, faults, err, c.faults)
		}
		times := 0
		for _, o := range found {
			if o.soc == c.soc {
				times++
			}
		}
		if want := map[bool]int{true: 0, false: 1}[c.soc == ""]; times != want {
			t.Errorf("%s: SOC %s is there %d times, want %d", name, c.soc, times, want)
		}
	}
}

// TestOtherEditionsOfTheClassification: a file with codes of another edition is not used, unless it
// has a column with codes of SOC 2020.
func TestOtherEditionsOfTheClassification(t *testing.T) {
	for head, edition := range map[string]string{
		"SOC 2010 code,SOC 2010 title,Note": "2010", "SOC2010_code,Occupation title,Note": "2010",
		"SOC (2000) code,SOC title,Note": "2000", "SOC code,SOC10 title,Note": "10", "SOC2010,Occupation,Note": "2010",
		"2010 SOC code,SOC title,Note": "2010", "SOC code 2010,SOC title,Note": "2010",
		"SOC code (2018),SOC title,Note":      "2018",
		"SOC 2010 code (2020),SOC title,Note": "2010", "2010 SOC code,SOC 2020 code,SOC 2020 title": "",
		"SOC 2020 code (formerly SOC 2010),SOC 2020 title,Note": "", "SOC code (2020; before 2010),SOC title,Note": "",
		"SOC 2010 code,SOC 2020 code,SOC 2020 title": "", "SOC 2020 title,SOC20 code,SOC10": "",
	} {
		row := "5434,Chefs,x\n"
		if edition == "" {
			row = "5434,5434,5434\n"
		}
		rows, _, err := parse(t.Context(), []byte(head+"\n"+row), Publication{ID: "p", Kind: KindPriorityOccupations})
		if edition == "" && (err != nil || len(rows) != 1) {
			t.Errorf("%s: %d rows, %v", head, len(rows), err)
		}
		says := "names SOC " + edition + ": take the edition of the file that has codes of SOC 2020"
		refused := sources.FaultCodeOf(err) == sources.FaultColumnMissing && strings.Contains(err.Error(), says)
		if edition != "" && !refused {
			t.Errorf("%s: %d rows, %v, want %s", head, len(rows), err, says)
		}
	}
}

// demandOf is a file of occupations in demand: the number of occupations in each of the periods.
func demandOf(counts map[string]int) string {
	text := "time_period,geographic_level,soc2020_code,soc2020_title,demand_category\n"
	for _, period := range slices.Sorted(maps.Keys(counts)) {
		for i := range counts[period] {
			text += fmt.Sprintf("%s,National,%s,Name,Critical demand\n", period, soc2020.Groups()[i].Code)
		}
	}
	return text
}

// TestPeriodsOfDemand: the rows of the newest period are used. A row of a period that does not
// exist is a fault. A newest period with fewer than half of the rows of the one before is not
// complete.
func TestPeriodsOfDemand(t *testing.T) {
	for name, c := range map[string]struct {
		counts       map[string]int
		rows, faults int
		says         string // of the first fault or of the error
	}{
		"two periods":         {map[string]int{"2024": 22, "2025": 21}, 21, 0, ""},
		"years that end next": {map[string]int{"202324": 4, "202425": 4}, 4, 0, ""},
		"a row of next year": {map[string]int{"2025": 21, "2026": 1}, 21, 1,
			"line 23: the time period 2026 begins after the publication on 2025-08-12; correct the file, or `published`"},
		"a far year": {map[string]int{"2025": 21, "2099": 1}, 21, 1, "line 23: the time period 2099 begins after"},
		"no period": {map[string]int{"2025": 21, "Total": 1}, 21, 1,
			`line 23: time period "Total" does not begin with a year`},
		"an empty cell": {map[string]int{"2025": 21, "": 1}, 21, 1, `line 2: time period "" does not begin with a year`},
		"all of next year": {map[string]int{"2026": 21}, 0, 0,
			"there is no occupation under the header; line 2: the time period 2026 begins after"},
		"half": {map[string]int{"2024": 22, "2025": 11}, 11, 0, ""},
		"less than half": {map[string]int{"2024": 22, "2025": 10}, 0, 0, "the newest period 2025 has 10 rows and " +
			"2024 has 22; the file is not complete and is not used: fetch it again, or ask the publisher"},
	} {
		p := publication("https://x.example", "p", KindOccupationsInDemand, "x.csv")
		rows, faults, err := parse(t.Context(), []byte(demandOf(c.counts)), p)
		said := fmt.Sprint(err)
		if err == nil && len(faults) > 0 {
			said = faults[0].Detail
		}
		refused := c.rows == 0
		code := sources.FaultIncomplete
		if c.counts["2026"] == 21 {
			code = sources.FaultSuddenlyEmpty
		}
		if len(rows) != c.rows || len(faults) != c.faults || (err != nil) != refused || !strings.Contains(said, c.says) {
			t.Errorf("%s: %d rows, %d faults, %s; want %+v", name, len(rows), len(faults), said, c)
		}
		if refused && sources.FaultCodeOf(err) != code {
			t.Errorf("%s: %s, want %s", name, sources.FaultCodeOf(err), code)
		}
	}
}

// TestCategoriesOfDemand: each has its signal, and an unknown one is an error.
func TestCategoriesOfDemand(t *testing.T) {
	for category, want := range map[string][2]string{"Critical": {signalGap, "in critical demand"},
		"In critical demand": {signalGap, "in critical demand"}, "elevated demand": {signalGap, "in elevated demand"},
		"Not in demand": {signalNoGap, "not in demand"}, "lower demand": {signalNoGap, "not in demand"},
		"[x]": {signalNone, "demand not published"}, "": {signalNone, "demand not published"}} {
		o, err := occupation{soc: "1"}.withCategory(category)
		if err != nil || o.signal != want[0] || o.category != want[1] {
			t.Errorf("%q: %+v, %v; want %v", category, o, err, want)
		}
	}
	if _, err := (occupation{soc: "1"}).withCategory("very"); err == nil || !strings.Contains(err.Error(),
		`SOC 1: demand "very"`) {
		t.Errorf("an unknown category: %v", err)
	}
}

// TestRowsOfOneOccupationAreJoined: its sectors are added, figures that differ are dropped, two
// categories refused.
func TestRowsOfOneOccupationAreJoined(t *testing.T) {
	one, other := &figures{base: 1}, &figures{base: 2}
	for _, c := range []struct{ a, b, want *figures }{{one, &figures{base: 1}, one}, {one, other, nil}, {one, nil, nil},
		{nil, one, nil}, {nil, nil, nil}} {
		o := occupation{sectors: []string{"a"}, figures: c.a}
		if err := o.join(occupation{sectors: []string{"a", "b"}, figures: c.b}); err != nil || o.figures != c.want ||
			strings.Join(o.sectors, "") != "ab" {
			t.Errorf("%+v and %+v: %+v, %v", c.a, c.b, o, err)
		}
	}
	o := occupation{soc: "1", category: "x"}
	if err := o.join(occupation{category: "y"}); err == nil || !strings.Contains(err.Error(), "SOC 1 is both x and y") {
		t.Errorf("two categories: %v", err)
	}
}

// TestEmploymentNeedsABase: a change from nobody is none, one to nobody is, and a number below zero is no
// employment.
func TestEmploymentNeedsABase(t *testing.T) {
	for row, want := range map[string]*figures{
		"0,5000": nil, "-1000,5000": nil, "1000,-1": nil, "1000,": nil,
		"1,0":                   {baseYear: 2024, horizonYear: 2030, base: 0.001, net: -0.001},
		"1000,0":                {baseYear: 2024, horizonYear: 2030, base: 1, net: -1},
		"1000000000,1000000000": {baseYear: 2024, horizonYear: 2030, base: 1e6, horizon: 1e6},
		"1000,3000":             {baseYear: 2024, horizonYear: 2030, base: 1, horizon: 3, net: 2},
	} {
		const head = "SOC code,SOC title,Employment 2024,Employment 2030\n"
		found, faults, err := parse(context.Background(), []byte(head+"2136,Known,"+row+"\n2231,Large,10000,10000\n"),
			Publication{ID: "p", Kind: KindPriorityOccupations, EmploymentUnit: "people"})
		if err != nil || len(faults) > 0 || len(found) != 2 {
			t.Errorf("%s: %d occupations, %+v, %v", row, len(found), faults, err)
			continue
		}
		if got := found[0].figures; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("%s: %+v, want %+v", row, got, want)
		}
	}
}

// TestEmploymentOfTooManyPeople: a number that no count of people reaches is a fault of its row.
func TestEmploymentOfTooManyPeople(t *testing.T) {
	const head = "SOC code,SOC title,Employment 2024,Employment 2030\n"
	for row, unit := range map[string]string{"1000000001,5": "people", "5,5e18": "people", "1000001,5": "thousands"} {
		p := Publication{ID: "p", Kind: KindPriorityOccupations, EmploymentUnit: unit}
		rows, faults, err := parse(t.Context(), []byte(head+"2136,Known,10000,10000\n2231,Known,"+row+"\n"), p)
		want := "line 3: SOC 2231: employment of more than 1000000000 people"
		if err != nil || len(rows) != 1 || len(faults) != 1 || faults[0].Detail != want {
			t.Errorf("%s %s: %d occupations, %+v, %v", row, unit, len(rows), faults, err)
		}
	}
}

// TestNumbersOfProjections are thousands of people: some at the beginning, none or more at the end, and no
// more than a thousand million.
func TestNumbersOfProjections(t *testing.T) {
	l := layout{base: "2020", horizon: "2035", Table: sheets.Table{Columns: map[string]int{"2020": 0, "2035": 1,
		"net change": 2, "replacement demand": 3, "total requirement": 4}}}
	for row, says := range map[string]string{
		"10,12,2,3,5": "", "1,0,-1,1,0": "", "1000000,1000000,0,0,0": "", "10,13.5,2,3,5": "", "10,12,2,3,6.5": "",
		"0,12,12,3,15":          "column 1 holds no number of thousands of people",
		"-1,12,13,3,16":         "column 1 holds no number of thousands of people",
		"10,-1,-11,3,-8":        "column 2 holds no number of thousands of people",
		"1000001,1000001,0,0,0": "column 1 holds no number of thousands of people",
		"10,12,2,-1000001,5":    "column 4 holds no number of thousands of people",
		"10,12,2,3,c":           "column 5 holds no number of thousands of people",
		"10,13.6,2,3,5":         "the net change is not the difference of the years",
		"10,12,2,3,6.6":         "the net change is not the difference of the years",
	} {
		o, err := l.read(strings.Split(row, ","), "All occupations")
		if (err == nil) != (says == "") || err != nil && !strings.HasPrefix(err.Error(), "All occupations: "+says) ||
			(o.figures != nil) != (says == "") {
			t.Errorf("%s: %+v, %v; want %q", row, o.figures, err, says)
		}
	}
}

// TestHeadingsOfColumns tries each form of a heading and those next to it that name no column.
func TestHeadingsOfColumns(t *testing.T) {
	for column, headings := range map[string][]string{
		codeColumn: {"SOC", "SOC2020", "SOC 2020", "SOC2020_code", "Occupation code", "4-digit SOC code"},
		nameColumn: {"Occupation", "SOC title", "SOC name", "Occupation description", "SOC 2020 label",
			"Priority occupation", "Occupation title"},
		sectorColumn:   {"Sector", "Priority sectors"},
		levelColumn:    {"Geographic level"},
		periodColumn:   {"Time period"},
		categoryColumn: {"Demand", "Demand category", "Demand status", "Demand group", "Level of demand", "Demand rating"},
		"2024":         {"Employment 2024", "Demand in 2024", "employment (2024)"},
		"": {"SOC 2010", "Code", "Title", "Name", "Category", "Rating", "Demand index", "Employment", "2024",
			"Employment change 2024", "Employment growth 2024", "Per cent of employment 2024 (percent)",
			"Share of employment 2024", "Employment SOC 2020"},
	} {
		for _, heading := range headings {
			if got := (Publication{}).columnOf(heading); got != column {
				t.Errorf("%s is %q, want %q", heading, got, column)
			}
		}
	}
	named := Publication{CategoryColumn: "Occupational_Status"}
	for heading, want := range map[string]string{"occupational status": categoryColumn, "Demand category": "",
		"Demand": "", "SOC code": codeColumn} {
		if got := named.columnOf(heading); got != want {
			t.Errorf("where the column is configured, %s is %q, want %q", heading, got, want)
		}
	}
}

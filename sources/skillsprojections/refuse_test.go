package skillsprojections

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"labour/sources"
	"labour/sources/soc2020"
	"labour/sources/sourcetest"
)

// TestRefused: what is not the expected table is refused whole, with its outcome.
func TestRefused(t *testing.T) {
	good, demand := sourcetest.ReadSample(t, "projections.csv"), sourcetest.ReadSample(t, "demand.csv")
	cut, _, _ := strings.Cut(good, "All occupations")
	for name, c := range map[string]struct {
		kind, text string
		want       sources.FaultCode
	}{
		"another sheet": {KindProjections, demand, sources.FaultSchema},
		"a new column": {KindProjections, strings.Replace(good, "Levels (000s),2015,",
			"Levels (000s),Vacancies,", 1), sources.FaultColumnUnknown},
		"no demand": {KindProjections, strings.Replace(good, "Replacement,Total", "Replacement,Sum", 1),
			sources.FaultColumnUnknown},
		"no period": {KindProjections, strings.ReplaceAll(good, "2020-2035", "to 2035"),
			sources.FaultColumnMissing},
		"period without year": {KindProjections, strings.ReplaceAll(good, "2020-2035", "2021-2035"),
			sources.FaultColumnMissing},
		"no total": {KindProjections, cut, sources.FaultIncomplete},
		"no number in total": {KindProjections, strings.Replace(good, "All occupations,520,524,532.9",
			"All occupations,520,524,c", 1), sources.FaultBadValue},
		"no category": {KindOccupationsInDemand, strings.Replace(demand, "demand_category", "flag", 1),
			sources.FaultColumnMissing},
		"header alone":    {KindOccupationsInDemand, demand[:strings.Index(demand, "\n")+1], sources.FaultSuddenlyEmpty},
		"another charset": {KindPriorityOccupations, "\xff\xfe\x00\x00a\x00\x00\x00", sources.FaultWrongFormat},
		"no list":         {KindPriorityOccupations, "a,b\n1,2\n", sources.FaultColumnMissing},
		"an older edition": {KindPriorityOccupations, "SOC 2010 code,SOC 2010 title\n2136,Programmers\n",
			sources.FaultColumnMissing},
	} {
		p := publication("https://x.example", "p", c.kind, "x.csv")
		if rows, _, err := parse(context.Background(), []byte(c.text), p); sources.FaultCodeOf(err) != c.want ||
			len(rows) != 0 {
			t.Errorf("%s: %v and %d rows, want %s", name, err, len(rows), c.want)
		}
	}
}

// TestRowFaults: a row that cannot be used is named, and the others stand.
func TestRowFaults(t *testing.T) {
	good, demand := sourcetest.ReadSample(t, "projections.csv"), sourcetest.ReadSample(t, "demand.csv")
	for name, c := range map[string]struct {
		kind, text, where string
		want              sources.FaultCode
	}{
		"unknown occupation": {KindProjections, strings.Replace(good, "Professional occupations", "Professional work",
			1), "line 8", sources.FaultBadValue},
		"suppressed": {KindProjections, strings.Replace(good, "90,98,100,104", "90,98,c,104", 1), "line 7",
			sources.FaultBadValue},
		"does not add up": {KindProjections, strings.Replace(good, "110,,10,60,70", "110,,15,60,75", 1), "line 7",
			sources.FaultBadValue},
		"twice": {KindProjections, strings.Replace(good, "41 Administrative", "11 Administrative", 1),
			"line 10", sources.FaultSchema},
		"unknown category": {KindOccupationsInDemand, strings.Replace(demand, "1.1,Elevated", "1.1,Very high", 1), "line 4",
			sources.FaultBadValue},
		"bad code": {KindOccupationsInDemand, strings.Replace(demand, "5313", "53134", 1), "line 4",
			sources.FaultBadValue},
		"no code": {KindOccupationsInDemand, strings.Replace(demand, "5313", "", 1), "line 4", sources.FaultBadValue},
		"no group of demand": {KindOccupationsInDemand, strings.Replace(demand, "5313", "5399", 1), "line 4",
			sources.FaultBadValue},
		"no group of projections": {KindProjections, strings.Replace(good, "11 Corporate", "19 Corporate", 1), "line 7",
			sources.FaultBadValue},
		"contradiction": {KindOccupationsInDemand, strings.Replace(demand, "5313", "2136", 1), "line 4", sources.FaultSchema},
	} {
		p := publication("https://x.example", "p", c.kind, "x.csv")
		rows, faults, err := parse(context.Background(), []byte(c.text), p)
		if err != nil || len(faults) != 1 || faults[0].Code != c.want || faults[0].Where != c.where || len(rows) == 0 {
			t.Errorf("%s: %v, %+v, %d rows", name, err, faults, len(rows))
		}
		for _, r := range rows {
			if name == "contradiction" && r.soc == "2136" {
				t.Error("an occupation with two categories was used")
			}
		}
	}
}

// TestRowsWithoutALabelAreSkipped: a note next to the table is such a row.
func TestRowsWithoutALabelAreSkipped(t *testing.T) {
	good, p := sourcetest.ReadSample(t, "projections.csv"), publication("https://x.example", "p", KindProjections, "x.csv")
	want, _, err := parse(context.Background(), []byte(good), p)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(good, "11 Corporate", ",a note,,,,,,,,\n11 Corporate", 1)
	if rows, faults, err := parse(context.Background(), []byte(text), p); err != nil || len(faults) > 0 ||
		len(rows) != len(want) {
		t.Errorf("%d rows, %+v, %v; want %d", len(rows), faults, err, len(want))
	}
}

// TestNumbersAsPeopleWriteThem reads codes and figures with the marks that spreadsheets leave in them; a
// figure that is there and cannot be read is a fault, and never taken for none.
func TestNumbersAsPeopleWriteThem(t *testing.T) {
	head := "Sector,SOC 2020 code,SOC 2020 title,Employment demand 2025 ,Employment demand 2030\n"
	for name, row := range map[string]string{"no-break spaces": "Digital,2136,Programmers,400\u00a0000,460\u202f000",
		"thousands":     `Digital,2136,Programmers,"400,000","460,000"`,
		"a hidden mark": "Digital,\u200e2136,Programmers,400000,460000",
		"a footnote":    "Digital,2136\u00b9,Programmers,400000 [p],460000*",
		"an apostrophe": "Digital,'2136,Programmers,400000,460000",
		"a prefix":      "Digital,SOC 2136,Programmers,400000,460000",
		"decimals":      "Digital,2136.0,Programmers,400000,460000"} {
		p := publication("https://x.example", "p", KindPriorityOccupations, "x.csv")
		p.EmploymentUnit = "people"
		rows, faults, err := parse(context.Background(), []byte(head+row+"\n"), p)
		if err != nil || len(faults) != 0 || len(rows) != 1 || rows[0].soc != "2136" || rows[0].figures == nil ||
			rows[0].figures.base != 400 || rows[0].figures.horizon != 460 {
			t.Errorf("%s: %+v, %+v, %v", name, rows, faults, err)
		}
	}
	p := publication("https://x.example", "p", KindPriorityOccupations, "x.csv")
	p.EmploymentUnit = "people"
	text := head + "Digital,2136,Programmers,400000,460000\nCare,6135,Care workers,some 800k,900000\n" +
		"Care,2231,Nurses,[x],310000\n"
	rows, faults, err := parse(context.Background(), []byte(text), p)
	if err != nil || len(rows) != 2 || rows[1].figures != nil || len(faults) != 1 || faults[0].Where != "line 3" ||
		!strings.Contains(faults[0].Detail, "cell 4") {
		t.Errorf("%+v, %+v, %v", rows, faults, err)
	}
}

func TestConfig(t *testing.T) {
	ok := publication("https://x.example", "p", KindPriorityOccupations, "x.csv")
	change := func(f func(*Publication)) []Publication { p := ok; f(&p); return []Publication{p} }
	for name, list := range map[string][]Publication{
		"none": nil, "twice": {ok, ok},
		"bad id":       change(func(p *Publication) { p.ID = "../p" }),
		"no address":   change(func(p *Publication) { p.URL = "" }),
		"no kind":      change(func(p *Publication) { p.Kind = "" }),
		"no region":    change(func(p *Publication) { p.Region = "" }),
		"no day":       change(func(p *Publication) { p.Published = "" }),
		"bad day":      change(func(p *Publication) { p.Published = "August 2025" }),
		"unknown use":  change(func(p *Publication) { p.Reuse = "yes" }),
		"unknown unit": change(func(p *Publication) { p.EmploymentUnit = "millions" }),
	} {
		if _, err := New(KeySkillsEngland, Config{Publications: list}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New("somebody", Config{Publications: []Publication{ok}}); err == nil {
		t.Error("an unknown body: no error")
	}
}

// TestDenied: without a word on reuse a publication is embargoed, and its source says so.
func TestDenied(t *testing.T) {
	open := publication("https://x.example", "a", KindPriorityOccupations, "x.csv")
	silent := open
	silent.ID, silent.Reuse = "b", ""
	for _, key := range []string{KeySkillsEngland, KeyOccupationsInDemand, KeySkillsImperative2035} {
		i := newSource(t, key, silent).Info()
		if i.Terms != (sources.Terms{MayFetch: true}) || i.Statement == sources.StatementOGL ||
			i.Licence != "Not confirmed; embargoed" || i.Validate() != nil {
			t.Errorf("%+v", i)
		}
		if i = newSource(t, key, open).Info(); i.Licence != "Open Government Licence v3.0" || i.Validate() != nil ||
			i.Statement != "Contains public sector information licensed under the Open Government Licence v3.0." {
			t.Errorf("%+v", i)
		}
	}
	s := newSource(t, KeySkillsEngland, open, silent)
	if open.evidence("k").Embargoed || !silent.evidence("k").Embargoed || !s.Info().Terms.MayRepublish {
		t.Error("open and embargoed publications of one source")
	}
}

// TestSignal compares the rule with its words, over whole numbers of people.
func TestSignal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) figures {
			base, net := rapid.IntRange(1, 9).Draw(t, name+" base"), rapid.IntRange(-3, 3).Draw(t, name+" net")
			total := net + rapid.IntRange(0, 5).Draw(t, name+" leavers")
			return figures{base: float64(base), net: float64(net), total: float64(total)}
		}
		o, all := draw("occupation"), draw("all")
		want := "none"
		if share, usual := o.total/o.base, all.total/all.base; share-usual > 1e-9 && o.net > 0 {
			want = "gap"
		} else if usual-share > 1e-9 && o.net < 0 {
			want = "no_gap"
		}
		if got := signalOf(o, all); got != want {
			t.Fatalf("%+v of %+v: %s, want %s", o, all, got, want)
		}
	})
}

// FuzzParse: no file makes the reader panic, and every refusal has an outcome.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"projections.csv", "priority.csv", "demand.csv"} {
		f.Add([]byte(sourcetest.ReadSample(f, name)), "")
	}
	f.Fuzz(func(t *testing.T, text []byte, column string) {
		for _, kind := range []string{KindProjections, KindPriorityOccupations, KindOccupationsInDemand} {
			p := Publication{ID: "p", Kind: kind, CategoryColumn: column, EmploymentUnit: "people", Published: "2025-08-12"}
			rows, _, err := parse(context.Background(), text, p)
			if err != nil && sources.FaultCodeOf(err) == sources.FaultUnavailable {
				t.Fatalf("no outcome: %v", err)
			}
			seen := map[string]bool{}
			for _, r := range rows {
				e, ok := r.evidence(sources.Evidence{}, p)
				if seen[r.soc] || r.soc != "" && !soc2020.IsGroup(r.soc) || ok && e.Statement == "" {
					t.Fatalf("%+v", r)
				}
				seen[r.soc] = true
				if ok && e.ChangePct != nil && fmt.Sprint(*e.ChangePct) == "NaN" {
					t.Fatalf("%+v", e)
				}
			}
		}
	})
}

// TestFewestPeople holds the floor of both years at its edge: ten thousand people may be stated.
func TestFewestPeople(t *testing.T) {
	for _, c := range []struct {
		base, horizon float64
		want          bool
	}{{10, 10, true}, {9.9, 10, false}, {10, 9.9, false}} {
		if got := (figures{base: c.base, horizon: c.horizon}).publishable(); got != c.want {
			t.Errorf("%v and %v thousand: publishable %t", c.base, c.horizon, got)
		}
	}
}

// TestListsInAnotherUnit: if no figure is for enough people, the file is not used.
func TestListsInAnotherUnit(t *testing.T) {
	const head = "SOC code,SOC title,Employment 2024,Employment 2030\n"
	for _, c := range []struct {
		unit, rows string
		refused    bool
	}{
		{"people", "2136,One,130.0,144.04\n2231,Two,600,650\n", true},
		{"people", "2136,One,9999,10000\n", true},
		{"people", "2136,One,10000,10000\n2231,Two,600,650\n", false},
		{"people", "2136,One,c,c\n", false},
		{"thousands", "2136,One,130.0,144.04\n2231,Two,0.6,0.7\n", false},
		{"thousands", "2136,One,0.13,0.144\n", true},
		{"", "2136,One,130.0,144.04\n", false},
	} {
		p := Publication{ID: "p", Kind: KindPriorityOccupations, EmploymentUnit: c.unit}
		rows, _, err := parse(t.Context(), []byte(head+c.rows), p)
		says := "with `unit: " + c.unit + "`, all employment is below 10,000 people"
		if !c.refused && (err != nil || len(rows) == 0) {
			t.Errorf("%q, %q: %d rows, %v", c.unit, c.rows, len(rows), err)
		}
		isRefused := sources.FaultCodeOf(err) == sources.FaultBadValue && len(rows) == 0
		if c.refused && (!isRefused || !strings.Contains(err.Error(), says)) {
			t.Errorf("%q, %q: %d rows, %v, want %q", c.unit, c.rows, len(rows), err, says)
		}
	}
}

// TestEmptyRowsOverTheHeader holds that rows without a cell, as workbooks have them, are passed over.
func TestEmptyRowsOverTheHeader(t *testing.T) {
	table := []byte(sourcetest.ReadSample(t, "projections.csv"))
	book, err := excelize.OpenReader(strings.NewReader(workbook(t, "Occ T2", table)))
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	var b bytes.Buffer
	if err := errors.Join(book.InsertRows("Occ T2", 3, 2), book.Write(&b)); err != nil {
		t.Fatal(err)
	}
	p := publication("https://x.example", "p", KindProjections, "x.xlsx")
	rows, faults, err := parse(context.Background(), b.Bytes(), p)
	if err != nil || len(faults) != 0 || len(rows) != 8 {
		t.Errorf("%d rows, %v, %v", len(rows), faults, err)
	}
}

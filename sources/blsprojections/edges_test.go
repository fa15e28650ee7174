package blsprojections

import (
	"math"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sheets"
)

// TestFiguresOfAnOccupation: a base above zero, nothing negative, and a change that is the
// difference of the years but for rounding.
func TestFiguresOfAnOccupation(t *testing.T) {
	l := layout{Table: sheets.Table{Columns: map[string]int{"name": 0, "2024": 1, "2034": 2, "net": 3, "percent": 4,
		"openings": 5}}, base: "2024", horizon: "2034"}
	const relation, figure = "the change is not the difference", "a figure is missing or is no number of thousands"
	const percent = "per cent does not follow from"
	for cells, says := range map[string]string{
		"Chefs|10|12|2|20.0|1.5": "", "Chefs|0|12|12|1|1": relation, "Chefs|0.1|0|-0.1|-100|0": "",
		"Chefs|10|-1|-11|1|1": relation, "Chefs|10|12|2|20|-0.1": relation, "Chefs|10|12|2|20|0": "",
		"Chefs|10|12|2.25|20|1": "", "Chefs|10|12|2.26|20|1": relation, "Chefs|10|12|1.74|20|1": relation,
		"Chefs|10|12|2|20|": figure, "Chefs|x|12|2|20|1": figure, "Chefs|1000000|1000000|0|0|1": "",
		"Chefs|1000000.1|1000000.1|0|0|1": figure, "Chefs|10|12|2|-1000001|1": figure,
		"Chefs|1690|1957|267|15.8|1": "", "Chefs|1690|1957|267|0.158|1": percent, "Chefs|1690|1957|267|15.7|1": percent,
		"Chefs|1690|1957|267|15.9|1": percent, "Chefs|1690|1957|267|-15.8|1": percent,
		"Chefs|1000|1000.5|0.5|0.1|1": "", "Chefs|1000|1000.5|0.5|0|1": "", "Chefs|1000|1000.5|0.5|0.2|1": percent,
		"Chefs|0.3|0.3|0|21.2|0": "", "Chefs|0.3|0.3|0|40.3|0": percent, "Chefs|0.3|0.3|0|-28.7|0": percent,
		"Chefs|0.1|0.1|0|200|0": "", "Chefs|0.1|0.1|0|201|0": percent, "Chefs|0.05|0.1|0|900|0": "",
		"|10|12|2|20|1": "has no name", " * |10|12|2|20|1": "has no name",
	} {
		p, err := l.projection(strings.Split(cells, "|"), "35-1011")
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v; want %q", cells, p, err, says)
		}
	}
	p, err := l.projection([]string{"Chefs    * Cook", "10", "12", "2", "20.5", "1.5"}, "35-1011")
	want := projection{code: "35-1011", name: "Chefs", baseYear: 2024, horizonYear: 2034, base: 10, horizon: 12, net: 2,
		percent: 20.5, openings: 1.5}
	if err != nil || p != want {
		t.Errorf("%+v, %v; want %+v", p, err, want)
	}
	for _, code := range []string{"35-101", "35-10111", "351011", "x"} {
		if _, err := l.projection([]string{"Chefs", "10", "12", "2", "20", "1"}, code); err == nil ||
			!strings.Contains(err.Error(), "is no code of an occupation") {
			t.Errorf("the code %s: %v", code, err)
		}
	}
}

// TestEvidenceOfAnOccupation holds every field, and the openings of all years together.
func TestEvidenceOfAnOccupation(t *testing.T) {
	p := projection{code: "35-1011", name: "Chefs", baseYear: 2099, horizonYear: 2109, base: 1234.5, horizon: 1300,
		net:     65.5,
		percent: 5.3, openings: 12.34, signal: "gap"}
	day := sources.Date{Year: 2026, Month: 9, Day: 1}
	e := p.evidence(day)
	if e.ChangePct == nil || *e.ChangePct != 5.3 || e.Openings == nil || *e.Openings != 123_400 {
		t.Fatalf("a change of %v, openings %v", e.ChangePct, e.Openings)
	}
	e.ChangePct, e.Openings = nil, nil
	want := sources.Evidence{Source: "bls_employment_projections", ID: "projections/35-1011", Published: day,
		Kind:   "projection",
		Signal: "gap", Title: "Employment projections 2099–09: Chefs",
		Statement: "Chefs (US SOC 2018 35-1011): employment 1,234.5 thousand in 2099, projected 1,300.0 thousand in 2109 " +
			"(+5.3 per cent); 12.3 thousand openings a year on average.", SOC: "35-1011", Class: "SOC2018-US",
		Occupation: "Chefs", Country: "US", Link: "https://www.bls.gov/emp/tables/emp-by-detailed-occupation.htm",
		BaseYear: 2099, HorizonYear: 2109}
	if e != want {
		t.Errorf("%+v, want %+v", e, want)
	}
	p.percent = math.Copysign(0, -1)
	if e := p.evidence(day); math.Signbit(*e.ChangePct) {
		t.Errorf("no change is %v", *e.ChangePct)
	}
}

// TestSignalOfGrowth: above the average and above zero, or below zero.
func TestSignalOfGrowth(t *testing.T) {
	for pair, want := range map[[2]float64]string{{3, 2.9}: "gap", {3, 3}: "none", {0.1, -1}: "gap", {0, -1}: "none",
		{-0.1, -1}: "no_gap", {-0.1, 1}: "no_gap", {0, 1}: "none"} {
		if got := signalOf(pair[0], pair[1]); got != want {
			t.Errorf("a growth of %v where the average is %v: %s, want %s", pair[0], pair[1], got, want)
		}
	}
}

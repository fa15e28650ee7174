package dfeapprenticeships

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"labour/sources"
)

// printed is a figure as the interface shows it.
func printed(s sources.Statistic) string {
	switch s.Symbol {
	case sources.SymbolUnderFive:
		return "<5"
	case sources.SymbolNotPublished:
		return "null"
	}
	return strconv.FormatInt(s.Value, 10)
}

func TestSymbols(t *testing.T) {
	for _, c := range []struct{ cell, low, want string }{
		{"353500", LowMeansUnderFive, "353500"}, {" 20 ", LowMeansUnderFive, "20"}, {"0", LowMeansUnderFive, "0"},
		{"5", LowMeansUnderFive, "5"},
		{"1", LowMeansNotPublished, "<5"}, {"4", LowMeansNotPublished, "<5"}, {"3", LowMeansUnderFive, "<5"},
		{"low", LowMeansUnderFive, "<5"}, {"Low", LowMeansUnderFive, "<5"}, {"[low]", LowMeansUnderFive, "<5"},
		{"k", LowMeansUnderFive, "<5"}, {"~", LowMeansUnderFive, "<5"},
		{"low", LowMeansNotPublished, "null"}, {"k", LowMeansNotPublished, "null"}, {"~", LowMeansNotPublished, "null"},
		{"c", LowMeansUnderFive, "null"}, {"x", LowMeansUnderFive, "null"}, {"z", LowMeansUnderFive, "null"},
		{"u", LowMeansUnderFive, "null"},
		{":", LowMeansUnderFive, "null"}, {"", LowMeansUnderFive, "null"}, {"  ", LowMeansUnderFive, "null"},
		{"[c]", LowMeansUnderFive, "null"},
		{"[z]", LowMeansUnderFive, "null"}, {"C", LowMeansUnderFive, "null"},
		{"-3", LowMeansUnderFive, "error"}, {"+7", LowMeansUnderFive, "error"}, {"1,200", LowMeansUnderFive, "1200"},
		{"1\u00a0200", LowMeansUnderFive, "1200"}, {"12,00", LowMeansUnderFive, "error"},
		{"1.2e3", LowMeansUnderFive, "error"},
		{"12.5", LowMeansUnderFive, "error"},
		{"12.0", LowMeansUnderFive, "error"}, {"many", LowMeansUnderFive, "error"}, {"1e3", LowMeansUnderFive, "error"},
		{"[]", LowMeansUnderFive, "error"}, {"1000000000", LowMeansUnderFive, "1000000000"},
		{"1,000,000,000", LowMeansUnderFive, "1000000000"}, {"1000000001", LowMeansUnderFive, "error"},
		{"1,000,000,001", LowMeansUnderFive, "error"}, {"5000000000000000", LowMeansUnderFive, "error"},
		{"9223372036854775807", LowMeansUnderFive, "error"},
		{"99999999999999999999", LowMeansUnderFive, "error"}, {"NaN", LowMeansUnderFive, "error"},
		{"<5", LowMeansUnderFive, "error"},
	} {
		v, sym, err := figure(c.cell, c.low)
		got := printed(sources.Statistic{Value: v, Symbol: sym})
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("figure(%q, %s) = %s, want %s", c.cell, c.low, got, c.want)
		}
		if sym != sources.SymbolNone && v != 0 {
			t.Errorf("figure(%q): a hidden value is carried: %d", c.cell, v)
		}
	}
}

// TestFiguresThatAreTooLarge: the message gives the bound, whatever the form of the number.
func TestFiguresThatAreTooLarge(t *testing.T) {
	for _, cell := range []string{"1000000001", "1,000,000,001", "9223372036854775808", "5000000000000000"} {
		_, _, err := figure(cell, LowMeansUnderFive)
		if want := fmt.Sprintf("%q is more than 1000000000, the most that a count can be", cell); err == nil ||
			err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestFigureNeverShowsOneToFour is the rule for every whole number.
func TestFigureNeverShowsOneToFour(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.Int64Range(0, 12), rapid.Int64Range(0, sources.MaxCount)).Draw(t, "n")
		v, sym, err := figure(strconv.FormatInt(n, 10), rapid.SampledFrom([]string{LowMeansUnderFive,
			LowMeansNotPublished}).Draw(
			t, "low"))
		hidden := n >= 1 && n <= 4
		if err != nil || hidden != (sym == sources.SymbolUnderFive) || !hidden && v != n || hidden && v != 0 {
			t.Fatalf("figure(%d) = %d, %q, %v", n, v, sym, err)
		}
	})
}

func TestPeriods(t *testing.T) {
	for _, c := range []struct{ period, identifier, covers, want string }{
		{"202425", "Academic year", CoversFullYear, "2024-08-01 2025-07-31 full academic year"},
		{"2024/25", "Academic year", CoversFullYear, "2024-08-01 2025-07-31 full academic year"},
		{"202425", "Academic year", CoversToApril, "2024-08-01 2025-04-30 academic year to April"},
		{"202425", "Academic year", CoversToJanuary, "2024-08-01 2025-01-31 academic year to January"},
		{"202425", "Academic year", CoversToOctober, "2024-08-01 2024-10-31 academic year to October"},
		{"199900", "Academic year", CoversFullYear, "1999-08-01 2000-07-31 full academic year"},
		{"202324", "Financial year", CoversFullYear, "2023-04-01 2024-03-31 financial year"},
		{"202324", "financial year ", CoversToApril, "2023-04-01 2024-03-31 financial year"},
		{"2024", "Calendar year", CoversFullYear, "2024-01-01 2024-12-31 calendar year"},
		{"202426", "Academic year", CoversFullYear, "error"}, {"2024", "Academic year", CoversFullYear, "error"},
		{"20242025", "Academic year", CoversFullYear, "error"}, {"202425", "Calendar year", CoversFullYear, "error"},
		{"202425", "Week 23", CoversFullYear, "error"}, {"202425", "Academic year Q1", CoversFullYear, "error"},
		{"", "Academic year", CoversFullYear, "error"}, {"abcdef", "Financial year", CoversFullYear, "error"},
	} {
		sp, err := period(c.period, c.identifier, c.covers)
		got := fmt.Sprintf("%s %s %s", sp.start, sp.end, sp.covers)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("period(%q, %q, %s) = %s, want %s", c.period, c.identifier, c.covers, got, c.want)
		}
	}
}

// TestLeapYear shows that a financial year ends on the last of March, and that an
// edition's months end on their own last day, in a leap year too.
func TestLeapYear(t *testing.T) {
	for y := 1990; y < 2090; y++ {
		sp, err := period(fmt.Sprintf("%04d%02d", y, (y+1)%100), "Academic year", CoversFullYear)
		if err != nil || sp.end.Time().Sub(sp.start.Time()) != time.Date(y+1, 8, 1, 0, 0, 0, 0, time.UTC).Sub(
			sp.start.Time())-24*time.Hour {
			t.Fatalf("%d: %+v %v", y, sp, err)
		}
	}
}

func TestSubjects(t *testing.T) {
	for in, want := range map[string]string{
		"Information and Communication Technology": "Digital Technology",
		"information and communication technology": "Digital Technology",
		"Digital Technology":                       "Digital Technology", "Total": "Total", "total": "Total", "All": "Total",
		"  Social   Sciences ":      "Social Sciences",
		"Not Applicable/ Not Known": "Not Applicable/ Not Known", "": "",
	} {
		if got := subjectArea(in); got != want {
			t.Errorf("subjectArea(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct{ words, configured, want string }{
		{"Starts by place", "", CoversFullYear}, {"Starts by place", CoversToApril, CoversToApril},
		{"Aim Enrolments (Aug to Apr)", "", CoversToApril}, {"August to October 2025", "", CoversToOctober},
		{"Starts, Aug 2025 to Jan 2026", "", CoversToJanuary}, {"Aug-Jul", "", CoversFullYear},
		{"Aim Enrolments (Aug to Apr)", CoversFullYear, "error"}, {"Aim Enrolments (Aug to Apr)", CoversToApril,
			CoversToApril},
		{"Starts (Aug to Apr), Starts (Aug to Jul)", "", "error"}, {"Starts (Aug to Apr), Starts (Aug to Jul)",
			CoversToApril, CoversToApril},
		{"Headline figures in-year", "", "error"}, {"Headline figures in-year", CoversToApril, CoversToApril},
		{"Year to date", "", "error"},
	} {
		got, err := release{Title: c.words}.covers(c.configured)
		if err != nil {
			got = "error"
		}
		if got != c.want {
			t.Errorf("covers(%q, %q) = %s, want %s", c.words, c.configured, got, c.want)
		}
	}
	inLabel, err := parseRelease(
		[]byte(`{"status":"Published","latestVersion":{"version":"1.0","indicators":["Aim Enrolments (Aug to Apr)"]}}`))
	if got, cerr := inLabel.covers(""); err != nil || cerr != nil || got != CoversToApril {
		t.Errorf("the label of a figure: %s, %v, %v", got, err, cerr)
	}
}

func TestRelease(t *testing.T) {
	for body, want := range map[string]string{
		`{"title":"A","status":"Withdrawn","latestVersion":{"version":"1.0"}}`: "withdrawn",
		`{"title":"A","status":"Published"}`:                                   "no published version",
		`{"title":"A","status":"Published","latestVersion":{}}`:                "no published version",
		`<html>`: "invalid character",
	} {
		if _, err := parseRelease([]byte(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

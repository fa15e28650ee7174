// Package yeartest tests the whole pipeline on a simulated year of daily runs. Publishers change their
// data, fail and recover from day to day, and the operator makes decisions. A second, independent
// program (the files oracle*_test.go) counts the same data, and each published figure is compared.
package yeartest

import (
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shortForm are the spans of days that the short form plays.
var shortForm = [][2]string{
	{"2027-10-29", "2027-11-02"}, // the clocks go back; a month end of 31 days
	{"2027-12-28", "2028-01-06"}, // the end of the year and of a quarter
	{"2028-02-26", "2028-03-02"}, // 29 February
	{"2028-03-24", "2028-04-06"}, // the clocks go on; the end of a quarter
	{"2028-04-29", "2028-05-02"}, // a month end of 30 days
}

// TestYear plays the days of the short form, or with LABOUR_LONG all of them with more mishaps.
func TestYear(t *testing.T) {
	p := newPlayer(t, 1)
	s, spans := theYear(), shortForm
	if os.Getenv("LABOUR_LONG") != "" {
		s.drawn(rand.New(rand.NewPCG(1, 400)))
		spans = [][2]string{{date(begin.AddDate(0, 0, 1)), date(end)}}
	}
	p.play(begin, s)
	for _, span := range spans {
		for d := day(span[0]); !d.After(day(span[1])); d = d.AddDate(0, 0, 1) {
			p.play(d, s)
		}
	}
	p.judge(pending)
	t.Log(p.tally.summary())
}

// pending are the differences that are known: the beginning of what they are of, and what is not yet
// as the documents say. One that does not occur any more fails the test, so that it is taken out.
var pending = [][2]string{}

// judge fails the test for each difference that is not pending, and for what is pending in vain.
func (p *player) judge(pending [][2]string) {
	p.t.Helper()
	if file := os.Getenv("LABOUR_YEAR_DIFFERENCES"); file != "" {
		if err := os.WriteFile(file, []byte(strings.Join(p.tally.differences, "\n")), 0o600); err != nil {
			p.t.Error(err)
		}
	}
	occurs, unknown := make([]bool, len(pending)), 0
	for _, d := range p.tally.differences {
		known := false
		for i, of := range pending {
			if strings.HasPrefix(d, of[0]) {
				occurs[i], known = true, true
			}
		}
		if !known {
			if unknown++; unknown <= shownDifferences {
				p.t.Error(d)
			}
		}
	}
	if unknown > shownDifferences {
		p.t.Errorf("%d differences more", unknown-shownDifferences)
	}
	for i, of := range pending {
		if !occurs[i] {
			p.t.Errorf("%s is as it must be by now: take it out of the list of what is pending", of[0])
		}
	}
}

// TestOracleStandsAlone: the second program rests on nothing of the first.
func TestOracleStandsAlone(t *testing.T) {
	oracle, err := filepath.Glob("oracle*_test.go")
	if err != nil || len(oracle) == 0 {
		t.Fatal(oracle, err)
	}
	world, err := filepath.Glob("world*_test.go")
	if err != nil || len(world) == 0 {
		t.Fatal(world, err)
	}
	for _, name := range append(slices.Concat(oracle, world), "truth_test.go") {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if strings.HasPrefix(i.Path.Value, `"labour/`) {
				t.Errorf("%s imports %s", name, i.Path.Value)
			}
		}
	}
}

// shownDifferences is how many differences a failing test shows.
var shownDifferences = 40

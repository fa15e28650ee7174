package disclosure_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
)

// TestTheLedgerHoldsTables prints every quarter of worlds with tables from launch on
// with no audit at all, as tables are printed that are too large for the audit over
// time, and attacks the whole series by subtraction: the ledger alone sees to it that
// no group of 1 to 4 people in any run of quarters is a sum and difference of what was
// printed. The seeds are those that leaked while rows and columns were not lines over
// time, or nobody in a year was not nobody in each quarter of it; DISCLOSURE_MEASURE
// asks for twelve of each.
func TestTheLedgerHoldsTables(t *testing.T) {
	for _, s := range []struct {
		places, sectors, levels, area int
		perQuarter                    float64
		seeds                         []uint64
	}{{4, 3, 0, 2, 25, []uint64{0}}, {4, 3, 2, 2, 75, []uint64{7}}, {6, 4, 0, 3, 60, nil}, {6, 4, 3, 3, 150, []uint64{2}},
		{10, 6, 3, 4, 250, []uint64{6}}, {10, 6, 0, 4, 600, []uint64{1, 7}}} {
		w := madeup.Sized(s.places, s.sectors, 0, s.levels, 0)
		w.Areas = map[string][]string{"north": w.Places[:s.area]}
		if os.Getenv("DISCLOSURE_MEASURE") != "" {
			s.seeds = []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
		}
		var v verdict
		var leaks []string
		for _, seed := range s.seeds {
			leaks = append(leaks, linearSeries(t, w, seed, s.perQuarter, &v)...)
		}
		t.Logf("%+v: %+v", s, v)
		if len(leaks) > 0 {
			t.Errorf("%d of %d small groups are derivable: %q", v.derivable, v.small, leaks[:min(20, len(leaks))])
		}
	}
}

// linearSeries masks quarter by quarter without an audit, and attacks by subtraction
// every small group in every run of quarters.
func linearSeries(t *testing.T, w madeup.World, seed uint64, perQuarter float64, v *verdict) (leaks []string) {
	t.Helper()
	const quarters = 8
	people := w.People(seed, perQuarter*quarters)
	for i := range people {
		people[i].Age = i * 7919 % (3 * quarters)
	}
	attacker := attack.NewSeries(w, time.Date(launchOf(quarters)/12, time.Month(launchOf(quarters)%12+1), 1, 0, 0, 0, 0, time.UTC), quarters)
	unaudited(t, w, people, quarters, func(q int, cells []disclosure.Truth, printed []disclosure.Printed) {
		tokens := map[madeup.Cell]string{}
		for i, p := range printed {
			tokens[madeup.Cell(p.Cell)] = p.TurnedDown.String()
			if _, ok := p.TurnedDown.Number(); cells[i].TurnedDownFor >= 5 {
				if v.large++; ok {
					v.numbers++
				}
			}
		}
		attacker.Take(tokens, q)
	})
	attacker.Solve()
	for from := range quarters {
		for to := from + 1; to <= quarters; to++ {
			for cell, n := range w.Count(between(people, 3*(quarters-to), 3*(quarters-from))) {
				if cell.Window != 24 || n < 1 || n > 4 {
					continue
				}
				if v.small++; attacker.Derivable(cell, from, to) {
					v.derivable++
					leaks = append(leaks, fmt.Sprintf("seed %d: %d people of %+v in the quarters %d to %d", seed, n, cell, from+1, to))
				}
			}
		}
	}
	return leaks
}

// launchOf is the first month of a series; the newest is September 2026.
func launchOf(quarters int) int { return 2026*12 + 8 + 1 - 3*quarters }

// unaudited masks quarter by quarter with the ledger and without an audit.
func unaudited(t *testing.T, w madeup.World, people []madeup.Person, quarters int, each func(q int, cells []disclosure.Truth, printed []disclosure.Printed)) {
	t.Helper()
	book, err := ledger.Open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	for q := 1; q <= quarters; q++ {
		before := 3 * (quarters - q)
		cells := truth(w, between(people, before, before+24))
		shiftMonths(cells, before)
		r := rules(w)
		r.End, r.Launch, r.Book, r.Gate = launchOf(quarters)+3*q, launchOf(quarters), book, gate.Limits{Unknowns: -1}
		each(q, cells, remember(t, r, cells, q).Printed)
	}
}

// between are the people of an age from from to just under to, as many months younger.
func between(people []madeup.Person, from, to int) (out []madeup.Person) {
	for _, p := range people {
		if p.Age >= from && p.Age < to {
			p.Age -= from
			out = append(out, p)
		}
	}
	return out
}

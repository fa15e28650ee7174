package disclosure_test

import (
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
)

// TestQuartersInARow prints every quarter from launch on, and attacks the whole
// series by subtraction: no window, quarter or month of any cell of 1 to 4 may be
// derivable. Without the ledger the same series must leak, else the attack is
// broken.
func TestQuartersInARow(t *testing.T) {
	for _, s := range []struct {
		quarters   int
		perQuarter float64
		months     bool
	}{{24, 20, false}, {24, 60, false}, {10, 25, true}, {10, 90, true}, {10, 400, true}} {
		w := madeup.Sized(4, 2, 0, 0, 0)
		if s.months {
			w.Areas = map[string][]string{"north": w.Places[:2]}
		}
		people := w.People(9, s.perQuarter*float64(s.quarters))
		for i := range people {
			people[i].Age = i * 7919 % (3 * s.quarters) // age at the end of the series
		}
		with, without := series(t, w, people, s.quarters, s.months, true), series(t, w, people, s.quarters, s.months, false)
		t.Logf("%d quarters of %.0f people, months %t: with the ledger %+v, without %+v", s.quarters, s.perQuarter, s.months, with, without)
		if with.derivable > 0 {
			t.Errorf("%d of %d small groups are derivable from the series", with.derivable, with.small)
		}
		if without.derivable == 0 {
			t.Error("nothing is derivable without the ledger: the attack is broken")
		}
	}
}

// series masks quarter by quarter and attacks all that was printed.
func series(t *testing.T, w madeup.World, people []madeup.Person, quarters int, months, remembered bool) (v verdict) {
	t.Helper()
	start := 2026*12 + 8 + 1 - 3*quarters // the newest month is September 2026
	book, err := ledger.Open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	known := newHistory(w, 3*quarters, months)
	for q := 1; q <= quarters; q++ {
		var now []madeup.Person
		for _, p := range people {
			p.Age -= 3 * (quarters - q)
			if p.Age >= 0 && p.Age < 24 {
				now = append(now, p)
			}
		}
		cells := truth(w, now)
		if !months {
			cells = withoutMonths(cells)
		}
		r := rules(w)
		r.End, r.Launch = start+3*q, start
		shiftMonths(cells, 3*(quarters-q))
		var result disclosure.Result
		if remembered {
			r.Book = book
			result = remember(t, r, cells, q)
		} else if result, err = r.Skill("care", cells); err != nil {
			t.Fatal(err)
		}
		known.add(cells, result.Printed, 3*q, &v)
	}
	known.attack(people, &v)
	return v
}

// shiftMonths names the months as they are so many months earlier.
func shiftMonths(cells []disclosure.Truth, before int) {
	for i := range cells {
		if c := &cells[i]; c.Window == 1 {
			for age := range 24 {
				if madeup.Month(age) == c.Value {
					c.Value = madeup.Month(age + before)
					break
				}
			}
		}
	}
}

func withoutMonths(cells []disclosure.Truth) []disclosure.Truth {
	var out []disclosure.Truth
	for _, c := range cells {
		if c.Window > 1 {
			out = append(out, c)
		}
	}
	return out
}

// history is the linear attack over a series: one unknown per place, sector and
// step of time.
type history struct {
	w       madeup.World
	n, step int // months, and months of one unknown
	e       *attack.Elimination
}

func newHistory(w madeup.World, n int, months bool) *history {
	h := &history{w: w, n: n, step: 3}
	if months {
		h.step = 1
	}
	h.e = attack.NewElimination(len(w.Places) * len(w.Sectors) * n / h.step)
	return h
}

// columns are the unknowns of a cell in the months from to just under to; before
// launch there was nobody.
func (h *history) columns(place, sector string, from, to int) (out []int) {
	in := map[string]bool{place: true}
	for _, b := range h.w.Areas[place] {
		in[b] = true
	}
	for i, p := range h.w.Places {
		for j, s := range h.w.Sectors {
			for q := max(0, from) / h.step; q < to/h.step; q++ {
				if (place == "" || in[p]) && (sector == "" || sector == s) {
					out = append(out, (i*len(h.w.Sectors)+j)*(h.n/h.step)+q)
				}
			}
		}
	}
	return out
}

// add adds what was printed at the end of a quarter, in months since launch.
func (h *history) add(cells []disclosure.Truth, printed []disclosure.Printed, end int, v *verdict) {
	for i, p := range printed {
		if cells[i].TurnedDownFor >= 5 {
			v.large++
		}
		n, ok := p.TurnedDown.Number()
		if !ok {
			continue
		}
		if n >= 5 {
			v.numbers++
		}
		from, to, value := end-p.Window, end, p.Value
		if strings.HasSuffix(p.Signature, "month") {
			for age := range h.n {
				if madeup.Month(age) == p.Value {
					from, to, value = h.n-1-age, h.n-age, ""
				}
			}
		}
		h.e.Add(h.columns(p.Place, value, from, to))
	}
}

// attack asks for every run of up to two years of every cell of the lattice.
func (h *history) attack(people []madeup.Person, v *verdict) {
	counts := map[[2]string][]int64{}
	for _, p := range people {
		places := []string{"", p.Place}
		for a, boroughs := range h.w.Areas {
			for _, b := range boroughs {
				if b == p.Place {
					places = append(places, a)
				}
			}
		}
		for _, place := range places {
			for _, sector := range []string{"", p.Sector} {
				k := [2]string{place, sector}
				if counts[k] == nil {
					counts[k] = make([]int64, h.n/h.step)
				}
				counts[k][(h.n-1-p.Age)/h.step]++
			}
		}
	}
	for k, n := range counts {
		for from := range n {
			sum := int64(0)
			for to := from + 1; to <= min(len(n), from+24/h.step); to++ {
				if sum += n[to-1]; sum >= 1 && sum <= 4 {
					v.small++
					if h.e.Derives(h.columns(k[0], k[1], from*h.step, to*h.step)) {
						v.derivable++
					}
				}
			}
		}
	}
}

package disclosure_test

import (
	"testing"

	"pgregory.net/rapid"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/madeup"
)

// TestNoRowOrColumnLeaksOverTime draws small worlds, prints a few quarters without an
// audit, and takes every row and column of the tables alone: an elimination over each of
// its cells in each quarter, with what is printed of them and of their total, must find
// no small group in any run of quarters.
func TestNoRowOrColumnLeaksOverTime(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := madeup.Sized(rapid.IntRange(2, 3).Draw(r, "places"), rapid.IntRange(2, 3).Draw(r, "sectors"), 0, 0, 0)
		quarters := rapid.IntRange(2, 5).Draw(r, "quarters")
		people := w.People(rapid.Uint64().Draw(r, "seed"), float64(quarters*rapid.IntRange(20, 200).Draw(r, "people")))
		for i := range people {
			people[i].Age = i * 7919 % (3 * quarters)
		}
		var lines []*tableLine
		for _, p := range w.Places {
			lines = append(lines, newTableLine(madeup.Cell{Signature: "place", Place: p}, w.Sectors, quarters))
		}
		for _, s := range w.Sectors {
			lines = append(lines, newTableLine(madeup.Cell{Signature: "sector", Value: s}, w.Places, quarters))
		}
		unaudited(t, w, people, quarters, func(q int, _ []disclosure.Truth, printed []disclosure.Printed) {
			for _, p := range printed {
				for _, l := range lines {
					l.take(p, q)
				}
			}
		})
		for _, l := range lines {
			l.judge(r, w, people)
		}
	})
}

// tableLine is a row or a column as an attacker sees it who looks at nothing else.
type tableLine struct {
	total    madeup.Cell
	kids     []string
	quarters int
	e        *attack.Elimination
	months   map[int]int // quarter → months of the total that are printed
	nobody   map[int]int // of those, how many are 0
	seen     map[string]bool
}

func newTableLine(total madeup.Cell, kids []string, quarters int) *tableLine {
	return &tableLine{total: total, kids: kids, quarters: quarters, e: attack.NewElimination(len(kids) * quarters), months: map[int]int{}, nobody: map[int]int{}, seen: map[string]bool{}}
}

// kid is the cell of a kid.
func (l *tableLine) kid(k int) madeup.Cell {
	c := madeup.Cell{Signature: "place_sector", Place: l.total.Place, Value: l.total.Value, Window: 24}
	if c.Place == "" {
		c.Place = l.kids[k]
	} else {
		c.Value = l.kids[k]
	}
	return c
}

// take adds what is printed of the line at a quarter end.
func (l *tableLine) take(p disclosure.Printed, q int) {
	n, ok := p.TurnedDown.Number()
	if !ok || p.Signature == "place_month" && p.Place == l.total.Place {
		if ok {
			l.month(p.Value, n == 0)
		}
		return
	}
	c := madeup.Cell(p.Cell)
	c.Window = 0
	from, to := max(0, q-p.Window/3), q
	if c == l.total {
		l.add(-1, from, to, n == 0)
	}
	for k := range l.kids {
		if name := l.kid(k); c.Signature == name.Signature && c.Place == name.Place && c.Value == name.Value {
			l.add(k, from, to, n == 0)
		}
	}
}

// add adds the sum of a kid (-1 = of all of them) in some quarters, or that nobody is there.
func (l *tableLine) add(kid, from, to int, nobody bool) {
	columns := l.columns(kid, from, to)
	l.e.Add(columns)
	for _, c := range columns {
		if nobody {
			l.e.Add([]int{c})
		}
	}
}

// month notes a printed month of the total; three are a quarter.
func (l *tableLine) month(name string, nobody bool) {
	if l.seen[name] {
		return
	}
	l.seen[name] = true
	for age := range 3 * l.quarters {
		if madeup.Month(age) != name {
			continue
		}
		q := l.quarters - 1 - age/3
		if l.months[q]++; nobody {
			l.nobody[q]++
		}
		if l.months[q] == 3 {
			l.add(-1, q, q+1, l.nobody[q] == 3)
		}
	}
}

func (l *tableLine) columns(kid, from, to int) (out []int) {
	for k := range l.kids {
		for q := from; q < to && (kid < 0 || k == kid); q++ {
			out = append(out, k*l.quarters+q)
		}
	}
	return out
}

// judge asks for every run of quarters of every kid.
func (l *tableLine) judge(t *rapid.T, w madeup.World, people []madeup.Person) {
	for from := range l.quarters {
		for to := from + 1; to <= min(l.quarters, from+8); to++ {
			counts := w.Count(between(people, 3*(l.quarters-to), 3*(l.quarters-from)))
			for k := range l.kids {
				if n := counts[l.kid(k)]; n >= 1 && n <= 4 && l.e.Derives(l.columns(k, from, to)) {
					t.Fatalf("the %d people of %+v in the quarters %d to %d follow from the line of %+v", n, l.kid(k), from+1, to, l.total)
				}
			}
		}
	}
}

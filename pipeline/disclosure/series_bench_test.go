package disclosure_test

import (
	"fmt"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
)

// BenchmarkLaterQuarter masks and audits one skill at the national size in the
// ninth quarter of a series, with everything printed before in the ledger, all
// five measures, by people in 24 months.
func BenchmarkLaterQuarter(b *testing.B) {
	const quarters = 9
	w := madeup.Sized(36, 15, 412, 5, 3)
	for _, people := range []float64{300, 3000, 30000} {
		b.Run(fmt.Sprint(people), func(b *testing.B) {
			all := w.People(1, people*quarters/8)
			for i := range all {
				all[i].Age = i * 7919 % (3 * quarters)
			}
			book, err := ledger.Open(b.TempDir(), false)
			if err != nil {
				b.Fatal(err)
			}
			for q := 1; q <= quarters; q++ {
				r := disclosure.Rules{Book: book, End: launchOf(quarters) + 3*q, Launch: launchOf(quarters)}
				cells := fiveFold(w, all, 3*(quarters-q))
				if q == quarters {
					b.ReportAllocs()
					for b.Loop() {
						if _, err := r.Skill("care", cells); err != nil {
							b.Fatal(err)
						}
					}
					return
				}
				remember(b, r, cells, q)
			}
		})
	}
}

// fiveFold is the grid with as many people in the parts of the shares as were
// turned down, so many months before the end of the series.
func fiveFold(w madeup.World, people []madeup.Person, before int) []disclosure.Truth {
	var now []madeup.Person
	for _, p := range people {
		if p.Age -= before; p.Age >= 0 && p.Age < 24 {
			now = append(now, p)
		}
	}
	cells := truth(w, now)
	shiftMonths(cells, before)
	for i := range cells {
		n := cells[i].TurnedDownFor
		cells[i].HiredWith, cells[i].HiredWithout = n, n
		cells[i].TurnedDownWith, cells[i].TurnedDownWithout = n, n
	}
	return cells
}

// remember masks one quarter and appends what was printed to the ledger.
func remember(t testing.TB, r disclosure.Rules, cells []disclosure.Truth, quarter int) disclosure.Result {
	t.Helper()
	result, err := r.Skill("care", cells)
	if err != nil {
		t.Fatal(err)
	}
	var page ledger.Page
	if err := page.Add("care", result.Entries); err != nil {
		t.Fatal(err)
	}
	if err := r.Book.Append(fmt.Sprintf("2020-%03d", quarter), &page); err != nil {
		t.Fatal(err)
	}
	return result
}

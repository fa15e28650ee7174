package disclosure_test

import (
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
)

// copies is n people alike, spread over the months.
func copies(n int, p madeup.Person) []madeup.Person {
	var out []madeup.Person
	for i := range n {
		p.Age = i * 7 % 24
		out = append(out, p)
	}
	return out
}

// TestAttackerOnFixtures runs both verdicts on the worlds that break naive masks.
func TestAttackerOnFixtures(t *testing.T) {
	two := madeup.Sized(2, 2, 0, 2, 0)
	var twoOfEverything []madeup.Person
	for _, p := range two.Places {
		for _, s := range two.Sectors {
			for _, l := range two.Levels {
				twoOfEverything = append(twoOfEverything, copies(2, madeup.Person{Place: p, Sector: s, Level: l})...)
			}
		}
	}
	small := madeup.Sized(6, 3, 0, 2, 0)
	var everyPlaceSmall []madeup.Person
	for i, p := range small.Places {
		everyPlaceSmall = append(everyPlaceSmall, copies(1+i%4, madeup.Person{Place: p, Sector: small.Sectors[i%3], Level: small.Levels[i%2]})...)
	}
	whole := madeup.Sized(3, 2, 0, 2, 0)
	var boroughIsSector []madeup.Person
	for i, p := range whole.Places {
		boroughIsSector = append(boroughIsSector, copies(9+i, madeup.Person{Place: p, Sector: whole.Sectors[min(i, 1)], Level: whole.Levels[i%2]})...)
	}
	boroughIsSector = append(boroughIsSector, copies(3, madeup.Person{Place: whole.Places[1], Sector: whole.Sectors[1], Level: whole.Levels[0]})...)
	union := madeup.Sized(5, 3, 0, 2, 0)
	union.Areas = map[string][]string{"north": union.Places[:2], "all-but-one": union.Places[:4]}
	for _, tt := range []struct {
		name   string
		world  madeup.World
		people []madeup.Person
	}{
		{"two of everything", two, twoOfEverything},
		{"every place has 1 to 4", small, everyPlaceSmall},
		{"one borough is a sector", whole, boroughIsSector},
		{"areas, sparse", union, union.People(3, 60)},
		{"areas", union, union.People(4, 200)},
		{"areas, dense", union, union.People(5, 400)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cells := truth(tt.world, tt.people)
			v := attackCells(t, tt.world, cells, rules(tt.world).Mask(cells), false)
			t.Logf("%+v", v)
			if v.derivable > 0 || v.exact > 0 || v.small == 0 {
				t.Errorf("%d derivable, %d exact of %d small cells", v.derivable, v.exact, v.small)
			}
		})
	}
}

// TestAttackerOnMonths takes every month as an unknown of its own.
func TestAttackerOnMonths(t *testing.T) {
	w := madeup.Sized(3, 2, 0, 0, 0)
	var all verdict
	for seed := range uint64(6) {
		cells := truth(w, w.People(seed, []float64{60, 200, 500}[seed%3]))
		all.add(attackCells(t, w, cells, rules(w).Mask(cells), true))
	}
	t.Logf("%+v", all)
	if all.derivable > 0 || all.exact*100 > all.small {
		t.Errorf("%d of %d derivable, %d exact (at most 1 %% with every month an unknown)", all.derivable, all.small, all.exact)
	}
}

// An area that cuts across another has no counts of people.
func TestAnAreaThatCutsAnotherIsOutside(t *testing.T) {
	w := madeup.Sized(4, 2, 0, 0, 0)
	w.Areas = map[string][]string{"east": w.Places[:3], "west": w.Places[2:]}
	cells := truth(w, w.People(1, 2000))
	r := rules(w)
	for _, p := range r.Mask(cells) {
		if shown := p.TurnedDown.String() != "null"; p.Place == "west" && shown || p.Place == "east" && p.Signature == "place" && !shown {
			t.Errorf("%+v prints %v", p.Cell, p.TurnedDown)
		}
	}
	if len(r.Lattice.Messages()) != 1 {
		t.Errorf("messages %q", r.Lattice.Messages())
	}
}

// TestTwentyFourQuartersInARow prints every quarter from launch on, and attacks
// the whole series by subtraction: no window or quarter of any cell of 1 to 4 may
// be derivable. Without the ledger the same series must leak, else the attack is
// broken.
func TestTwentyFourQuartersInARow(t *testing.T) {
	const quarters = 24
	w := madeup.Sized(4, 2, 0, 0, 0)
	for _, perQuarter := range []float64{20, 60} {
		people := w.People(9, perQuarter*quarters)
		for i := range people {
			people[i].Age = i * 7919 % (3 * quarters) // age at the end of the series
		}
		with, without := series(t, w, people, quarters, true), series(t, w, people, quarters, false)
		t.Logf("%.0f people a quarter: with the ledger %+v, without %+v", perQuarter, with, without)
		if with.derivable > 0 {
			t.Errorf("%d of %d small groups are derivable from the series", with.derivable, with.small)
		}
		if without.derivable == 0 {
			t.Error("nothing is derivable without the ledger: the attack is broken")
		}
	}
}

// series masks quarter by quarter and attacks all that was printed.
func series(t *testing.T, w madeup.World, people []madeup.Person, quarters int, remember bool) (v verdict) {
	t.Helper()
	start := 2020 * 12
	book, err := ledger.Open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	known := newHistory(w, start, quarters)
	for q := 1; q <= quarters; q++ {
		end := start + 3*q
		var now []madeup.Person
		for _, p := range people {
			p.Age -= 3 * (quarters - q)
			if p.Age >= 0 && p.Age < 24 {
				now = append(now, p)
			}
		}
		cells := truth(w, now)
		r := disclosure.Rules{End: end, Launch: start}
		if remember {
			r.Book = book
		}
		result, err := r.Skill("care", withoutMonths(cells))
		if err != nil {
			t.Fatal(err)
		}
		if remember {
			var page ledger.Page
			if err := page.Add("care", result.Entries); err != nil {
				t.Fatal(err)
			}
			if err := book.Append(madeup.Month(0)+"."+string(rune('a'+q)), &page); err != nil {
				t.Fatal(err)
			}
		}
		known.add(withoutMonths(cells), result.Printed, end, &v)
	}
	known.attack(people, &v)
	return v
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
// quarter.
type history struct {
	w        madeup.World
	start, n int
	e        *attack.Elimination
}

func newHistory(w madeup.World, start, quarters int) *history {
	return &history{w, start, quarters, attack.NewElimination(len(w.Places) * len(w.Sectors) * quarters)}
}

// columns are the unknowns of a cell in the quarters from to just under to;
// before launch there was nobody.
func (h *history) columns(place, sector string, from, to int) (out []int) {
	for i, p := range h.w.Places {
		for j, s := range h.w.Sectors {
			for q := max(0, from); q < to; q++ {
				if (place == "" || place == p) && (sector == "" || sector == s) {
					out = append(out, (i*len(h.w.Sectors)+j)*h.n+q)
				}
			}
		}
	}
	return out
}

func (h *history) add(cells []disclosure.Truth, printed []disclosure.Printed, end int, v *verdict) {
	for i, p := range printed {
		if cells[i].TurnedDownFor >= 5 {
			v.large++
		}
		if n, ok := p.TurnedDown.Number(); ok {
			to := (end - h.start) / 3
			if n >= 5 {
				v.numbers++
			}
			h.e.Add(h.columns(p.Place, p.Value, to-p.Window/3, to))
		}
	}
}

// attack asks for every run of up to eight quarters of every cell of the lattice.
func (h *history) attack(people []madeup.Person, v *verdict) {
	counts := map[[2]string][]int64{}
	for _, p := range people {
		for _, k := range [][2]string{{"", ""}, {p.Place, ""}, {"", p.Sector}, {p.Place, p.Sector}} {
			if counts[k] == nil {
				counts[k] = make([]int64, h.n)
			}
			counts[k][h.n-1-p.Age/3]++
		}
	}
	for k, n := range counts {
		for from := range n {
			sum := int64(0)
			for to := from + 1; to <= min(h.n, from+8); to++ {
				if sum += n[to-1]; sum >= 1 && sum <= 4 {
					v.small++
					if h.e.Derives(h.columns(k[0], k[1], from, to)) {
						v.derivable++
					}
				}
			}
		}
	}
}

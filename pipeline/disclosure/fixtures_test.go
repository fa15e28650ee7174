package disclosure_test

import (
	"testing"

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

package disclosure_test

import (
	"fmt"
	"os"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack"
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
)

// TestBoundsOfQuartersInARow prints every quarter of several small worlds from launch
// on, and attacks the whole series under all bounds: no window of 1 to 4 people of any
// quarter end, printed or not, may have one feasible value alone, not even for who
// knows that it is 1 to 4. Without the audits some has, else the attack is broken.
func TestBoundsOfQuartersInARow(t *testing.T) {
	seeds := uint64(1)
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		seeds = 8
	}
	one, two := madeup.Sized(4, 2, 1, 2, 1), madeup.Sized(4, 3, 2, 0, 0)
	for _, w := range []*madeup.World{&one, &two} {
		w.Areas = map[string][]string{"north": w.Places[:2]}
	}
	open := 0
	for _, s := range []struct {
		world    madeup.World
		quarters int
		people   float64
		seeds    uint64
	}{{one, 8, 60, seeds}, {one, 8, 200, seeds}, {two, 8, 60, seeds}, {two, 8, 200, seeds}, {two, 8, 600, seeds}} {
		var with, without bounded
		for seed := range s.seeds {
			people := s.world.People(seed, s.people)
			for i := range people {
				people[i].Age = i * 7919 % (3 * s.quarters)
			}
			with.add(boundedSeries(t, s.world, people, s.quarters, gate.Limits{}))
			without.add(boundedSeries(t, s.world, people, s.quarters, gate.Limits{Unknowns: -1}))
		}
		t.Logf("%d worlds of %d quarters, %.0f people, %d sectors: with the audits %v; without %v", s.seeds, s.quarters, s.people, len(s.world.Sectors), with, without)
		if with.Failed() || with.Unproven > 0 {
			t.Errorf("%d of %d small windows are derivable, %d exact, %d unproven: %q", with.Derivable, with.Small, with.Exact, with.Unproven, with.Leaks)
		}
		open += without.Exact
	}
	if open == 0 {
		t.Error("nothing is exact without the audits: the attack is broken")
	}
}

// bounded is a verdict with how many of the counts of 5 and more are numbers.
type bounded struct {
	attack.Verdict
	numbers, large int
}

func (b *bounded) add(o bounded) {
	b.Verdict.Add(o.Verdict)
	b.numbers, b.large = b.numbers+o.numbers, b.large+o.large
}

func (b bounded) String() string {
	return fmt.Sprintf("%d of %d small windows derivable, %d exact for who knows that they are 1 to 4, %d for who does not; %d of %d counts of 5 and more printed (%d %%)",
		b.Derivable, b.Small, b.Exact, b.Pinned, b.numbers, b.large, 100*b.numbers/max(1, b.large))
}

// boundedSeries masks quarter by quarter and attacks all that was printed under all
// bounds, one unknown for each combination of values and quarter.
func boundedSeries(t *testing.T, w madeup.World, people []madeup.Person, quarters int, limits gate.Limits) (v bounded) {
	t.Helper()
	start := 2026*12 + 8 + 1 - 3*quarters // the newest month is September 2026
	book, err := ledger.Open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	var answers []attack.Answer
	var targets []attack.Target
	c := attack.Crawl{World: w}
	for q := 1; q <= quarters; q++ {
		var now []madeup.Person
		for _, p := range people {
			if p.Age -= 3 * (quarters - q); p.Age >= 0 && p.Age < 24 {
				now = append(now, p)
			}
		}
		cells := truth(w, now)
		shiftMonths(cells, 3*(quarters-q))
		r := rules(w)
		r.End, r.Launch, r.Book, r.Gate = start+3*q, start, book, limits
		for i, p := range remember(t, r, cells, q).Printed {
			if p.Window == 1 {
				continue
			}
			query := c.Query(madeup.Cell(p.Cell))
			query.From, query.To = max(0, 3*q-p.Window), 3*q
			answers = append(answers, attack.Answer{Query: query, Token: p.TurnedDown.String()})
			v.note(&targets, q, p, cells[i].TurnedDownFor, query)
		}
	}
	s, err := attack.New(quarterAtoms(w, quarters), answers)
	if err != nil {
		t.Fatal(err)
	}
	if v.Verdict, _, err = s.Judge(targets); err != nil {
		t.Fatal(err)
	}
	return v
}

// note makes a target of a small window, and counts what is printed of large ones.
func (v *bounded) note(targets *[]attack.Target, quarter int, p disclosure.Printed, n int64, query attack.Query) {
	if n >= 1 && n <= 4 {
		*targets = append(*targets, attack.Target{Name: fmt.Sprintf("quarter %d: %+v, %d people, prints %v", quarter, p.Cell, n, p.TurnedDown), Query: query, N: n})
	}
	if n >= 5 {
		v.large++
		if _, ok := p.TurnedDown.Number(); ok {
			v.numbers++
		}
	}
}

// quarterAtoms are the unknowns of a world, with one band of time for each quarter
// since launch.
func quarterAtoms(w madeup.World, quarters int) (atoms []attack.Atom) {
	for _, a := range (attack.Crawl{World: w}).Atoms(false) {
		for q := range quarters {
			if a.From == 0 && a.To == 3 {
				b := a
				b.From, b.To = 3*q, 3*q+3
				atoms = append(atoms, b)
			}
		}
	}
	return atoms
}

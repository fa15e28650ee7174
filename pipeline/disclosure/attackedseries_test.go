package disclosure_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
	"labour/snapshots/figure"
)

// seriesWorld is small, so that its figures say much of each other. Its newest month is the
// first of the platform.
func seriesWorld() synthtest.World {
	return synthtest.World{Places: []string{"camden", "hackney", "islington"}, Areas: map[string][]string{"north": {"camden", "islington"}},
		Sectors: []string{"care", "construction"}, SOCs: []string{"2134"}, Levels: []string{"2", "3"}, Sources: []string{"platform"}, Newest: 2025 * 12}
}

// attackedSeries prints one skill at the end of each month from launch on. A person's age is
// the month after launch in which the person came; in each later month so many of a hundred
// of those who are there apply again.
func attackedSeries(seed uint64, people, again, months int) attackertest.Series {
	w := seriesWorld()
	adverts, launch, all := w.All(), w.Newest, w.NewDrawer(seed).People(people)
	s := attackertest.Series{Name: fmt.Sprint("series ", seed)}
	r := rand.New(rand.NewPCG(seed, 3))
	var past []disclosure.Release
	for month := range months {
		w.Newest = launch + month
		var here []synthtest.Person
		for i := range all {
			if all[i].Age < month && r.IntN(100) < again {
				all[i].Age = month
			}
			if p := all[i]; p.Age <= month {
				p.Age = month - p.Age
				here = append(here, p)
			}
		}
		p := newPrinter(w, disclosure.Rounded)
		rows := p.print(adverts, outcomes{turnedDownFor: here}, past)
		s.Releases = append(s.Releases, p.figures(fmt.Sprintf("%s, month %d", s.Name, month+1), adverts, rows, here))
		release := disclosure.Release{Month: disclosure.MonthOf(w.Newest/12, w.Newest%12+1), Counts: map[disclosure.Cell]figure.Count{}}
		for _, row := range rows {
			release.Counts[row.Cell] = row.TurnedDown
		}
		past = append(past, release)
	}
	return s
}

// onlyRounded prints the series by rounding alone, with nothing withdrawn.
func onlyRounded(s attackertest.Series) attackertest.Series {
	for _, f := range s.Releases {
		counts := f.World.Count(f.People)
		for cell := range f.Tokens {
			f.Tokens[cell] = attackertest.Round(counts[cell])
		}
	}
	return s
}

// solveSeries attacks all figures of each series over all releases in one linear program, and
// tries every small group.
func solveSeries(t *testing.T, all ...attackertest.Series) attackertest.Verdict {
	t.Helper()
	s := solver(t)
	var systems []*attackertest.System
	for _, of := range all {
		atoms, err := of.Atoms()
		if err != nil {
			t.Fatal(err)
		}
		systems = append(systems, atoms)
	}
	v, err := s.Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestFourReleasesAreNotWorkedOut: four releases in a row leave every small group more than
// one size, whether nobody applies again, which tells most, or many do.
func TestFourReleasesAreNotWorkedOut(t *testing.T) {
	const months = 4
	var all, rounded []attackertest.Series
	for _, again := range []int{0, 10} {
		for i := range 3 {
			all = append(all, attackedSeries(uint64(5+i), 60<<i, again, months))
			rounded = append(rounded, onlyRounded(attackedSeries(uint64(5+i), 60<<i, again, months)))
		}
	}
	judge(t, "four releases", solveSeries(t, all...), 2000)
	if v := solveSeries(t, rounded...); v.Pinned == 0 {
		t.Errorf("of what is rounded and nothing else, the attacker finds nothing: %v", v)
	} else {
		t.Log("rounded alone: ", v)
	}
}

// TestManyReleasesAreWorkedOutNoFurther: the audit looks at each combination of filters by
// itself, so that of many releases together a linear program works out some groups. README.md
// says how many, and they may not become more.
func TestManyReleasesAreWorkedOutNoFurther(t *testing.T) {
	if !long() {
		t.Skip("takes long; LABOUR_LONG=1 runs it")
	}
	for _, c := range []struct{ again, most int }{{0, 243}, {5, 218}} {
		var all []attackertest.Series
		for i := range 4 {
			all = append(all, attackedSeries(uint64(5+i), 60<<i, c.again, 8))
		}
		v := solveSeries(t, all...)
		t.Logf("%d in 100 apply again, 8 releases: %v", c.again, v)
		if v.Pinned > c.most || v.Untried > 0 {
			t.Errorf("%d are worked out, README.md says %d", v.Pinned, c.most)
		}
	}
}

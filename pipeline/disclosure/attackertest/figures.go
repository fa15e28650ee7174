package attackertest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"labour/pipeline/disclosure/synthtest"
)

// Figures are the printed counts of one skill and measure in one release, what is
// public, and, for the judge, the people.
type Figures struct {
	Name  string
	World synthtest.World
	// Adverts are the combinations of place, sector, occupation, level and source that
	// have adverts: elsewhere is nobody.
	Adverts []synthtest.Person
	Tokens  map[synthtest.Cell]string
	Exact   bool // numbers are not rounded
	People  []synthtest.Person
}

// bands are the ages in months at which windows end.
var bands = []int{0, 3, 6, 12, 24}

func bandOf(age int) int {
	for i, end := range bands[1:] {
		if age < end {
			return i
		}
	}
	return -1
}

// combinations returns those with adverts, each once. Where somebody is in none of them,
// as a contradiction would tell, the attacker allows every level beside them; who is in
// none of those either is told by the judge, which is more than is public.
func combinations(adverts []synthtest.Person, people ...[]synthtest.Person) []synthtest.Person {
	seen, outside := map[synthtest.Person]bool{}, false
	for _, p := range adverts {
		p.Age = 0
		seen[p] = true
	}
	for _, p := range slices.Concat(people...) {
		p.Age = 0
		outside = outside || !seen[p]
	}
	for _, p := range adverts {
		for _, level := range []string{"1", "2", "3", "4", "5"} {
			if p.Age, p.Level = 0, level; outside {
				seen[p] = true
			}
		}
	}
	for _, p := range slices.Concat(people...) {
		p.Age = 0
		seen[p] = true
	}
	return slices.SortedFunc(maps.Keys(seen), func(a, b synthtest.Person) int {
		return cmp.Or(cmp.Compare(a.Place, b.Place), cmp.Compare(a.Sector, b.Sector), cmp.Compare(a.SOC, b.SOC), cmp.Compare(a.Level, b.Level), cmp.Compare(a.Source, b.Source))
	})
}

// perBand counts people by combination and band.
func perBand(people []synthtest.Person) map[synthtest.Person][4]int64 {
	n := map[synthtest.Person][4]int64{}
	for _, p := range people {
		if band := bandOf(p.Age); band >= 0 {
			p.Age = 0
			counts := n[p]
			counts[band]++
			n[p] = counts
		}
	}
	return n
}

// Atoms returns the system whose unknowns are the people of each combination and band
// of time, for linear programs: it holds all that the figures of a skill say together.
func (f Figures) Atoms() (*System, error) {
	s := &System{Name: f.Name}
	atoms := f.atoms(s, combinations(f.Adverts, f.People), f.People)
	f.months(s, atoms.cells, func(band int) []int32 { return atoms.inBand[band] })
	return s, f.print(s, atoms.cells)
}

// Attack tightens the figures of every skill, and returns the systems of their atoms for a solver.
func Attack(all []Figures) (tightened Verdict, systems []*System, err error) {
	for _, f := range all {
		cells, err := f.Cells()
		if err != nil {
			return tightened, nil, err
		}
		tightened.Add(cells.Tighten())
		atoms, err := f.Atoms()
		if err != nil {
			return tightened, nil, err
		}
		systems = append(systems, atoms)
	}
	return tightened, systems, nil
}

// atoms are the unknowns of people by combination and band, and the cells they are in.
type atoms struct {
	cells  map[synthtest.Cell][]int32
	inBand [4][]int32
}

func (f Figures) atoms(s *System, known, people []synthtest.Person) atoms {
	out, n := atoms{cells: map[synthtest.Cell][]int32{}}, perBand(people)
	for _, c := range known {
		for band, n := range n[c] {
			atom := s.Var(n)
			out.inBand[band] = append(out.inBand[band], atom)
			c.Age = bands[band]
			for _, cell := range f.World.Under(c) {
				out.cells[cell] = append(out.cells[cell], atom)
			}
		}
	}
	return out
}

// Parts returns the system of the people behind printed shares, who had the skill or had it
// not, as the most that a share can tell: numerator and denominator are taken as printed
// wherever the share of a cell is shown. The figures' people had the skill; every cell that
// their tokens name can be asked for.
func (f Figures) Parts(without []synthtest.Person, shares map[synthtest.Cell]int64) (*System, error) {
	return f.parts(without, shares, func(s *System, _ int64, with, not []int32) error {
		for _, vars := range [][]int32{with, slices.Concat(with, not)} {
			low, high, err := Range(Round(s.Truth(vars, nil)), false)
			if err != nil {
				return err
			}
			s.Bound(low, high, vars, nil)
		}
		return nil
	})
}

// Shares is Parts with what is printed: of w people with the skill and n without, both parts
// within 2 of what the share in per cent was made of, which rests on 20 or more.
func (f Figures) Shares(without []synthtest.Person, shares map[synthtest.Cell]int64) (*System, error) {
	return f.parts(without, shares, func(s *System, share int64, with, not []int32) error {
		s.Bound(18, Unbounded, slices.Concat(with, not), nil)
		if share == 0 && s.Truth(with, nil) == 0 {
			s.Bound(0, 0, with, nil) // nobody, unless there are 500 in all
		} else if share > 0 { // (w + 2) / (w + n - 2) is at least half a per cent less
			s.Rows = append(s.Rows, Row{with, not, -400 - 2*(2*share-1), Unbounded, 201 - 2*share, 2*share - 1})
		}
		if share < 100 { // (w - 2) / (w + n + 2) is at most half a per cent more
			s.Rows = append(s.Rows, Row{with, not, -Unbounded, 400 + 2*(2*share+1), 199 - 2*share, 2*share + 1})
		}
		return nil
	})
}

func (f Figures) parts(without []synthtest.Person, shares map[synthtest.Cell]int64, tell func(s *System, share int64, with, not []int32) error) (*System, error) {
	s := &System{Name: f.Name}
	known := combinations(f.Adverts, f.People, without)
	had, hadNot := f.atoms(s, known, f.People), f.atoms(s, known, without)
	for _, cell := range slices.SortedFunc(maps.Keys(f.Tokens), synthtest.Compare) {
		with, not := had.cells[cell], hadNot.cells[cell]
		if share, ok := shares[cell]; ok {
			if err := tell(s, share, with, not); err != nil {
				return nil, fmt.Errorf("%s: %+v: %w", f.Name, cell, err)
			}
		}
		s.Small(fmt.Sprintf("with the skill, %+v", cell), with)
		s.Small(fmt.Sprintf("without the skill, %+v", cell), not)
		s.Small(fmt.Sprintf("with it or not, %+v", cell), slices.Concat(with, not))
	}
	return s, s.Holds()
}

// months adds an unknown for each month, and that the months of a band add up to it.
func (f Figures) months(s *System, cells map[synthtest.Cell][]int32, whole func(band int) []int32) {
	var n [24]int64
	for _, p := range f.People {
		if p.Age >= 0 && p.Age < 24 {
			n[p.Age]++
		}
	}
	var inBand [4][]int32
	for age := range n {
		month := s.Var(n[age])
		cells[synthtest.Cell{Dim: "month", Value: synthtest.MonthName(f.World.Newest - age), Window: 1}] = []int32{month}
		inBand[bandOf(age)] = append(inBand[bandOf(age)], month)
	}
	for band, months := range inBand {
		s.Bound(0, 0, months, whole(band))
	}
}

// print adds what is printed of the cells, and the small ones as targets.
func (f Figures) print(s *System, cells map[synthtest.Cell][]int32) error {
	for _, cell := range slices.SortedFunc(maps.Keys(f.Tokens), synthtest.Compare) {
		low, high, err := Range(f.Tokens[cell], f.Exact)
		if err != nil {
			return fmt.Errorf("%s: %+v: %w", f.Name, cell, err)
		}
		s.Bound(low, high, cells[cell], nil)
		s.Small(fmt.Sprintf("%+v prints %s", cell, f.Tokens[cell]), cells[cell])
	}
	return s.Holds()
}

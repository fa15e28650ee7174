// Package attack is the attacker of the tests: it takes printed answers alone and
// works out what they say about groups of people. It imports no code of the
// service, so that a fault of the masking cannot hide in it. The linear programming
// that it shares with the gate is not taken at its word: what it calls free is
// proved by a population of whole people that answers everything as printed.
//
// Its unknowns are the counts of people in every combination of place, sector,
// SOC, level, source and band of time, one system per skill and measure. It
// knows the rules, so that it takes null beside printed figures for "at least 5".
package attack

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"labour/pipeline/disclosure/simplex"
)

// Atom is one combination of values in one band of time: the months aged From to
// just under To.
type Atom struct {
	Place, Sector, SOC, Level, Source string
	From, To                          int
}

// Query names a group of people: "" is any. The months are those aged From to
// just under To.
type Query struct {
	Places                     []string // boroughs; nil = all
	Sector, SOC, Level, Source string
	From, To                   int
}

// Holds says that the atom's people are in the group.
func (q Query) Holds(a Atom) bool {
	match := func(want, is string) bool { return want == "" || want == is }
	return (q.Places == nil || slices.Contains(q.Places, a.Place)) && match(q.Sector, a.Sector) && match(q.SOC, a.SOC) &&
		match(q.Level, a.Level) && match(q.Source, a.Source) && a.From >= q.From && a.To <= q.To
}

// Answer is what was printed of a group.
type Answer struct {
	Query
	Token string // a number, "<5" or "null"
	// Five says that null stands for at least 5 here.
	Five bool
}

// System is all that an attacker knows of one skill and measure.
type System struct {
	atoms   []Atom
	column  []int // of each atom; -1 = known to be 0
	columns int
	rows    [][]int // of the answers that are numbers, as columns
	numbers []int64
	bounds  []simplex.Row // every answer
	high    []float64
	solver  *simplex.Solver
	linear  *Elimination
}

// New sets the system up. An answer of 0 fixes all its atoms.
func New(atoms []Atom, answers []Answer) (*System, error) {
	s, err := Linear(atoms, answers)
	if err != nil {
		return nil, err
	}
	s.high = make([]float64, s.columns)
	for i := range s.high {
		s.high[i] = simplex.Inf
	}
	if s.solver, err = simplex.New(s.high, s.bounds, steps); err != nil {
		return nil, fmt.Errorf("the answers contradict each other: %w", err)
	}
	return s, nil
}

// Linear is New for the linear verdict alone, which systems of any size allow.
func Linear(atoms []Atom, answers []Answer) (*System, error) {
	s := &System{atoms: atoms, column: make([]int, len(atoms))}
	for _, a := range answers {
		if a.Token == "0" {
			for i, atom := range atoms {
				if a.Holds(atom) {
					s.column[i] = -1
				}
			}
		}
	}
	for i := range s.column {
		if s.column[i] == 0 {
			s.column[i] = s.columns
			s.columns++
		}
	}
	var err error
	if s.bounds, err = s.bound(answers); err != nil {
		return nil, err
	}
	s.linear = NewElimination(s.columns)
	s.linear.AddAll(s.rows)
	return s, nil
}

// steps bounds the work of one question.
const steps = 200_000

// bound reads the answers as bounds of sums.
func (s *System) bound(answers []Answer) ([]simplex.Row, error) {
	var bounds []simplex.Row
	for _, a := range answers {
		row := simplex.Row{Vars: s.Columns(a.Query), Low: 0, High: simplex.Inf}
		switch {
		case a.Token == "<5":
			row.Low, row.High = 1, 4
		case a.Token == "null" && a.Five:
			row.Low = 5
		case a.Token == "null":
			continue
		default:
			n, err := strconv.ParseInt(a.Token, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("token %q: %w", a.Token, err)
			}
			row.Low, row.High = float64(n), float64(n)
			s.rows, s.numbers = append(s.rows, row.Vars), append(s.numbers, n)
		}
		if len(row.Vars) > 0 {
			bounds = append(bounds, row)
		}
	}
	return bounds, nil
}

// Columns are the unknowns of a group that are not known to be 0.
func (s *System) Columns(q Query) []int {
	var out []int
	for i, a := range s.atoms {
		if s.column[i] >= 0 && q.Holds(a) {
			out = append(out, s.column[i])
		}
	}
	return out
}

// Derivable is the linear verdict: the group is a sum and difference of printed
// numbers.
func (s *System) Derivable(q Query) bool { return s.linear.Derives(s.Columns(q)) }

// Interval is the bounds verdict: the least and the most people that the group
// can hold, given everything.
func (s *System) Interval(q Query) (low, high int64, err error) {
	l, h, err := s.solver.Range(s.Columns(q))
	if err != nil {
		return 0, 0, err
	}
	low = int64(math.Ceil(l - 1e-6))
	if high = math.MaxInt64; !math.IsInf(h, 1) {
		high = int64(math.Floor(h + 1e-6))
	}
	return low, high, nil
}

// Contains says that everybody of the other group is in this one, whoever they are.
func (q Query) Contains(o Query) bool {
	within := func(wide, narrow string) bool { return wide == "" || wide == narrow }
	places := q.Places == nil || o.Places != nil && !slices.ContainsFunc(o.Places, func(p string) bool { return !slices.Contains(q.Places, p) })
	return places && within(q.Sector, o.Sector) && within(q.SOC, o.SOC) && within(q.Level, o.Level) && within(q.Source, o.Source) &&
		q.From <= o.From && o.To <= q.To
}

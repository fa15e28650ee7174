// Package overtime is the bounds attacker over a series of snapshots: it knows every
// number and every "<5" that was printed of a skill and what is about to be printed,
// as if all of it described the same people, and says which groups of 1 to 4 have one
// feasible value alone.
//
// Each snapshot keeps slack around its small groups (R2, R4), and the ledger sees to it
// that none is a sum and difference of printed numbers. But a cover that is printed, or
// follows, in another window or quarter leaves the rest of its line known as a sum:
// two groups of 1 to 4 that are 8 together are 4 each. That is what this package finds.
//
// Its unknowns are the people of each value of each filter in each smallest place,
// between any two points of time at which something that was printed begins or ends.
package overtime

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/simplex"
)

// Fact is what is printed of a cell: N people, or "<5", in the months from From to
// just under To, counted since year 0.
type Fact struct {
	Cell     mask.Cell // without a window
	From, To int
	N        int64
	Small    bool // "<5"; N is not read
	// At is the cell of the board whose number it is; -1 for what was printed before.
	At int
}

// Target is a group of 1 to 4 people, printed as "<5" or not at all.
type Target struct {
	Cell     mask.Cell // without a window
	From, To int
	// Ahead says that it is a window of the next quarter end as far as it has passed.
	// It may be of any size; once 4 is the least that it can be, whoever knows that the
	// window holds 1 to 4 knows that it holds 4, whatever is withheld then.
	Ahead bool
}

// Limits bound the work.
type Limits struct {
	// Unknowns is the largest number of unknowns of a system, after those that follow
	// plainly are taken out. Above it each filter is audited alone with the places, above
	// it again without them. 0 = a sound limit.
	Unknowns int
	Steps    int // of the simplex method, for each question
}

// sound keeps the audit of one measure of one skill at a second or so.
var sound = Limits{Unknowns: 400, Steps: 20_000}

// Audit is the systems of one measure of one skill.
type Audit struct {
	limits  Limits
	parts   []*part
	Skipped int // filters that are too large to be audited
}

// part is one system: all filters, one with the places, or one line.
type part struct {
	scope
	space *space
	steps int
	facts []Fact
	whole *system
	point map[unknown]float64 // where everything printed holds, once it was found
}

// Scopes are the systems that may be affordable, by the number of places and values of
// a board alone, so that what is far too large is not even collected.
type Scopes struct {
	limits   Limits
	board    *mask.Board
	place    map[string]bool    // filters that may be audited with the places
	possible map[mask.Cell]bool // cells of the board, without a window
	space    *space             // of the last audit
	asked    []mask.Cell        // that it has beside those of the board
}

// Choose looks at the places and values of a board.
func Choose(b *mask.Board, limits Limits) *Scopes {
	if limits.Unknowns == 0 {
		limits = sound
	}
	s := &Scopes{limits: limits, board: b, place: map[string]bool{"": true}, possible: map[mask.Cell]bool{}}
	places := 1
	for _, kids := range b.Tree.Kids {
		places += len(kids)
	}
	for _, dim := range mask.Dims() {
		s.place[dim] = places*(1+len(b.Tree.Values(dim))) <= mostCells*limits.Unknowns
	}
	for i, c := range b.Cells {
		if c.Window == longest && s.Hold(c) && (!b.Unlisted[i] || b.Count[i] > 0) {
			c.Window = 0
			s.possible[c] = true
		}
	}
	return s
}

// mostCells is how many cells there may be for each unknown that is allowed: most
// follow plainly.
const mostCells = 2

// Hold says that a cell may be in an affordable system.
func (s *Scopes) Hold(c mask.Cell) bool { return c.Place == "" || s.place[c.Dim()] }

// New chooses the systems that are affordable. Facts and targets are of cells that the
// scopes hold.
func (s *Scopes) New(facts []Fact, targets []Target) *Audit {
	a := &Audit{limits: s.limits}
	space := s.spaceOf(facts, targets)
	whole := scope{places: true, dims: mask.Dims()}
	if !slices.ContainsFunc(whole.dims, func(dim string) bool { return !s.place[dim] }) && a.take(space, facts, targets, whole) {
		return a
	}
	byPlace := false
	for _, dim := range mask.Dims() {
		if s.place[dim] && a.take(space, facts, targets, scope{places: true, dims: []string{dim}}) {
			byPlace = true
			continue
		}
		if !a.take(space, facts, targets, scope{dims: []string{dim}}) {
			a.Skipped++
		}
	}
	if !byPlace && !a.take(space, facts, targets, scope{places: true}) {
		a.Skipped++
	}
	return a
}

// take adds the system of a scope if it is affordable.
func (a *Audit) take(s *space, facts []Fact, targets []Target, of scope) bool {
	p := &part{scope: of, space: s, steps: a.limits.Steps}
	for _, f := range facts {
		if of.holds(f.Cell) {
			p.facts = append(p.facts, f)
		}
	}
	sys := newSystem(s, of, p.facts, targets, false, a.limits.Unknowns)
	if sys == nil || len(sys.rows) > mostRows*a.limits.Unknowns {
		return false
	}
	p.whole = sys
	a.parts = append(a.parts, p)
	return true
}

// mostRows is how many sums may be known for each unknown that is allowed.
const mostRows = 4

// Systems is how many systems are audited.
func (a *Audit) Systems() int { return len(a.parts) }

// Holds says that a cell is in some system.
func (a *Audit) Holds(c mask.Cell) bool {
	return slices.ContainsFunc(a.parts, func(p *part) bool { return p.holds(c) })
}

// Fits says that everything in every system can be of the same people, all of whom are
// in the places and values that there are now. Where it does not fit, Pinned and Frees
// take less for granted.
func (a *Audit) Fits() bool {
	return !slices.ContainsFunc(a.parts, func(p *part) bool {
		_, err := p.whole.solver(p)
		return err != nil
	})
}

// Pinned are the targets that have one feasible value of 1 to 4 alone.
func (a *Audit) Pinned(targets []Target) (pinned []Target, err error) {
	for _, p := range a.parts {
		found, err := p.pinned(targets, nil)
		if err != nil {
			return nil, err
		}
		pinned = append(pinned, found...)
	}
	return pinned, nil
}

// Frees says that the target is free once what is to be printed of the cells of a
// board is not.
func (a *Audit) Frees(t Target, without map[int]bool) (bool, error) {
	for _, p := range a.parts {
		found, err := p.pinned([]Target{t}, without)
		if err != nil || len(found) > 0 {
			return false, err
		}
	}
	return true, nil
}

func (p *part) pinned(targets []Target, without map[int]bool) ([]Target, error) {
	targets = slices.DeleteFunc(slices.Clone(targets), func(t Target) bool { return !p.holds(t.Cell) })
	if len(targets) == 0 {
		return nil, nil
	}
	facts := p.facts
	if without == nil { // most often everything fits together, and is there already
		if pinned, err := p.whole.pinned(targets, p); !errors.Is(err, simplex.ErrInfeasible) {
			return pinned, err
		}
	} else {
		facts = slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool { return without[f.At] })
	}
	return p.solve(facts, targets)
}

// solve asks a system that has an answer. People move to newer events, so that what
// was printed once and what is printed now may not fit together: then somebody may be
// where nobody is known to be, and after that the oldest snapshots are left out, one
// after the other, until the rest fits.
func (p *part) solve(facts []Fact, targets []Target) ([]Target, error) {
	for _, rests := range []bool{false, true} {
		pinned, err := newSystem(p.space, p.scope, facts, targets, rests, math.MaxInt).pinned(targets, p)
		if !errors.Is(err, simplex.ErrInfeasible) {
			return pinned, err
		}
	}
	oldest := 0
	for _, f := range facts {
		if f.At < 0 && (oldest == 0 || f.To < oldest) {
			oldest = f.To
		}
	}
	if oldest == 0 {
		return nil, fmt.Errorf("audit over time: %w", simplex.ErrInfeasible)
	}
	return p.solve(slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool { return f.At < 0 && f.To == oldest }), targets)
}

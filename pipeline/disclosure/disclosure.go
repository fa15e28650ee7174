// Package disclosure prints counts of people: true counts in, printed tokens out.
// It is the one place where a true count of people becomes something that may be
// seen, and nothing downstream holds a number that must not be printed.
//
// A Rules masks all cells of one skill at once, since what may be shown of one
// cell depends on the others. README.md says which rules hold, what they
// guarantee and what they do not.
//
// What is outside the published lattice never leaves this package: what is
// printed are the listed cells that arrive, the cells that may be asked.
package disclosure

import (
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/snapshots/figure"
)

// Cell is one cell of the published lattice for one skill.
type Cell = mask.Cell

// Truth is the true counts of people in one cell.
type Truth struct {
	Cell
	// Unlisted says that the cell cannot be asked, since no counted advert asks for
	// the skill there. It is never printed, but its people are in the totals.
	Unlisted          bool
	TurnedDownFor     int64 // people turned down for the skill
	HiredWith         int64 // hired applicants who had it at the level the role asked
	HiredWithout      int64
	TurnedDownWith    int64 // turned-down applicants who had it at that level
	TurnedDownWithout int64
	// Recent is of the five counts, in their order, the people of the last 3 and of the
	// last 6 months, in a cell of a place and another filter with its 12 months. It is
	// never printed and read nowhere else; the audit knows by it where people truly are.
	Recent [Measures][2]int64
	// By is who contributes to the five counts, in their order. It is read only
	// where R8 is asked for.
	By [Measures]Employers
}

// Employers is who contributes to one count of people.
type Employers struct {
	Number  int64 // employers with at least one of the people
	Largest int64 // people of the one with most
}

// Printed is what is shown of one cell. The zero value shows nothing.
type Printed struct {
	Cell
	TurnedDown     figure.Count
	HiredWith      *figure.Tenths // nil = not published
	TurnedDownWith *figure.Tenths // nil = not published
	// Withheld says which rule withheld the count, for totals by reason alone.
	Withheld mask.Reason
}

// Rules masks skills. The zero value has no areas, orders values by slug, and has
// no memory of what was printed before.
type Rules struct {
	Lattice *lattice.Lattice // nil = no areas and no volumes
	// MinEmployers asks for R8, with the fewest employers of whom a number is shown;
	// 0 = R8 is not applied and Truth.By not read.
	MinEmployers int
	// Gate bounds the audit; the zero value has sound limits.
	Gate gate.Limits
	// Book is what was printed before; nil = nothing is remembered, and nothing to be
	// kept.
	Book *ledger.Book
	// End is the first month after people_as_of, counted since year 0 (year × 12 +
	// month - 1); only the ledger needs it.
	End int
	// Launch is the month before which nobody was counted, as everybody knows, in the
	// same numbers; 0 = not known. It makes all times before it one.
	Launch int
}

// Result is what is printed of one skill, and what the audit found of it.
type Result struct {
	Printed []Printed
	// Audits are the reports of the five measures. They name small groups: for the
	// protected zone alone.
	Audits []gate.Report
	// Entries are the numbers to be remembered, if there is a ledger.
	Entries []ledger.Entry
}

// Mask prints the listed cells of one skill, in their order, with nothing
// remembered. It is deterministic, and the skills are independent of each other.
func (r Rules) Mask(cells []Truth) []Printed {
	s := r.measure(cells)
	for m, b := range s.boards {
		b.Run()
		s.gate.Audit(b, s.recent(measure(m)), r.Gate)
	}
	return s.print()
}

// Skill is Mask in the light of the ledger, with the reports of the audit and what
// the ledger must remember before the result is seen.
func (r Rules) Skill(name string, cells []Truth) (Result, error) {
	s := r.measure(cells)
	var result Result
	var entries []ledger.Entry
	var of *cast
	if r.Book != nil {
		var err error
		if entries, err = r.Book.Skill(name); err != nil {
			return Result{}, err
		}
		of = newCast(s.index)
	}
	for m, b := range s.boards {
		if r.Book == nil {
			b.Run()
			result.Audits = append(result.Audits, s.gate.Audit(b, s.recent(measure(m)), r.Gate))
			continue
		}
		p := recall(entries, measure(m), r, b, of, false)
		result.Audits = append(result.Audits, p.decide(b, r.Gate, func() gate.Report { return s.gate.Audit(b, s.recent(measure(m)), r.Gate) }))
		result.Entries = append(result.Entries, printedEntries(b, measure(m), r.End)...)
		result.Entries = append(result.Entries, p.smallEntries(b, measure(m))...)
	}
	result.Printed = s.print()
	return result, nil
}

// Mask is Rules{}.Mask.
func Mask(cells []Truth) []Printed { return Rules{}.Mask(cells) }

// measures are the counts that are masked each on its own: the count itself, and
// the two parts of each share, since "a share is exactly as disclosive as its two
// parts".
type measure int

const (
	turnedDownFor measure = iota
	hiredWith
	hiredWithout
	turnedDownWith
	turnedDownWithout
	measures
)

// Measures is how many counts of people a cell has.
const Measures = int(measures)

func (t *Truth) count(m measure) int64 {
	return [measures]int64{t.TurnedDownFor, t.HiredWith, t.HiredWithout, t.TurnedDownWith, t.TurnedDownWithout}[m]
}

// skill is one skill with its five boards.
type skill struct {
	lattice *lattice.Lattice
	truth   []Truth // those inside the lattice
	index   *mask.Index
	gate    *gate.Gate
	boards  [measures]*mask.Board
	asked   []Cell // every listed cell that arrived, in order
	at      []int  // of each of asked, where it is in truth; -1 = outside the lattice
}

func (r Rules) measure(cells []Truth) *skill {
	l := r.Lattice
	if l == nil {
		l = lattice.New(nil, nil)
	}
	s := &skill{lattice: l, truth: make([]Truth, 0, len(cells)), asked: make([]Cell, 0, len(cells)), at: make([]int, 0, len(cells))}
	for _, t := range cells {
		at := -1
		if !l.Outside(t.Place) {
			at = len(s.truth)
			s.truth = append(s.truth, t)
		}
		if !t.Unlisted {
			s.asked, s.at = append(s.asked, t.Cell), append(s.at, at)
		}
	}
	in, unlisted := make([]Cell, len(s.truth)), make([]bool, len(s.truth))
	for i, t := range s.truth {
		in[i], unlisted[i] = t.Cell, t.Unlisted
	}
	s.index = mask.NewIndex(in, unlisted, l)
	s.gate = gate.New(s.index)
	for m := range measures {
		s.boards[m] = s.board(r, m)
	}
	return s
}

// insider is R8: a count of at least 5 is hidden "when fewer than 3 employers
// contribute, or when count minus the largest employer's contribution is 1..4",
// since an employer knows its own applicants and subtracts them. It holds for the
// parts of the shares too, of which an employer knows its own as well.
func (r Rules) insider(n int64, by Employers) bool {
	return r.MinEmployers > 0 && n >= figure.SmallestShown && (by.Number < int64(r.MinEmployers) || small(n-by.Largest))
}

// recent tells the audit of a measure's newest people.
func (s *skill) recent(m measure) gate.Recent {
	return func(i int) (three, six int64) { return s.truth[i].Recent[m][0], s.truth[i].Recent[m][1] }
}

func (s *skill) board(r Rules, m measure) *mask.Board {
	counts := make([]int64, len(s.truth))
	for i := range s.truth {
		counts[i] = s.truth[i].count(m)
	}
	b := s.index.NewBoard(counts)
	for i := range s.truth {
		if r.insider(counts[i], s.truth[i].By[m]) {
			b.Hide(i, mask.ReasonInsider)
		}
	}
	return b
}

// print prints every listed cell that arrived; those outside the lattice show
// nothing.
func (s *skill) print() []Printed {
	out := make([]Printed, 0, len(s.asked))
	for k, c := range s.asked {
		p := Printed{Cell: c, Withheld: mask.ReasonOutside}
		if i := s.at[k]; i >= 0 {
			p.TurnedDown, p.Withheld = s.boards[turnedDownFor].Printed(i)
			p.HiredWith = s.share(i, hiredWith, hiredWithout)
			// R5 (c): the turned-down share only beside a number (0 included), since share
			// and count together name the base exactly.
			if _, number := p.TurnedDown.Number(); number {
				p.TurnedDownWith = s.share(i, turnedDownWith, turnedDownWithout)
			}
		}
		out = append(out, p)
	}
	return out
}

// share is R5 (a): "print the share only if both parts would be printable numbers
// (0 allowed)".
func (s *skill) share(i int, with, without measure) *figure.Tenths {
	a, b := s.boards[with], s.boards[without]
	if a.Status[i] != mask.Shown || b.Status[i] != mask.Shown {
		return nil
	}
	return applicantShare(a.Count[i], b.Count[i])
}

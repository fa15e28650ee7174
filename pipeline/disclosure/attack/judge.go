package attack

import (
	"fmt"
	"slices"
)

// Target is a group of 1 to 4 people with its true size, which only the judge of a
// test knows.
type Target struct {
	Name string
	Query
	N int64
}

// Verdict is what the attacker found of the targets.
type Verdict struct {
	Small     int // targets
	Derivable int // linear verdict: sums and differences of printed numbers
	Exact     int // bounds verdict: one value of 1 to 4 alone, for who knows that it is one of them
	Pinned    int // of those, one value alone for who does not know
	Narrow    int // two or three of the values 1 to 4, where that was asked
	Unproven  int // several values in fractions of people, none found in whole ones
	// Leaks names the derivable and the exact ones.
	Leaks []string
}

// Add adds another verdict.
func (v *Verdict) Add(o Verdict) {
	v.Small, v.Derivable, v.Exact, v.Narrow, v.Unproven = v.Small+o.Small, v.Derivable+o.Derivable, v.Exact+o.Exact, v.Narrow+o.Narrow, v.Unproven+o.Unproven
	v.Pinned += o.Pinned
	v.Leaks = append(v.Leaks, o.Leaks...)
}

// Failed says that some small group can be worked out.
func (v Verdict) Failed() bool { return v.Derivable+v.Exact > 0 }

// JudgeLinear gives the linear verdict alone.
func (s *System) JudgeLinear(targets []Target) (v Verdict) {
	for _, t := range targets {
		if s.Derivable(t.Query) {
			v.Derivable++
			v.Leaks = append(v.Leaks, "derivable: "+t.Name)
		}
	}
	v.Small = len(targets)
	return v
}

// Judge gives the linear and the bounds verdict on the targets. A target is free
// only once some population of whole people, checked answer by answer, has another
// size of 1 to 4 there; those populations are given back, the first ones first.
func (s *System) Judge(targets []Target) (v Verdict, witnesses []Population, err error) {
	v = s.JudgeLinear(targets)
	pending := slices.Clone(targets)
	for len(pending) > 0 {
		t := pending[0]
		pending = pending[1:]
		p, free, err := s.other(t)
		if err != nil {
			return v, witnesses, fmt.Errorf("%s: %w", t.Name, err)
		}
		switch {
		case p != nil:
			witnesses = append(witnesses, p)
			pending = slices.DeleteFunc(pending, func(o Target) bool {
				n := s.Of(p, o.Query)
				return n != o.N && n >= 1 && n <= 4
			})
		case free:
			v.Unproven++
		default:
			v.Exact++
			v.Leaks = append(v.Leaks, "exact: "+t.Name)
			low, high, err := s.Interval(t.Query)
			if err != nil {
				return v, witnesses, fmt.Errorf("%s: %w", t.Name, err)
			}
			if low == high {
				v.Pinned++
			}
		}
	}
	return v, witnesses, nil
}

// other is a population that has another size of 1 to 4 in the target.
func (s *System) other(t Target) (p Population, free bool, err error) {
	for _, r := range [][2]int64{{t.N + 1, 4}, {1, t.N - 1}} {
		if r[0] > r[1] {
			continue
		}
		p, some, err := s.Witness(t.Query, r[0], r[1])
		if p != nil || err != nil {
			return p, some, err
		}
		free = free || some
	}
	return nil, free, nil
}

// CountNarrow counts the targets that are confined to two or three of the values 1
// to 4 by all bounds.
func (s *System) CountNarrow(targets []Target) (n int, err error) {
	for _, t := range targets {
		low, high, err := s.Interval(t.Query)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", t.Name, err)
		}
		if width := min(high, 4) - max(low, 1); width == 1 || width == 2 {
			n++
		}
	}
	return n, nil
}

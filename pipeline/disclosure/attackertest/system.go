// Package attackertest is the attacker of the tests: from printed values and public facts it
// computes what can be inferred about groups of people. It imports no code of the service, so that
// an error in the rules cannot hide in it. Linear programs are solved by HiGHS, see Solve.
package attackertest

import (
	"fmt"
	"strconv"
)

// Unbounded is the upper bound of a count when nothing is known about it.
const Unbounded = int64(1) << 40

// Range returns the counts that a printed value allows: "<5" is 1 to 4, "null" is anything, and a
// number other than 0 is less than 5 from the count, which is at least 5; with exact, a number is
// the count.
func Range(token string, exact bool) (low, high int64, err error) {
	switch token {
	case "<5":
		return 1, 4, nil
	case "null", "":
		return 0, Unbounded, nil
	}
	n, err := strconv.ParseInt(token, 10, 64)
	switch {
	case err != nil:
		return 0, 0, fmt.Errorf("token %q: %w", token, err)
	case n == 0 || exact:
		return n, n, nil
	case n < 0 || n%5 != 0:
		return 0, 0, fmt.Errorf("token %q is no multiple of 5", token)
	}
	return max(n-4, 5), n + 4, nil
}

// Row bounds the sum of some unknowns less the sum of others, each with a factor.
type Row struct {
	Plus, Minus           []int32
	Low, High             int64
	TimesPlus, TimesMinus int64
}

// Target is a group of 1 to 4 people, with its true size, which only the test knows.
type Target struct {
	Name string
	Vars []int32
	N    int64
}

// System is everything that the attacker knows: non-negative counts under bounds of sums.
type System struct {
	Name    string
	High    []int64 // of each unknown
	Rows    []Row
	Targets []Target
	// Mistaken is for what an attacker assumes in part wrongly: the truth need not be possible, and
	// where nothing is, the attacker sees that and finds nothing.
	Mistaken bool
	truth    []int64
}

// Var adds an unknown, with its true value for the test.
func (s *System) Var(truth int64) int32 {
	s.High = append(s.High, Unbounded)
	s.truth = append(s.truth, truth)
	return int32(len(s.High) - 1)
}

// Bound adds a row. A sum that is 0 makes its unknowns 0.
func (s *System) Bound(low, high int64, plus, minus []int32) {
	if high == 0 && len(minus) == 0 {
		for _, v := range plus {
			s.High[v] = 0
		}
		if low == 0 {
			return
		}
	}
	if low > 0 || high < Unbounded || len(minus) > 0 {
		s.Rows = append(s.Rows, Row{plus, minus, low, high, 1, 1})
	}
}

// Truth returns the true size of a sum.
func (s *System) Truth(plus, minus []int32) (n int64) {
	for _, v := range plus {
		n += s.truth[v]
	}
	for _, v := range minus {
		n -= s.truth[v]
	}
	return n
}

// Small adds the group as a target if it holds 1 to 4 people.
func (s *System) Small(name string, vars []int32) {
	if n := s.Truth(vars, nil); n >= 1 && n <= 4 {
		s.Targets = append(s.Targets, Target{fmt.Sprintf("%s: %s, %d people", s.Name, name, n), vars, n})
	}
}

// Holds returns an error if the true values violate the system: then the figures are wrong, or the
// attacker assumes too much.
func (s *System) Holds() error {
	if s.Mistaken {
		return nil
	}
	for v, high := range s.High {
		if s.truth[v] > high {
			return fmt.Errorf("%s: an unknown of %d people is taken for at most %d", s.Name, s.truth[v], high)
		}
	}
	for _, r := range s.Rows {
		if n := r.TimesPlus*s.Truth(r.Plus, nil) + r.TimesMinus*s.Truth(nil, r.Minus); n < r.Low || n > r.High {
			return fmt.Errorf("%s: a sum of %d people is printed as %d to %d", s.Name, n, r.Low, r.High)
		}
	}
	return nil
}

// Verdict counts the results of the attacker.
type Verdict struct {
	Systems  int
	Small    int      // groups of 1 to 4
	Pinned   int      // of them, those with only one possible size left
	Narrowed int      // those with two or three possible sizes of 1 to 4 left, where it was asked
	Untried  int      // those that were left out, and do not count as small
	Refuted  int      // systems in which nothing is possible, since the attacker assumes too much
	Leaks    []string // the pinned ones
}

// Add adds another verdict.
func (v *Verdict) Add(o Verdict) {
	v.Systems, v.Small, v.Pinned, v.Narrowed = v.Systems+o.Systems, v.Small+o.Small, v.Pinned+o.Pinned,
		v.Narrowed+o.Narrowed
	v.Untried, v.Refuted, v.Leaks = v.Untried+o.Untried, v.Refuted+o.Refuted, append(v.Leaks, o.Leaks...)
}

func (v Verdict) String() string {
	return fmt.Sprintf(
		"%d of %d small groups pinned to one value, %d narrowed, %d not tried, in %d systems, %d refuted",
		v.Pinned, v.Small, v.Narrowed, v.Untried, v.Systems, v.Refuted)
}

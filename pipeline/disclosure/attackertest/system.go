// Package attackertest simulates an attacker in tests of disclosure control. From published values
// and public facts it computes what can be inferred about small groups of people. It imports no
// code of the service, so that it does not repeat the errors of the service.
package attackertest

import (
	"fmt"
	"strconv"
)

// NoUpperLimit is the upper limit of a count without a known limit.
const NoUpperLimit = int64(1) << 40

// TrueCountBounds returns the smallest and largest true count that the published value token
// allows. "<5" allows 1 to 4, and "null" allows every count. 0 allows only 0. Another number allows
// counts of at least 5 that differ from it by at most 4. If exact is set, every number allows only
// itself.
func TrueCountBounds(token string, exact bool) (low, high int64, err error) {
	switch token {
	case "<5":
		return 1, 4, nil
	case "null", "":
		return 0, NoUpperLimit, nil
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

// LinearConstraint is one fact about the unknown counts. The fact is Low <= TimesPlus × sum(Plus) -
// TimesMinus × sum(Minus) <= High. Plus and Minus are indices of counts.
type LinearConstraint struct {
	Plus, Minus           []int32
	Low, High             int64
	TimesPlus, TimesMinus int64
}

// SmallGroup is a group of 1 to 4 people whose size a simulated attacker tries to infer.
type SmallGroup struct {
	Name     string
	Unknowns []int32 // indices of the counts whose sum is the size of the group
	TrueSize int64   // number of people in the group
}

// AttackerKnowledge describes what a simulated attacker knows about counts of people: an upper
// limit for each count, and limits for sums and differences of counts. Counts have indices from 0.
type AttackerKnowledge struct {
	Name        string
	UpperLimits []int64 // upper limit of each unknown count
	Rows        []LinearConstraint
	Targets     []SmallGroup
	// MayBeWrong is true if the attacker's assumptions may be wrong, so that the true counts need
	// not satisfy them. If no counts satisfy the assumptions, the attacker notices this and infers
	// nothing.
	MayBeWrong bool
	truth      []int64
}

// AddUnknown adds a count that the attacker does not know, and returns its index. truth is its true
// value.
func (s *AttackerKnowledge) AddUnknown(truth int64) int32 {
	s.UpperLimits = append(s.UpperLimits, NoUpperLimit)
	s.truth = append(s.truth, truth)
	return int32(len(s.UpperLimits) - 1)
}

// AddSumBounds adds what an attacker knows about a sum of counts. The sum of plus, less the sum of
// minus, is from low to high. plus and minus are indices of counts.
func (s *AttackerKnowledge) AddSumBounds(low, high int64, plus, minus []int32) {
	if high == 0 && len(minus) == 0 {
		for _, v := range plus {
			s.UpperLimits[v] = 0
		}
		if low == 0 {
			return
		}
	}
	if low > 0 || high < NoUpperLimit || len(minus) > 0 {
		s.Rows = append(s.Rows, LinearConstraint{plus, minus, low, high, 1, 1})
	}
}

// TrueSum returns the sum of the true counts in plus, less the sum of those in minus. plus and
// minus are indices of counts.
func (s *AttackerKnowledge) TrueSum(plus, minus []int32) (n int64) {
	for _, v := range plus {
		n += s.truth[v]
	}
	for _, v := range minus {
		n -= s.truth[v]
	}
	return n
}

// AddSmallGroup adds a group of people whose size the attacker tries to infer. The size is the sum
// of the true counts with the indices vars. It ignores groups of 5 or more, and groups without
// people.
func (s *AttackerKnowledge) AddSmallGroup(name string, vars []int32) {
	if n := s.TrueSum(vars, nil); n >= 1 && n <= 4 {
		s.Targets = append(s.Targets, SmallGroup{fmt.Sprintf("%s: %s, %d people", s.Name, name, n), vars, n})
	}
}

// CheckTruthFitsLimits returns an error if the true counts contradict what the attacker knows. The
// reason is a wrong published figure, or a wrong assumption of the attacker. It returns nil if
// MayBeWrong is set.
func (s *AttackerKnowledge) CheckTruthFitsLimits() error {
	if s.MayBeWrong {
		return nil
	}
	for v, high := range s.UpperLimits {
		if s.truth[v] > high {
			return fmt.Errorf("%s: an unknown of %d people is taken for at most %d", s.Name, s.truth[v], high)
		}
	}
	for _, r := range s.Rows {
		if n := r.TimesPlus*s.TrueSum(r.Plus, nil) + r.TimesMinus*s.TrueSum(nil, r.Minus); n < r.Low || n > r.High {
			return fmt.Errorf("%s: a sum of %d people is printed as %d to %d", s.Name, n, r.Low, r.High)
		}
	}
	return nil
}

// AttackResult counts what a simulated attacker could infer about small groups.
type AttackResult struct {
	Systems        int // number of solved systems; each is an AttackerKnowledge
	SmallGroups    int // number of tested groups of 1 to 4 people
	DisclosedCount int // number of small groups whose size is disclosed: only one size is possible
	// number of small groups whose size must be one of two or three numbers, if that was tested
	NarrowedCount   int
	UntestedCount   int      // number of groups that were not tested; SmallGroups does not include them
	WithoutSolution int      // number of systems without a solution, because the attacker assumes too much
	DisclosedGroups []string // names of the groups whose size is disclosed
}

// Add adds the counts and the disclosed groups of another result to v.
func (v *AttackResult) Add(o AttackResult) {
	v.Systems += o.Systems
	v.SmallGroups += o.SmallGroups
	v.DisclosedCount += o.DisclosedCount
	v.NarrowedCount += o.NarrowedCount
	v.UntestedCount += o.UntestedCount
	v.WithoutSolution += o.WithoutSolution
	v.DisclosedGroups = append(v.DisclosedGroups, o.DisclosedGroups...)
}

// String returns the result as one line of text.
func (v AttackResult) String() string {
	return fmt.Sprintf(
		"%d of %d small groups pinned to one value, %d narrowed, %d not tried, in %d systems, %d refuted",
		v.DisclosedCount, v.SmallGroups, v.NarrowedCount, v.UntestedCount, v.Systems, v.WithoutSolution)
}

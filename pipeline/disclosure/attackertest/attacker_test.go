package attackertest

import (
	"path/filepath"
	"testing"
)

// TestRange holds that a token stands for every count that may print so, and for no other.
func TestRange(t *testing.T) {
	for token, want := range map[string][2]int64{"0": {0, 0}, "<5": {1, 4}, "null": {0, NoUpperLimit}, "5": {5, 9},
		"10": {6, 14}, "25": {21, 29}} {
		if low, high, err := TrueCountBounds(token, false); err != nil || low != want[0] || high != want[1] {
			t.Errorf("%s stands for %d to %d, %v; want %v", token, low, high, err, want)
		}
	}
	if low, high, err := TrueCountBounds("7", true); err != nil || low != 7 || high != 7 {
		t.Errorf("an exact 7 stands for %d to %d, %v", low, high, err)
	}
	if _, _, err := TrueCountBounds("7", false); err == nil {
		t.Error("7 is taken for a multiple of 5")
	}
}

// TestSolverPins holds that the solver finds what follows, and no more: of 14 people printed as 10
// and of two groups "<5", all that is known of one is that it has 1 to 4; of a total of 2 it is 1.
func TestSolverPins(t *testing.T) {
	solver := FindSolver(filepath.Join("..", "..", ".."))
	if solver == nil {
		t.Skip("no python3 with highspy; .ci/run installs it into bin/venv")
	}
	for _, tt := range []struct {
		total, pinned int64
	}{{2, 2}, {3, 0}} {
		s := &AttackerKnowledge{Name: "two groups"}
		a, b := s.AddUnknown(1), s.AddUnknown(tt.total-1)
		s.AddSumBounds(1, 4, []int32{a}, nil)
		s.AddSumBounds(1, 4, []int32{b}, nil)
		s.AddSumBounds(tt.total, tt.total, []int32{a, b}, nil)
		s.AddSmallGroup("the first", []int32{a})
		s.AddSmallGroup("the second", []int32{b})
		v, err := solver.Solve(s)
		if err != nil || int64(v.DisclosedCount) != tt.pinned {
			t.Errorf("of a total of %d: %v, %v; want %d pinned", tt.total, v, err, tt.pinned)
		}
	}
}

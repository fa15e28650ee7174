package occupation

import "testing"

func load(t testing.TB) *Register {
	t.Helper()
	reg, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return reg
}

func TestLoadHoldsTheWholeClassification(t *testing.T) {
	reg := load(t)
	count := map[int]int{}
	titled := map[string]bool{}
	for i, g := range reg.Groups() {
		count[g.Digits]++
		if i > 0 && reg.Groups()[i-1].Code >= g.Code {
			t.Fatalf("group %s is out of order", g.Code)
		}
	}
	for digits, want := range map[int]int{1: 9, 2: 26, 3: 104, 4: 412} {
		if count[digits] != want {
			t.Errorf("groups of %d digits: %d, want %d", digits, count[digits], want)
		}
	}
	for _, p := range reg.index.phrases {
		titled[p.soc] = true
	}
	if len(titled) != 412 {
		t.Errorf("unit groups with a title: %d, want 412", len(titled))
	}
}

package occupation

import (
	"regexp"
	"strings"
	"testing"
)

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

// The embedded tables have a code and a text in each line, each group once and below its
// parent, and no wording of a title in two unit groups.
func TestTablesAreWhole(t *testing.T) {
	code := regexp.MustCompile(`^[0-9]{1,4}$`)
	names := map[string]bool{}
	for i, row := range readTable(registerTSV) {
		if !code.MatchString(row[0]) || row[1] == "" || strings.Contains(row[1], "\t") || names[row[0]] {
			t.Errorf("register row %d: %q", i+1, row)
		}
		names[row[0]] = true
	}
	for c := range names {
		if len(c) > 1 && !names[c[:len(c)-1]] {
			t.Errorf("group %s has no parent in the register", c)
		}
	}
	seen := map[string]string{}
	for i, row := range readTable(titlesTSV) {
		key := strings.Join(foldWords(row[1]), " ")
		if len(row[0]) != 4 || !names[row[0]] || key == "" || strings.Contains(row[1], "\t") || seen[key] != "" &&
			seen[key] != row[0] {
			t.Errorf("titles row %d: %q, also of %q", i+1, row, seen[key])
		}
		seen[key] = row[0]
	}
	for name, list := range lists {
		if len(strings.Fields(list)) == 0 {
			t.Errorf("words.tsv has no words of %s", name)
		}
	}
	if len(lists) != 13 {
		t.Errorf("words.tsv has %d lists", len(lists))
	}
}

package occupation

import (
	"strings"
	"testing"

	"labour/sources/soc2020"
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
	if got := len(reg.Groups()); got != 9+26+104+412 {
		t.Errorf("%d groups, want all of SOC 2020", got)
	}
	titled := map[string]bool{}
	for _, p := range reg.index.phrases {
		titled[p.soc] = true
	}
	if len(titled) != 412 {
		t.Errorf("unit groups with a title: %d, want 412", len(titled))
	}
}

// The embedded titles have the code of a unit group and a text in each line, and no wording in two
// unit groups.
func TestTablesAreWhole(t *testing.T) {
	seen := map[string]string{}
	for i, row := range readTable(titlesTSV) {
		key := strings.Join(foldWords(row[1]), " ")
		isUnitGroup := len(row[0]) == 4 && soc2020.IsGroup(row[0])
		isTitle := key != "" && !strings.Contains(row[1], "\t")
		isOfAnother := seen[key] != "" && seen[key] != row[0]
		if !isUnitGroup || !isTitle || isOfAnother {
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

package area

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"labour/sources"
)

func changes(pairs ...string) []sources.AreaCodeChange {
	var list []sources.AreaCodeChange
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, sources.AreaCodeChange{From: pairs[i], To: pairs[i+1]})
	}
	return list
}

// An area that several editions have, and one that an edition has twice. A code may have two kinds.
func TestNewestEditions(t *testing.T) {
	list := []sources.Area{{Kind: "region", Code: "b", Edition: "2023", Name: "old"},
		{Kind: "region", Code: "b", Edition: "2025", Name: "new"},
		{Kind: "region", Code: "b", Edition: "2025", Name: "twice"},
		{Kind: "region", Code: "a", Edition: "2021", Name: "former"}, {Kind: "council", Code: "b", Name: "council"}}
	want := []sources.Area{list[4], list[3], list[1]}
	before := slices.Clone(list)
	if got := NewestEditions(list); !slices.Equal(got, want) || !slices.Equal(list, before) {
		t.Errorf("%+v, want %+v; the list is now %+v", got, want, list)
	}
}

// Barnsley was recoded; Craven and Selby became North Yorkshire; Old was split.
func TestHistory(t *testing.T) {
	h := NewHistory(changes("barnsley16", "barnsley38", "craven", "north-yorkshire", "selby", "north-yorkshire",
		"old", "east", "old", "west", "a", "b", "b", "c", "b", "c", "x", "y", "y", "x", "small", "large", "large",
		"large"))
	for code, want := range map[string]string{
		"barnsley16": "[barnsley38] [] barnsley38", "barnsley38": "[barnsley38] [barnsley16] barnsley38",
		"craven": "[north-yorkshire] [] craven", "north-yorkshire": "[north-yorkshire] [craven selby] north-yorkshire",
		"old": "[east west] [] old", "east": "[east] [old] east",
		"a": "[c] [] c", "c": "[c] [a b] c", "x": "[] [y] x", "never": "[never] [] never",
		"small": "[large] [] small", "large": "[large] [small] large",
	} {
		if got := fmt.Sprint(h.CurrentCodes(code), h.FormerCodes(code), " ", h.CurrentCodeIfRecoded(code)); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
	if !h.HasChange("craven") || !h.HasChange("north-yorkshire") || h.HasChange("never") {
		t.Error("Craven and North Yorkshire have a change, and an area that never changed has none")
	}
	var none History
	if got := fmt.Sprint(none.CurrentCodes("a"), none.FormerCodes("a"), none.CurrentCodeIfRecoded("a")); got != "[a] []a" {
		t.Errorf("without changes: %s", got)
	}
}

// An area that kept its code in a year in which others were merged into it is not the area that
// was; one that kept its code in another year, or by itself, is.
func TestAreasThatKeptTheirCode(t *testing.T) {
	change := func(from, to, edition string) sources.AreaCodeChange {
		return sources.AreaCodeChange{From: from, To: to, Edition: edition}
	}
	for _, tt := range []struct {
		name string
		list []sources.AreaCodeChange
		want string
	}{
		{"merged into it", []sources.AreaCodeChange{change("old", "new", "2019"), change("new", "new", "2019")}, "old"},
		{"kept the year after", []sources.AreaCodeChange{change("old", "new", "2019"), change("new", "new", "2020")}, "new"},
		{"another was kept", []sources.AreaCodeChange{change("old", "new", "2019"), change("other", "other", "2019")}, "new"},
	} {
		if got := NewHistory(tt.list).CurrentCodeIfRecoded("old"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// Years of changes drawn at random, from codes of one year to codes of the next,
// against sets that are carried forward year by year.
func TestHistoryAgainstYears(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		years := rapid.IntRange(1, 4).Draw(t, "years")
		var list []sources.AreaCodeChange
		today := map[string]map[string]bool{} // code of any year → codes of the last year
		code := func(year, i int) string { return fmt.Sprintf("%d/%d", year, i) }
		for i := range 4 {
			today[code(years, i)] = map[string]bool{code(years, i): true}
		}
		for year := years - 1; year >= 0; year-- {
			for i := range 4 {
				from := code(year, i)
				reached := map[string]bool{}
				for _, j := range rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 1, 2, rapid.ID[int]).Draw(t, from) {
					list = append(list, sources.AreaCodeChange{From: from, To: code(year+1, j)})
					for c := range today[code(year+1, j)] {
						reached[c] = true
					}
				}
				today[from] = reached
			}
		}
		h := NewHistory(rapid.Permutation(list).Draw(t, "order"))
		for from, want := range today {
			got := h.CurrentCodes(from)
			if len(got) != len(want) || !slices.IsSorted(got) {
				t.Fatalf("CurrentCodes(%s) = %v, want %v", from, got, want)
			}
			for _, c := range got {
				if !want[c] || from != c && !slices.Contains(h.FormerCodes(c), from) {
					t.Fatalf("CurrentCodes(%s) = %v, want %v; Former(%s) = %v", from, got, want, c, h.FormerCodes(c))
				}
			}
			if same := h.CurrentCodeIfRecoded(from); same != from && (len(got) != 1 || same != got[0]) {
				t.Fatalf("CurrentCodeIfRecoded(%s) = %s, Today %v", from, same, got)
			}
		}
	})
}

package disclosure

import (
	"testing"

	"labour/snapshots/figure"
)

// may reports whether a count may stand behind a printed value.
func may(n int64, printed figure.Count) bool {
	return printed == figure.Count{} || figure.Rounded(n) == printed
}

// TestNobodyOutsideTheBoroughs tries every count of three boroughs in which all who are
// counted are: 12, 12 and 4 would be printed as 10, 10 and "<5" of 30, from which 4 follows.
func TestNobodyOutsideTheBoroughs(t *testing.T) {
	const most, unknown = 13, 20
	rules := Rules{Protection: Rounded, Places: NewPlaces([]string{"a", "b", "c"}, nil)}
	for a := range int64(most) {
		for b := range a + 1 {
			for c := range b + 1 {
				truth := map[string]int64{"": a + b + c, "a": a, "b": b, "c": c}
				printed, _ := rules.ByPlace(func(slug string) int64 { return truth[slug] })
				var seen [3]map[int64]bool
				for i := range seen {
					seen[i] = map[int64]bool{}
				}
				for x := range int64(unknown) {
					for y := range int64(unknown) {
						for z := range int64(unknown) {
							if may(x, printed["a"]) && may(y, printed["b"]) && may(z, printed["c"]) && may(x+y+z, printed[""]) {
								seen[0][x], seen[1][y], seen[2][z] = true, true, true
							}
						}
					}
				}
				for i, n := range []int64{a, b, c} {
					if n > 0 && n < figure.SmallestShown && len(seen[i]) == 1 {
						t.Fatalf("%d, %d and %d are printed as %v, from which %d follows", a, b, c, printed, n)
					}
				}
			}
		}
	}
}

// TestResidentsOutsideTheBoroughs holds that nothing is withdrawn for an equation that is not
// known: where somebody lives outside the boroughs, these do not add up to all.
func TestResidentsOutsideTheBoroughs(t *testing.T) {
	rules := Rules{Protection: Rounded, Places: NewPlaces([]string{"a", "b", "c"}, nil)}
	for outside, want := range map[int64]int64{0: 1, 1: 0} {
		truth := map[string]int64{"": 28 + outside, "a": 12, "b": 12, "c": 4}
		if _, tally := rules.ByPlace(func(slug string) int64 { return truth[slug] }); tally.Withdrawn != want {
			t.Errorf("with %d outside %d counts are withdrawn, want %d", outside, tally.Withdrawn, want)
		}
	}
}

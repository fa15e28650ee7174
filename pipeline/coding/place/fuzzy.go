package place

import (
	"maps"
	"slices"
)

// shortestFuzzy is the length of the shortest name that is recognised misspelt.
const shortestFuzzy = 6

func (t *tables) indexFuzzy() {
	for _, name := range slices.Sorted(maps.Keys(t.spots)) {
		if len(name) >= shortestFuzzy && slices.ContainsFunc(t.spots[name], func(s spot) bool { return s.size >= townSize }) {
			t.fuzzy[name[:1]] = append(t.fuzzy[name[:1]], name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.areas)) {
		if len(name) >= shortestFuzzy {
			t.fuzzy[name[:1]] = append(t.fuzzy[name[:1]], name)
		}
	}
}

// clone is a copy to which names can be added.
func (t *tables) clone() *tables {
	c := *t
	c.councils = slices.Clone(t.councils)
	c.numbers, c.spots, c.areas = maps.Clone(t.numbers), maps.Clone(t.spots), maps.Clone(t.areas)
	return &c
}

package lattice

import (
	"slices"
	"testing"
)

func TestAreasMakeATree(t *testing.T) {
	l := New([]Area{
		{"all", []string{"a", "b", "c", "d"}}, {"north", []string{"a", "b"}}, {"west-cutting", []string{"b", "c"}},
		{"same-as-north", []string{"b", "a", "a"}}, {"empty", nil}, {"elsewhere", []string{"x"}},
	}, []Volume{{"place", "a", 5}, {"place", "b", 2}, {"place", "a", 1}})
	for place, want := range map[string]string{"a": "same-as-north", "b": "same-as-north", "c": "all", "north": "all",
		"same-as-north": "north", "all": "", "x": "elsewhere", "nowhere": ""} {
		if got := l.Parent(place); got != want {
			t.Errorf("above %s is %q, want %q", place, got, want)
		}
	}
	if !l.Outside("west-cutting") || !l.Outside("empty") || l.Outside("north") || len(l.Messages()) != 2 {
		t.Errorf("outside: %q", l.Messages())
	}
	places := []string{"a", "b", "c"}
	slices.SortFunc(places, func(x, y string) int { return l.Compare("place", x, y) })
	if !slices.Equal(places, []string{"c", "b", "a"}) {
		t.Errorf("public order %v", places)
	}
}

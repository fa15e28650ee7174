// Package lattice is what is fixed before any count of people is seen: the tree
// of places and the public order of the values of each filter. It comes from
// configuration and from advert volumes, never from counts of people, so that
// nothing can be learnt from it about them.
package lattice

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Area is a served area: a union of whole boroughs.
type Area struct {
	Slug     string
	Boroughs []string
}

// Volume is how many adverts a value of a filter had up to the last year end. It
// decides the public order alone.
type Volume struct {
	Dim     string // place, sector, soc, level, source
	Value   string
	Adverts int64
}

type key struct{ dim, value string }

// Lattice is the place tree with the public order. It is immutable, and its zero
// value (a pointer to it) has no areas and orders values by slug.
type Lattice struct {
	parent  map[string]string // place → the smallest area in the tree that holds it
	outside map[string]string // area → why it is outside the lattice
	volume  map[key]int64
}

// New builds the tree. "A served area that is a union of boroughs is a node with
// its own line"; an area that overlaps another without one holding the other is
// outside the lattice, since their difference would be a third, smaller area:
// "overlapping geographies are the classic differencing route". Of two such
// areas the one with more boroughs stays, on a tie the first by slug.
func New(areas []Area, volumes []Volume) *Lattice {
	l := &Lattice{parent: map[string]string{}, outside: map[string]string{}, volume: map[key]int64{}}
	for _, v := range volumes {
		l.volume[key{v.Dim, v.Value}] += v.Adverts
	}
	sets := make([]Area, 0, len(areas))
	for _, a := range areas {
		boroughs := slices.Clone(a.Boroughs)
		slices.Sort(boroughs)
		sets = append(sets, Area{a.Slug, slices.Compact(boroughs)})
	}
	slices.SortFunc(sets, func(a, b Area) int {
		return cmp.Or(cmp.Compare(len(b.Boroughs), len(a.Boroughs)), strings.Compare(a.Slug, b.Slug))
	})
	var tree []Area
	for _, a := range sets {
		if why := l.place(tree, a); why != "" {
			l.outside[a.Slug] = why
			continue
		}
		tree = append(tree, a)
		for _, b := range a.Boroughs {
			l.parent[b] = a.Slug // areas come largest first, so the smallest stays
		}
	}
	return l
}

// place hangs an area under the smallest one of the tree that holds it, or says
// why it cannot be in the tree.
func (l *Lattice) place(tree []Area, a Area) string {
	if len(a.Boroughs) == 0 {
		return "it holds no borough"
	}
	parent := ""
	for _, other := range tree {
		common := 0
		for _, b := range a.Boroughs {
			if slices.Contains(other.Boroughs, b) {
				common++
			}
		}
		switch common {
		case 0:
		case len(a.Boroughs):
			parent = other.Slug
		default:
			return fmt.Sprintf("it overlaps %q, and neither holds the other", other.Slug)
		}
	}
	if parent != "" {
		l.parent[a.Slug] = parent
	}
	return ""
}

// Parent is the smallest area of the tree that holds the place, or "" for a place
// directly below everywhere.
func (l *Lattice) Parent(place string) string { return l.parent[place] }

// Outside says that no count of people is published for the place.
func (l *Lattice) Outside(place string) bool { return l.outside[place] != "" }

// Messages says which areas are outside the lattice and why, for whoever wrote
// the configuration.
func (l *Lattice) Messages() []string {
	var out []string
	for area, why := range l.outside {
		out = append(out, fmt.Sprintf("served area %q has no counts of people: %s", area, why))
	}
	slices.Sort(out)
	return out
}

// Compare is the fixed public order of two values of a filter: "advert volume
// ascending at the last year end, ties by slug; never by the people count".
func (l *Lattice) Compare(dim, a, b string) int {
	return cmp.Or(cmp.Compare(l.volume[key{dim, a}], l.volume[key{dim, b}]), strings.Compare(a, b))
}

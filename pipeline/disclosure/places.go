package disclosure

import (
	"slices"

	"labour/snapshots/figure"
)

// Area is a named union of whole boroughs that the operator serves, such as Central London.
type Area struct {
	Slug     string
	Boroughs []string
}

// Places holds the places for which counts of people are published. Each place has a number. Number
// 0 is all places together. The boroughs follow, and then the areas.
type Places struct {
	// slugs by number of the place; the slug of number 0, all places together, is empty
	slugs    []string
	boroughs int
	number   map[string]uint16 // number by slug, for "" and the boroughs
	// for each borough, by its number, the numbers of all places that contain it; index 0 stands
	// for people in no borough, whom only place 0 contains
	boroughPlaces [][]uint16
	// for each place, by number, the numbers of the other places that contain it
	containers [][]uint16
}

// NewPlaces returns Places with the given boroughs and areas, numbered in this order. Areas may
// overlap. It ignores boroughs of an area that are not in the list of boroughs.
func NewPlaces(boroughs []string, areas []Area) *Places {
	p := &Places{slugs: append([]string{""}, boroughs...), boroughs: len(boroughs), number: map[string]uint16{}}
	p.boroughPlaces = [][]uint16{{0}}
	within := [][]uint16{{0}} // boroughs of each place; all places together (number 0) also have borough 0
	for i, slug := range p.slugs {
		n := uint16(i)
		p.number[slug] = n
		if i > 0 {
			within[0] = append(within[0], n)
			within = append(within, []uint16{n})
			p.boroughPlaces = append(p.boroughPlaces, []uint16{0, n})
		}
	}
	for _, a := range areas {
		n := uint16(len(p.slugs))
		var set []uint16
		for _, b := range a.Boroughs {
			if at := p.BoroughNumber(b); at > 0 && !slices.Contains(set, at) {
				set = append(set, at)
				p.boroughPlaces[at] = append(p.boroughPlaces[at], n)
			}
		}
		p.slugs, within = append(p.slugs, a.Slug), append(within, set)
	}
	p.containers = placesAbove(within)
	return p
}

// placesAbove returns, for each place, the numbers of the larger places that contain it. boroughs
// lists the boroughs of each place.
func placesAbove(boroughs [][]uint16) [][]uint16 {
	above := make([][]uint16, len(boroughs))
	for i, smaller := range boroughs {
		for j, larger := range boroughs {
			outside := func(b uint16) bool { return !slices.Contains(larger, b) }
			if len(smaller) < len(larger) && !slices.ContainsFunc(smaller, outside) {
				above[i] = append(above[i], uint16(j))
			}
		}
	}
	return above
}

// Count returns the number of places. Number 0, all places together, is one of them.
func (p *Places) Count() int { return len(p.slugs) }

// BoroughCount returns the number of boroughs. Their place numbers are from 1 to BoroughCount.
func (p *Places) BoroughCount() int { return p.boroughs }

// BoroughNumber returns the place number of a borough, or 0 if the borough is not served.
func (p *Places) BoroughNumber(slug string) uint16 { return p.number[slug] }

// Slug returns the slug of the place with the given number. Number 0, all places together, has "".
func (p *Places) Slug(number int) string { return p.slugs[number] }

// PlacesContaining returns the numbers of all places that contain a borough: 0 (all places
// together), the borough's own number, and those of its areas.
func (p *Places) PlacesContaining(borough uint16) []uint16 { return p.boroughPlaces[borough] }

// PublishedByPlace returns the published count of people for each place (rule P7). counts has the
// true counts. Both slices are indexed by the number of the place. A count may be suppressed
// because of the count of a larger place that contains the place.
func (r *Rules) PublishedByPlace(counts []TrueCount) []figure.Count {
	return r.Protection.PublishedCounts(counts, func(i int) (totals []int32) {
		for _, place := range r.Places.containers[i] {
			totals = append(totals, int32(place))
		}
		return totals
	})
}

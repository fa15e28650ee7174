package disclosure

import (
	"slices"

	"labour/snapshots/figure"
)

// Area is a served area: a union of whole boroughs.
type Area struct {
	Slug     string
	Boroughs []string
}

// Places holds the places for which counts of people are published. They are numbered: 0 is all
// places together, then come the boroughs, then the areas.
type Places struct {
	// slugs by number of the place; the slug of number 0, all places together, is empty
	slugs    []string
	boroughs int
	number   map[string]uint16 // of "" and the boroughs
	// for each borough, by number, the numbers of all places that contain it; for 0, only 0
	boroughPlaces [][]uint16
	// for each place, by number, the numbers of the other places that contain it
	containers [][]uint16
}

// NewPlaces returns Places with the given boroughs and areas, numbered in this order. Areas may
// overlap. An area's boroughs that are not in boroughs are ignored.
func NewPlaces(boroughs []string, areas []Area) *Places {
	p := &Places{slugs: append([]string{""}, boroughs...), boroughs: len(boroughs), number: map[string]uint16{}}
	p.boroughPlaces = [][]uint16{{0}}
	within := [][]uint16{{0}} // boroughs of each place; everywhere also has borough 0
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

// placesAbove returns, for each place, the larger places that contain all of its boroughs. The
// argument lists the boroughs of each place.
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

// Count returns the number of places, including number 0, which is all places together.
func (p *Places) Count() int { return len(p.slugs) }

// BoroughCount returns the number of boroughs. The boroughs have the place numbers from 1 to this
// number.
func (p *Places) BoroughCount() int { return p.boroughs }

// BoroughNumber returns the place number of a borough, or 0 if the borough is not served.
func (p *Places) BoroughNumber(slug string) uint16 { return p.number[slug] }

// Slug returns the slug of the place with the given number. It is "" for number 0, all places
// together.
func (p *Places) Slug(number int) string { return p.slugs[number] }

// PlacesContaining returns the numbers of the places that contain a borough: its own number, its
// areas, and 0 for all places together.
func (p *Places) PlacesContaining(borough uint16) []uint16 { return p.boroughPlaces[borough] }

// PublishedByPlace returns the published values of one count of people for each place, in the order
// of place numbers (rule P7). A place is a part of each larger place that contains it.
func (r *Rules) PublishedByPlace(counts []TrueCount) []figure.Count {
	return r.Protection.PublishedCounts(counts, func(i int) (totals []int32) {
		for _, place := range r.Places.containers[i] {
			totals = append(totals, int32(place))
		}
		return totals
	})
}

package disclosure

import "slices"

// Area is a served area: a union of whole boroughs.
type Area struct {
	Slug     string
	Boroughs []string
}

// Places are the places that counts of people are published for, and the sums that
// bind them. Places are numbered: 0 is everywhere, then the boroughs, the areas, what
// areas have in common, and at last nowhere, for people of no served borough.
type Places struct {
	slugs    []string // of everywhere (empty), the boroughs and the areas
	boroughs int
	number   map[string]uint16
	holding  [][]uint16   // of each borough's number, every place that holds it
	sums     [][][]uint16 // of each place, the places that it is the sum of, in one way or more
	nowhere  uint16
}

// NewPlaces numbers the boroughs and areas. Areas may hold or overlap each other; a
// borough of an area that is not among the boroughs is passed over.
func NewPlaces(boroughs []string, areas []Area) *Places {
	p := &Places{slugs: append([]string{""}, boroughs...), boroughs: len(boroughs), number: map[string]uint16{}}
	for i, slug := range p.slugs {
		p.number[slug] = uint16(i)
	}
	var sets [][]uint16 // of the areas and of what they have in common, by their boroughs
	for _, a := range areas {
		set := make([]uint16, 0, len(a.Boroughs))
		for _, b := range a.Boroughs {
			if n := p.number[b]; n > 0 {
				set = append(set, n)
			}
		}
		slices.Sort(set)
		p.number[a.Slug] = uint16(len(p.slugs))
		p.slugs, sets = append(p.slugs, a.Slug), append(sets, slices.Compact(set))
	}
	p.bind(withOverlaps(sets))
	return p
}

// withOverlaps adds what two areas have in common, as long as it is new: by it a reader
// relates areas that overlap.
func withOverlaps(sets [][]uint16) [][]uint16 {
	for i, areas := 0, len(sets); i < areas; i++ {
		for j := range i {
			common := slices.DeleteFunc(slices.Clone(sets[i]), func(b uint16) bool { return !slices.Contains(sets[j], b) })
			if len(common) > 1 && !slices.ContainsFunc(sets, func(s []uint16) bool { return slices.Equal(s, common) }) {
				sets = append(sets, common)
			}
		}
	}
	return sets
}

// bind notes which places hold each borough, and the sums of each place.
func (p *Places) bind(sets [][]uint16) {
	p.nowhere = p.area(len(sets))
	p.sums = make([][][]uint16, p.nowhere+1)
	p.holding = [][]uint16{{0, p.nowhere}}
	all := []uint16{p.nowhere}
	for b := range uint16(p.boroughs) {
		all = append(all, b+1)
		p.holding = append(p.holding, []uint16{0, b + 1})
	}
	p.sums[0] = p.sumsOf(all, sets)
	for i, set := range sets {
		area := p.area(i)
		for _, b := range set {
			p.holding[b] = append(p.holding[b], area)
		}
		p.sums[area] = p.sumsOf(set, sets)
	}
}

func (p *Places) area(i int) uint16 { return uint16(1 + p.boroughs + i) }

// sumsOf returns the sums that some boroughs are: of the largest areas within them that do
// not overlap, and of the boroughs outside these; one sum or more with each such area.
// What smaller areas add up to follows from the sums of the larger.
func (p *Places) sumsOf(all []uint16, sets [][]uint16) (sums [][]uint16) {
	within := func(set, in []uint16) bool {
		return len(set) > 0 && len(set) < len(in) && len(without(set, in)) == 0
	}
	var largest []int
	for i, set := range sets {
		if within(set, all) && !slices.ContainsFunc(sets, func(other []uint16) bool { return within(other, all) && within(set, other) }) {
			largest = append(largest, i)
		}
	}
	for _, first := range largest {
		sum, rest := []uint16{p.area(first)}, without(all, sets[first])
		for _, i := range largest {
			if len(without(sets[i], rest)) == 0 {
				sum, rest = append(sum, p.area(i)), without(rest, sets[i])
			}
		}
		sum = append(sum, rest...)
		if slices.Sort(sum); !slices.ContainsFunc(sums, func(s []uint16) bool { return slices.Equal(s, sum) }) {
			sums = append(sums, sum)
		}
	}
	if len(sums) == 0 && len(all) > 0 {
		sums = append(sums, all)
	}
	return sums
}

func without(set, other []uint16) []uint16 {
	return slices.DeleteFunc(slices.Clone(set), func(b uint16) bool { return slices.Contains(other, b) })
}

// Borough returns the number of a borough; 0 for a place that is none that is served.
func (p *Places) Borough(slug string) uint16 {
	if n := p.number[slug]; int(n) <= p.boroughs {
		return n
	}
	return 0
}

// Number returns the number of everywhere (empty), a borough or an area.
func (p *Places) Number(slug string) (number int, ok bool) {
	n, ok := p.number[slug]
	return int(n), ok
}

// Slug returns the slug of a number.
func (p *Places) Slug(number int) string { return p.slugs[number] }

package headcount

import (
	"cmp"
	"slices"
	"strings"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/mask"
)

// Truth is the true counts of one skill in the cells of the lattice, in their order.
// Listed are the cells in which a counted advert asks for the skill, those that can be
// asked; unlisted ones hold people all the same (the advert was not counted as asking,
// or another was), are in every total above them, and are here so that masking knows
// where a total's remainder lies.
func (c *Counter) Truth(s Skill) ([]disclosure.Truth, error) {
	people, err := s.latest()
	if err != nil {
		return nil, err
	}
	sheet := c.sheet(s.texts)
	defer c.release(sheet)
	sheet.count(people, c.areas(s.texts))
	var out []disclosure.Truth
	for _, k := range c.keys(s.Name, sheet) {
		out = c.cells(out, k.key, k.listed, sheet)
	}
	slices.SortFunc(out, func(a, b disclosure.Truth) int {
		return cmp.Or(strings.Compare(a.Signature, b.Signature), strings.Compare(a.Place, b.Place), strings.Compare(a.Value, b.Value), a.Window-b.Window)
	})
	return out, nil
}

// areas are the areas that hold each place, by their codes.
func (c *Counter) areas(t texts) [][]uint32 {
	code := map[string]uint32{}
	for i, p := range t.places {
		code[p] = uint32(i)
	}
	out := make([][]uint32, len(t.places))
	for i, p := range t.places {
		for _, area := range c.in.Areas[p] {
			out[i] = append(out[i], code[area])
		}
	}
	return out
}

type askedKey struct {
	key
	listed bool
}

// keys are the cells that can be asked and those that hold people.
func (c *Counter) keys(skill string, s *sheet) (out []askedKey) {
	asked := c.asked[skill]
	for place := range s.texts.places {
		for d := none; d < month; d++ {
			values := [dimensions]int{none: 1, sector: len(s.texts.sectors), soc: len(s.texts.socs), level: mostLevels, source: len(s.texts.sources)}[d]
			for v := range values {
				k := key{uint32(place), d, uint32(v)}
				if d != none && v == 0 {
					continue // of no known value
				}
				if listed := asked[k]; listed || s.anybody(k, len(windows)-1) {
					out = append(out, askedKey{k, listed})
				}
			}
		}
	}
	return out
}

// anybody says whether anybody is counted in a cell, whichever the measure.
func (s *sheet) anybody(k key, window int) bool {
	at := s.at(k)
	for m := range measures {
		if s.cells[at+m].people[window] > 0 {
			return true
		}
	}
	return false
}

// cells appends the windows of a cell, and where nothing but a place is asked its
// months: 24 of them everywhere, 12 in a place.
func (c *Counter) cells(out []disclosure.Truth, k key, listed bool, s *sheet) []disclosure.Truth {
	for w, months := range windows {
		if k.place > 0 && k.dim != none && months < 12 || !listed && !s.anybody(k, w) {
			continue
		}
		out = append(out, c.truth(k, w, months, listed, s))
	}
	if k.dim == none && listed {
		n := monthsCounted
		if k.place > 0 {
			n = 12
		}
		for age := range n {
			out = append(out, c.truth(key{k.place, month, uint32(age)}, 0, 1, true, s))
		}
	}
	return out
}

// truth is one cell in one window.
func (c *Counter) truth(k key, window, months int, listed bool, s *sheet) disclosure.Truth {
	place := s.texts.places[k.place]
	t := disclosure.Truth{Unlisted: !listed, Cell: disclosure.Cell{Signature: mask.Signature(place, k.dim.String()), Place: place,
		Value: s.texts.value(k, c.months), Window: months}}
	cells := s.cells[s.at(k):][:measures]
	n := func(m int) int64 { return int64(cells[m].people[window]) }
	t.TurnedDownFor, t.HiredWith, t.HiredWithout, t.TurnedDownWith, t.TurnedDownWithout = n(forTheSkill), n(hiredWith), n(hiredWithout), n(downWith), n(downWithout)
	for m := range measures {
		t.By[m] = disclosure.Employers{Number: int64(cells[m].employers[window]), Largest: int64(cells[m].largest[window])}
		if k.place > 0 && k.dim != none && k.dim != month && months == 12 {
			t.Recent[m] = [2]int64{int64(cells[m].people[0]), int64(cells[m].people[1])}
		}
	}
	return t
}

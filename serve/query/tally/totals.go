package tally

import "slices"

// employersFloor and advertsFloor are those of R7: "If fewer than 5 adverts, or
// fewer than 3 employers, remain after filters, data is []; in a by breakdown such
// groups are omitted."
const (
	advertsFloor   = 5
	employersFloor = 3
)

// totalCell is all adverts of a cell, whatever they ask for, and up to three
// different employers of them; 0 is none.
type totalCell struct {
	cell
	employers [employersFloor]uint32
}

// totals are the total cells by place, and within a place by occupation.
type totals struct {
	start []uint32 // by place, and one after the last
	rows  []totalCell
}

// sum is a total that is being added up.
type sum struct {
	Total
	employers [employersFloor]uint32
}

func (s *sum) add(c *totalCell) {
	s.Adverts += int64(c.adverts)
	s.Sources |= 1 << c.source
	if s.employers[employersFloor-1] != 0 {
		return // enough of them
	}
	for _, e := range c.employers {
		if i := slices.Index(s.employers[:], 0); e != 0 && i >= 0 && !slices.Contains(s.employers[:i], e) {
			s.employers[i] = e
		}
	}
}

// Totals counts the adverts that match, whatever they ask for, by bucket of the
// breakdown; 0 without one and for a breakdown by level, whose buckets share one
// total. Groups under the floor of R7 are left out.
func (t *Tally) Totals(f Filter) map[int32]Total {
	by := f.By
	if by == ByLevel {
		by = Whole
	}
	sums := make([]sum, t.buckets(by))
	for place := int(f.Place.From); place <= min(int(f.Place.To), t.places-1); place++ {
		rows := t.totals.of(place, f.SOC)
		for i := range rows {
			c := &rows[i]
			if c.back < f.Months && f.Sector.holds(c.sector) && f.Source.holds(c.source) {
				sums[c.bucket(by, place)].add(c)
			}
		}
	}
	out := make(map[int32]Total)
	for code := range sums {
		if s := &sums[code]; s.Adverts >= advertsFloor && s.employers[employersFloor-1] != 0 {
			out[int32(code)] = s.Total
		}
	}
	return out
}

// of is the rows of a range of occupations of a place.
func (t *totals) of(place int, socs Range[uint16]) []totalCell {
	rows := t.rows[t.start[place]:t.start[place+1]]
	at := func(soc int) int {
		i, _ := slices.BinarySearchFunc(rows, soc, func(c totalCell, soc int) int { return int(c.soc) - soc })
		return i
	}
	from := at(int(socs.From))
	return rows[from:max(from, at(int(socs.To)+1))]
}

package disclosure

import "labour/snapshots/figure"

// Levels is how many levels of a skill there are.
const Levels = 5

// Residents counts the residents of each borough by their recorded level of one skill: 1 to 5, or 0
// without a record. Index 0 counts residents who live in no served borough.
type Residents [][Levels + 1]Count

// The indices of the counts of one place: all residents, those below each level, and those at or
// above it.
const (
	allOf    = 0
	belowOf  = allOf            // + level
	rest     = belowOf + Levels // + level
	perPlace = rest + Levels + 1
)

// Residents prints, for each place, the share of the residents whose recorded level is below each
// of the levels 1 to 5, or who have no record (P4); nil is not published. The residents at or above
// the level are a count too: if it or the count below may not be printed, there is no share.
func (r *Rules) Residents(of Residents) [][Levels]*figure.Tenths {
	places := r.Places
	counts := make([]Count, places.Len()*perPlace)
	for borough, levels := range of {
		for _, place := range places.Containing(uint16(borough)) {
			addLevels(counts[int(place)*perPlace:][:perPlace], &levels)
		}
	}
	printed := r.Protection.PrintAll(counts, places.aboveResidents)
	shares := make([][Levels]*figure.Tenths, places.Len())
	for place := range shares {
		cells := printed[place*perPlace:][:perPlace]
		for l := 1; l <= Levels; l++ {
			if cells[rest+l].Status() != figure.NotPublished {
				shares[place][l-1] = r.Protection.ResidentShare(cells[belowOf+l], cells[allOf])
			}
		}
	}
	return shares
}

// addLevels adds the residents of a borough to the counts of a place that contains it.
func addLevels(counts []Count, levels *[Levels + 1]Count) {
	for held, c := range levels {
		counts[allOf].Add(c)
		for l := 1; l <= Levels; l++ {
			if held < l {
				counts[belowOf+l].Add(c)
			} else {
				counts[rest+l].Add(c)
			}
		}
	}
}

// aboveResidents returns the counts that a given count is part of: all residents of the place, and
// the same count and all residents of every place that contains it.
func (p *Places) aboveResidents(i int) (wholes []int32) {
	place, cell := i/perPlace, i%perPlace
	if cell != allOf {
		wholes = append(wholes, int32(place*perPlace+allOf))
	}
	for _, at := range p.above[place] {
		first := int32(at) * perPlace
		if wholes = append(wholes, first+allOf); cell != allOf {
			wholes = append(wholes, first+int32(cell))
		}
	}
	return wholes
}

package disclosure

import "labour/snapshots/figure"

// LevelCount is the number of levels of a skill.
const LevelCount = 5

// ResidentCounts holds the number of residents for each borough, and for each recorded level of one
// skill from 0 to 5. The first index is the number of the borough, the second is the level. Level 0
// means that no level is recorded. Borough 0 is for residents who live in no served borough.
type ResidentCounts [][LevelCount + 1]TrueCount

// The indices of the counts of residents of one place.
const (
	// allOf is the index of the number of all residents, among the counts of one place.
	allOf = 0
	// belowOf + l, for a level l from 1 to 5, is the index of the number of residents with a skill
	// level below l.
	belowOf = allOf
	// rest + l, for a level l from 1 to 5, is the index of the number of residents with a skill
	// level of l or higher.
	rest = belowOf + LevelCount
	// perPlace is the number of counts of residents that are computed for each place.
	perPlace = rest + LevelCount + 1
)

// PublishedResidentShares returns, for each place, the published shares of residents below each of
// the levels 1 to 5 (rule P4). A resident without a recorded level is below all of them. A share is
// nil if one of two counts may not be published: residents below the level, or residents at or
// above it. A share is also nil if the published number of residents of the place is less than 20.
func (r *Rules) PublishedResidentShares(of ResidentCounts) [][LevelCount]*figure.Tenths {
	places := r.Places
	counts := make([]TrueCount, places.Count()*perPlace)
	for borough, levels := range of {
		for _, place := range places.PlacesContaining(uint16(borough)) {
			addLevels(counts[int(place)*perPlace:][:perPlace], &levels)
		}
	}
	printed := r.Protection.PublishedCounts(counts, places.aboveResidents)
	shares := make([][LevelCount]*figure.Tenths, places.Count())
	for place := range shares {
		cells := printed[place*perPlace:][:perPlace]
		for l := 1; l <= LevelCount; l++ {
			if cells[rest+l].Status() != figure.StatusNotPublished {
				shares[place][l-1] = r.Protection.ResidentShare(cells[belowOf+l], cells[allOf])
			}
		}
	}
	return shares
}

// addLevels adds the residents of one borough to the counts of a place that contains the borough.
func addLevels(counts []TrueCount, levels *[LevelCount + 1]TrueCount) {
	for held, c := range levels {
		counts[allOf].Add(c)
		for l := 1; l <= LevelCount; l++ {
			if held < l {
				counts[belowOf+l].Add(c)
			} else {
				counts[rest+l].Add(c)
			}
		}
	}
}

// aboveResidents returns the indices of the totals that contain count i. The number of all
// residents of the same place is one of them. For each larger place, the number of all its
// residents and its count of the same kind are also among them.
func (p *Places) aboveResidents(i int) (totals []int32) {
	place, cell := i/perPlace, i%perPlace
	if cell != allOf {
		totals = append(totals, int32(place*perPlace+allOf))
	}
	for _, at := range p.containers[place] {
		first := int32(at) * perPlace
		if totals = append(totals, first+allOf); cell != allOf {
			totals = append(totals, first+int32(cell))
		}
	}
	return totals
}

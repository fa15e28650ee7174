package disclosure

import "labour/snapshots/figure"

// LevelCount is the number of levels of a skill.
const LevelCount = 5

// ResidentCounts holds the number of residents by borough and by their level of one skill. The
// first index is the number of the borough. 0 is for residents outside the served boroughs. The
// second index is the level, 1 to 5. 0 means that no level is recorded.
type ResidentCounts [][LevelCount + 1]TrueCount

// The indices of the counts of residents of one place.
const (
	// allResidents is the index of the number of all residents of a place, among the counts of the place.
	allResidents = 0
	// belowLevel + l is the index of the number of residents with a skill level below l, among the
	// counts of a place. l is from 1 to 5.
	belowLevel = allResidents
	// atLevel + l is the index of the number of residents with a skill level of l or higher, among the
	// counts of a place. l is from 1 to 5.
	atLevel = belowLevel + LevelCount
	// perPlace is the number of counts of residents for each place: one of all residents, and two
	// for each level of a skill.
	perPlace = atLevel + LevelCount + 1
)

// PublishedResidentShares returns the published shares of residents below each level of a skill
// (rule P4). Element [p][l-1] is the share for place number p and level l. A resident without a
// recorded level is below all levels. A share is nil if the number of residents below the level, or
// the number of other residents, may not be published. It is also nil if the place has fewer than
// 20 residents.
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
			if cells[atLevel+l].Status() != figure.StatusNotPublished {
				shares[place][l-1] = r.Protection.ResidentShare(cells[belowLevel+l], cells[allResidents])
			}
		}
	}
	return shares
}

// addLevels adds the residents of one borough to the counts of a place. levels is the borough's
// number of residents by level.
func addLevels(counts []TrueCount, levels *[LevelCount + 1]TrueCount) {
	for held, c := range levels {
		counts[allResidents].Add(c)
		for l := 1; l <= LevelCount; l++ {
			if held < l {
				counts[belowLevel+l].Add(c)
			} else {
				counts[atLevel+l].Add(c)
			}
		}
	}
}

// aboveResidents returns the indices of the totals that contain count i. The counts of residents
// are those of all places in order, perPlace counts for each place. The totals are the number of
// all residents of the same place, and two counts of each larger place: all residents, and the
// residents at the same levels.
func (p *Places) aboveResidents(i int) (totals []int32) {
	place, cell := i/perPlace, i%perPlace
	if cell != allResidents {
		totals = append(totals, int32(place*perPlace+allResidents))
	}
	for _, at := range p.containers[place] {
		first := int32(at) * perPlace
		if totals = append(totals, first+allResidents); cell != allResidents {
			totals = append(totals, first+int32(cell))
		}
	}
	return totals
}

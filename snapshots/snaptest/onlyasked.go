package snaptest

import (
	"slices"

	"labour/snapshots"
)

// WithoutOtherOccupations returns a copy of the content without two groups of adverts. It leaves
// out the adverts of other occupations that require one of the given skills. It also leaves out the
// adverts of the given occupations on employers' own boards.
func (c Content) WithoutOtherOccupations(occupations []string, skills ...string) Content {
	c.Adverts = slices.DeleteFunc(slices.Clone(c.Adverts), func(r snapshots.AdvertsRow) bool {
		if slices.Contains(occupations, r.SOC) {
			return r.Source == "employer_boards"
		}
		return slices.Contains(skills, r.Skill)
	})
	c.AdvertsTotal = slices.DeleteFunc(slices.Clone(c.AdvertsTotal), func(r snapshots.AdvertsTotalRow) bool {
		return slices.Contains(occupations, r.SOC) && r.Source == "employer_boards"
	})
	return c
}

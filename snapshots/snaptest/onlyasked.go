package snaptest

import (
	"slices"

	"labour/snapshots"
)

// OnlyAskedBy returns the content in which only some occupations ask for some skills. Of these occupations
// the adverts on employers' own boards are left out too, so that they ask for the skills more
// often than adverts in general.
func (c Content) OnlyAskedBy(occupations []string, skills ...string) Content {
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

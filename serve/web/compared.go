package web

import (
	"html/template"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// comparedRow is a skill with its figures in this place and, in a comparison, in another place.
type comparedRow struct {
	api.SkillsUnmetRow
	There *api.SkillsUnmetRow // nil = no comparison, or not asked for there
	Whole *api.SkillsUnmetRow // in all places
	// More is how much larger the share of adverts is here, in points, or that the difference
	// does not exceed chance, which Unclear reports.
	More    string
	Unclear bool
	// WholeUnclear reports that the share in all places differs from the one here by no more than chance.
	WholeUnclear bool
	// PeopleUnclear reports that the two shares of residents differ by no more than rounding can make.
	PeopleUnclear bool
	Most          figure.Tenths // the largest share of the table, the end of the scale
}

// Drawing draws the two shares of adverts on one line.
func (r comparedRow) Drawing() template.HTML {
	return chart.Dumbbell(&r.AdvertsShare.Tenths, &r.There.AdvertsShare.Tenths, r.Most)
}

// compareWhole notes whether the share of adverts here differs clearly from that of all other places
// together, without those of this place.
func (r *comparedRow) compareWhole(errors figure.CodingErrors) {
	r.WholeUnclear = r.Whole != nil && !errors.Differ(r.Asked, r.Whole.Asked.Without(r.Asked))
}

// compare sets how much larger the share here is than the one that a row prints, if that exceeds chance
// and random coding errors. other are the adverts to judge it by, which are not those of this row.
func (r *comparedRow) compare(errors figure.CodingErrors, other figure.Sample, there *api.SkillsUnmetRow) {
	if !errors.Differ(r.Asked, other) {
		r.More, r.Unclear = "no clear difference", true
		return
	}
	r.More = pointsBetween(roundedOnce(there.AdvertsShare.Tenths, there.Asked),
		roundedOnce(r.AdvertsShare.Tenths, r.Asked))
}

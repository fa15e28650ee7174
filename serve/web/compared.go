package web

import (
	"html/template"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// comparedRow is a skill with its figures in a place, in all places and, if the visitor compares
// two places, in the other place.
type comparedRow struct {
	api.SkillsUnmetRow
	// row of the skill in the other place; nil = no comparison, or not required there
	There *api.SkillsUnmetRow
	Whole *api.SkillsUnmetRow // row of the skill in all places together
	// More is the difference between the two shares of adverts, in percentage points such as "+3".
	// If chance can explain the difference, More says so and Unclear is true.
	More    string
	Unclear bool
	// WholeUnclear is true if the share of adverts here does not differ significantly from that in
	// all other places together.
	WholeUnclear bool
	// PeopleUnclear is true if rounding can explain the difference between the two shares of
	// residents.
	PeopleUnclear bool
	// largest share of adverts in the table, the end of the drawing's scale
	Most figure.Tenths
}

// Drawing returns an SVG drawing of two shares of adverts on one line: the share in this place and
// the share in the other place.
func (r comparedRow) Drawing() template.HTML {
	return chart.DrawDumbbell(&r.AdvertsShare.Tenths, &r.There.AdvertsShare.Tenths, r.Most)
}

// compareWhole sets WholeUnclear to true if the share of adverts in this place does not differ
// significantly from the share in all other places together. Otherwise it sets it to false.
func (r *comparedRow) compareWhole(errors figure.CodingErrors) {
	r.WholeUnclear = r.Whole != nil && !errors.SharesDiffer(r.AdvertsSample,
		r.Whole.AdvertsSample.Without(r.AdvertsSample))
}

// compare sets More to the change in the share of adverts from otherRow to this row, in whole
// percentage points. If the difference is not significant, it sets More to "no clear difference",
// and Unclear to true. otherSample is the sample for the significance test; it must not include
// adverts of this row.
func (r *comparedRow) compare(errors figure.CodingErrors, otherSample figure.AdvertSample,
	otherRow *api.SkillsUnmetRow) {
	if !errors.SharesDiffer(r.AdvertsSample, otherSample) {
		r.More, r.Unclear = "no clear difference", true
		return
	}
	r.More = pointsBetween(roundedOnce(otherRow.AdvertsShare.Tenths, otherRow.AdvertsSample),
		roundedOnce(r.AdvertsShare.Tenths, r.AdvertsSample))
}

package web

import (
	"html/template"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// comparedRow is a skill with its figures in a place and in all places together. If the visitor
// compares two places, it also has the figures of the other place.
type comparedRow struct {
	api.SkillsUnmetRow
	// row of the skill in the other place; nil = no comparison, or not required there
	OtherPlace *api.SkillsUnmetRow
	Whole      *api.SkillsUnmetRow // row of the skill in all places together
	// More is the difference between the share of adverts here and the share that it is compared
	// with, in percentage points such as "+3". If chance can explain the difference, More is "no
	// clear difference" and Unclear is true.
	More    string
	Unclear bool
	// WholeUnclear is true if the share of adverts here does not differ significantly from that in
	// all other places together.
	WholeUnclear bool
	// PeopleUnclear is true if rounding can explain the difference between the shares of residents
	// in this place and in the other place.
	PeopleUnclear bool
	// largest share of adverts in the table; the scale of the drawing ends there
	Most figure.Tenths
}

// Drawing returns an SVG drawing of two shares of adverts on one line. One is the share in this
// place, and the other the share in the compared place.
func (r comparedRow) Drawing() template.HTML {
	return chart.DrawDumbbell(&r.AdvertsShare.Tenths, &r.OtherPlace.AdvertsShare.Tenths, r.Most)
}

// compareWhole compares the share of adverts in this place with the share in all other places
// together. It sets WholeUnclear to whether the shares do not differ significantly.
func (r *comparedRow) compareWhole(errors figure.CodingErrors) {
	r.WholeUnclear = r.Whole != nil && !errors.SharesDiffer(r.AdvertsSample,
		r.Whole.AdvertsSample.Without(r.AdvertsSample))
}

// compare sets More to the difference between the share of adverts in this row and in otherRow, in
// whole percentage points. If the difference is not significant, it sets More to "no clear
// difference" and Unclear to true. otherSample has the numbers of adverts of the other
// place or places, for the significance test. It must have no advert in common with this row.
func (r *comparedRow) compare(errors figure.CodingErrors, otherSample figure.AdvertSample,
	otherRow *api.SkillsUnmetRow) {
	if !errors.SharesDiffer(r.AdvertsSample, otherSample) {
		r.More, r.Unclear = "no clear difference", true
		return
	}
	r.More = pointsBetween(roundedOnce(otherRow.AdvertsShare.Tenths, otherRow.AdvertsSample),
		roundedOnce(r.AdvertsShare.Tenths, r.AdvertsSample))
}

package web

import (
	"html/template"

	"labour/serve/api"
	"labour/serve/web/chart"
	"labour/snapshots/figure"
)

// comparedRow is a skill with its figures in a place, in all places and, in a comparison, in
// another place.
type comparedRow struct {
	api.SkillsUnmetRow
	There *api.SkillsUnmetRow // nil = no comparison, or not required there
	Whole *api.SkillsUnmetRow // in all places
	// More is the difference of the shares of adverts, in points. If chance can explain the
	// difference, More is a text that says so, and Unclear is true.
	More    string
	Unclear bool
	// WholeUnclear is true if the share in all places differs from the share here by no more than
	// chance.
	WholeUnclear bool
	// PeopleUnclear is true if the two shares of residents differ by no more than rounding can
	// cause.
	PeopleUnclear bool
	Most          figure.Tenths // largest share of the table, the end of the scale
}

// Drawing returns a drawing of the shares of adverts here and in the other place, on one line.
func (r comparedRow) Drawing() template.HTML {
	return chart.DrawDumbbell(&r.AdvertsShare.Tenths, &r.There.AdvertsShare.Tenths, r.Most)
}

// compareWhole sets WholeUnclear: whether the share of adverts here does not clearly differ from
// the share in all other places together.
func (r *comparedRow) compareWhole(errors figure.CodingErrors) {
	r.WholeUnclear = r.Whole != nil && !errors.SharesDiffer(r.Asked, r.Whole.Asked.Without(r.Asked))
}

// compare sets More to the difference between the share of adverts here and in the row there. If
// the difference is not clear, it sets Unclear. other is the sample to test against, which must not
// include adverts of this row.
func (r *comparedRow) compare(errors figure.CodingErrors, other figure.Sample, there *api.SkillsUnmetRow) {
	if !errors.SharesDiffer(r.Asked, other) {
		r.More, r.Unclear = "no clear difference", true
		return
	}
	r.More = pointsBetween(roundedOnce(there.AdvertsShare.Tenths, there.Asked),
		roundedOnce(r.AdvertsShare.Tenths, r.Asked))
}

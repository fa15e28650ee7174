package web

import (
	"cmp"
	"fmt"
	"strings"

	"labour/serve/api"
	"labour/snapshots/figure"
)

// fewRegistered is the printed number of registered residents of a place below which its pages warn
// about its shares of residents.
const fewRegistered = 250

// registered is the number of registered residents of a place, as printed in the table candidates.
type registered struct {
	Name  string // name of the place
	Count int64  // 0 if it is not published or "<5"
}

func (r registered) few() bool { return r.Count < fewRegistered }

// points returns the largest error of a share of these residents, in whole points, rounded up.
//
// A share is a part p of a whole w, both as printed. A printed count is one of the two multiples of
// 5 around the true count, so that each is off by at most 4: by a and by b. The error (p+a)/(w+b) -
// p/w is (aw - bp) / w(w+b). This is at most (4w + 4p) / w(w-4), and so at most 8/(w-4), since p is
// at most w. All shares of a place have the same whole, so all of them can be off in the same
// direction.
func (r registered) points() int64 {
	const wholeShare, bothOff, wholeOff = 100, 8, 4
	if r.Count <= wholeOff {
		return wholeShare
	}
	whole := r.Count - wholeOff
	return min(wholeShare, (wholeShare*bothOff+whole-1)/whole)
}

// counts are the registered residents by slug of the place.
type counts map[string]registered

// registeredIn returns the registered residents of every place; nil if counts of people are not
// rounded, or if there are none. An area has the sum of its boroughs.
func registeredIn(v *request) counts {
	if v.registered != nil || v.err != nil || v.snapshot.People().Protection != "rounded" {
		return v.registered
	}
	printed, err := v.snapshot.Candidates(v.ctx)
	v.fail(err)
	places, err := v.snapshot.Places(v.ctx, api.VocabularyQuery{Limit: mostAsked})
	v.fail(err)
	v.registered = counts{}
	if printed.Residents.Status() == figure.NotPublished {
		return v.registered
	}
	for _, b := range printed.ByBorough {
		n, _ := b.Residents.Number()
		v.registered[b.Borough] = registered{Name: b.BoroughName, Count: n}
	}
	for _, p := range places.Rows {
		if len(p.Boroughs) == 0 {
			continue
		}
		area := registered{Name: p.Name}
		for _, borough := range p.Boroughs {
			area.Count += v.registered[borough].Count
		}
		v.registered[p.Slug] = area
	}
	return v.registered
}

// aboutPeople notes that the page has figures about people, and warns if few residents are
// registered in its place. other is the place that it is compared with. Empty means all places.
func (v *request) aboutPeople(place, other string) {
	v.stamp.People = true
	if other == "" || other == place {
		v.stamp.Few = warning(fewIn(v, place), "here")
		return
	}
	v.stamp.Few = warning(fewIn(v, place, other), "")
}

// fewIn returns those of the places that have few registered residents.
func fewIn(v *request, places ...string) (few []registered) {
	for _, place := range places {
		if place == "" { // all places together never have few, so nothing is read
			continue
		}
		if r, ok := registeredIn(v)[place]; ok && r.few() {
			few = append(few, r)
		}
	}
	return few
}

// fewAmong returns the warning for the places in a breakdown with shares of residents.
func fewAmong(v *request, rows []bucketRow) string {
	var places []string
	for _, r := range rows {
		if r.PeopleBelow.Tenths != nil {
			places = append(places, *r.Bucket)
		}
	}
	return warning(fewIn(v, places...), "")
}

// warning describes how large the rounding error of shares of residents can be in places with few
// of them; empty without places. The name here replaces the name of one place. The number of
// registered residents is published only under the scope of candidates, and the exact largest error
// would disclose it, so the pages use two bands.
func warning(few []registered, here string) string {
	const mostNamed, lesserBand = 4, 9
	if len(few) == 0 {
		return ""
	}
	off := fmt.Sprintf("up to %d points", lesserBand)
	var names []string
	for _, r := range few {
		names = append(names, r.Name)
		if r.points() > lesserBand {
			off = "10 points or more"
		}
	}
	where := cmp.Or(here, "in "+strings.Join(names, ", "))
	if len(few) > mostNamed {
		where = fmt.Sprintf("in %d of these places", len(few))
	}
	return "Few residents are registered " + where +
		"; because counts are rounded, a share of residents can be off by " + off + "."
}

// differClearly reports whether two shares of residents differ by more than rounding can cause. If
// the counts are not rounded, every difference is clear.
func (c counts) differClearly(place, with string, here, there api.Percent) bool {
	if c == nil || here.Tenths == nil || there.Tenths == nil {
		return true
	}
	difference := int64(*here.Tenths - *there.Tenths)
	const tenths = 10
	return max(difference, -difference) > tenths*(c[place].points()+c[with].points())
}

package web

import (
	"cmp"
	"fmt"
	"strings"

	"labour/serve"
	"labour/serve/api"
	"labour/snapshots/figure"
)

// fewRegistered is the number of registered residents below which pages warn that the shares of a
// place's residents are imprecise.
const fewRegistered = 250

// registeredCount is the number of residents of a place who are registered on the platform, rounded
// to a multiple of 5.
type registeredCount struct {
	Name  string // name of the place where the residents live
	Count int64  // number of residents; 0 if it is "<5"
}

func (r registeredCount) isSmall() bool { return r.Count < fewRegistered }

// points returns the largest error that rounding can cause in a share of these residents. The
// result is in whole percentage points, rounded up.
//
// A share is p/w, where p and w are printed counts. A printed count is a multiple of 5 and differs
// from the true count by at most 4: p by a, and w by b. The error (p+a)/(w+b) - p/w is (aw - bp) /
// w(w+b). It is largest if a is 4 and b is -4. The true part p+4 cannot exceed the true whole w-4, so
// p is then at most w-8, and the error at most (4w + 4(w-8)) / w(w-4) = 8/w. If a is -4 and b is 4, it
// is at most 8w / w(w+4), which is less. All shares of a place have the same w, so all of them can be
// wrong in the same direction.
func (r registeredCount) points() int64 {
	const wholeShare, bothOff = 100, 8
	if r.Count == 0 {
		return wholeShare
	}
	return min(wholeShare, (wholeShare*bothOff+r.Count-1)/r.Count)
}

// counts maps the slug of each place to its number of registered residents.
type counts map[string]registeredCount

// registeredIn returns the number of registered residents of every place for which it is published.
// For an area of several boroughs, it adds their numbers. The result is nil if counts of people are
// not rounded.
func registeredIn(v *request) counts {
	if v.registered != nil || v.err != nil || v.snapshot.AboutPeople("").Protection != "rounded" {
		return v.registered
	}
	printed, err := v.snapshot.Candidates(v.ctx)
	v.fail(err)
	places, err := v.snapshot.Places(v.ctx, api.VocabularyQuery{Limit: serve.MaxListRows})
	v.fail(err)
	v.registered = counts{}
	if printed.Residents.Status() == figure.StatusNotPublished {
		return v.registered
	}
	for _, b := range printed.ByBorough {
		if b.Residents.Status() == figure.StatusNotPublished {
			continue
		}
		n, _ := b.Residents.Number()
		v.registered[b.Borough] = registeredCount{Name: b.BoroughName, Count: n}
	}
	for _, p := range places.Rows {
		if area, ok := v.registered.sum(p); ok {
			v.registered[p.Slug] = area
		}
	}
	return v.registered
}

// sum adds the published numbers of registered residents of the boroughs of the area p. ok is false
// if p is not an area of several boroughs. ok is also false if the sum is below fewRegistered and
// the number of a borough is not published: then the true number in the area may be large or small.
func (c counts) sum(p api.PlacesRow) (area registeredCount, ok bool) {
	area.Name = p.Name
	missing := false
	for _, borough := range p.Boroughs {
		one, published := c[borough]
		missing = missing || !published
		area.Count += one.Count
	}
	return area, len(p.Boroughs) > 0 && !(missing && area.isSmall())
}

// aboutPeople records that the page has figures about people. It adds a warning if place or
// otherPlace has few registered residents. otherPlace is a second place on a page that compares
// two. An empty slug stands for all places.
func (v *request) aboutPeople(place, otherPlace string) {
	v.stamp.People = true
	if otherPlace == "" || otherPlace == place {
		v.stamp.Few = warning(fewIn(v, place), "here")
		return
	}
	v.stamp.Few = warning(fewIn(v, place, otherPlace), "")
}

// fewIn returns the given places that have fewer than fewRegistered registered residents.
func fewIn(v *request, places ...string) (few []registeredCount) {
	for _, place := range places {
		if place == "" { // all places together always have enough residents
			continue
		}
		if r, ok := registeredIn(v)[place]; ok && r.isSmall() {
			few = append(few, r)
		}
	}
	return few
}

// fewAmong returns a warning for a breakdown by place, if some places have few registered
// residents. It ignores places without a share of residents.
func fewAmong(v *request, rows []bucketRow) string {
	var places []string
	for _, r := range rows {
		if r.PeopleBelow.Tenths != nil {
			places = append(places, *r.Bucket)
		}
	}
	return warning(fewIn(v, places...), "")
}

// warning returns a sentence on how far rounding can change shares of residents in the given
// places, which have few registered residents. It returns "" if there are none. placeText replaces
// the names of the places, unless it is empty. The sentence does not state the exact error, which
// would disclose the number of residents.
func warning(places []registeredCount, placeText string) string {
	const mostNamed, lesserBand = 4, 9
	if len(places) == 0 {
		return ""
	}
	off := fmt.Sprintf("up to %d points", lesserBand)
	var names []string
	for _, r := range places {
		names = append(names, r.Name)
		if r.points() > lesserBand {
			off = fmt.Sprintf("more than %d points", lesserBand)
		}
	}
	where := cmp.Or(placeText, "in "+strings.Join(names, ", "))
	if len(places) > mostNamed {
		where = fmt.Sprintf("in %d of these places", len(places))
	}
	return "Few residents are registered " + where +
		"; because counts are rounded, a share of residents can be off by " + off + "."
}

// differClearly reports whether two shares of residents differ by more than rounding can cause.
// share is for place, and otherShare for otherPlace. The result is also true if counts are not
// rounded or a share is missing.
func (c counts) differClearly(place, otherPlace string, share, otherShare api.Percent) bool {
	if c == nil || share.Tenths == nil || otherShare.Tenths == nil {
		return true
	}
	difference := int64(*share.Tenths - *otherShare.Tenths)
	const tenths = 10
	return max(difference, -difference) > tenths*(c[place].points()+c[otherPlace].points())
}

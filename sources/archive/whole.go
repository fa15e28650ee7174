package archive

import (
	"maps"
	"slices"
	"strings"
	"time"

	"labour/sources"
)

// LastWhole is when a source was last fetched whole, by the extracts that which reports
// true for: an extract into which an older object was carried is not whole. ok is false
// when it never was.
func (a *Archive) LastWhole(source string, which func(sources.Extract) bool) (at time.Time, ok bool, err error) {
	for x, err := range a.NewestFirst(source) {
		if err != nil {
			return time.Time{}, false, err
		}
		if which(x) && !slices.ContainsFunc(x.Objects, func(o sources.Object) bool { return o.Carried }) {
			return x.At.UTC().Truncate(time.Second), true, nil
		}
	}
	return time.Time{}, false, nil
}

// Any reports true for every extract.
func Any(sources.Extract) bool { return true }

// Part is a part of a source that could not be had when it was last fetched: an
// older object stands in for it.
type Part struct {
	Name    string    // of the object, or what the objects of one list have in common: vendor/board
	LastHad time.Time // when the publisher last gave it, changed or not; zero when the journal does not say
}

// CarriedOf lists the parts whose older objects were carried into the newest extract
// of a source, of those extracts that which reports true for, by name. Of a part that
// is several objects the one that was had longest ago counts.
func (a *Archive) CarriedOf(source string, which func(sources.Extract) bool) ([]Part, error) {
	var carried map[string]time.Time // each object of the newest extract that was carried, and when it was last had
	wanted := 0
	for x, err := range a.NewestFirst(source) {
		if err != nil {
			return nil, err
		}
		if !which(x) {
			continue
		}
		if carried == nil {
			carried = map[string]time.Time{}
			for _, o := range x.Objects {
				if o.Carried {
					carried[o.Name] = time.Time{}
				}
			}
			wanted = len(carried)
		}
		for _, o := range x.Objects {
			if had, wants := carried[o.Name]; wants && had.IsZero() && !o.Carried {
				carried[o.Name] = x.At
				wanted--
			}
		}
		if wanted == 0 {
			break
		}
	}
	return partsOf(carried), nil
}

func partsOf(carried map[string]time.Time) []Part {
	parts := map[string]Part{}
	for object, had := range carried {
		name := PartOf(object)
		if before, ok := parts[name]; !ok || had.Before(before.LastHad) {
			parts[name] = Part{Name: name, LastHad: had.UTC().Truncate(time.Second)}
		}
	}
	return slices.SortedFunc(maps.Values(parts), func(x, y Part) int { return strings.Compare(x.Name, y.Name) })
}

// PartOf is what an object is a part of: the first two steps of its name. A board of
// hundreds of pages that is gone is one part.
func PartOf(object string) string {
	steps := strings.SplitN(object, "/", 3)
	return strings.Join(steps[:min(len(steps), 2)], "/")
}

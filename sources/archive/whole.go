package archive

import (
	"maps"
	"slices"
	"strings"
	"time"

	"labour/sources"
)

// LastWhole is when a source was last fetched whole: an extract into which an
// older object was carried is not. ok is false when it never was.
func (a *Archive) LastWhole(source string) (at time.Time, ok bool) {
	return a.LastWholeOf(source, func(sources.Extract) bool { return true })
}

// LastWholeOf is LastWhole of those extracts alone that which says yes to.
func (a *Archive) LastWholeOf(source string, which func(sources.Extract) bool) (at time.Time, ok bool) {
	for _, x := range slices.Backward(a.Extracts(source, time.Time{})) {
		if which(x) && !slices.ContainsFunc(x.Objects, func(o sources.Object) bool { return o.Carried }) {
			return x.At.UTC().Truncate(time.Second), true
		}
	}
	return time.Time{}, false
}

// Part is a part of a source that could not be had when it was last fetched: an
// older object stands in for it.
type Part struct {
	Name    string    // of the object, or what the objects of one list have in common: vendor/board
	LastHad time.Time // when the publisher last gave it, changed or not; zero when the journal does not say
}

// CarriedOf lists the parts whose older objects were carried into the newest extract
// of a source, of those extracts that which says yes to, by name. Of a part that
// is several objects the one that was had longest ago counts.
func (a *Archive) CarriedOf(source string, which func(sources.Extract) bool) []Part {
	all := slices.DeleteFunc(a.Extracts(source, time.Time{}), func(x sources.Extract) bool { return !which(x) })
	if len(all) == 0 {
		return nil
	}
	had, parts := lastHad(all), map[string]Part{}
	for _, o := range all[len(all)-1].Objects {
		if !o.Carried {
			continue
		}
		name := partOf(o.Name)
		if before, ok := parts[name]; !ok || had[o.Name].Before(before.LastHad) {
			parts[name] = Part{Name: name, LastHad: had[o.Name].UTC().Truncate(time.Second)}
		}
	}
	return slices.SortedFunc(maps.Values(parts), func(x, y Part) int { return strings.Compare(x.Name, y.Name) })
}

// lastHad is when each object was last in an extract without being carried into it.
func lastHad(oldestFirst []sources.Extract) map[string]time.Time {
	had := map[string]time.Time{}
	for _, x := range oldestFirst {
		for _, o := range x.Objects {
			if !o.Carried {
				had[o.Name] = x.At
			}
		}
	}
	return had
}

// partOf is what an object is a part of: the first two steps of its name. A board of
// hundreds of pages that is gone is one part.
func partOf(object string) string {
	steps := strings.SplitN(object, "/", 3)
	return strings.Join(steps[:min(len(steps), 2)], "/")
}

package archive

import (
	"slices"
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

package archive

import (
	"maps"
	"slices"
	"strings"
	"time"

	"labour/sources"
)

// PartDelivery records when the publisher last delivered a part of a source, such as one board.
type PartDelivery struct {
	Name string // name of the part, such as "ashby/acme"
	// LastDelivered is when the publisher last delivered the part, changed or not; zero if the
	// journal has no such delivery.
	LastDelivered time.Time
}

// CarriedParts returns the parts of a source (for example boards) that the last fetch could not
// download. For these parts, the data of an older fetch is used. The result is sorted by name.
//
// LastDelivered is the time of a part's last successful fetch. If its objects were fetched at
// different times, it is the earliest time. partOf returns the part of an object. Extracts (results of
// a fetch) for which include returns false are ignored.
func (a *Archive) CarriedParts(source string, partOf func(object string) string,
	include func(sources.Extract) bool) ([]PartDelivery, error) {
	var carried map[string]bool          // carried objects of the newest extract; removed when their fetch is found
	fetchTimes := map[string]time.Time{} // time of the last fetch, by object
	for x, err := range a.ExtractsNewestFirst(source) {
		if err != nil {
			return nil, err
		}
		if !include(x) {
			continue
		}
		newest := carried == nil
		if newest {
			carried = map[string]bool{}
		}
		for _, o := range x.Objects {
			switch {
			case newest && o.Carried:
				carried[o.Name], fetchTimes[o.Name] = true, time.Time{}
			case carried[o.Name] && !o.Carried:
				fetchTimes[o.Name] = x.FetchedAt
				delete(carried, o.Name)
			}
		}
		if len(carried) == 0 {
			break
		}
	}
	parts := map[string]PartDelivery{}
	for object, at := range fetchTimes {
		name := partOf(object)
		if before, ok := parts[name]; !ok || at.Before(before.LastDelivered) {
			parts[name] = PartDelivery{Name: name, LastDelivered: at.UTC().Truncate(time.Second)}
		}
	}
	return slices.SortedFunc(maps.Values(parts), func(x, y PartDelivery) int { return strings.Compare(x.Name, y.Name) }),
		nil
}

// PartNamer returns the function that returns the part of an object of a source. The parts of a source
// that lists its parts are job boards. Those of any other source are data sets or files.
func PartNamer(s sources.Source) func(object string) string {
	if _, ok := s.(sources.PartLister); ok {
		return PartOfObject
	}
	return FirstSegmentOfObject
}

// PartOfObject returns the first two segments of an object's name, or the whole name if it has fewer.
// They name the job board to which the object belongs: "ashby/acme/2" belongs to "ashby/acme".
func PartOfObject(object string) string {
	steps := strings.SplitN(object, "/", 3)
	return strings.Join(steps[:min(len(steps), 2)], "/")
}

// FirstSegmentOfObject returns the text before the first slash in an object's name, or the whole
// name if it has no slash. If a source's parts are data sets or files, this text names the part. If
// its parts are job boards, use PartOfObject.
func FirstSegmentOfObject(object string) string {
	first, _, _ := strings.Cut(object, "/")
	return first
}

// PartDeliveryTimes returns, for each part of a source (for example each board), when the publisher
// last delivered it completely. The result is sorted by name. The time is zero for a part that was
// never delivered.
//
// The result has the parts in wantedParts or, if that is empty, the parts of the newest extract
// (the result of one fetch). partOf returns the part of an object. Extracts for which include
// returns false are ignored. An object taken over from an older extract does not count as
// delivered.
func (a *Archive) PartDeliveryTimes(source string, wantedParts []string, partOf func(object string) string,
	include func(sources.Extract) bool) ([]PartDelivery, error) {
	times, missing := map[string]time.Time{}, map[string]bool{}
	miss := func(part string) { times[part], missing[part] = time.Time{}, true }
	for _, part := range wantedParts {
		miss(part)
	}
	for x, err := range a.ExtractsNewestFirst(source) {
		if err != nil {
			return nil, err
		}
		if !include(x) {
			continue
		}
		delivered := deliveredParts(x, partOf)
		if len(times) == 0 {
			for part := range delivered {
				miss(part)
			}
		}
		for part := range missing {
			if delivered[part] {
				times[part] = x.FetchedAt.UTC().Truncate(time.Second)
				delete(missing, part)
			}
		}
		if len(missing) == 0 {
			break
		}
	}
	parts := make([]PartDelivery, 0, len(times))
	for _, name := range slices.Sorted(maps.Keys(times)) {
		parts = append(parts, PartDelivery{Name: name, LastDelivered: times[name]})
	}
	return parts, nil
}

// deliveredParts reports for each part of an extract (the result of one fetch) whether the
// publisher delivered all its objects. The map's keys are part names. partOf returns the part to
// which the named object belongs.
func deliveredParts(x sources.Extract, partOf func(object string) string) map[string]bool {
	given := map[string]bool{}
	for _, o := range x.Objects {
		part := partOf(o.Name)
		whole, known := given[part]
		given[part] = (whole || !known) && !o.Carried && !o.Kept
	}
	return given
}

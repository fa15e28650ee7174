package query

import (
	"maps"
	"slices"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// Snapshot is a mounted snapshot, one published version of the data that is open for queries. It is
// safe for concurrent use.
type Snapshot struct {
	manifest snapshots.Manifest
	library  *library
	parts    map[string]*part // by name
	vocabularies
	held         held
	digests      map[string]string // by dataset
	people       api.People        // description of figures about people, for every query
	allWithdrawn bool              // whether the operator withdrew all figures about people
	// withoutPartners is true if the events of partners are not in the data directory.
	withoutPartners bool
}

var _ api.Snapshot = (*Snapshot)(nil)

// ID returns the snapshot's id.
func (s *Snapshot) ID() string { return string(s.manifest.ID) }

// AsOf returns the date that the data describe, at midnight UTC.
func (s *Snapshot) AsOf() time.Time { return s.manifest.AsOf.Time }

// PeopleAsOf returns the last day of the month that counts of people describe, at midnight UTC. It
// is the zero time for a snapshot without people.
func (s *Snapshot) PeopleAsOf() time.Time {
	if s.manifest.PeopleAsOf == nil {
		return time.Time{}
	}
	return s.manifest.PeopleAsOf.Time
}

// monthOf returns the first day of a day's month.
func monthOf(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// PlatformName returns the name of the platform, as in the attribution `Source: <platform_name>.`
func (s *Snapshot) PlatformName() string { return s.manifest.PlatformName }

// CodingErrors returns the error rates of coding adverts to skills. Margins of error are computed
// from them.
func (s *Snapshot) CodingErrors() figure.CodingErrors { return *s.manifest.Margin }

// DigestOf returns a digest of a dataset's content. Two snapshots of the same date have the same
// digest if the dataset is the same in both.
func (s *Snapshot) DigestOf(dataset string) string { return s.digests[dataset] }

// Values lists the values of a vocabulary (for example all places), sorted bytewise.
func (s *Snapshot) Values(v api.Vocabulary) []string { return s.values[v] }

// NamedValues lists the values of a vocabulary with their display names, ordered by value.
func (s *Snapshot) NamedValues(v api.Vocabulary) []api.Named { return s.named[v] }

// Outlines returns the boundaries of the boroughs for maps, ordered by place.
func (s *Snapshot) Outlines() api.Page[api.Outline] { return s.outlines }

// CorrectionOf returns the operator's correction of a published record. The result is false if
// there is none.
func (s *Snapshot) CorrectionOf(record string) (api.Correction, bool) {
	c, ok := s.corrections[record]
	return c, ok
}

// ResolveRegion returns the region for a value of the `region` parameter, in any letter case. The
// result is false for an unknown region, or one of another country.
func (s *Snapshot) ResolveRegion(country, param string) (api.Region, bool) {
	r, ok := s.regions[strings.ToUpper(param)]
	if r.Country != country {
		return api.Region{}, false
	}
	return r, ok
}

// nameOf returns the name of a value of a vocabulary, or the value itself if it is not in the
// vocabulary.
func (s *Snapshot) nameOf(v api.Vocabulary, value string) string {
	named := s.named[v]
	at, ok := slices.BinarySearchFunc(named, value,
		func(n api.Named, value string) int { return strings.Compare(n.Value, value) })
	if !ok {
		return value
	}
	return named[at].Name
}

// valueOf returns the value that a number in the tables stands for, or "" for the number 0.
func (s *Snapshot) valueOf(v api.Vocabulary, number int) string {
	if number <= anyValue {
		return ""
	}
	return s.values[v][number-1]
}

// isArea reports whether a place is an area of several boroughs.
func (s *Snapshot) isArea(place string) bool {
	n, ok := s.codes[code{"place", place}]
	return ok && n > anyValue && s.named[api.Places][n-1].Kind == snapshots.AreaServed
}

// entries returns the sources of the given keys, ordered by key.
func (s *Snapshot) entries(keys map[string]bool) []api.Source {
	var list []api.Source
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if e, ok := s.sources[k]; ok {
			list = append(list, e)
		}
	}
	return list
}

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

// Snapshot is one published version of the data, mounted in DuckDB for queries. It is safe for
// concurrent use.
type Snapshot struct {
	manifest snapshots.Manifest
	library  *library
	parts    map[string]*part // open DuckDB files of the snapshot, by name such as "figures"
	vocabularies
	cached       cachedTables
	digests      map[string]string // digests of the tables that each dataset reads, by dataset
	people       api.People        // description of the figures about people, for all responses
	allWithdrawn bool              // whether the operator withdrew all figures about people
	// withoutPartners is true if the data directory lacks the events that belong to partners.
	withoutPartners bool
}

var _ api.Snapshot = (*Snapshot)(nil)

// ID returns the snapshot's id, such as "2026-11-20.1".
func (s *Snapshot) ID() string { return string(s.manifest.ID) }

// AsOf returns the day that the data describes, at midnight UTC.
func (s *Snapshot) AsOf() time.Time { return s.manifest.AsOf.Time }

// PeopleAsOf returns the last day of the quarter that the counts of people describe, at midnight
// UTC. It is the zero time for a snapshot without people.
func (s *Snapshot) PeopleAsOf() time.Time {
	if s.manifest.PeopleAsOf == nil {
		return time.Time{}
	}
	return s.manifest.PeopleAsOf.Time
}

// monthOf returns the first day of the month that contains a day.
func monthOf(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
}

// PlatformName returns the name of the platform, for the attribution statement `Source:
// <platform_name>.`
func (s *Snapshot) PlatformName() string { return s.manifest.PlatformName }

// CodingErrors returns the measured error rates of assigning skills to adverts, which widen the
// margins of shares.
func (s *Snapshot) CodingErrors() figure.CodingErrors { return *s.manifest.CodingErrors }

// DigestOf returns a digest of the tables that a dataset, such as skills-unmet, reads. It also
// depends on the dates and the format of the snapshot, and on its list of sources. Two snapshots
// have equal digests if all of these are equal.
func (s *Snapshot) DigestOf(dataset string) string { return s.digests[dataset] }

// Values lists the values of a vocabulary, for example all place slugs, sorted bytewise.
func (s *Snapshot) Values(v api.Vocabulary) []string { return s.values[v] }

// NamedValues lists the values of a vocabulary, for example all place slugs, with their display
// names, ordered by value.
func (s *Snapshot) NamedValues(v api.Vocabulary) []api.Named { return s.namedValues[v] }

// Outlines returns the boundaries of the boroughs for maps, ordered by place.
func (s *Snapshot) Outlines() api.Page[api.Outline] { return s.outlines }

// CorrectionOf returns the operator's correction of a published record. The second result is false
// if there is none.
func (s *Snapshot) CorrectionOf(record string) (api.Correction, bool) {
	c, ok := s.corrections[record]
	return c, ok
}

// ResolveRegion returns the region for a value of the query parameter region, in any letter case.
// The second result is false for an unknown region or one of another country.
func (s *Snapshot) ResolveRegion(country, param string) (api.Region, bool) {
	r, ok := s.regions[strings.ToUpper(param)]
	if r.Country != country {
		return api.Region{}, false
	}
	return r, ok
}

// nameOf returns the display name of a value of a vocabulary, or the value itself if it is not in
// the vocabulary.
func (s *Snapshot) nameOf(v api.Vocabulary, value string) string {
	named := s.namedValues[v]
	at, ok := slices.BinarySearchFunc(named, value,
		func(n api.Named, value string) int { return strings.Compare(n.Value, value) })
	if !ok {
		return value
	}
	return named[at].Name
}

// valueOf returns the value, such as a place slug, that has a given number in the tables. It
// returns "" for the number 0.
func (s *Snapshot) valueOf(v api.Vocabulary, number int) string {
	if number <= anyValue {
		return ""
	}
	return s.values[v][number-1]
}

// isArea reports whether a place is an area that consists of several boroughs.
func (s *Snapshot) isArea(place string) bool {
	n, ok := s.codes[code{"place", place}]
	return ok && n > anyValue && s.namedValues[api.Places][n-1].Kind == snapshots.AreaKindServed
}

// entries returns the sources with the given keys, ordered by key.
func (s *Snapshot) entries(keys map[string]bool) []api.Source {
	var list []api.Source
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if e, ok := s.sources[k]; ok {
			list = append(list, e)
		}
	}
	return list
}

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

// Snapshot is one published version of the data, loaded into DuckDB for queries. It is safe for
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

// AsOf returns the date of the data, at midnight UTC.
func (s *Snapshot) AsOf() time.Time { return s.manifest.AsOf.Time }

// PeopleAsOf returns the last day of the quarter for which people were counted, at midnight UTC. It
// is the zero time if the snapshot has no counts of people.
func (s *Snapshot) PeopleAsOf() time.Time {
	if s.manifest.PeopleAsOf == nil {
		return time.Time{}
	}
	return s.manifest.PeopleAsOf.Time
}

// PlatformName returns the name of the platform. The attribution statement `Source:
// <platform_name>.` contains it.
func (s *Snapshot) PlatformName() string { return s.manifest.PlatformName }

// CodingErrors returns the measured error rates in assigning skills to adverts. The published
// margins of error of shares include them.
func (s *Snapshot) CodingErrors() figure.CodingErrors { return *s.manifest.CodingErrors }

// DigestOf returns a digest of the data that a dataset, such as skills-unmet, reads. Two snapshots
// have the same digest if they have the same tables, dates, format and list of sources.
func (s *Snapshot) DigestOf(dataset string) string { return s.digests[dataset] }

// Values returns all values of a vocabulary, such as all place slugs. They are sorted byte by byte.
func (s *Snapshot) Values(v api.Vocabulary) []string { return s.values[v] }

// NamedValues returns all values of a vocabulary with their display names, such as all places. They
// are sorted by value.
func (s *Snapshot) NamedValues(v api.Vocabulary) []api.Named { return s.namedValues[v] }

// Outlines returns the boundaries of the boroughs for drawing maps. They are sorted by borough.
func (s *Snapshot) Outlines() api.Page[api.Outline] { return s.outlines }

// CorrectionOf returns the operator's correction of a published record. It returns false if there
// is none.
func (s *Snapshot) CorrectionOf(record string) (api.Correction, bool) {
	c, ok := s.corrections[record]
	return c, ok
}

// CorrectionStatedIn returns the operator's correction of the figure that a row of evidence states.
// It returns false if there is none.
func (s *Snapshot) CorrectionStatedIn(evidence api.EvidenceRow) (api.Correction, bool) {
	for record, c := range s.corrections {
		figure, ok := snapshots.ParseFigureRecord(record)
		if ok && figure.IsStatedIn(evidence.ID, c.Source) && figure.HasSubjectOf(evidence.Statement) {
			return c, true
		}
	}
	return api.Correction{}, false
}

// ResolveRegion returns the region that the query parameter region names, in any letter case. It
// returns false if the region is unknown or belongs to another country.
func (s *Snapshot) ResolveRegion(country, param string) (api.Region, bool) {
	r, ok := s.regions[strings.ToUpper(param)]
	if r.Country != country {
		return api.Region{}, false
	}
	return r, ok
}

// nameOf returns the display name of a value, such as a place slug. If the vocabulary v does not
// have the value, it returns the value itself.
func (s *Snapshot) nameOf(v api.Vocabulary, value string) string {
	named := s.namedValues[v]
	at, ok := slices.BinarySearchFunc(named, value,
		func(n api.Named, value string) int { return strings.Compare(n.Value, value) })
	if !ok {
		return value
	}
	return named[at].Name
}

// valueOf returns the value for a number in the tables, such as a place slug. It returns "" for the
// number 0.
func (s *Snapshot) valueOf(v api.Vocabulary, number int) string {
	if number <= anyValue {
		return ""
	}
	return s.values[v][number-1]
}

// isArea reports whether a place is an area of several boroughs.
func (s *Snapshot) isArea(place string) bool {
	n, ok := s.codes[code{"place", place}]
	return ok && n > anyValue && s.namedValues[api.Places][n-1].Kind == snapshots.AreaKindServed
}

// sourcesOf returns the data sources with the given keys, sorted by key.
func (s *Snapshot) sourcesOf(keys map[string]bool) []api.Source {
	var list []api.Source
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if e, ok := s.sources[k]; ok {
			list = append(list, e)
		}
	}
	return list
}

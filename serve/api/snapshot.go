// Package api defines the types of the API's requests and responses. Database queries fill these
// types, and they are written as JSON. The OpenAPI document is generated from them. The package
// also defines the interface Snapshot, through which the server queries the data.
package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"labour/snapshots/figure"
)

// ErrNoSnapshot is returned by Acquire if no snapshot is loaded yet.
var ErrNoSnapshot = errors.New("no snapshot is loaded")

// ErrSnapshotGone is returned by AcquireByID for a snapshot that is not available (any more).
var ErrSnapshotGone = errors.New("the snapshot is no longer kept")

// ErrSnapshotWithdrawn is returned by AcquireByID for a snapshot that the operator withdrew. It wraps
// ErrSnapshotGone.
var ErrSnapshotWithdrawn = fmt.Errorf("the snapshot was withdrawn: %w", ErrSnapshotGone)

// ErrSnapshotUnavailable is returned by AcquireByID for a snapshot that exists but cannot be opened.
var ErrSnapshotUnavailable = errors.New("the snapshot cannot be opened")

// Snapshots gives access to the published snapshots. The methods return a snapshot and a function
// release, which the caller must call once. The snapshot stays open until then.
type Snapshots interface {
	// Acquire returns the current snapshot. The error wraps ErrNoSnapshot if none is loaded.
	Acquire() (s Snapshot, release func(), err error)
	// AcquireByID returns the snapshot with an id. The error wraps ErrSnapshotGone if it was never
	// published, was removed or was withdrawn. If the snapshot is not open, it is opened if reopen
	// is true, which takes seconds; otherwise the error is ErrSnapshotGone. The error wraps
	// ErrSnapshotUnavailable if the snapshot cannot be opened.
	AcquireByID(ctx context.Context, id string, reopen bool) (s Snapshot, release func(), err error)
	// IsOpen reports whether a snapshot is open, so that AcquireByID returns it at once.
	IsOpen(id string) bool
}

// Snapshot runs queries on one immutable publication of the data. It is safe for concurrent use.
// Parameters of queries must be valid: known slugs, resolved regions and limits in range. If ctx
// ends first, the error matches context.DeadlineExceeded or context.Canceled.
type Snapshot interface {
	// ID returns the snapshot's id, such as "2026-11-20.1".
	ID() string
	// AsOf returns the date that the data describes, at midnight UTC.
	AsOf() time.Time
	// PeopleAsOf returns the last day of the month that counts of people describe, at midnight UTC.
	// It is the zero time for data without people.
	PeopleAsOf() time.Time
	// People describes figures about people that do not belong to one skill, such as counts of
	// residents.
	People() People
	// DigestOf returns a digest of the tables that a dataset (the last part of an endpoint's path)
	// reads. It is the same for two snapshots of one date with the same results.
	DigestOf(dataset string) string
	// PlatformName returns the name in `Source: <platform_name>.`
	PlatformName() string
	// CodingErrors returns the coding errors, from which margins of shares of adverts are
	// calculated.
	CodingErrors() figure.CodingErrors

	SkillsUnmet(ctx context.Context, q SkillsUnmetQuery) (Page[SkillsUnmetRow], error)
	// SkillsUnmetByQuarter returns the calendar quarters of the last 24 months, oldest first, for
	// the filters of a query: for its skill, or for every skill. It ignores Window and By.
	SkillsUnmetByQuarter(ctx context.Context, q SkillsUnmetQuery) (Page[Quarter], error)
	CourseDemand(ctx context.Context, q CourseDemandQuery) (Page[CourseDemandRow], error)
	SkillsGaps(ctx context.Context, q SkillsGapsQuery) (Page[SkillsGapsRow], error)
	Evidence(ctx context.Context, q EvidenceQuery) (Page[EvidenceRow], error)
	Sources(ctx context.Context, q SourcesQuery) (Page[SourcesRow], error)
	Regions(ctx context.Context, q RegionsQuery) (Page[RegionsRow], error)

	// Places, Sectors, Skills and Occupations list the values of the parameters.
	Places(ctx context.Context, q VocabularyQuery) (Page[PlacesRow], error)
	Sectors(ctx context.Context, q VocabularyQuery) (Page[SectorsRow], error)
	Skills(ctx context.Context, q VocabularyQuery) (Page[SkillsRow], error)
	Occupations(ctx context.Context, q VocabularyQuery) (Page[OccupationsRow], error)

	// NextOccupations returns the unit groups whose adverts share the most skills with those of a
	// given unit group, in order. No endpoint returns them.
	NextOccupations(ctx context.Context, q NextOccupationsQuery) ([]NextOccupation, error)

	// Jobs returns the live adverts that may be published, newest first.
	Jobs(ctx context.Context, q JobsQuery) (Page[JobsRow], error)
	// Pathways returns the published careers pathways, ordered by slug.
	Pathways(ctx context.Context) ([]PathwaysRow, error)
	// Candidates returns the counts of residents.
	Candidates(ctx context.Context) (Candidates, error)
	// S106 returns the headline counts of a place; "" is the whole platform.
	S106(ctx context.Context, place string) (S106, error)
	// Events returns the events that one partner may see.
	Events(ctx context.Context, q EventsQuery) (EventsPage, error)

	// IsOpen reports whether an embargoed dataset is served from this snapshot. If it is not, the
	// method below for that dataset returns an error that wraps ErrSnapshotGone.
	IsOpen(dataset string) bool
	Demand(ctx context.Context, q EmbargoedQuery) (Page[DemandRow], error)
	Trends(ctx context.Context, q EmbargoedQuery) (Page[TrendsRow], error)
	Outlook(ctx context.Context, q EmbargoedQuery) (Page[OutlookRow], error)
	Reach(ctx context.Context, q EmbargoedQuery) (Page[ReachRow], error)
	Signals(ctx context.Context, q EmbargoedQuery) (Page[SignalsRow], error)
	Priorities(ctx context.Context, q EmbargoedQuery) (Page[PrioritiesRow], error)

	// Outlines returns the outlines of the boroughs, ordered by place. It leaves out a borough
	// without an outline in any source. The result is held in memory and must not be changed by the
	// caller.
	Outlines() Page[Outline]

	// CorrectionOf returns the operator's correction of a published figure that was applied. record
	// names the figure as the table corrections does.
	CorrectionOf(record string) (c Correction, ok bool)
	// NamedValues lists the values of Places, Sectors, Skills, Occupations or Levels
	// with their names, ordered by value. It is held in memory and must not be
	// changed by the caller. For other vocabularies it returns nil.
	NamedValues(v Vocabulary) []Named

	// Values lists the known values of a vocabulary, sorted bytewise and without duplicates. It is
	// held in memory and must not be changed by the caller.
	Values(v Vocabulary) []string
	// ResolveRegion finds the region for a value of the `region` parameter: the code of a nation,
	// region or council, or the slug (or code) of a local skills improvement plan area. Codes match
	// in any letter case.
	ResolveRegion(country, param string) (Region, bool)
}

// Vocabulary is the name of a list of known values, for example of all places.
type Vocabulary string

// The vocabularies.
const (
	Places      Vocabulary = "places"      // place slugs: boroughs and served areas
	Sectors     Vocabulary = "sectors"     // sector slugs
	Skills      Vocabulary = "skills"      // skill slugs
	Occupations Vocabulary = "occupations" // SOC 2020 codes of 1 to 4 digits
	RegionNames Vocabulary = "regions"     // values of `region`: codes and area slugs; used to suggest similar ones
	Levels      Vocabulary = "levels"      // levels of skill, "1" to "5"; not in Values
)

// Page is the result of a query: rows and their sources.
type Page[R any] struct {
	Rows []R
	// Sources has exactly the sources of the rows, without duplicates, ordered by key. Without rows
	// it is empty.
	Sources []Source
	// More is true if the query has further rows after the last one.
	More bool
	// Placed is how precisely the places of the adverts of skills not met are known; nil if that is
	// unknown.
	Placed *AdvertsPlaced
	// People describes the figures of people; nil if the rows have none.
	People *People
}

// Region is a region that a value of the parameter region stands for.
type Region struct {
	Code    string // official code
	Name    string
	Kind    string // nation, region, council or lsip
	Country string // ISO 3166-1 alpha-2
}

// Outline is the outline of a borough on a small map.
type Outline struct {
	Place string           // slug of the borough
	Shape orb.MultiPolygon // longitude and latitude in degrees of WGS 84
}

// Correction is a correction of a published figure by the operator of this service.
type Correction struct {
	Old, New *string // the publisher's value and the corrected one; nil = none
	Reason   string
}

// Named is a value of a vocabulary with its name and properties.
type Named struct {
	Value string
	Name  string
	// Kind is borough or area (a union of boroughs) for a place; technical, care, licence and so on
	// for a skill, if the snapshot has it; else empty.
	Kind string
	// Code is the national statistics code of a borough's council, else empty.
	Code string
	// Wordings are the wordings of a skill in adverts, separated by |; {a,b} means either. It is
	// empty for anything else.
	Wordings string
	// Level is the usual level of a skill, 1 to 5; 0 for anything else.
	Level int
}

// Package api defines the types of the API's requests, with their parameters, and of its responses.
// Database queries fill the responses, which are then written as JSON. The OpenAPI document is
// generated from the types of requests and responses. The package also defines the interface
// Snapshot, through which the server queries the data.
package api

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"labour/snapshots/figure"
)

// ErrNoSnapshot is the error of Snapshots.Acquire while no snapshot is loaded.
var ErrNoSnapshot = errors.New("no snapshot is loaded")

// ErrSnapshotGone is the error of Snapshots.AcquireByID for a snapshot that does not exist or no
// longer exists.
var ErrSnapshotGone = errors.New("the snapshot is no longer kept")

// ErrSnapshotWithdrawn is the error of Snapshots.AcquireByID for a snapshot that the operator
// withdrew. It wraps ErrSnapshotGone.
var ErrSnapshotWithdrawn = fmt.Errorf("the snapshot was withdrawn: %w", ErrSnapshotGone)

// ErrSnapshotUnavailable is the error of Snapshots.AcquireByID for a snapshot that exists but
// cannot be opened.
var ErrSnapshotUnavailable = errors.New("the snapshot cannot be opened")

// Snapshots gives access to the published snapshots. Its methods return a snapshot and a function
// release, which the caller must call once when it no longer needs the snapshot.
type Snapshots interface {
	// Acquire returns the current snapshot. The error wraps ErrNoSnapshot if none is loaded.
	Acquire() (s Snapshot, release func(), err error)
	// AcquireByID returns the snapshot with an id. The error wraps ErrSnapshotGone if it was never
	// published, was removed or was withdrawn. A snapshot that is not open is opened if reopen is
	// true, which takes seconds; else the error is ErrSnapshotGone.
	AcquireByID(ctx context.Context, id string, reopen bool) (s Snapshot, release func(), err error)
	// IsOpen reports whether a snapshot is open, so that AcquireByID returns it at once.
	IsOpen(id string) bool
}

// Snapshot runs queries on one immutable publication of the data. It is safe for concurrent use.
// Query parameters must be valid: known slugs, resolved regions, limits in range. If ctx ends
// first, the error matches context.DeadlineExceeded or context.Canceled.
type Snapshot interface {
	Publication
	Figures
	PlatformRecords
	EmbargoedDatasets
	Vocabularies
}

// Publication describes a snapshot: its id, its dates, and the rules that apply to its figures.
type Publication interface {
	// ID returns the snapshot's id, such as "2026-11-20.1".
	ID() string
	// AsOf returns the day that the data describes, at midnight UTC.
	AsOf() time.Time
	// PeopleAsOf returns the last day of the quarter that the counts of people describe, at midnight
	// UTC. It is the zero time if the data has no people.
	PeopleAsOf() time.Time
	// AboutPeople describes the period and the small-number protection of figures about people that
	// belong to no single skill, such as counts of residents, in a place; "" means the whole
	// platform.
	AboutPeople(place string) People
	// DigestOf returns a digest of the tables that an endpoint reads. dataset is the last part of
	// the endpoint's path. Two snapshots of one date with equal results have equal digests.
	DigestOf(dataset string) string
	// DigestOfEvents returns a digest of the events that the partner with the given name may see.
	// DigestOf("events") does not depend on the events.
	DigestOfEvents(partner string) string
	// PlatformName returns the platform's name, for the attribution statement `Source:
	// <platform_name>.`
	PlatformName() string
	// CodingErrors returns the measured error rates of assigning skills to adverts, which widen the
	// margins of shares of adverts.
	CodingErrors() figure.CodingErrors
}

// Figures runs queries on the figures of adverts and people, and on those of other publishers.
type Figures interface {
	SkillsUnmet(ctx context.Context, q SkillsUnmetQuery) (Page[SkillsUnmetRow], error)
	// SkillsUnmetByQuarter returns the numbers of adverts in each calendar quarter of the last 24
	// months, oldest first. It applies the filters of q except Window and By.
	SkillsUnmetByQuarter(ctx context.Context, q SkillsUnmetQuery) (Page[Quarter], error)
	CourseDemand(ctx context.Context, q CourseDemandQuery) (Page[CourseDemandRow], error)
	SkillsGaps(ctx context.Context, q SkillsGapsQuery) (Page[SkillsGapsRow], error)
	Evidence(ctx context.Context, q EvidenceQuery) (Page[EvidenceRow], error)
	Sources(ctx context.Context, q SourcesQuery) (Page[SourcesRow], error)
	// NextOccupations returns the unit groups (four-digit SOC 2020 codes) whose adverts share the
	// most skills with the adverts of a given unit group, most similar first. The web pages use it;
	// no API endpoint does.
	NextOccupations(ctx context.Context, q NextOccupationsQuery) ([]NextOccupation, error)
	// CorrectionOf returns the correction that the operator applied to a published figure. record
	// identifies the figure, as in the snapshot's table corrections. It has the publisher's code of
	// the figure's area, or the area's current code.
	CorrectionOf(record string) (c Correction, ok bool)
	// CorrectionStatedIn returns the correction of the published figure that a row of evidence states.
	// evidenceID is the row's id.
	CorrectionStatedIn(evidence EvidenceRow) (c Correction, ok bool)
}

// PlatformRecords runs queries on the records of the platform, and on its counts of residents.
type PlatformRecords interface {
	// Jobs returns the live adverts that may be published, newest first.
	Jobs(ctx context.Context, q JobsQuery) (Page[JobsRow], error)
	// Pathways returns the published careers pathways, ordered by slug.
	Pathways(ctx context.Context) ([]PathwaysRow, error)
	// Candidates returns the counts of residents registered with the platform.
	Candidates(ctx context.Context) (Candidates, error)
	// S106 returns the headline counts of section 106 agreements in a place; "" means the whole
	// platform.
	S106(ctx context.Context, place string) (S106, error)
	// Events returns the events that one partner may see.
	Events(ctx context.Context, q EventsQuery) (EventsPage, error)
}

// EmbargoedDatasets runs queries on the six embargoed datasets. Each of them is published only
// after the operator records that a condition is met.
type EmbargoedDatasets interface {
	// IsReleased reports whether an embargoed dataset, such as demand, is released in this snapshot. If
	// it is not, the method of that dataset returns an error that wraps ErrSnapshotGone.
	IsReleased(dataset string) bool
	Demand(ctx context.Context, q EmbargoedQuery) (Page[DemandRow], error)
	Trends(ctx context.Context, q EmbargoedQuery) (Page[TrendsRow], error)
	Outlook(ctx context.Context, q EmbargoedQuery) (Page[OutlookRow], error)
	VacanciesNearWards(ctx context.Context, q EmbargoedQuery) (Page[ReachRow], error)
	NewsSignals(ctx context.Context, q EmbargoedQuery) (Page[SignalsRow], error)
	PlanPriorities(ctx context.Context, q EmbargoedQuery) (Page[PrioritiesRow], error)
}

// Vocabularies has the known values of query parameters with their names, and the outlines of the
// boroughs for maps.
type Vocabularies interface {
	// Places, Sectors, Skills and Occupations return the known values of the query parameters
	// place, sector, skill and soc.
	Places(ctx context.Context, q VocabularyQuery) (Page[PlacesRow], error)
	Sectors(ctx context.Context, q VocabularyQuery) (Page[SectorsRow], error)
	Skills(ctx context.Context, q VocabularyQuery) (Page[SkillsRow], error)
	Occupations(ctx context.Context, q VocabularyQuery) (Page[OccupationsRow], error)
	Regions(ctx context.Context, q RegionsQuery) (Page[RegionsRow], error)
	// Outlines returns the map outlines of the boroughs, ordered by place. Boroughs without an
	// outline are left out. The caller must not change the result, which is shared.
	Outlines() Page[Outline]
	// NamedValues returns the values of Places, Sectors, Skills, Occupations or Levels with their
	// names, ordered by value. The result is shared and must not be changed. For other vocabularies
	// it is nil.
	NamedValues(v Vocabulary) []Named

	// Values returns the known values of a vocabulary, such as all place slugs, sorted and without
	// duplicates. The result is shared and must not be changed.
	Values(v Vocabulary) []string
	// ResolveRegion finds the region for a value of the query parameter region: the code of a
	// nation, region or council, or the slug or code of a local skills improvement plan area.
	// Letter case does not matter for codes. The former code of an area that was merged or recoded
	// means the current area, and that of an area that was split the former one. It returns false if
	// there is no such region in the country.
	ResolveRegion(country, param string) (Region, bool)
}

// Vocabulary names a list of known values, for example "places" for all place slugs.
type Vocabulary string

// Places and the constants below name the lists of known values.
const (
	// slugs of boroughs and of other served areas, such as camden
	Places Vocabulary = "places"
	// slugs of sectors, such as digital
	Sectors Vocabulary = "sectors"
	// slugs of skills, such as excel
	Skills Vocabulary = "skills"
	// SOC 2020 codes of 1 to 4 digits
	Occupations Vocabulary = "occupations"
	// values of the parameter region, for suggestions: official codes and area slugs
	RegionNames Vocabulary = "regions"
	// levels of skill, "1" to "5", which only Snapshot.NamedValues returns
	Levels Vocabulary = "levels"
)

// Page is the result of a query: rows and the sources of their figures.
type Page[R any] struct {
	Rows []R
	// Sources holds the sources of exactly these rows, without duplicates, ordered by key. It is
	// empty without rows.
	Sources []Source
	// More is true if further rows follow the last one.
	More bool
	// Placed describes how precisely the places of the counted adverts are known; nil if that is
	// not known. Only pages of unmet skills have it.
	Placed *AdvertsPlaced
	// TooFewAdverts is true if there are no rows because too few adverts, or adverts of too few
	// employers, match the filters. It is only used for unmet skills.
	TooFewAdverts bool
	// People describes the figures about people in the rows; nil if the rows have none.
	People *People
}

// Region is an area that the query parameter region can select.
type Region struct {
	Code    string // official statistics code, such as E12000007
	Name    string
	Kind    string // kind of region: nation, region, council or lsip
	Country string // ISO 3166-1 alpha-2 code, such as GB
	// SplitInto has the current codes into which the area was split. It is empty if the area was
	// not split. Otherwise the other fields describe the former area.
	SplitInto Keys
}

// Outline is the boundary of a borough, simplified for a small map.
type Outline struct {
	Place string           // slug of the borough, such as camden
	Shape orb.MultiPolygon // boundary in longitude and latitude, degrees of WGS 84
}

// Correction is the correction of a published figure by the operator of this service.
type Correction struct {
	Source   string  // key of the source that published the figure
	Record   string  // identifies the figure, as in the table corrections
	Old, New *string // the publisher's value and the corrected one; nil or "null" = no value
	Reason   string
	// DecidedOn is the day on which the operator decided on the correction.
	DecidedOn Date
}

// WithdrawsFigure reports whether the operator withdrew the figure. The publisher's value must then
// not be repeated.
func (c Correction) WithdrawsFigure() bool { return c.New == nil || *c.New == noValue }

// PublishersValue returns the publisher's value as text, such as "2700" or "<5", or "no figure" if
// the publisher has no value.
func (c Correction) PublishersValue() string {
	if c.Old == nil || *c.Old == noValue {
		return "no figure"
	}
	return *c.Old
}

// Sentence returns what readers must know about a corrected figure: which one it is, the publisher's
// value, and when and why the operator corrected it.
func (c Correction) Sentence() string {
	day, reason := c.DecidedOn.Time().Format(time.DateOnly), strings.TrimSuffix(strings.TrimSpace(c.Reason), ".")
	if c.WithdrawsFigure() {
		return fmt.Sprintf("On %s the operator withdrew the figure %s: %s.", day, c.Record, reason)
	}
	return fmt.Sprintf("On %s the operator corrected the figure %s to %s; the publisher gives %s: %s.", day, c.Record,
		*c.New, c.PublishersValue(), reason)
}

// noValue is the text in the table corrections for a figure without a value.
const noValue = "null"

// Named is one known value of a query parameter, such as the slug of a place or skill, with its
// name and properties.
type Named struct {
	Value string
	Name  string
	// Kind is the kind of a place (borough, or area for a union of boroughs) or the group of a
	// skill, such as technical, care or licence. It is empty if unknown.
	Kind string
	// Code is the national statistics code of a borough's council; empty if the value is not a
	// borough.
	Code string
	// Wordings are the phrases by which a skill is recognised in adverts, separated by |; {a,b}
	// means either word. It is empty if the value is not a skill.
	Wordings string
	// Level is the usual level of a skill, 1 to 5; 0 if the value is not a skill.
	Level int
}

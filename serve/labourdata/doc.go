// Package labourdata is the seam between the HTTP interface and the store that
// answers it: the questions, the rows and the snapshot that is asked. It holds
// plain Go types and no database, so that each side is built and tested alone.
package labourdata

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNoSnapshot is returned by Acquire when nothing has been mounted yet.
var ErrNoSnapshot = errors.New("no snapshot is loaded")

// ErrSnapshotGone is returned by AcquireID for a snapshot that is no longer
// kept open: a cursor that names it has expired.
var ErrSnapshotGone = errors.New("the snapshot is no longer kept")

// ErrSnapshotWithdrawn is an ErrSnapshotGone: the operator withdrew the snapshot.
var ErrSnapshotWithdrawn = fmt.Errorf("the snapshot was withdrawn: %w", ErrSnapshotGone)

// Live hands out the mounted snapshots. A caller keeps what it got until it
// calls release, exactly once; until then the snapshot stays open, even when a
// newer one has been mounted meanwhile.
type Live interface {
	// Acquire is the current snapshot. The error is ErrNoSnapshot (wrapped or
	// plain) when none is mounted.
	Acquire() (s Snapshot, release func(), err error)
	// AcquireID is the snapshot of that id, current or superseded but still
	// kept for cursors. The error is ErrSnapshotGone when it is not kept.
	AcquireID(id string) (s Snapshot, release func(), err error)
}

// Snapshot answers the questions of the labour endpoints from one immutable
// snapshot. It is safe for concurrent use. Questions arrive validated: every
// slug is one of Values, every region was resolved, every limit is in range.
// An answer that was stopped by ctx returns an error for which
// errors.Is(err, context.DeadlineExceeded) or context.Canceled holds.
type Snapshot interface {
	// ID is the snapshot's id, such as "2026-11-20.1".
	ID() string
	// AsOf is the date the data describes: midnight UTC.
	AsOf() time.Time
	// PeopleAsOf is the quarter end that counts of people describe: midnight UTC.
	PeopleAsOf() time.Time
	// PlatformName is the name in `Source: <platform_name>.`
	PlatformName() string

	SkillsUnmet(ctx context.Context, q SkillsUnmetQuery) (Page[SkillsUnmetRow], error)
	CourseDemand(ctx context.Context, q CourseDemandQuery) (Page[CourseDemandRow], error)
	SkillsGaps(ctx context.Context, q SkillsGapsQuery) (Page[SkillsGapsRow], error)
	Evidence(ctx context.Context, q EvidenceQuery) (Page[EvidenceRow], error)
	Sources(ctx context.Context, q SourcesQuery) (Page[SourcesRow], error)
	Regions(ctx context.Context, q RegionsQuery) (Page[RegionsRow], error)

	// Platform answers for the endpoints beside the labour data.
	Platform

	// Names names the values of the vocabularies.
	Names

	// Maps has the outlines of the boroughs.
	Maps

	// Held answers from the held datasets that are open.
	Held

	// Values lists the known values of a vocabulary, sorted bytewise and without
	// repeats. It is held in memory and must not be changed by the caller.
	Values(v Vocabulary) []string
	// ResolveRegion finds what the `region` parameter names: the code of a
	// nation, region or council, or the slug (or code) of a local skills
	// improvement plan area. Codes match in any letter case.
	ResolveRegion(country, param string) (Region, bool)
}

// Vocabulary is a closed list of values that a parameter may have.
type Vocabulary string

// The vocabularies.
const (
	Places      Vocabulary = "places"      // place slugs: boroughs and served areas
	Sectors     Vocabulary = "sectors"     // sector slugs
	Skills      Vocabulary = "skills"      // skill slugs
	Occupations Vocabulary = "occupations" // SOC 2020 codes of 1 to 4 digits
	RegionNames Vocabulary = "regions"     // what `region` may be: codes and area slugs; used to suggest the nearest
)

// Page is the answer to one question.
type Page[R any] struct {
	Rows []R
	// Sources has exactly the sources the rows came from, each once, ordered by
	// key. Without rows it is empty.
	Sources []Source
	// More is true when rows follow after the last one; always false where the
	// endpoint is not paged, even when the limit cut the list.
	More bool
}

// Source is an entry of the envelope's `sources`.
type Source struct {
	Key                  string
	Publisher            string
	Licence              string
	Link                 string
	AttributionStatement string // shown word for word with any figure from it
}

// Region is what a `region` parameter was resolved to.
type Region struct {
	Code    string // official code
	Name    string
	Kind    string // nation, region, council or lsip
	Country string // ISO 3166-1 alpha-2
}

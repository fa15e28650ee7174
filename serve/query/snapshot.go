package query

import (
	"database/sql"
	"fmt"
	"time"

	"labour/serve/labourdata"
	"labour/serve/query/tally"
	"labour/snapshots"
)

// Snapshot is one mounted snapshot. It is safe for concurrent use.
type Snapshot struct {
	db         *sql.DB
	manifest   snapshots.Manifest
	statements map[question]statement
	tally      *tally.Tally
	outlines   labourdata.Page[labourdata.Outline]
	vocabularies
}

var _ labourdata.Snapshot = (*Snapshot)(nil)

// ID is the snapshot's id.
func (s *Snapshot) ID() string { return string(s.manifest.ID) }

// AsOf is the date the data describes: midnight UTC.
func (s *Snapshot) AsOf() time.Time { return s.manifest.AsOf.Time }

// PeopleAsOf is the quarter end that counts of people describe: midnight UTC. It
// is the zero time for a snapshot without people.
func (s *Snapshot) PeopleAsOf() time.Time {
	if s.manifest.PeopleAsOf == nil {
		return time.Time{}
	}
	return s.manifest.PeopleAsOf.Time
}

// PlatformName is the name in `Source: <platform_name>.`
func (s *Snapshot) PlatformName() string { return s.manifest.PlatformName }

// Close gives everything back. No question may be running.
func (s *Snapshot) Close() error {
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("close snapshot %s: %w", s.ID(), err)
	}
	return nil
}

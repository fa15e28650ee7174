package query

import (
	"fmt"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// Snapshot is one mounted snapshot. It is safe for concurrent use.
type Snapshot struct {
	manifest snapshots.Manifest
	library  *library
	parts    map[string]*sharedPart // by name
	outlines api.Page[api.Outline]
	vocabularies
	// withoutPartners says that the events of partners are not in the data directory.
	withoutPartners bool
}

var _ api.Snapshot = (*Snapshot)(nil)

// ID is the snapshot's id.
func (s *Snapshot) ID() string { return string(s.manifest.ID) }

// AsOf is the date the data describes: midnight UTC.
func (s *Snapshot) AsOf() time.Time { return s.manifest.AsOf.Time }

// PeopleAsOf is the month end that counts of people describe: midnight UTC. It
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
	if err := s.library.release(s.parts); err != nil {
		return fmt.Errorf("close snapshot %s: %w", s.ID(), err)
	}
	return nil
}

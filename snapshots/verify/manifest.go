package verify

import (
	"context"
	"path/filepath"
	"slices"

	"labour/snapshots"
)

// checkManifest looks at what the manifest says of itself.
func checkManifest(_ context.Context, s *subject) error {
	const file = snapshots.ManifestName
	m := s.manifest
	if !m.ID.Date().Equal(m.AsOf.Time) {
		s.fault("manifest", file, WholeFile, "as_of %s is not the date of %s", m.AsOf, m.ID)
	}
	if base := filepath.Base(filepath.Clean(s.dir)); base != string(m.ID) {
		if _, err := snapshots.ParseID(base); err == nil {
			s.fault("manifest", file, WholeFile, "names %s, the directory is %s", m.ID, base)
		}
	}
	if m.PeopleAsOf != nil && m.PeopleAsOf.After(m.AsOf.Time) {
		s.fault("manifest", file, WholeFile, "people_as_of %s is after as_of %s", m.PeopleAsOf, m.AsOf)
	}
	if m.PlatformName == "" {
		s.fault("manifest", file, WholeFile, "platform_name is empty")
	}
	if m.Previous != nil && m.Previous.ID == m.ID {
		s.fault("manifest", file, WholeFile, "names itself as the previous snapshot")
	}
	checkHeld(s)
	return nil
}

// checkHeld: a dataset is open only with the evidence that its condition is met.
func checkHeld(s *subject) {
	const file = snapshots.ManifestName
	for _, h := range s.manifest.Held {
		if _, known := snapshots.HeldNamed(h.Name); !known {
			s.fault("manifest", file, WholeFile, "held dataset %q is unknown", h.Name)
		}
		if h.Open && h.Evidence == "" {
			s.fault("manifest", file, WholeFile, "held dataset %s is open without evidence", h.Name)
		}
		if !h.Open && h.Evidence != "" {
			s.fault("manifest", file, WholeFile, "held dataset %s is not open and has evidence", h.Name)
		}
	}
	for _, known := range snapshots.HeldDatasets() {
		if !slices.ContainsFunc(s.manifest.Held, func(h snapshots.HeldState) bool { return h.Name == known.Name }) {
			s.fault("manifest", file, WholeFile, "says nothing of the held dataset %s", known.Name)
		}
	}
}

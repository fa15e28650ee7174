package pipeline

import (
	"os"
	"testing"

	"labour/pipeline/protected"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// TestLightRunOverDamagedResidents: a run of the platform's open jobs alone reads no file of people, so
// that a body of theirs which is damaged in the archive is no fault of that run.
func TestLightRunOverDamagedResidents(t *testing.T) {
	s := newSmall(t)
	s.run()
	s.damage("residents.ndjson")
	r := s.light()
	for _, one := range r.Report.Sources {
		if one.Source == platform.Key && one.Faults[sources.FaultDamaged] != 0 {
			t.Errorf("%+v", one.Faults)
		}
	}
	if len(r.FailedSources) != 0 {
		t.Errorf("failed: %v", r.FailedSources)
	}
}

// damage damages the archived body of one file of the platform.
func (s *small) damage(name string) {
	s.t.Helper()
	a, err := archive.Open(protected.ArchiveDir(s.data))
	if err != nil {
		s.t.Fatal(err)
	}
	defer a.Close()
	for x, err := range a.ExtractsNewestFirst(platform.Key) {
		if err != nil {
			s.t.Fatal(err)
		}
		if o, ok := x.Object(name); ok {
			if err := os.WriteFile(a.BodyPath(o.SHA256), []byte("damaged"), 0o600); err != nil {
				s.t.Fatal(err)
			}
			return
		}
	}
	s.t.Fatalf("no extract holds %s", name)
}

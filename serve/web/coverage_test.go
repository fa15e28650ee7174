package web

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"labour/snapshots"
	"labour/snapshots/store"
)

// TestCoverage: shares are of the adverts in the country, skills of those with a text;
// numbers of adverts stay where they are, and a source of a few adverts has no shares.
func TestCoverage(t *testing.T) {
	store, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	const id = snapshots.ID("2026-11-20.1")
	s := &Site{Options: Options{Store: store}}
	if got, err := s.coverageOf(id); err != nil || got != nil {
		t.Errorf("without a snapshot: %v, %v", got, err)
	}
	report := `{"sources":[{"source":"ons_geography"},
		{"source":"few","adverts":{"in_uk":99,"placed":99,"excluded":{}}},
		{"source":"platform","adverts":{"in_uk":200,"placed":199,"with_soc":150,"with_sector":33,"with_skill":90,"no_text":100,"excluded":{"duplicate":3,"imported_listing":7,"undated":0}}}]}`
	file := filepath.Join(store.SnapshotDir(id), snapshots.ReportFileName)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(report), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := s.coverageOf(id)
	want := map[string]*coverage{"platform": {Placed: 99, Occupation: 75, Sector: 17, Skill: 90,
		LeftOut: []string{"listings from job boards", "vacancies seen before"}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got["platform"], err)
	}
}

package place

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
)

func TestMissedPlaces(t *testing.T) {
	g, m := nationGazetteer(t), &MissedPlaces{}
	for _, text := range []string{"Nether\tNowhere\n", "Nether Nowhere", "Whitchurch", "Leeds", "Paris", "London", "Boston"} {
		a := &sources.Advert{Locations: []sources.Location{{Text: text}}}
		if text != "Boston" {
			a.SalaryText = "£12 an hour"
		}
		c := g.Code(a, &Memory{})
		m.Add(a, &c)
	}
	path := filepath.Join(t.TempDir(), "coding", "places.tsv")
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadMissed(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []Missed{{2, MissedPlace, "Nether Nowhere"}, {1, Ambiguous, "Whitchurch"}, {1, MissedCountry, "Boston"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("missed (-want +got):\n%s", d)
	}
	if none, err := ReadMissed(path + ".none"); none != nil || err != nil {
		t.Errorf("before any run: %v, %v", none, err)
	}
}

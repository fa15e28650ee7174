package all

import (
	"reflect"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/blsprojections"
	"labour/sources/platform"
	"labour/sources/skillsprojections"
)

// TestKeys: a block of the configuration is named as the key of its source, so that
// a figure leads to the place where its source is configured.
func TestKeys(t *testing.T) {
	publication := skillsprojections.Config{Publications: []skillsprojections.Publication{{ID: "p",
		URL:  "https://x.example/p.csv",
		Kind: skillsprojections.KindPriorityOccupations, Published: "2025-08-12",
		Region: skillsprojections.UnitedKingdomCode}}}
	for field, c := range map[string]Config{
		"SkillsEngland":        {SkillsEngland: &publication},
		"OccupationsInDemand":  {OccupationsInDemand: &publication},
		"SkillsImperative2035": {SkillsImperative2035: &publication},
		"BLSProjections":       {BLSProjections: &blsprojections.Config{Projections: &blsprojections.Projections{Published: "2025-08-28"}}},
	} {
		list, err := ConfiguredSources(c, platform.Config{})
		if err != nil || len(list) != 1 {
			t.Errorf("%s: %d sources, %v", field, len(list), err)
			continue
		}
		f, _ := reflect.TypeOf(c).FieldByName(field)
		if i := list[0].Info(); i.Key != f.Tag.Get("yaml") || i.Kind != sources.KindProjections || i.HasAdverts {
			t.Errorf("%s: block %s makes the source %+v", field, f.Tag.Get("yaml"), i)
		}
	}
}

// TestFaultsTogether: the faults of all blocks are reported at once.
func TestFaultsTogether(t *testing.T) {
	_, err := ConfiguredSources(Config{SkillsEngland: &skillsprojections.Config{},
		BLSProjections: &blsprojections.Config{}},
		platform.Config{})
	if err == nil || !strings.Contains(err.Error(), "skills_england") ||
		!strings.Contains(err.Error(), "bls_employment_projections") {
		t.Errorf("%v", err)
	}
}

package cells

import (
	"fmt"
	"slices"
	"testing"

	"labour/pipeline/staging"
	"labour/snapshots"
)

// TestAmbiguousPlacesNeedANamedEmployer: an ambiguous advert is placed where its employer has other
// adverts. Adverts without an employer are not of one employer, so they settle no place of each other.
func TestAmbiguousPlacesNeedANamedEmployer(t *testing.T) {
	for employer, want := range map[string][]string{"x": {"hackney 2"}, "": {"hackney 1"}} {
		r := raw{}
		for i := range 2 {
			r.adverts = append(r.adverts, staging.Advert{Ordinal: int32(i), ID: fmt.Sprint("a", i), Source: "platform",
				FirstSource: "platform", Employer: employer, Posted: asOf, PlacePrecision: 1, Readable: true})
			r.verdicts = append(r.verdicts, countedVacancy(i, i))
		}
		r.places = []staging.AdvertPlace{{Ordinal: 0, CouncilCode: "E1"}, {Ordinal: 0, CouncilCode: "E2"},
			{Ordinal: 1, CouncilCode: "E2", IsCertain: true}}
		dir := t.TempDir()
		e := r.stage(t, dir, nil)
		var got []string
		for _, row := range ask[snapshots.AdvertsTotalRow](t, e, dir, QueryAdvertsTotal) {
			if row.AreaKind == "borough" {
				got = append(got, fmt.Sprint(row.Place, " ", row.Adverts))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("of the employer %q: %q, want %q", employer, got, want)
		}
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}
}

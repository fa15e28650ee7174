package pipeline

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/snapshots"
)

// "source is where the advert was first posted: an advert that the platform imported from an
// employer's board or from the apprenticeship service counts under that source and credits it",
// also where that source is not configured.
func TestImportedAdvertsCreditTheirSource(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = strings.Join([]string{
		advertLine("own", ""), advertLine("board", `"imported_from":"employer_board"`),
		advertLine("national-1", `"imported_from":"find_an_apprenticeship"`),
		advertLine("national-2", `"imported_from":"find_an_apprenticeship"`),
	}, "")
	r := s.run()
	counted := map[string]int64{}
	for _, c := range rowsOf[snapshots.AdvertsTotalRow](s, r, "adverts_total") {
		if c.Place == "hackney" {
			counted[c.Source] += int64(c.Adverts)
		}
	}
	if d := cmp.Diff(map[string]int64{"platform": 1, "employer_boards": 1, "find_an_apprenticeship": 2},
		counted); d != "" {
		t.Errorf("adverts of Hackney by source (-want +got):\n%s", d)
	}
	fresh := map[string]*time.Time{}
	for _, row := range rowsOf[snapshots.FreshnessRow](s, r, "freshness") {
		fresh[row.SourceKey] = row.LastSuccessAt
	}
	listed := map[string]snapshots.SourcesRow{}
	for _, row := range rowsOf[snapshots.SourcesRow](s, r, "sources") {
		listed[row.Key] = row
	}
	faa := listed["find_an_apprenticeship"]
	if !faa.AdvertsCounted || !strings.Contains(faa.AttributionStatement, "Open Government Licence") || faa.Rows != 0 ||
		fresh[faa.Key] == nil || !fresh[faa.Key].Equal(*fresh["platform"]) {
		t.Errorf("sources %+v, received %v", listed, fresh)
	}

	s.feed["adverts.ndjson"] = advertLine("own", "")
	for _, row := range rowsOf[snapshots.SourcesRow](s, s.run(), "sources") {
		if row.Key == faa.Key {
			t.Errorf("%s is still listed and has no advert left", row.Key)
		}
	}
}

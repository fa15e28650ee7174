package platform

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/sourcetest"
)

// outcome returns a line of an application that was made and ended on a day.
func outcome(id, resident, advert, day string) string {
	return fmt.Sprintf(`{"id":%q,"resident":%q,"advert":%q,"applied_at":"%sT09:00:00Z","outcome":"turned_down",`+
		`"outcome_recorded_at":"%sT09:00:00Z"}`+"\n", id, resident, advert, day, day)
}

// TestApplicationsWithoutAnAdvertOrResident: each is a fault, and is read. One from before the 15 months
// for which the feed must have adverts may be without its advert.
func TestApplicationsWithoutAnAdvertOrResident(t *testing.T) {
	const advert = `{"id":"ad-1","employer":"A","title":"B","kind":"job","posted_on":"2026-10-31"}` + "\n"
	const resident = `{"id":"r-1","borough":"camden","seeking_work":true}` + "\n"
	code := map[string]sources.FaultCode{"the advert of the application": sources.FaultUnknownReference,
		"the resident of the application": sources.FaultUnknownResident}
	for name, c := range map[string]struct{ line, says string }{
		"both there":          {outcome("ap-1", "r-1", "ad-1", "2026-10-31"), ""},
		"no advert":           {outcome("ap-1", "r-1", "ad-2", "2026-10-31"), "the advert of the application"},
		"no resident":         {outcome("ap-1", "r-2", "ad-1", "2026-10-31"), "the resident of the application"},
		"neither":             {outcome("ap-1", "r-2", "ad-2", "2026-10-31"), "the advert of the application"},
		"an old one":          {outcome("ap-1", "r-1", "ad-2", "2025-08-19"), ""},
		"just in time":        {outcome("ap-1", "r-1", "ad-2", "2025-08-20"), "the advert of the application"},
		"an old, no resident": {outcome("ap-1", "r-2", "ad-2", "2025-08-19"), "the resident of the application"},
	} {
		m := memory{"boroughs.ndjson": good + "\n", "adverts.ndjson": advert, "residents.ndjson": resident,
			"applications.ndjson": c.line}
		x := m.extract("applications.ndjson", "adverts.ndjson", "boroughs.ndjson", "residents.ndjson")
		x.FetchedAt = time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
		records, faults, err := sourcetest.ReadExtract(New(Config{}), x, m)
		if err != nil || len(records) != 4 {
			t.Errorf("%s: %d records, %v", name, len(records), err)
		}
		if c.says == "" && len(faults) > 0 {
			t.Errorf("%s: %+v", name, faults)
		}
		if c.says == "" {
			continue
		}
		if len(faults) != 1 || faults[0].Code != code[c.says] || faults[0].Where != "line 1" ||
			!strings.HasPrefix(faults[0].Detail, c.says) {
			t.Errorf("%s: %+v, want one that says %q", name, faults, c.says)
		}
	}
}

// TestApplicationsOfAFeedWithEmptyFiles: adverts whose lines are refused are missing, and so is
// everybody of an empty file. A kind that is not read at all is not missed.
func TestApplicationsOfAFeedWithEmptyFiles(t *testing.T) {
	line := outcome("ap-1", "r-1", "ad-1", "2026-10-31")
	for _, c := range []struct {
		adverts, residents string
		kinds              []RecordKind
		want               int
	}{{"{}\n", "", nil, 2}, {"", "", nil, 1}, {"", "", []RecordKind{KindApplications}, 0}} {
		m := memory{"adverts.ndjson": c.adverts, "residents.ndjson": c.residents, "applications.ndjson": line}
		x := m.extract("applications.ndjson", "adverts.ndjson", "residents.ndjson", "boroughs.ndjson")
		_, faults, err := sourcetest.ReadExtract(New(Config{Kinds: c.kinds}), x, m)
		if err != nil || len(faults) != c.want {
			t.Errorf("adverts %q, kinds %v: %+v, %v; want %d", c.adverts, c.kinds, faults, err, c.want)
		}
	}
}

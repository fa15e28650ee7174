package conformance

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

const openLicence = "Contains public sector information licensed under the Open Government Licence v3.0."

// "Wherever a figure is shown, republished or passed on, the attribution_statement of
// every source it came from is shown word for word."
func TestNoticeSaysWordForWord(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		notice := s.labour(t, "skills-unmet?limit=1").AttributionNotice
		for _, words := range []string{"shown, republished or passed on", "attribution_statement", "every source",
			"word for word"} {
			if !strings.Contains(notice, words) {
				t.Errorf("the notice does not say %q: %s", words, notice)
			}
		}
	})
}

// The statements go with the figures in every format.
func TestStatementsGoWithFiles(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		e := s.some(t, "course-demand?limit=5")
		csv := string(s.get(t, "/v1/labour/course-demand?limit=5&format=csv").body)
		for _, source := range e.Sources {
			if !strings.Contains(csv, source.text("attribution_statement")) {
				t.Errorf("the CSV has no statement of %s", source.text("key"))
			}
		}
	})
}

// "Anyone who is given the data takes on the same rule."
func TestNoticeBindsWhoIsGivenTheData(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if notice := s.labour(t, "sources").AttributionNotice; !strings.Contains(notice, "takes on the same rule") {
			t.Error(notice)
		}
	})
}

// "National education department statistics and a national skills body (open licence):
// Contains public sector information licensed under the Open Government Licence v3.0."
func TestStatementOfOpenLicence(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, source := range s.some(t, "course-demand").Sources {
			if got := source.text("attribution_statement"); got != openLicence {
				t.Errorf("%s: %q", source.text("key"), got)
			}
		}
		for _, source := range s.some(t, "sources").Data {
			if source.text("key") == "skills_england" && source.text("attribution_statement") != openLicence {
				t.Errorf("%v", source)
			}
		}
	})
}

// "The United States labour statistics agency (public domain): a one-sentence
// `Source:` statement naming that agency."
func TestStatementOfTheUnitedStatesAgency(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, source := range s.some(t, "skills-gaps?country=US").Sources {
			if got := source.text("attribution_statement"); got != "Source: U.S. Bureau of Labor Statistics." {
				t.Errorf("%s: %q", source.text("key"), got)
			}
		}
	})
}

// "National statistics office geography (regions): a statement naming the office, the
// Open Government Licence v3.0 and the map-data copyright."
func TestStatementOfGeography(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		e := s.some(t, "regions")
		year := e.Meta.text("as_of")[:4]
		for _, source := range e.Sources {
			for _, words := range []string{"Office for National Statistics", "Open Government Licence v3.0",
				"Contains OS data © Crown copyright and database right " + year} {
				if !strings.Contains(source.text("attribution_statement"), words) {
					t.Errorf("%q does not name %q", source.text("attribution_statement"), words)
				}
			}
		}
	})
}

// "The service's own figures, such as skills not met: Source: <platform_name>."
func TestStatementOfThePlatform(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, source := range s.some(t, "skills-unmet?source=platform").Sources {
			if got := source.text("attribution_statement"); source.text("key") == "platform" &&
				!regexp.MustCompile(`^Source: .+\.$`).MatchString(got) {
				t.Errorf("%q", got)
			}
		}
	})
}

// "Other data carries meta.as_of."
func TestDataCarriesAsOf(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		asOf := s.labour(t, "skills-unmet?limit=1").Meta.text("as_of")
		for _, path := range labourPaths {
			if got := s.labour(t, path).Meta.text("as_of"); got != asOf {
				t.Errorf("%s is as of %s, skills-unmet as of %s", path, got, asOf)
			}
		}
	})
}

// "Each source's freshness is on /v1/labour/sources (last_success_at, stale)."
func TestSourcesTellFreshness(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.some(t, "sources").Data {
			r.has(t, "last_success_at", "stale")
			if _, isBool := r["stale"].(bool); !isBool {
				t.Errorf("stale is %v", r["stale"])
			}
			if r["last_success_at"] != nil {
				r.time(t, "last_success_at")
			} else if r["stale"] != true {
				t.Errorf("%s was never received and is not stale", r.text("key"))
			}
		}
	})
}

// "The boolean stale": both values occur on our own servers.
func TestStaleOccurs(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if s.own == nil {
			t.Skip("which source is stale is the server's own affair")
		}
		stale := map[any]int{}
		for _, r := range s.some(t, "sources").Data {
			stale[r["stale"]]++
		}
		if stale[true] == 0 || stale[false] == 0 {
			t.Errorf("stale: %v", stale)
		}
	})
}

// "Every receivable source, with licence, cadence, freshness."
func TestSourcesRow(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		listed := keys(s.some(t, "sources").Data, "key")
		for _, r := range s.some(t, "sources").Data {
			r.filled(t, "key", "publisher", "licence", "link", "attribution_statement", "cadence")
		}
		for _, path := range append(labourPaths, "skills-gaps?country=US") {
			for _, source := range s.labour(t, path).Sources {
				if !listed[source.text("key")] {
					t.Errorf("%s of %s is not listed", source.text("key"), path)
				}
			}
		}
	})
}

// "Fields of region rows: official national-statistics codes and names."
func TestRegionsRow(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, kind := range []string{"travel_to_work_area", "council", "lsip", "itl1", "region", "nation"} {
			for _, r := range s.some(t, "regions?limit=5000&kind="+kind).Data {
				r.filled(t, "code", "name")
				if !officialCode.MatchString(r.text("code")) {
					t.Errorf("code %q of %s", r.text("code"), r.text("name"))
				}
			}
		}
	})
}

// "Regions with official codes, searchable by name."
func TestRegionsAreSearchedByName(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, name := range []string{"lond", "LOND", "lönd"} {
			rows := s.some(t, query("regions", "name", name, "kind", "region")).Data
			if len(rows) != 1 || rows[0].text("code") != "E12000007" {
				t.Errorf("name=%s: %v", name, rows)
			}
		}
		if rows := s.labour(t, "regions?name=nothinghasthisname").Data; len(rows) != 0 {
			t.Errorf("%v", rows)
		}
	})
}

// "Regions geography kinds: travel-to-work area (default), council, local skills
// improvement plan area, ITL region."
func TestRegionsKinds(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.some(t, "regions").Data {
			if r.text("kind") != "travel_to_work_area" {
				t.Errorf("without kind: %s", r.text("kind"))
			}
		}
		for _, kind := range []string{"council", "lsip", "itl1", "itl2", "itl3", "region", "nation"} {
			for _, r := range s.some(t, "regions?kind="+kind).Data {
				if r.text("kind") != kind {
					t.Errorf("kind=%s: %s", kind, r.text("kind"))
				}
			}
		}
		if got := keys(s.some(t, "regions?kind=itl&limit=5000").Data, "kind"); len(got) != 3 {
			t.Errorf("kind=itl: %v", got)
		}
		s.refused(t, "/v1/labour/regions?kind=county", http.StatusBadRequest, "invalid_parameter")
	})
}

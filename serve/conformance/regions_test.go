package conformance

import (
	"net/http"
	"strings"
	"testing"
)

// takeRegion are the endpoints that take a country and a region.
var takeRegion = []string{"course-demand", "skills-gaps", "evidence"}

// "country: ISO 3166-1 alpha-2, default GB", on course-demand …
func TestCountryOfCourseDemand(t *testing.T) {
	each(t, func(t *testing.T, s *server) { defaultsToGB(t, s, "course-demand") })
}

// … on skills-gaps …
func TestCountryOfSkillsGaps(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		defaultsToGB(t, s, "skills-gaps")
		for _, r := range s.some(t, "skills-gaps?country=US").Data {
			if r.text("country") != "US" || r.text("classification") == "SOC2020" {
				t.Errorf("%v", r)
			}
		}
	})
}

// … and on evidence.
func TestCountryOfEvidence(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		defaultsToGB(t, s, "evidence")
		for _, r := range s.some(t, "evidence?country=US").Data {
			if r.text("country") != "US" {
				t.Errorf("%v", r)
			}
		}
	})
}

func defaultsToGB(t *testing.T, s *server, path string) {
	t.Helper()
	for _, country := range []string{"GB", "gb"} {
		if plain, named := s.some(t, path), s.some(t, path+"?country="+country); comparable(t,
			plain.Data) != comparable(t, named.Data) {
			t.Errorf("%s with country=%s is not %s", path, country, path)
		}
	}
	for _, wrong := range []string{"XX", "GBR", "UK"} {
		s.refused(t, "/v1/labour/"+path+"?country="+wrong, http.StatusBadRequest, "invalid_parameter")
	}
	if rows := s.labour(t, path+"?country=FR").Data; len(rows) != 0 {
		t.Errorf("%s has %d rows of France", path, len(rows))
	}
}

// "Regions cover the United Kingdom only."
func TestRegionsCoverTheUnitedKingdomOnly(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range takeRegion {
			if a := s.get(t, "/v1/labour/"+path+"?country=US&region=E12000007"); a.status != http.StatusBadRequest {
				t.Errorf("%s: status %d", path, a.status)
			}
		}
	})
}

// taken checks that a region is known to the endpoints, and returns the course demand
// there.
func (s *server) taken(t *testing.T, region string) []row {
	t.Helper()
	for _, path := range takeRegion {
		if a := s.get(t, query("/v1/labour/"+path, "region", region)); a.status != http.StatusOK {
			t.Errorf("%s?region=%s: status %d %s", path, region, a.status, a.body)
		}
	}
	return s.labour(t, query("course-demand", "region", region)).Data
}

// "region: a national-statistics region code …"
func TestRegionIsARegionCode(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		rows := s.taken(t, "E12000007")
		if len(rows) == 0 {
			t.Error("no figures of London")
		}
		for _, r := range rows {
			if r.text("region_code") != "E12000007" {
				t.Errorf("%v", r)
			}
		}
	})
}

// Every code that /v1/labour/regions lists is taken.
func TestRegionIsAnyListedCode(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, kind := range []string{"travel_to_work_area", "council", "lsip", "itl1", "itl2", "itl3", "region",
			"nation"} {
			rows := s.some(t, "regions?limit=5000&kind="+kind).Data
			for i := 0; i < len(rows); i += len(rows)/3 + 1 {
				s.taken(t, rows[i].text("code"))
			}
		}
		s.taken(t, "K02000001")
	})
}

// "… a nation code …"
func TestRegionIsANationCode(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if rows := s.taken(t, "E92000001"); len(rows) == 0 {
			t.Error("no figures of England")
		}
		s.taken(t, "W92000004")
	})
}

// "… a district code …"
func TestRegionIsADistrictCode(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if rows := s.taken(t, "E09000007"); len(rows) == 0 {
			t.Error("no figures of Camden")
		}
	})
}

// "… or a local skills improvement plan area slug."
func TestRegionIsAPlanArea(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		figures := 0
		for _, area := range s.some(t, "regions?kind=lsip&limit=5000").Data {
			slug := area.text("slug")
			if slug == "" {
				t.Errorf("no slug: %v", area)
				continue
			}
			rows := s.labour(t, query("course-demand", "region", slug)).Data
			figures += len(rows)
			for _, r := range rows {
				if r.text("region_code") != area.text("code") {
					t.Errorf("%s: %v", slug, r)
				}
			}
		}
		if figures == 0 {
			t.Error("no plan area has figures")
		}
	})
}

// "Omitting it gives national figures."
func TestWithoutRegionNationalFigures(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		national := map[string]bool{"K02000001": true, "E92000001": true, "W92000004": true, "S92000003": true,
			"N92000002": true, "": true}
		for _, path := range takeRegion {
			for code := range keys(s.some(t, path+"?limit=200").Data, "region_code") {
				if !national[code] {
					t.Errorf("%s without region has figures of %s", path, code)
				}
			}
		}
	})
}

// An unknown region is 400.
func TestUnknownRegion(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range takeRegion {
			s.refused(t, "/v1/labour/"+path+"?region=E99999999", http.StatusBadRequest, "unknown_region")
		}
	})
}

// "Published evidence rows behind the figures": each figure of course-demand,
// regional ones too, has its row.
func TestEvidenceStandsBehindEachFigure(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, region := range []string{"", "E12000007", "E09000007"} {
			parameters := []string{"limit", "5000"}
			if region != "" {
				parameters = append(parameters, "region", region)
			}
			figures := s.some(t, query("course-demand", parameters...)).Data
			parameters[1] = "200"
			behind := s.walk(t, query("/v1/labour/evidence", append(parameters, "kind", "statistic")...))
			sources, regions, known := keys(behind, "source_key"), keys(behind, "region_code"), 0
			for _, f := range figures {
				if f["value"] == nil {
					continue
				}
				known++
				if !sources[f.text("source_key")] || !regions[f.text("region_code")] && !regions[""] {
					t.Errorf("no evidence of %s behind %v", region, f)
					break
				}
			}
			if len(behind) < known {
				t.Errorf("region %q: %d rows of evidence behind %d figures", region, len(behind), known)
			}
		}
	})
}

// "each with source, licence, link and date."
func TestEvidenceRow(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.some(t, "evidence?limit=200").Data {
			r.filled(t, "id", "title", "source_key", "licence", "link")
			if strings.ContainsAny(r.text("id"), " ,;\"'/?&#") {
				t.Errorf("the id %q cannot stand in an address", r.text("id"))
			}
			r.date(t, "published_on")
		}
	})
}

// Every kind of evidence can be seen in the sandbox.
func TestEvidenceKinds(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, kind := range []string{"statistic", "projection", "report", "news"} {
			rows := s.labour(t, "evidence?kind="+kind).Data
			if len(rows) == 0 && s.own != nil {
				t.Errorf("no evidence of kind %s", kind)
			}
			for _, r := range rows {
				if r.text("kind") != kind {
					t.Errorf("kind=%s: %v", kind, r)
				}
			}
		}
	})
}

// The values of parameters are listed, and each listed place is accepted.
func TestVocabularies(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for path, column := range map[string]string{"places": "slug", "sectors": "slug", "skills": "slug",
			"occupations": "soc"} {
			rows := s.some(t, path).Data
			for _, r := range rows {
				if r.text(column) == "" || r.text("name") == "" {
					t.Errorf("%s: %v", path, r)
				}
			}
			one := rows[len(rows)/2].text(column)
			parameter := map[string]string{"places": "place", "sectors": "sector", "skills": "skill",
				"occupations": "soc"}[path]
			s.labour(t, query("skills-unmet", parameter, one))
		}
	})
}

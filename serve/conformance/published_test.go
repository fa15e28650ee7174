package conformance

import (
	"math/big"
	"strings"
	"testing"
)

// courseRows runs a test on rows of national and regional course demand.
func courseRows(t *testing.T, test func(*testing.T, row)) {
	t.Helper()
	each(t, func(t *testing.T, s *server) {
		for _, path := range []string{"/v1/labour/course-demand?limit=5000",
			"/v1/labour/course-demand?region=E12000007&limit=5000"} {
			rows := s.kept(t, path)
			if len(rows) == 0 {
				t.Fatalf("%s has no rows", path)
			}
			for _, r := range rows {
				test(t, r)
			}
		}
	})
}

// "source_key: key of a source in sources."
func TestCourseDemandSourceKey(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) { r.filled(t, "source_key") })
}

// "metric: apprenticeship starts, further education enrolments, skills bootcamps. The
// only exact value shown is apprenticeship_starts."
func TestCourseDemandMetrics(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, metric := range []string{"apprenticeship_starts", "further_education_enrolments",
			"skills_bootcamp_starts"} {
			for _, r := range s.some(t, "course-demand?metric="+metric).Data {
				if r.text("metric") != metric {
					t.Errorf("metric=%s: %v", metric, r)
				}
			}
		}
	})
}

// "region_code: official national-statistics region code."
func TestCourseDemandRegionCode(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) {
		if !officialCode.MatchString(r.text("region_code")) {
			t.Errorf("region_code %v", r["region_code"])
		}
	})
}

// "subject_area: subject area name."
func TestCourseDemandSubjectArea(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) { r.filled(t, "subject_area") })
}

// The sum over all subject areas is marked, so that nobody adds it to its parts.
func TestCourseDemandTotalIsMarked(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) {
		if r["is_total"] != (r.text("subject_area") == "Total") {
			t.Errorf("is_total is %v in %v", r["is_total"], r)
		}
	})
}

// "period_end: end of the period the value covers."
func TestCourseDemandPeriodEnd(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) { r.date(t, "period_end") })
}

// "value: integer, the string "<5", or null. The count."
func TestCourseDemandValue(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) { checkPeople(t, r, "value") })
}

// "year_on_year: previous_value (same type as value) …"
func TestCourseDemandPreviousValue(t *testing.T) {
	courseRows(t, func(t *testing.T, r row) { checkPeople(t, r.object("year_on_year"), "previous_value") })
}

// "… and change_pct (number)."
func TestCourseDemandChange(t *testing.T) {
	known := 0
	courseRows(t, func(t *testing.T, r row) {
		change := r.object("year_on_year")
		change.has(t, "change_pct")
		value, before, pct := r.number("value"), change.number("previous_value"), change.number("change_pct")
		if value == nil || before == nil || before.Sign() == 0 {
			if pct != nil {
				t.Errorf("a change without two counts: %v", r)
			}
			return
		}
		known++
		want := new(big.Rat).Quo(new(big.Rat).Mul(new(big.Rat).Sub(value, before), big.NewRat(100, 1)), before)
		if pct == nil || new(big.Rat).Abs(want.Sub(want, pct)).Cmp(big.NewRat(51, 1000)) > 0 {
			t.Errorf("change_pct is %v in %v", change["change_pct"], r)
		}
	})
	if known == 0 && !t.Failed() && !testing.Short() {
		t.Error("no change is known")
	}
}

// "The value before is that of the same figure a year before."
func TestCourseDemandPreviousValueIsThatOfTheYearBefore(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		values, compared := map[string]any{}, 0
		name := func(r row, year int) string {
			return strings.Join([]string{r.text("metric"), r.text("region_code"), r.text("subject_area"),
				r.date(t, "period_end").AddDate(year, 0, 0).Format("2006-01")}, "|")
		}
		rows := s.some(t, "course-demand?limit=5000").Data
		for _, r := range rows {
			values[name(r, 0)] = r["value"]
		}
		for _, r := range rows {
			if before, known := values[name(r, -1)]; known {
				compared++
				if got := r.object("year_on_year")["previous_value"]; got != before {
					t.Errorf("previous_value %v, the year before has %v: %v", got, before, r)
				}
			}
		}
		if compared == 0 {
			t.Error("no two years")
		}
	})
}

// "A count of people from 1 to 4 is never a number and never 0. It is the string
// "<5"."
func TestSmallCountsAreNeverNumbers(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.everyone(t) {
			checkPeople(t, r, "people_turned_down")
		}
		for _, borough := range s.boroughs(t) {
			checkPeople(t, s.object(t, query("/v1/s106", "borough", borough)), "local_people_employed",
				"apprenticeships_started")
		}
	})
}

// "Clients must accept a string where a number is expected": some counts are strings.
func TestSmallCountsAreStrings(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.everyone(t) {
			if r["people_turned_down"] == small {
				return
			}
		}
		t.Error(`no count is "<5"`)
	})
}

// "A published statistic with no figure (suppressed or not published) is null."
func TestMissingStatisticsAreNull(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, region := range []string{"E09000001", "E09000007", "E12000007"} {
			for _, r := range s.labour(t, "course-demand?limit=5000&region="+region).Data {
				if r["value"] == nil {
					return
				}
			}
		}
		t.Skip("every published figure is known here")
	})
}

// "null never stands for zero": and 0 never stands for an unknown figure.
func TestWhatCannotBeKnownIsNull(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, source := range []string{"employer_boards", "find_an_apprenticeship"} {
			e := s.some(t, "skills-unmet?limit=200&source="+source)
			for _, r := range e.Data {
				if r["people_turned_down"] != nil {
					t.Errorf("source=%s: people_turned_down %v, which is not published for one of the other sources", source,
						r["people_turned_down"])
					break
				}
			}
			if e.Meta.object("people").text("note") == "" {
				t.Errorf("source=%s: meta.people.note does not say why", source)
			}
		}
	})
}

// gapEvidence are the sources that point to a gap, by occupation. News is among them.
func (s *server) gapEvidence(t *testing.T, country string) map[string]map[string]bool {
	t.Helper()
	pointing := map[string]map[string]bool{}
	for _, r := range s.walk(t, "/v1/labour/evidence?limit=200&country="+country) {
		if soc := r.text("soc"); soc != "" && r.text("signal") == "gap" && r.text("kind") != "news" {
			if pointing[soc] == nil {
				pointing[soc] = map[string]bool{}
			}
			pointing[soc][r.text("source_key")] = true
		}
	}
	return pointing
}

// "sources_agreeing on skills gaps is the count of distinct published sources that
// point to a gap for an occupation."
func TestSourcesAgreeing(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		pointing, several := s.gapEvidence(t, "GB"), false
		for _, r := range s.some(t, "skills-gaps?limit=5000").Data {
			if got := r.whole(t, "sources_agreeing"); got != int64(len(pointing[r.text("soc")])) {
				t.Errorf("%s: %d sources agree, the evidence has %v", r.text("soc"), got, pointing[r.text("soc")])
			}
			several = several || len(pointing[r.text("soc")]) > 1
		}
		if !several {
			t.Error("no two sources agree on an occupation")
		}
	})
}

// Every occupation with a gap in the evidence has a row, with a projection or without.
func TestEveryGapHasARow(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		rows := keys(s.some(t, "skills-gaps?limit=5000").Data, "soc")
		for soc := range s.gapEvidence(t, "GB") {
			if !rows[soc] {
				t.Errorf("the evidence has a gap for %s, skills-gaps has no row", soc)
			}
		}
	})
}

// "A news headline is never counted."
func TestNewsIsNeverCounted(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		news := keys(s.walk(t, "/v1/labour/evidence?limit=200&kind=news"), "source_key")
		if len(news) == 0 {
			t.Skip("there is no news in the evidence")
		}
		for _, r := range s.some(t, "skills-gaps?limit=5000").Data {
			for _, k := range r.texts("pointing_sources") {
				if news[k] {
					t.Errorf("%s counts news of %s", r.text("soc"), k)
				}
			}
		}
	})
}

// "Fields of skills-gaps rows: sources_agreeing and the occupation."
func TestSkillsGapsRow(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.some(t, "skills-gaps").Data {
			r.filled(t, "soc", "occupation", "classification", "source_key")
			r.has(t, "sources_agreeing", "projected_change_pct", "projected_openings", "base_year", "horizon_year")
		}
	})
}

// "Occupations are coded with SOC 2020."
func TestOccupationsAreCodedWithSOC2020(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, r := range s.some(t, "skills-gaps").Data {
			if r.text("classification") != "SOC2020" {
				t.Errorf("%s is coded with %s", r.text("soc"), r.text("classification"))
			}
		}
	})
}

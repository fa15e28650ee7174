package conformance

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// "It is read over HTTPS with an API key."
func TestReadWithAnAPIKey(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if a := s.get(t, "/v1/labour/sources"); a.status != http.StatusOK {
			t.Errorf("with a key: %d", a.status)
		}
		if a := s.send(t, http.MethodGet, "/v1/labour/sources", ""); a.status != http.StatusUnauthorized {
			t.Errorf("without one: %d", a.status)
		}
	})
}

// "Live jobs, apprenticeships and training …"
func TestJobsAreJobsApprenticeshipsAndTraining(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, kind := range []string{"job", "apprenticeship", "training"} {
			rows := s.rows(t, query("/v1/jobs", "type", kind)).Data
			if len(rows) == 0 {
				t.Errorf("no %s", kind)
			}
			if got := keys(rows, "type"); len(rows) > 0 && (len(got) != 1 || !got[kind]) {
				t.Errorf("type=%s gives %v", kind, got)
			}
		}
	})
}

// "… filterable by borough and type."
func TestJobsAreFilteredByBoroughAndType(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		first := s.rows(t, "/v1/jobs?type=apprenticeship").Data
		if len(first) == 0 {
			t.Fatal("no apprenticeships")
		}
		borough := ""
		for _, r := range first {
			if borough = r.text("borough"); borough != "" {
				break
			}
		}
		rows := s.rows(t, query("/v1/jobs", "borough", borough, "type", "apprenticeship")).Data
		if len(rows) == 0 {
			t.Fatalf("none in %s", borough)
		}
		for _, r := range rows {
			if r.text("borough") != borough || r.text("type") != "apprenticeship" {
				t.Errorf("%s, %s in %s", r.text("id"), r.text("type"), r.text("borough"))
			}
		}
	})
}

// "Published careers pathways: routes into work, their steps and apprenticeship
// standards."
func TestPathwaysHaveStepsAndStandards(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		rows := s.rows(t, "/v1/pathways").Data
		if len(rows) == 0 {
			t.Fatal("no pathways")
		}
		standards := 0
		for _, p := range rows {
			p.filled(t, "id", "slug", "title")
			if len(p.list("steps")) == 0 {
				t.Errorf("%s has no steps", p.text("slug"))
			}
			standards += len(p.list("apprenticeship_standards"))
		}
		if standards == 0 {
			t.Error("no pathway has an apprenticeship standard")
		}
	})
}

// "Anonymous resident statistics. Counts only, small groups suppressed."
func TestCandidatesAreCounts(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		data := s.object(t, "/v1/candidates")
		checkPeople(t, data, "residents", "seeking_work")
		for _, list := range []string{"by_borough", "by_level", "by_sector_sought"} {
			if len(data.list(list)) == 0 {
				t.Errorf("no %s", list)
			}
			for _, group := range data.list(list) {
				checkPeople(t, group, "residents")
			}
		}
	})
}

// "Headline counts for one borough or the whole platform."
func TestS106IsOfABoroughOrThePlatform(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		all := s.object(t, "/v1/s106")
		part := s.object(t, query("/v1/s106", "borough", s.borough(t)))
		for _, name := range []string{"developments", "obligations", "jobs_created"} {
			if part.whole(t, name) > all.whole(t, name) {
				t.Errorf("%s of a borough: %v, of all %v", name, part[name], all[name])
			}
		}
	})
}

// "Compliance export (by arrangement). A developer-scoped summary for reporting
// platforms. It serves fixed preview data, so the figures are not live."
func TestComplianceExportIsAPreview(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		const body = `{"scheme":"social-value-2026","period_start":"2026-07-01","period_end":"2026-09-30"}`
		export := func() (e struct {
			Preview bool
			Notice  string
			Data    row
		}) {
			a := s.send(t, http.MethodPost, "/v1/compliance-export", body, "Authorization", "Bearer "+s.key,
				"Content-Type", "application/json")
			if a.status == http.StatusForbidden {
				t.Skip("the key lacks the scope developer")
			}
			decode(t, a.body, &e)
			return e
		}
		first, again := export(), export()
		if !first.Preview || !strings.Contains(first.Notice, "not live") || len(first.Data) == 0 {
			t.Errorf("%+v", first)
		}
		if a, b := comparable(t, first), comparable(t, again); a != b {
			t.Errorf("the preview is not fixed: %s, then %s", a, b)
		}
	})
}

// labourPaths are a call of each labour endpoint.
var labourPaths = []string{"skills-unmet", "skills-gaps", "course-demand", "evidence", "sources", "regions"}

// "Nothing about individual vacancies or individual people is returned by the labour
// endpoints."
func TestLabourEndpointsNameNoVacancyAndNobody(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		jobs := s.rows(t, "/v1/jobs?limit=100").Data
		for _, path := range labourPaths {
			body := string(s.get(t, "/v1/labour/"+path).body)
			for _, word := range []string{`"employer"`, `"advert"`, `"vacancy"`, `"resident"`, `"applicant"`,
				`"salary_text"`, `"adverts":`} {
				if strings.Contains(body, word) {
					t.Errorf("%s has %s", path, word)
				}
			}
			for _, j := range jobs {
				if strings.Contains(body, `"`+j.text("id")+`"`) || j.text("link") != "" &&
					strings.Contains(body, j.text("link")) {
					t.Errorf("%s names the vacancy %s", path, j.text("id"))
				}
			}
		}
	})
}

// "Adverts are counted only from roles posted on the platform itself, from employers'
// own applicant-tracking boards, and from a national apprenticeship vacancy service."
func TestAdvertsOfThreeSourcesAreCounted(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		var counted []string
		for _, r := range s.some(t, "sources").Data {
			if r["adverts_counted"] == true {
				counted = append(counted, r.text("key"))
			}
		}
		slices.Sort(counted)
		if !slices.Equal(counted, []string{"employer_boards", "find_an_apprenticeship", "platform"}) {
			t.Errorf("counted: %v", counted)
		}
	})
}

// "Listings from job boards and aggregators, and listings imported from them, are
// excluded, because their terms forbid passing on vacancy counts."
func TestJobBoardsAndAggregatorsAreExcluded(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, source := range []string{"job_board", "aggregator", "job_boards", "aggregators"} {
			s.refused(t, query("/v1/labour/skills-unmet", "source", source), http.StatusBadRequest, "invalid_parameter")
		}
		for _, r := range s.labour(t, "skills-unmet").Sources {
			if k := r.text("key"); k != "platform" && k != "employer_boards" && k != "find_an_apprenticeship" {
				t.Errorf("skills not met come from %s", k)
			}
		}
	})
}

// embargoedUntil checks that a dataset is not open and that its condition is named.
func embargoedUntil(t *testing.T, name, condition string) {
	t.Helper()
	every(t, func(t *testing.T, s *server) {
		a := s.get(t, "/v1/labour/"+name)
		if a.status == http.StatusOK {
			t.Skip("the operator has recorded that the condition is met")
		}
		e := s.refused(t, "/v1/labour/"+name, http.StatusForbidden, "dataset_not_open")
		if !strings.Contains(strings.ToLower(e.text("message")), strings.ToLower(condition)) {
			t.Errorf("the message names no condition: %s", e.text("message"))
		}
	})
}

// "Demand: daily vacancy counts by occupation. Waits on: counts from shareable
// sources only."
func TestDemandIsNotOpen(t *testing.T) {
	embargoedUntil(t, "demand", "counts from shareable sources only")
}

// "Trends: occupations growing and shrinking. Waits on: same as Demand."
func TestTrendsAreNotOpen(t *testing.T) {
	embargoedUntil(t, "trends", "counts from shareable sources only")
}

// "Outlook: skills gap outlook, 6 months to 5 years. Waits on: confirmation of reuse
// terms of the projections blended in."
func TestOutlookIsNotOpen(t *testing.T) { embargoedUntil(t, "outlook", "confirmation of reuse terms") }

// "Reach: live work reachable from each ward. Waits on: same as Demand."
func TestReachIsNotOpen(t *testing.T) {
	embargoedUntil(t, "reach", "counts from shareable sources only")
}

// "Signals: labour market news as the service's own summaries. Waits on: confirmation
// of publishers' terms."
func TestSignalsAreNotOpen(t *testing.T) {
	embargoedUntil(t, "signals", "confirmation of publishers' terms")
}

// "Priorities: what local skills improvement plans list as in demand. Waits on:
// settling how a summary and citation can be offered."
func TestPrioritiesAreNotOpen(t *testing.T) {
	embargoedUntil(t, "priorities", "settling how a summary and citation can be offered")
}

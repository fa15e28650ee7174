package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"labour/serve/web"
	"labour/snapshots/snaptest"
)

// titledSite is the small site on which the title carer finds care workers.
func titledSite(t *testing.T) *site {
	t.Helper()
	data := t.TempDir()
	snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	return siteThrough(t, data, sameLive, carersAreFound)
}

// carersAreFound lets the title carer find care workers.
func carersAreFound(o *web.Options) {
	o.OccupationOfTitle = func(title string) (string, bool) { return "6135", strings.EqualFold(title, "carer") }
}

// carersWhoPlan is the small content whose care workers are asked for project management instead of
// care planning, so that they share two skills with construction.
func carersWhoPlan(t *testing.T) snaptest.Content {
	t.Helper()
	c := snaptest.DefaultContent(t, "2026-11-20")
	for i := range c.Adverts {
		if r := &c.Adverts[i]; r.SOC == "6135" && r.Skill == "care-planning" {
			r.Skill = "project-management"
		}
	}
	for i := range c.Skills {
		c.Skills[i].Kind = "technical"
	}
	return c
}

// whoPlanAlone is carersWhoPlan where care workers and builders alone are asked for what they share.
func whoPlanAlone(t *testing.T) snaptest.Content {
	t.Helper()
	return carersWhoPlan(t).WithoutOtherOccupations([]string{"6135", "5319"}, "project-management", "customer-service")
}

// The page of an occupation has what adverts ask for, its next jobs, its forecasts with their
// sources, the pathways that lead to it and live jobs with the statements of their sources.
func TestOccupationPage(t *testing.T) {
	s := titledSite(t)
	tree := s.page(t, "/occupations/6135")
	said := strings.Join(strings.Fields(text(tree)), " ")
	for part, words := range map[string]string{
		"skills":    "The most unmet skill is Care planning",
		"forecasts": "2 sources point to a gap: Department for Education, Skills England",
		"evidence":  "Care to 2035",
		"pathways":  "Care worker (level 3) this occupation",
		"standards": "Adult care worker ST0005, level 2",
		"jobs":      "Care worker, Employer 0 Ltd, Camden",
		"credit":    "may be others. Source: London Works.",
		"next jobs": "No occupation shares enough skills",
	} {
		if !strings.Contains(said, words) {
			t.Errorf("%s: the page does not say %q", part, words)
		}
	}
	if w := s.get(t, "/occupations/9999"); w.Code != http.StatusNotFound {
		t.Errorf("an occupation that there is not: status %d", w.Code)
	}
}

// A search for a job title leads to its occupation first, though the official name has other
// words; what is no title finds by official names.
func TestTitlesFindOccupations(t *testing.T) {
	s := titledSite(t)
	for asked, want := range map[string]string{"carer": "/occupations/6135", "care workers": "/occupations/6135",
		"caring": "/occupations/6"} {
		first := ""
		for _, section := range elements(s.page(t, "/find?q="+url.QueryEscape(asked)), "section") {
			for _, l := range elements(section, "a") {
				if href := attribute(l, "href"); first == "" && strings.HasPrefix(href, "/occupations/") {
					first = href
				}
			}
		}
		if !strings.HasPrefix(first, want) {
			t.Errorf("%q finds %q first, want %s", asked, first, want)
		}
	}
}

package web_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// TestPagesWarnOfFewResidents: a page with shares of residents of a place tells how far rounding can
// move them where few are registered, and not where the counts are not rounded.
func TestPagesWarnOfFewResidents(t *testing.T) {
	if os.Getenv(dataEnv) != "" {
		t.Skip("the counts are those of the small snapshot")
	}
	s := newSite(t)
	const here = "Few residents are registered here; because counts are rounded, " +
		"a share of residents can be off by more than 9 points."
	for path, want := range map[string]string{
		"/places/islington": here, "/places/islington/brief": here, "/skills?place=islington": here,
		"/skills/sql?place=islington": here, "/occupations/2134?place=islington": here, "/plan?place=islington": here,
		"/places/islington?with=camden":                "Few residents are registered in Islington;",
		"/skills/sql?by=place":                         "Few residents are registered in ",
		"/skills/sql?by=place&map=residents":           "Few residents are registered in ",
		"/embed/skills/sql?by=place&map=residents":     "Few residents are registered in ",
		"/skills/sql/chart.svg?by=place&map=residents": "Few residents are registered in ",
	} {
		if body := s.get(t, path).Body.String(); !strings.Contains(body, want) {
			t.Errorf("%s lacks %q", path, want)
		}
	}
	const because = "because counts are rounded, a share of residents can be off"
	if strings.Contains(s.get(t, "/skills").Body.String(), because) {
		t.Error("the list of all places warns of one place")
	}
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	for i := range c.Candidates {
		if r := &c.Candidates[i]; r.Dimension == snapshots.CandidatesByBorough && r.Value == "islington" {
			*r.Residents = 250
		}
	}
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	if strings.Contains(siteOf(t, data).get(t, "/places/islington").Body.String(), because) {
		t.Error("a place with 250 residents is said to have few")
	}
}

// TestPagesSayThatAPlaceHasNoPeopleYet: a place that was added after the figures about people were made has none
// until the next quarter, and each page with its figures says so.
func TestPagesSayThatAPlaceHasNoPeopleYet(t *testing.T) {
	data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
	c.S106People = slices.DeleteFunc(c.S106People,
		func(r snapshots.S106PeopleRow) bool { return r.Place == "islington" })
	for i := range c.Candidates {
		if r := &c.Candidates[i]; r.Dimension == snapshots.CandidatesByBorough && r.Value == "islington" {
			r.Residents = nil
		}
	}
	c.People = slices.DeleteFunc(c.People, func(r snapshots.PeopleRow) bool { return r.Place == "islington" })
	c.Residents = slices.DeleteFunc(c.Residents, func(r snapshots.ResidentsRow) bool { return r.Place == "islington" })
	snaptest.BuildSnapshot(t, data, "2026-11-20", c)
	s := siteOf(t, data)
	for _, path := range []string{"/places/islington", "/places/islington/brief", "/skills?place=islington",
		"/skills/sql?place=islington", "/plan?place=islington"} {
		for _, untrue := range []string{"Few residents are registered", "ost unmet skill"} {
			if body := s.get(t, path).Body.String(); strings.Contains(body, untrue) {
				t.Errorf("%s says %q of a place without figures about people", path, untrue)
			}
		}
	}
	for _, path := range []string{"/places/islington", "/places/islington/brief", "/places/camden?with=islington",
		"/skills?place=islington", "/skills/sql?place=islington", "/plan?place=islington"} {
		body := s.get(t, path).Body.String()
		if n := strings.Count(body, "There are no figures about people for Islington yet"); n != 1 {
			t.Errorf("%s gives the reason %d times, want once", path, n)
		}
	}
	if strings.Contains(s.get(t, "/places/camden").Body.String(), "no figures about people") {
		t.Error("the page of another place says it too")
	}
}

// TestComparedResidents: two shares of residents that rounding alone can make different are said to be.
func TestComparedResidents(t *testing.T) {
	page := newSite(t).get(t, "/places/islington?with=camden").Body.String()
	if !strings.Contains(page, `<span class="soft">no clear difference</span></td></tr>`) {
		t.Error("the shares of residents of two places with few of them are compared without a word")
	}
}

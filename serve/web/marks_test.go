package web_test

import (
	"strings"
	"testing"

	"labour/serve/web"
	"labour/snapshots/snaptest"
)

// Pages and charts of invented data say so, and others do not.
func TestMadeUpDataAreMarked(t *testing.T) {
	s := siteThrough(t, sampleData(t), sameLive, func(o *web.Options) { o.MadeUp = true })
	for _, path := range []string{"/", "/skills", "/skills/sql", "/places/camden", "/embed/skills/sql",
		"/skills/sql/chart.svg", "/docs"} {
		if body := s.get(t, path).Body.String(); !strings.Contains(body, "Made-up data") {
			t.Errorf("%s does not say that its data are made up", path)
		}
		if body := newSite(t).get(t, path).Body.String(); strings.Contains(body, "Made-up data") {
			t.Errorf("%s states that its data are made up", path)
		}
	}
}

// Pages name the year that figures about people are of, and claim no cause.
func TestPeopleAreOfAYear(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/", "/skills", "/skills/sql", "/places/camden"} {
		body := s.get(t, path).Body.String()
		if !strings.Contains(body, "Figures about people are of the year to September 2026") {
			t.Errorf("%s does not name the year of its figures about people", path)
		}
		if strings.Contains(body, "part of why") {
			t.Errorf("%s claims a cause", path)
		}
	}
	if body := s.get(t, "/places/camden").Body.String(); !strings.Contains(body, "in the year to September 2026") {
		t.Error("the people turned down have no period")
	}
	if body := s.get(t, "/skills").Body.String(); !strings.Contains(body,
		"a difference between the two groups, not a cause") {
		t.Error("the difference is not explained")
	}
}

// Data of a platform whose address is one for examples are marked however the server was started.
func TestPlatformsForExamplesAreMarked(t *testing.T) {
	for link, want := range map[string]bool{"https://works.example": true, "https://www.works.example/jobs": true,
		"https://works.example.org": false, "https://example.org/works.example": false} {
		data, c := t.TempDir(), snaptest.DefaultContent(t, "2026-11-20")
		for i := range c.Sources {
			if c.Sources[i].Key == "platform" {
				c.Sources[i].Link = link
			}
		}
		snaptest.BuildSnapshot(t, data, "2026-11-20", c)
		s := siteOf(t, data)
		for _, path := range []string{"/", "/docs", "/skills/sql/chart.svg", "/skills?cursor=abc",
			"/places/camden?snapshot=2020-01-01.1"} {
			if marked := strings.Contains(s.get(t, path).Body.String(), "Made-up data"); marked != want {
				t.Errorf("%s of a platform at %s: marked %t, want %t", path, link, marked, want)
			}
		}
	}
}

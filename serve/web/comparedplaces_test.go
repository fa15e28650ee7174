package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// A place with too few adverts for a list has no figures in a comparison. It is not said that none of its
// adverts asks for a skill.
func TestComparedWithTooFewAdverts(t *testing.T) {
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.AdvertsTotal = slices.DeleteFunc(c.AdvertsTotal,
		func(r snapshots.AdvertsTotalRow) bool { return r.Place == "islington" })
	c.Adverts = slices.DeleteFunc(c.Adverts, func(r snapshots.AdvertsRow) bool { return r.Place == "islington" })
	s := siteWith(t, c)
	words := s.wordsOf(t, "/places/camden?with=islington")
	if !strings.Contains(words, "Too few adverts are counted in Islington to show them") ||
		strings.Contains(words, "not asked") {
		t.Errorf("the comparison says %s", words)
	}
}

// The links of a place's page keep the period that the visitor chose.
func TestLinksKeepThePeriod(t *testing.T) {
	s := newSite(t)
	for path, link := range map[string]string{"/places/camden?window=24": "?place=camden&amp;window=24",
		"/places/camden": "?place=camden\""} {
		if body := s.get(t, path).Body.String(); !strings.Contains(body, `href="/skills/sql`+link) {
			t.Errorf("%s has no link to a skill with %s", path, link)
		}
	}
}

// A country without forecasts here is refused, and not answered with those of the United Kingdom.
func TestForecastsOfAnUnknownCountry(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]int{"/gaps": http.StatusOK, "/gaps?country=US": http.StatusOK,
		"/gaps?country=FR": http.StatusBadRequest} {
		if got := s.get(t, path).Code; got != want {
			t.Errorf("%s: status %d, want %d", path, got, want)
		}
	}
}

package web_test

import (
	"os"
	"strings"
	"testing"
)

// TestLicenceAtALevel: a licence has no levels, so that a page about one at a level has a sentence, and
// no rows of nothing.
func TestLicenceAtALevel(t *testing.T) {
	if os.Getenv(dataEnv) != "" {
		t.Skip("the skill is that of the small snapshot")
	}
	s := newSite(t)
	for path, want := range map[string]bool{"/skills/site-safety?level=3": false, "/skills/site-safety": true} {
		page := s.get(t, path).Body.String()
		if strings.Contains(page, `id="breakdown"`) != want || !want && !strings.Contains(page, "Nothing can be shown") {
			t.Errorf("%s: with figures is not %t", path, want)
		}
		if strings.Contains(page, `name="level"`) {
			t.Errorf("%s offers levels of a licence", path)
		}
	}
}

// A list without rows says whether too few adverts match, or none of them asks for such a skill.
func TestAnEmptyListSaysWhy(t *testing.T) {
	if os.Getenv(dataEnv) != "" {
		t.Skip("the filters are those of the small snapshot")
	}
	s := newSite(t)
	const few = "/skills?place=islington&soc=6135&level=1&source=find_an_apprenticeship&sector=digital&window=3"
	for target, want := range map[string]string{
		few:                            "A list needs at least 5 counted adverts of at least 3 employers",
		"/skills?kind=licence&level=5": "No counted advert asks for a skill of this kind or level.",
	} {
		if page := text(s.page(t, target)); !strings.Contains(page, want) {
			t.Errorf("%s does not say %q", target, want)
		}
	}
}

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

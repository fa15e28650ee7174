package web_test

import "testing"

// TestFiguresLeadToEvidence: pages with figures of skills link to what was published, with their place.
func TestFiguresLeadToEvidence(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]string{"/skills": "/evidence", "/skills/sql": "/evidence",
		"/plan": "/evidence", "/skills?place=camden": "/evidence?place=camden",
		"/skills/sql?place=camden": "/evidence?place=camden", "/places/camden": "/evidence?place=camden",
		"/plan?place=camden": "/evidence?place=camden", "/occupations/6135": "/evidence"} {
		found := false
		for _, p := range elements(s.page(t, path), "p") {
			if attribute(p, "class") != "counted" {
				continue
			}
			for _, a := range elements(p, "a") {
				found = found || attribute(a, "href") == want
			}
		}
		if !found {
			t.Errorf("%s has no link to %s next to its figures", path, want)
		}
	}
}

package web_test

import (
	"strings"
	"testing"
)

// TestFiguresLeadToEvidence: pages with figures of skills link to what was published, with their
// place and occupation.
func TestFiguresLeadToEvidence(t *testing.T) {
	s := newSite(t)
	for path, want := range map[string]string{"/skills": "/evidence", "/skills/sql": "/evidence",
		"/plan": "/evidence", "/skills?place=camden": "/evidence?place=camden",
		"/skills/sql?place=camden": "/evidence?place=camden", "/places/camden": "/evidence?place=camden",
		"/plan?place=camden": "/evidence?place=camden",
		"/occupations/6135":  "/evidence?soc=6135",
		"/skills?soc=6135":   "/evidence?soc=6135", "/skills/sql?soc=2134": "/evidence?soc=2134"} {
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

// The page of a skill leads to the evidence on each occupation that asks for it, and that page has the
// evidence on it only.
func TestEvidenceOfAnOccupation(t *testing.T) {
	s := newSite(t)
	for path, words := range map[string]string{"/skills/care-planning": "Care workers and home carers",
		"/occupations/6135": "All published evidence on this occupation"} {
		found := false
		for _, a := range elements(s.page(t, path), "a") {
			found = found || attribute(a, "href") == "/evidence?soc=6135" && text(a) == words
		}
		if !found {
			t.Errorf("%s does not lead to the evidence on an occupation", path)
		}
	}
	page := s.page(t, "/evidence?soc=6135")
	items := 0
	for _, e := range elements(page, "li") {
		if attribute(e, "data-row") == "" {
			continue
		}
		if items++; !strings.Contains(text(e), "Occupation 6135") {
			t.Errorf("evidence on another occupation: %s", text(e))
		}
	}
	if items == 0 || !strings.Contains(text(elements(page, "h1")[0]), "Care workers") {
		t.Errorf("%d items under %q", items, text(elements(page, "h1")[0]))
	}
	if page := text(s.page(t, "/evidence?soc=53")); !strings.Contains(page, "Evidence on all occupations") {
		t.Errorf("a page without evidence leads nowhere: %s", page)
	}
}

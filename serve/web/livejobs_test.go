package web_test

import (
	"strings"
	"testing"
)

// TestPagesAdmitLiveJobs: pages that list live adverts do not say that nothing is about a single vacancy.
func TestPagesAdmitLiveJobs(t *testing.T) {
	s := newSite(t)
	for _, path := range []string{"/occupations/6135", "/docs/about"} {
		page := strings.Join(strings.Fields(text(s.page(t, path))), " ")
		if strings.Contains(page, "single vacancy") || !strings.Contains(page, "Live adverts") {
			t.Errorf("%s does not tell figures from live adverts", path)
		}
	}
}

package serve

import (
	"encoding/json"
	"strings"
	"testing"
)

// An answer says why a replaced code is answered with another, and why a list is empty.
func TestNotes(t *testing.T) {
	s := newService(t, nil)
	for target, want := range map[string]string{
		"course-demand?region=e09999907": "The code E09999907 was replaced by E12000007, which answers.",
		"skills-gaps?region=e09999907":   "The code E09999907 was replaced by E12000007, which answers.",
		"evidence?region=e09999907":      "The code E09999907 was replaced by E12000007, which answers.",
		"course-demand?region=e07000110": "The code E07000110 was replaced by E06000111 and E06000112. The figures are " +
			"those published under E07000110.",
		"course-demand?region=e12000007": "", "course-demand?region=local-london": "", "course-demand": "",
		"skills-unmet": "",
		"skills-unmet?place=hackney": "Fewer than 5 counted adverts, or adverts of fewer than 3 employers, " +
			"match these filters, so no figures are shown. Leave out a filter, or ask for a longer window.",
		"skills-unmet?place=hackney&skill=care&by=level": "Fewer than 5 counted adverts, or adverts of fewer than 3 " +
			"employers, match these filters, so no figures are shown. Leave out a filter, or ask for a longer window.",
		"skills-unmet?place=hackney&skill=care&by=month": "In each month fewer than 5 counted adverts, or adverts of " +
			"fewer than 3 employers, match, so no figures are shown. Leave out a filter, or ask for a longer window.",
		"skills-unmet?level=5": "Enough adverts match to show figures, but none of them asks for a skill at this " +
			"level. Leave out a filter, or ask for a longer window.",
		"skills-unmet?skill=excel": "Enough adverts match to show figures, but none of them asks for this skill. " +
			"Leave out a filter, or ask for a longer window.",
		"skills-unmet?skill=excel&level=2&by=place": "Enough adverts match to show figures, but none of them asks for " +
			"this skill at this level. Leave out a filter, or ask for a longer window.",
	} {
		res := s.get(t, "/v1/labour/"+target)
		var e struct{ Meta struct{ Note string } }
		if err := json.Unmarshal(res.body, &e); err != nil || e.Meta.Note != want {
			t.Errorf("%s: %q, %v", target, e.Meta.Note, err)
		}
		separator := "?"
		if strings.Contains(target, "?") {
			separator = "&"
		}
		if got := s.get(t, "/v1/labour/"+target+separator+"format=csv").header.Get("X-Note"); got != want {
			t.Errorf("%s in CSV: %q", target, got)
		}
	}
}

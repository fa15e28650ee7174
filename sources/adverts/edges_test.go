package adverts

import (
	"strings"
	"testing"

	"labour/sources"
)

// TestFieldsAtTheirLimit: each field is taken at its limit, and refused with one byte or place more.
func TestFieldsAtTheirLimit(t *testing.T) {
	for name, set := range map[string]func(a *sources.Advert, n int){
		"id":          func(a *sources.Advert, n int) { a.ID = strings.Repeat("x", 2000+n) },
		"title":       func(a *sources.Advert, n int) { a.Title = strings.Repeat("x", 2000+n) },
		"employer":    func(a *sources.Advert, n int) { a.Employer = strings.Repeat("x", 2000+n) },
		"requisition": func(a *sources.Advert, n int) { a.Requisition = strings.Repeat("x", 2000+n) },
		"department":  func(a *sources.Advert, n int) { a.Department = strings.Repeat("x", 2000+n) },
		"route":       func(a *sources.Advert, n int) { a.Route = strings.Repeat("x", 2000+n) },
		"salary":      func(a *sources.Advert, n int) { a.SalaryText = strings.Repeat("x", 2000+n) },
		"place": func(a *sources.Advert, n int) {
			a.Locations = []sources.Location{{Text: strings.Repeat("x",
				2000+n)}}
		},
		"country": func(a *sources.Advert, n int) {
			a.Locations = []sources.Location{{Country: strings.Repeat("x", 2000+n)}}
		},
		"postcode": func(a *sources.Advert, n int) {
			a.Locations = []sources.Location{{Postcode: strings.Repeat("x", 2000+n)}}
		},
		"slug":   func(a *sources.Advert, n int) { a.Locations = []sources.Location{{Slug: strings.Repeat("x", 2000+n)}} },
		"skill":  func(a *sources.Advert, n int) { a.Wanted = []sources.ListedSkill{{Skill: strings.Repeat("x", 2000+n)}} },
		"text":   func(a *sources.Advert, n int) { a.Text = strings.Repeat("x", 1<<20+n) },
		"places": func(a *sources.Advert, n int) { a.Locations = make([]sources.Location, 500+n) },
	} {
		for more, want := range []sources.FaultCode{"", sources.FaultBadValue} {
			a := sources.Advert{ID: "1", Title: "Chef"}
			set(&a, more)
			err := CleanAdvert(&a)
			if sources.FaultCodeOf(err) != want {
				t.Errorf("%s, %d beyond its limit: %v", name, more, err)
			}
			if err != nil && !strings.Contains(err.Error(),
				"longer than 2000 bytes, its text than 1048576, or it has more than 500") {
				t.Errorf("%s: %v does not name the limits", name, err)
			}
		}
	}
}

// TestEveryFieldIsCleaned: on one line, decoded and without contact details.
func TestEveryFieldIsCleaned(t *testing.T) {
	const raw, want = " R&amp;D\n jo@example.org ", "R&D [removed]"
	a := sources.Advert{ID: "1", Title: raw, Employer: raw, Requisition: raw, Department: raw, Route: raw,
		SalaryText: raw,
		Text:       raw, Wanted: []sources.ListedSkill{{Skill: raw, Level: 2}}, Locations: []sources.Location{{Text: raw,
			Country: " G\nB ", Postcode: " E1\x00 ", Slug: " a ", Remote: true}}}
	if err := CleanAdvert(&a); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{"title": a.Title, "employer": a.Employer, "requisition": a.Requisition,
		"department": a.Department, "route": a.Route, "salary": a.SalaryText, "skill": a.Wanted[0].Skill,
		"place": a.Locations[0].Text, "text": strings.ReplaceAll(a.Text, "\n", " ")} {
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if l := a.Locations[0]; l.Country != "G B" || l.Postcode != "E1" || l.Slug != "a" || !l.Remote {
		t.Errorf("%+v", l)
	}
}

// TestDaysOfAdvertsAreInTheirYears, at both ends; "0" and nothing mean that none is stated.
func TestDaysOfAdvertsAreInTheirYears(t *testing.T) {
	for in, want := range map[string]string{"1994-12-31": "posted is in the year 1994, outside 1995 to 2100",
		"1995-01-01": "", "2100-12-31": "", "2101-01-01": "posted is in the year 2101, outside 1995 to 2100",
		"x": "posted is not a date", " 0 ": "", " ": "", "0001-01-02": "posted is in the year 1, outside 1995 to 2100"} {
		if _, err := ParsePublishersDay("posted", in); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
	for in, ok := range map[[2]string]bool{{"90", "180"}: true, {"-90", "-180"}: true, {"90.001", "1"}: false,
		{"1", "-180.001"}: false, {"1", "x"}: false, {"x", "1"}: false} {
		if lat, lon := ParseCoordinates(in[0], in[1]); (lat != 0 && lon != 0) != ok {
			t.Errorf("%v are %v, %v", in, lat, lon)
		}
	}
}

// TestWebPagesNeedAHost, and of the web only.
func TestWebPagesNeedAHost(t *testing.T) {
	for in, want := range map[string]string{"https:///a": "", "ftp://example.org/a": "",
		"https://example.org":     "https://example.org",
		"https://example.org/%zz": "", "": "", "https://example.org/?a=b+c": "https://example.org/?a=b+c"} {
		if got := webPage(in); got != want {
			t.Errorf("%q is the page %q, want %q", in, got, want)
		}
	}
	if got := JoinPlaceNames("London", "lon", " ", "England", "england"); got != "London, England" {
		t.Errorf("the place is %q", got)
	}
}

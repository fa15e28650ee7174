package adverts

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/sources"
)

func TestCleanTakesOutWhatIsPersonal(t *testing.T) {
	a := sources.Advert{
		ID: "1", Title: " Care\nworker (ask jo&amp;#64;example.org)", Employer: "Example &amp; \u202eCare\x00 ",
		Text: "Call 020 7946 0018\n\n or\u00a0write", SalaryText: "£12 an hour, tel 020 7946 0018",
		ApplyURL: "mailto:jo@example.org", Link: "https://example.org/jobs/0207946001",
		Wanted:    []sources.ListedSkill{{Skill: " Team working "}},
		Locations: []sources.Location{{Text: "London "}, {}, {Text: "London"}, {Text: "Leeds", Country: "GB"}},
	}
	if err := CleanAdvert(&a); err != nil {
		t.Fatal(err)
	}
	want := sources.Advert{
		ID: "1", Title: "Care worker (ask [removed])", Employer: "Example & Care",
		Text: "Call [removed]\nor write", SalaryText: "£12 an hour, tel [removed]",
		Link:      "https://example.org/jobs/0207946001",
		Wanted:    []sources.ListedSkill{{Skill: "Team working"}},
		Locations: []sources.Location{{Text: "London"}, {Text: "Leeds", Country: "GB"}},
	}
	if d := cmp.Diff(want, a); d != "" {
		t.Errorf("Clean (-want +got):\n%s", d)
	}
}

func TestCleanRefusesWhatHasNoName(t *testing.T) {
	for _, a := range []sources.Advert{{Title: "x"}, {ID: "1"}, {ID: "1", Title: " \u200b"}} {
		if code := sources.FaultCodeOf(CleanAdvert(&a)); code != sources.FaultSchema {
			t.Errorf("CleanAdvert(%+v) gives code %q, want a schema fault", a, code)
		}
	}
}

func TestWebPage(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org/a?b=c":           "https://example.org/a?b=c",
		" http://example.org ":                "http://example.org",
		"https://example.org/?c=jo%40ex.org":  "",
		"https://jo:secret@example.org/":      "",
		"javascript:alert(1)":                 "",
		"www.example.org":                     "",
		"https://example.org/100%":            "",
		"https://example.org/@team/jobs/1234": "https://example.org/@team/jobs/1234",
	} {
		if got := webPage(in); got != want {
			t.Errorf("webPage(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestJoinPlaceNames(t *testing.T) {
	for _, c := range []struct {
		parts []string
		want  string
	}{
		{[]string{"UK", "London"}, "UK, London"},
		{[]string{"London, UK", "London", "UK"}, "London, UK"},
		{[]string{"", " Leeds "}, "Leeds"},
		{nil, ""},
	} {
		if got := JoinPlaceNames(c.parts...); got != c.want {
			t.Errorf("JoinPlaceNames(%q) = %q, want %q", c.parts, got, c.want)
		}
	}
}

func TestParsePublishersDay(t *testing.T) {
	for _, c := range []struct {
		in, want string
		code     sources.FaultCode
	}{
		{"", "", ""},
		{"0001-01-01T00:00:00Z", "", ""},
		{"0001-01-01", "", ""},
		{"2026-07-14T06:45:50-04:00", "2026-07-14", ""},
		{"2026-07-14T22:45:50-04:00", "2026-07-14", ""},
		{"2026-08-01T00:30:00+01:00", "2026-08-01", ""},
		{"08/11/2026", "", sources.FaultBadValue}, // in which country's order?
		{"2026-07-07T20:47:09.753+00:00", "2026-07-07", ""},
		{"2026-08-05 09:41:37 UTC", "2026-08-05", ""},
		{"2026-11-30T23:59:59", "2026-11-30", ""},
		{"2026-11-30", "2026-11-30", ""},
		{"2018-06-08T02:11:28.000Z", "2018-06-08", ""},
		{"2026-13-01", "", sources.FaultBadValue},
		{"soon", "", sources.FaultBadValue},
		{"1066-10-14", "", sources.FaultBadValue},
		{"20266-01-01", "", sources.FaultBadValue},
		{"1793982000000", "2026-11-06", ""},
		{"20260801", "2026-08-01", ""}, // a day, not the milliseconds of a morning in 1970
		{"0", "", ""},
		{"-1000000000000000", "", sources.FaultBadValue},
	} {
		got, err := ParsePublishersDay("posted", c.in)
		if got.String() != c.want || sources.FaultCodeOf(err) != c.code {
			t.Errorf("ParsePublishersDay(%q) = %q, %v; want %q and code %q", c.in, got, err, c.want, c.code)
		}
		if err != nil && strings.Contains(err.Error(), c.in) {
			t.Errorf("the fault %q repeats the value", err)
		}
	}
}

// Day gives back every day that it was given, in each of the forms.
func TestDayRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Unix(rapid.Int64Range(820454400, 4102444799).Draw(t, "unix"), 0).UTC()
		want := at.Format(time.DateOnly)
		for _, layout := range []string{time.RFC3339, time.DateOnly, "2006-01-02 15:04:05 UTC", "2006-01-02T15:04:05"} {
			if got, err := ParsePublishersDay("x", at.Format(layout)); err != nil || got.String() != want {
				t.Fatalf("ParsePublishersDay(%q) = %q, %v; want %q", at.Format(layout), got, err, want)
			}
		}
		if got, err := ParsePublishersDay("x", strconv.FormatInt(at.UnixMilli(), 10)); err != nil || got.String() != want {
			t.Fatalf("ParsePublishersDay of milliseconds = %q, %v; want %q", got, err, want)
		}
	})
}

// A field that no employer writes is refused before anything is made of it.
func TestFieldsThatAreFarTooLong(t *testing.T) {
	long := strings.Repeat("x ", maxLine)
	for name, change := range map[string]func(*sources.Advert){
		"title": func(a *sources.Advert) { a.Title = long },
		"place": func(a *sources.Advert) { a.Locations = []sources.Location{{Text: long}} },
		"text":  func(a *sources.Advert) { a.Text = strings.Repeat("x", maxText+1) },
		"many":  func(a *sources.Advert) { a.Locations = make([]sources.Location, maxPlaces+1) },
	} {
		a := sources.Advert{ID: "1", Title: "Chef", Text: strings.Repeat("x", maxText)}
		if err := CleanAdvert(&a); err != nil {
			t.Fatal(err)
		}
		change(&a)
		if err := CleanAdvert(&a); sources.FaultCodeOf(err) != sources.FaultBadValue {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Coordinates that are no place on earth are not given.
func TestParseCoordinates(t *testing.T) {
	for in, want := range map[[2]string][2]float64{{"51.5", "-0.1"}: {51.5, -0.1}, {"", ""}: {}, {"51.5", ""}: {},
		{"NaN", "0"}: {}, {"90.1", "0"}: {},
		{"-90", "180"}: {-90, 180}, {"1", "181"}: {}, {"x", "1"}: {}} {
		if lat, lon := ParseCoordinates(in[0], in[1]); lat != want[0] || lon != want[1] {
			t.Errorf("ParseCoordinates(%q) = %g, %g; want %v", in, lat, lon, want)
		}
	}
}

package employerboards

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

// register are the boards of the samples, at a base address.
func register(base string) Config {
	return Config{
		Vendors: map[string]Vendor{
			"greenhouse": {BaseURL: base + "/gh"}, "lever": {BaseURL: base + "/lv"},
			"lever_eu": {BaseURL: base + "/lveu/"}, "ashby": {BaseURL: base + "/ab"},
		},
		Boards: []Board{
			{Vendor: "greenhouse", Token: "northstreet", Employer: "Northstreet Health"},
			{Vendor: "lever", Token: "brightbarrow", Employer: "Brightbarrow"},
			{Vendor: "lever_eu", Token: "soleil", Employer: "Soleil Roofs"},
			{Vendor: "ashby", Token: "Quill Robotics", Employer: "Quill Robotics"},
			{Vendor: "ashby", Token: "closed", Employer: "Closed", Retired: true},
		},
	}
}

func connector(t testing.TB, c Config) *BoardsSource {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSuite(t *testing.T) {
	t.Parallel()
	sample := func(name string) string { return sourcetest.ReadSample(t, name) }
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source { return connector(t, register(base)) },
		Publisher: sourcetest.ServeBodies(map[string]string{
			"/gh/v1/boards/northstreet/jobs?content=true":                                sample("greenhouse.json"),
			"/lv/v0/postings/brightbarrow?mode=json&skip=0&limit=100":                    sample("lever.json"),
			"/lveu/v0/postings/soleil?mode=json&skip=0&limit=100":                        sample("lever_eu.json"),
			"/ab/posting-api/job-board/Quill%20Robotics?includeCompensation=true":        sample("ashby.json"),
			"/ab/posting-api/job-board/closed?includeCompensation=true&must=not be read": "{}",
		}),
		WantTerms:    sources.Terms{MayFetch: true, MayCount: true},
		CheckRecords: func(t *testing.T, records []sources.Record) { checkSamples(t, records) },
	})
}

// outline is an advert in a few lines, for comparison.
func outline(a sources.Advert) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s | %s | %s | %s", a.ID, a.Employer, a.Title, a.Posted)
	if !a.Closes.IsZero() {
		fmt.Fprintf(&b, " to %s", a.Closes)
	}
	for _, l := range a.Locations {
		fmt.Fprintf(&b, " | %s", l.Text)
		if l.Country != "" {
			fmt.Fprintf(&b, " [%s]", l.Country)
		}
		if l.Postcode != "" {
			fmt.Fprintf(&b, " (%s)", l.Postcode)
		}
		if l.Remote {
			b.WriteString(" remote")
		}
	}
	fmt.Fprintf(&b, " | dep=%s req=%s pay=%s", a.Department, a.Requisition, a.SalaryText)
	if !a.Listed {
		b.WriteString(" | unlisted")
	}
	return b.String()
}

func checkSamples(t *testing.T, records []sources.Record) {
	t.Helper()
	var got []string
	texts := map[string]string{}
	for _, r := range records {
		a := r.(sources.Advert)
		if a.Source != Key || a.Origin != sources.OriginEmployerBoard || a.Kind != "job" || a.Link == "" ||
			a.ApplyURL == "" {
			t.Errorf("advert %s: source %q, origin %q, kind %q, link %q, apply %q", a.ID, a.Source, a.Origin, a.Kind,
				a.Link, a.ApplyURL)
		}
		got = append(got, outline(a))
		texts[a.ID] = a.Text
	}
	want := strings.Split(strings.TrimSpace(sourcetest.ReadSample(t, "want.txt")), "\n")
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("adverts (-want +got):\n%s", d)
	}
	for id, want := range map[string]string{
		"greenhouse/northstreet/7000001": "About us\nNorthstreet Health runs clinics.\n" +
			"You will\nWrite SQL every day\nBuild reports in Power BI\nQuestions? Write to [removed] or ring [removed].\n" +
			"R&D experience is welcome.",
		"lever/brightbarrow/0b7e3a0e-0002-4c1e-9a55-1f1b2c3d4e02": "Brightbarrow moves parcels.\nWhat you'll do\n" +
			"Plan routes\nUse Excel & a warehouse management system\nWho you are\nYou hold a forklift licence\n" +
			"Call [removed] or see [removed]",
		"ashby/Quill Robotics/11111111-0000-4000-8000-000000000001": "About Quill\nWe build arms in Go and C++.\n" +
			"Ask [removed]",
		"ashby/Quill Robotics/11111111-0000-4000-8000-000000000003": "ABOUT QUILL\nWe build arms in Go and C++.",
	} {
		if d := cmp.Diff(want, texts[id]); d != "" {
			t.Errorf("text of %s (-want +got):\n%s", id, d)
		}
	}
}

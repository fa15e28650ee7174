package employerboards

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

// others are boards of the further vendors, at a base address.
func others(base string) Config {
	hosted := base + "/" + tokenMark
	return Config{
		Vendors: map[string]Vendor{
			"workable": {BaseURL: base}, "recruitee": {BaseURL: hosted}, "teamtailor": {BaseURL: hosted},
			"personio":     {BaseURL: hosted},
			"personio_com": {BaseURL: hosted + "/com"},
		},
		Boards: []Board{
			{Vendor: "workable", Token: "fennel", Employer: "Fennel Foods"},
			{Vendor: "recruitee", Token: "tansy", Employer: "Tansy"},
			{Vendor: "teamtailor", Token: "alder", Employer: "Alder"},
			{Vendor: "personio", Token: "loom", Employer: "Loom"},
			{Vendor: "personio_com", Token: "loom", Employer: "Loom"},
		},
	}
}

func TestSuiteOfFurtherVendors(t *testing.T) {
	t.Parallel()
	sourcetest.Run(t, sourcetest.Case{
		NewSource: func(base string) sources.Source { return connector(t, others(base)) },
		Publisher: sourcetest.ServeBodies(map[string]string{
			"/api/v1/widget/accounts/fennel?details=true": sourcetest.ReadSample(t, "workable.json"),
			"/tansy/api/offers/":                          sourcetest.ReadSample(t, "recruitee.json"),
			"/alder/jobs.json":                            sourcetest.ReadSample(t, "teamtailor.json"),
			"/loom/xml?language=en":                       sourcetest.ReadSample(t, "personio.xml"),
			"/loom/com/xml?language=en":                   sourcetest.ReadSample(t, "personio.xml"),
		}),
		WantTerms: sources.Terms{MayFetch: true, MayCount: true},
		CheckRecords: func(t *testing.T, records []sources.Record) {
			var got []string
			for _, r := range records {
				a := r.(sources.Advert)
				got = append(got, outline(a)+" | "+strings.ReplaceAll(a.Text, "\n", " / "))
			}
			want := strings.Split(strings.TrimSpace(sourcetest.ReadSample(t, "want_further.txt")), "\n")
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("adverts (-want +got):\n%s", d)
			}
		},
	})
}

const smartList = "/v1/companies/harbourline/postings?limit=100&offset=0"

func smartConnector(t testing.TB) *BoardsSource {
	return connector(t,
		Config{Boards: []Board{{Vendor: "smartrecruiters", Token: "harbourline", Employer: "Harbourline"}}})
}

// The text of a posting is in an object of its own; one that is missing costs
// the text and not the advert.
func TestSmartRecruiters(t *testing.T) {
	m := newMemory(map[string]string{
		smartList: sourcetest.ReadSample(t, "smartrecruiters.json"),
		"/v1/companies/harbourline/postings/743999000000001": sourcetest.ReadSample(t, "smartrecruiters_posting.json"),
	}, nil)
	s := smartConnector(t)
	if err := s.Fetch(context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]sources.FaultCode{"smartrecruiters/harbourline/posting/743999000000002": "unavailable"},
		m.failed); d != "" {
		t.Errorf("failed (-want +got):\n%s", d)
	}
	x := sources.Extract{}
	for _, name := range strings.Fields(m.names()) {
		x.Objects = append(x.Objects, sources.ArchivedObject{Name: name})
	}
	records, faults, err := sourcetest.ReadExtract(s, x, m)
	if err != nil || len(faults) != 0 || len(records) != 2 {
		t.Fatalf("%d adverts, faults %+v, error %v", len(records), faults, err)
	}
	a, b := records[0].(sources.Advert), records[1].(sources.Advert)
	if got, want := outline(
		a), "smartrecruiters/harbourline/743999000000001 | Harbourline | Marine Welder | 2026-11-08 | Bristol, England, "+
		"United Kingdom [gb] (BS1 0AA) | dep=Ships req=REF30D pay="; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if a.Locations[0].Latitude != 51.45 || a.Locations[0].Longitude != -2.59 {
		t.Errorf("coordinates %+v", a.Locations[0])
	}
	if want := "Job Description\nMIG welding, write to [removed]\nQualifications\nLevel 3 welding\n" +
		"Company Description\nWe mend ships."; a.Text != want {
		t.Errorf("text %q, want %q", a.Text, want)
	}
	if a.Link != "https://jobs.example.org/Harbourline/743999000000001-marine-welder" {
		t.Errorf("link %q", a.Link)
	}
	if b.Listed || b.Text != "" || b.Locations[0].Remote {
		t.Errorf("an internal hybrid posting without text came out as %+v", b)
	}
}

// When the list is gone, its last one stands together with the texts that it lists.
func TestSmartRecruitersCarriesTexts(t *testing.T) {
	list := sourcetest.ReadSample(t, "smartrecruiters.json")
	m := newMemory(nil, map[string]string{"smartrecruiters/harbourline/0": list})
	if err := smartConnector(t).Fetch(context.Background(), m); err == nil {
		t.Error("the only board is gone, and Fetch does not say so")
	}
	want := map[string]sources.FaultCode{"smartrecruiters/harbourline": "unavailable"}
	if d := cmp.Diff(want, m.failed); d != "" {
		t.Errorf("failed (-want +got):\n%s", d)
	}
}

// A feed's next page is asked for at the feed's own address, whatever host it names.
func TestTeamtailorPages(t *testing.T) {
	page := func(id, next string) string {
		return `{"items":[{"id":"` + id + `","title":"x"}],"next_url":"` + next + `"}`
	}
	m := newMemory(map[string]string{
		"/jobs.json":        page("1", "https://elsewhere.example/jobs.json?page=2"),
		"/jobs.json?page=2": page("2", "https://elsewhere.example/jobs.json?page=2"),
	}, nil)
	s := connector(t, Config{Boards: []Board{{Vendor: "teamtailor", Token: "alder", Employer: "Alder"}}})
	if err := s.Fetch(context.Background(), m); err != nil || m.names() != "teamtailor/alder/0 teamtailor/alder/1" {
		t.Errorf("got %q, error %v", m.names(), err)
	}
}

func TestHostedVendorsNeedTheToken(t *testing.T) {
	_, err := New(Config{Vendors: map[string]Vendor{"recruitee": {BaseURL: "https://mirror.example"}},
		Boards: []Board{{Vendor: "personio", Token: "evil.example/", Employer: "A"},
			{Vendor: "personio", Token: "evil.example", Employer: "A"}}})
	for _, part := range []string{"must hold {token}", "the token may not hold", "part of a host name"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("New = %v, want an error that says %q", err, part)
		}
	}
}

// The small recorded answers of the further vendors.
func TestRecordedFurtherVendors(t *testing.T) {
	for _, c := range []struct {
		file, vendor, name string
		rows, adverts      int
	}{
		{"careerkit-workable.json", "workable", "workable/board", 2, 1}, // one job at two places
		{"careerkit-smartrecruiters.json", "smartrecruiters", "smartrecruiters/board/0", 1, 1},
		{"careerkit-recruitee.json", "recruitee", "recruitee/board", 2, 2},
		{"careerkit-teamtailor.json", "teamtailor", "teamtailor/board/0", 2, 2},
		{"careerkit-personio.xml", "personio", "personio/board", 2, 1}, // one position twice
	} {
		t.Run(c.vendor, func(t *testing.T) {
			body := recording(t, "fixtures/"+c.file)
			found, faults := readOne(t, c.vendor, c.name, body)
			if len(found) != c.adverts || len(faults) != 0 {
				t.Fatalf("%d adverts and faults %+v, want %d adverts", len(found), faults, c.adverts)
			}
			v, _ := find(c.vendor)
			if l, err := v.list(body); err != nil || len(l.rows) != c.rows {
				t.Errorf("%d rows (error %v), want %d", len(l.rows), err, c.rows)
			}
			for _, a := range found {
				if !a.Listed || a.Posted.IsZero() || len(a.Locations) == 0 || a.Link == "" {
					t.Errorf("advert %s: listed %v, posted %q, %d places, link %q", a.ID, a.Listed, a.Posted,
						len(a.Locations), a.Link)
				}
			}
		})
	}
}

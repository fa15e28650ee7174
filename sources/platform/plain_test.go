package platform

import (
	"io"
	"strings"
	"testing"
	"time"

	"labour/sources"
	"labour/sources/intake"
)

// noted is a sink that also takes remarks.
type noted struct {
	records         []sources.Record
	faults, remarks []sources.Fault
}

func (n *noted) Emit(r sources.Record) error { n.records = append(n.records, r); return nil }
func (n *noted) Fault(f sources.Fault) {
	if f.Object != IndexObjectName { // that the other files are missing
		n.faults = append(n.faults, f)
	}
}
func (n *noted) Remark(f sources.Fault) { n.remarks = append(n.remarks, f) }

type oneFile string

func (f oneFile) Open(o sources.ArchivedObject) (sources.Body, error) {
	if o.Name == IndexObjectName {
		return io.NopCloser(strings.NewReader(`{"files":[]}`)), nil
	}
	return io.NopCloser(strings.NewReader(string(f))), nil
}

// A text with what no text should hold is read without it, and its line is named to the operator who
// checks the feed.
func TestTextsOfTheFeedArePlain(t *testing.T) {
	for title, want := range map[string][2]string{
		`Chef \u0000 nul`:             {"Chef nul", "control characters"},
		`Porter \u202ertl\u202c x`:    {"Porter rtl x", "direction"},
		`Nurse \ud83d cut`:            {"Nurse cut", "halves"},
		`Health &amp; Safety`:         {"Health & Safety", "entities"},
		`Chef, jane.doe@acme.example`: {"Chef, [removed]", "e-mail address or a telephone number"},
		`Chef, jane&#64;acme.example`: {"Chef, [removed]", "e-mail address or a telephone number"},
		`Chef, 07700\u200b 900123`:    {"Chef, [removed]", "e-mail address or a telephone number"},
		`Chef, 07700\t900123`:         {"Chef, [removed]", "e-mail address or a telephone number"},
		`Chef, 07700   900123`:        {"Chef, [removed]", "e-mail address or a telephone number"},
		`Chef, 07700\u2009900\r\n123`: {"Chef, [removed]", "e-mail address or a telephone number"},
		`Driver \ud83d\ude9a`:         {"Driver 🚚", ""},
		`Café manager, R&D`:           {"Café manager, R&D", ""},
		`\u0000\u202e`:                {"", "control characters"},
	} {
		line := `{"id":"ad-1","employer":"Example Care","title":"` + title +
			`","kind":"job","posted_on":"2026-10-31"}` + "\n"
		var got noted
		x := sources.Extract{Source: Key, Objects: []sources.ArchivedObject{{Name: "adverts.ndjson"}}}
		if err := intake.ReadCleaned(t.Context(), New(Config{}), x, oneFile(line), &got); err != nil {
			t.Fatal(err)
		}
		if want[0] == "" {
			if len(got.records) != 0 || len(got.faults) != 1 {
				t.Errorf("%s: a title without any text left: %+v", title, got)
			}
			continue
		}
		if len(got.records) != 1 || len(got.faults) != 0 || got.records[0].(sources.Advert).Title != want[0] {
			t.Errorf("%s: %+v, want %q", title, got, want[0])
		}
		switch {
		case want[1] == "" && len(got.remarks) != 0:
			t.Errorf("%s: %+v", title, got.remarks)
		case want[1] != "" && (len(got.remarks) != 1 || got.remarks[0].Where != "line 1" ||
			!strings.Contains(got.remarks[0].Detail, want[1])):
			t.Errorf("%s: %+v, want words like %q", title, got.remarks, want[1])
		}
	}
}

// The day of an outcome is the one that the feed prints. Outcomes are compared by the instant.
func TestOutcomeIsOfThePrintedDay(t *testing.T) {
	line := `{"id":"ap-1","resident":"r-1","advert":"ad-1","applied_at":"2026-08-01T00:30:00+01:00","outcome":"hired",` +
		`"outcome_recorded_at":"2026-08-01T00:30:00+01:00"}`
	r, _, err := decoded(KindApplications, line)
	if err != nil {
		t.Fatal(err)
	}
	a := r.(sources.Application)
	if got := sources.LocalDateOf(a.RecordedAt).String(); got != "2026-08-01" {
		t.Errorf("the outcome is of %s, want 2026-08-01", got)
	}
	if want := time.Date(2026, 7, 31, 23, 30, 0, 0, time.UTC); !a.RecordedAt.Equal(want) {
		t.Errorf("the outcome was recorded at %s, want %s", a.RecordedAt, want)
	}
	if got := sources.DateOf(a.AppliedAt).String(); got != "2026-07-31" {
		t.Errorf("the moment of the application is on %s in UTC, want 2026-07-31", got)
	}
}

// A value that is no list is one fault; the properties after it are read all the same.
func TestNoListIsOneFault(t *testing.T) {
	for _, value := range []string{`"english"`, `{"skill":"english"}`, `3`, `true`} {
		_, _, err := decoded(KindResidents, `{"id":"r-1","borough":"camden","skills":`+value+`,"seeking_work":"yes"}`)
		if err == nil {
			t.Errorf("skills: %s is accepted", value)
			continue
		}
		if text := err.Error(); strings.Count(text, ";") != 1 || !strings.Contains(text, "a list") ||
			!strings.Contains(text, "seeking_work") {
			t.Errorf("skills: %s: the faults are %q, want one of the list and one of seeking_work", value, text)
		}
	}
}

// Contact details in a link, or in an element of a list, are left out, and the fault names the property.
func TestContactsInLinksAndLists(t *testing.T) {
	for property, want := range map[string]string{
		`"link": "https://works.example/?email=jane%40example.com"`: "link holds an e-mail address or a telephone number",
		`"link": "https://works.example/u/jane@example.com/apply"`:  "link holds an e-mail address or a telephone number",
		`"locations": ["Leeds, ask 07700 900123"]`:                  "locations holds an e-mail address or a telephone number",
	} {
		line := `{"id": "a1", "employer": "Works", "title": "Clerk", "kind": "job", ` +
			`"posted_on": "2026-10-02", ` + property + "}\n"
		var out noted
		x := sources.Extract{Source: Key, Objects: []sources.ArchivedObject{{Name: "adverts.ndjson"}}}
		if err := intake.ReadCleaned(t.Context(), New(Config{}), x, oneFile(line), &out); err != nil {
			t.Fatal(err)
		}
		if len(out.records) != 1 || len(out.remarks) != 1 || !strings.Contains(out.remarks[0].Detail, want) {
			t.Errorf("%s: records %+v, remarks %+v, faults %+v", property, out.records, out.remarks, out.faults)
			continue
		}
		a := out.records[0].(sources.Advert)
		if a.Link != "" || len(a.Locations) == 1 && strings.Contains(a.Locations[0].Text, "07700") {
			t.Errorf("%s is read as %+v", property, a)
		}
	}
}

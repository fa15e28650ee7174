package platform

import (
	"strings"
	"testing"
	"time"

	"labour/sources"
)

func TestReadCompleteUntil(t *testing.T) {
	fetched := time.Date(2027, 1, 1, 0, 5, 0, 0, time.UTC)
	for _, c := range []struct {
		index, want string
		fault       string // part of the sentence
	}{
		{`{"files":[]}`, "0001-01-01T00:00:00Z", ""},
		{`{"files":[],"complete_until":""}`, "0001-01-01T00:00:00Z", ""},
		{`{"files":[],"complete_until":"2027-01-01T00:00:00Z"}`, "2027-01-01T00:00:00Z", ""},
		{`{"files":[],"complete_until":"2027-01-01T01:04:00+01:00"}`, "2027-01-01T00:04:00Z", ""},
		{`{"files":[],"complete_until":"2027-01-01T00:06:00Z"}`, "",
			"complete_until 2027-01-01T00:06:00Z lies in the future: the clock of the fetch was at 2027-01-01T00:05:00Z"},
		{`{"files":[],"complete_until":"2026-12-31"}`, "", `complete_until "2026-12-31" is no time`},
		{`{"files":[],"complete_until":null}`, "0001-01-01T00:00:00Z", ""},
		{`{"files":[],"complete_until":5}`, "", "complete_until 5 is no time, such as 2027-01-01T00:00:00Z"},
		{`{"files":[],"complete_until":{"at":5}}`, "", `complete_until {"at":5} is no time`},
	} {
		m := memory{"index.json": c.index}
		x := m.extract("index.json")
		x.FetchedAt = fetched
		got, err := ReadCompleteUntil(m, x)
		switch {
		case c.fault != "":
			if err == nil || sources.FaultCodeOf(err) != sources.FaultBadValue || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("%s: %v, %v", c.index, got, err)
			}
		case err != nil || got.UTC().Format(time.RFC3339) != c.want:
			t.Errorf("%s: %v, %v", c.index, got, err)
		}
	}
}

func TestHasNewPeopleFiles(t *testing.T) {
	object := func(name string, carried, kept bool) sources.ArchivedObject {
		return sources.ArchivedObject{Name: name, Carried: carried, Kept: kept}
	}
	for _, c := range []struct {
		name    string
		objects []sources.ArchivedObject
		want    bool
	}{
		{"both received", []sources.ArchivedObject{object("applications-1.ndjson", false, false),
			object("residents.ndjson.gz", false, false)}, true},
		{"one carried", []sources.ArchivedObject{object("applications.ndjson", true, false),
			object("residents.ndjson", false, false)}, false},
		{"a light run", []sources.ArchivedObject{object("applications.ndjson", false, true),
			object("residents.ndjson", false, true)}, false},
		{"adverts carried", []sources.ArchivedObject{object("adverts.ndjson", true, false),
			object("applications.ndjson", false, false), object("residents.ndjson", false, false)}, true},
		{"no residents", []sources.ArchivedObject{object("applications.ndjson", false, false)}, false},
	} {
		if got := ReceivedAllPeopleFiles(sources.Extract{Objects: c.objects}); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
		want := c.name == "a light run"
		if got := HasKeptPeopleFiles(sources.Extract{Objects: c.objects}); got != want {
			t.Errorf("%s: keeps files of people %t, want %t", c.name, got, want)
		}
	}
}

// A fetch is complete for counts of people if it received every file that they depend on and that the
// index lists.
func TestFilesThatCountsDependOn(t *testing.T) {
	for _, c := range []struct {
		name, index string
		objects     []string // with "-" they were carried
		want        bool
	}{
		{"all received", `{"files":["adverts.ndjson","s106.ndjson"]}`, []string{"adverts.ndjson", "s106.ndjson"}, true},
		{"adverts failed and were never received", `{"files":["adverts.ndjson","adverts-2.ndjson"]}`,
			[]string{"adverts.ndjson"}, false},
		{"new applications failed", `{"files":["applications-2.ndjson"]}`, nil, false},
		{"boroughs are of an earlier fetch", `{"files":["boroughs.ndjson"]}`, []string{"-boroughs.ndjson"}, false},
		{"sites are of an earlier fetch", `{"files":["s106.ndjson"]}`, []string{"-s106.ndjson"}, false},
		{"events and pathways failed", `{"files":["events.ndjson","pathways.ndjson","notes.txt"]}`, nil, true},
		{"a list that is none", `<html>`, nil, true},
	} {
		m := memory{IndexObjectName: c.index}
		x := m.extract(IndexObjectName, "residents.ndjson", "applications.ndjson")
		for _, name := range c.objects {
			name, carried := strings.CutPrefix(name, "-")
			x.Objects = append(x.Objects, sources.ArchivedObject{Name: name, Carried: carried})
		}
		if got, err := ReceivedAllCountedFiles(m, x); err != nil || got != c.want {
			t.Errorf("%s: %t, %v", c.name, got, err)
		}
	}
	m := memory{}
	if got, err := ReceivedAllCountedFiles(m, m.extract("residents.ndjson", "applications.ndjson")); err != nil || !got {
		t.Errorf("without an index: %t, %v", got, err)
	}
	if got, err := ReceivedAllCountedFiles(m, m.extract("residents.ndjson")); err != nil || got {
		t.Errorf("without applications: %t, %v", got, err)
	}
}

package employerboards

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/sourcetest"
)

// rowsOf are the rows from..to-1 of a vendor's list, as JSON.
func rowsOf(vendor string, from, to int) string {
	row := map[string]string{
		"smartrecruiters": `{"id":"p%d","name":"Job %d"}`,
		"greenhouse":      `{"id":%d,"internal_job_id":7,"title":"Job %d"}`,
		"lever":           `{"id":"p%d","text":"Job %d"}`, "teamtailor": `{"id":"p%d","title":"Job %d"}`,
	}[vendor]
	var rows []string
	for i := from; i < to; i++ {
		rows = append(rows, fmt.Sprintf(row, i, i))
	}
	return strings.Join(rows, ",")
}

// pageOf is a body with these rows of a list that announces so many, or that names the next page.
func pageOf(vendor, rows string, total int, next string) string {
	switch vendor {
	case "smartrecruiters":
		return fmt.Sprintf(`{"totalFound":%d,"content":[%s]}`, total, rows)
	case "greenhouse":
		return fmt.Sprintf(`{"jobs":[%s],"meta":{"total":%d}}`, rows, total)
	case "teamtailor":
		return fmt.Sprintf(`{"items":[%s],"next_url":%q}`, rows, next)
	}
	return "[" + rows + "]"
}

// TestListsAreWhole holds the lists of every vendor that pages or announces a number to one rule: a
// list is whole by the ids of its rows, or the last good one stands, with one fault.
func TestListsAreWhole(t *testing.T) {
	smart := func(offset int) string { return fmt.Sprintf("/v1/companies/b/postings?limit=100&offset=%d", offset) }
	for _, c := range []struct {
		name, vendor string
		served       map[string]string
		says         string // "" = whole
	}{
		{"every page is the first", "smartrecruiters", map[string]string{
			smart(0):   pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 100), 160, ""),
			smart(100): pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 100), 160, "")},
			"announces 160 rows, 200 were received, 100 of them distinct"},
		{"a row on two pages and one on none", "smartrecruiters", map[string]string{
			smart(0):   pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 100), 150, ""),
			smart(100): pageOf("smartrecruiters", rowsOf("smartrecruiters", 99, 149), 150, "")},
			"announces 150 rows, 150 were received, 149 of them distinct"},
		{"a vendor that gives fewer than it is asked for", "smartrecruiters", map[string]string{
			smart(0):  pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 40), 75, ""),
			smart(40): pageOf("smartrecruiters", rowsOf("smartrecruiters", 40, 75), 75, "")}, ""},
		{"fewer than announced", "greenhouse",
			map[string]string{ghURI("b"): pageOf("greenhouse", rowsOf("greenhouse", 0, 20), 33, "")},
			"announces 33 rows, 20 were received, 20 of them distinct"},
		{"one row for two", "greenhouse",
			map[string]string{ghURI("b"): pageOf("greenhouse", rowsOf("greenhouse", 0, 2)+","+rowsOf("greenhouse", 1,
				2), 3, "")},
			"announces 3 rows, 3 were received, 2 of them distinct"},
		{"as many as announced", "greenhouse",
			map[string]string{ghURI("b"): pageOf("greenhouse", rowsOf("greenhouse", 0, 33), 33, "")}, ""},
		{"every page is the first, and none announced", "lever", map[string]string{
			leverURI("b", 0): postings(0, 100), leverURI("b", 100): postings(0, 100)},
			"200 rows were received, 100 of them distinct, and the publisher announces no number"},
		{"pages to a short one", "lever", map[string]string{leverURI("b", 0): postings(0, 100),
			leverURI("b", 100): postings(100, 130)}, ""},
		{"a next page that is the first", "teamtailor", map[string]string{
			"/jobs.json": pageOf("teamtailor", rowsOf("teamtailor", 0, 10), 0,
				"https://b.teamtailor.com/jobs.json?page=2"),
			"/jobs.json?page=2": pageOf("teamtailor", rowsOf("teamtailor", 0, 10), 0,
				"https://b.teamtailor.com/jobs.json?page=3")}, "20 rows were received, 10 of them distinct"},
		{"next pages to the last", "teamtailor", map[string]string{
			"/jobs.json": pageOf("teamtailor", rowsOf("teamtailor", 0, 10), 0,
				"https://b.teamtailor.com/jobs.json?page=2"),
			"/jobs.json?page=2": pageOf("teamtailor", rowsOf("teamtailor", 10, 15), 0, "")}, ""},
	} {
		t.Run(c.vendor+": "+c.name, func(t *testing.T) {
			s := connector(t, Config{Boards: []Board{{Vendor: c.vendor, Token: "b", Employer: "B"}}})
			err := s.Fetch(context.Background(), newMemory(c.served, map[string]string{c.vendor + "/b": "[]"}))
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (sources.FaultCodeOf(err) != sources.FaultIncomplete ||
				!strings.Contains(err.Error(), c.says)):
				t.Errorf("%v, want words like %q", err, c.says)
			}
		})
	}
}

// A posting that stands on the list twice is asked for once.
func TestDetailsAreFetchedOnce(t *testing.T) {
	rows := rowsOf("smartrecruiters", 0, 2) + "," + rowsOf("smartrecruiters", 1, 2)
	m := newMemory(map[string]string{"/v1/companies/b/postings?limit=100&offset=0": pageOf("smartrecruiters", rows, 2,
		""),
		"/v1/companies/b/postings/p0": `{"id":"p0"}`, "/v1/companies/b/postings/p1": `{"id":"p1"}`}, nil)
	if err := connector(t, Config{Boards: []Board{{Vendor: "smartrecruiters", Token: "b", Employer: "B"}}}).Fetch(
		context.Background(), m); err != nil {
		t.Fatal(err)
	}
	if m.calls != 3 || len(m.failed) != 0 {
		t.Errorf("%d calls, failed %v", m.calls, m.failed)
	}
}

// An invalid character in one record loses that character, not the board.
func TestOneCharacterCostsACharacter(t *testing.T) {
	position := func(text string) string {
		return `<workzag-jobs><position><id>1</id><name>Chef</name></position><position><id>2</id><office>Leeds</office><name>` + text + `</name></position></workzag-jobs>`
	}
	for _, c := range []struct{ name, vendor, body, want string }{
		{"a vertical tab", "personio", position("Care\x0bworker"), "Care worker"},
		{"a bare ampersand", "personio", position("Care & worker"), "Care & worker"},
		{"an ampersand in a word", "personio", position("R&D worker"), "R&D worker"},
		{"an entity that is none", "personio", position("Care &team; worker"), "Care &team; worker"},
		{"a reference to one", "personio", position("Care&#11;worker"), "Care worker"},
		{"a NUL", "personio", position("Care\x00worker"), "Care worker"},
		{"no character of Unicode", "personio", position("Care\uffffworker"), "Care worker"},
		{"a byte of Windows-1252", "personio", position("Chef\x92s mate"), "Chef’s mate"},
		{"a declared encoding", "personio", `<?xml version="1.0" encoding="ISO-8859-1"?>` + position("Caf\xe9 worker"),
			"Café worker"},
		{"an encoding that is declared and not used", "personio",
			`<?xml version="1.0" encoding="ISO-8859-1"?>` + position("Café worker"), "Café worker"},
		{"an entity", "personio", position("Health &amp;amp; Safety"), "Health & Safety"},
		{"control characters", "greenhouse",
			`{"jobs":[{"id":1,"title":"Chef"},{"id":2,"title":"Care\u0000\u000b worker\ud83d\u202e"}],"meta":{"total":2}}`,
			"Care worker"},
		{"a byte of Windows-1252 in JSON", "greenhouse",
			"{\"jobs\":[{\"id\":1,\"title\":\"Chef\"},{\"id\":2,\"title\":\"Chef\x92s mate\"}],\"meta\":{\"total\":2}}",
			"Chef’s mate"},
		{"an entity in JSON", "greenhouse",
			`{"jobs":[{"id":1,"title":"Chef"},{"id":2,"title":"Health &amp; Safety"}],"meta":{"total":2}}`,
			"Health & Safety"},
	} {
		s := connector(t, Config{Boards: []Board{{Vendor: c.vendor, Token: "b", Employer: "B"}}})
		name := c.vendor + "/b"
		records, faults, err := sourcetest.ReadExtract(s, sources.Extract{Objects: []sources.ArchivedObject{{Name: name}}},
			bodies{name: []byte(c.body)})
		if err != nil || len(faults) != 0 || len(records) != 2 {
			t.Errorf("%s, %s: %d adverts, %+v, %v", c.vendor, c.name, len(records), faults, err)
			continue
		}
		if got := records[1].(sources.Advert).Title; got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.vendor, c.name, got, c.want)
		}
	}
	s := connector(t, Config{Boards: []Board{{Vendor: "personio", Token: "b", Employer: "B"}}})
	_, faults, _ := sourcetest.ReadExtract(s, sources.Extract{Objects: []sources.ArchivedObject{{Name: "personio/b"}}},
		bodies{"personio/b": []byte(`<?xml version="1.0" encoding="EBCDIC-1"?>` + position("x"))})
	if len(faults) != 1 || !strings.Contains(faults[0].Detail, "EBCDIC-1") {
		t.Errorf("an encoding that is not known: %+v", faults)
	}
}

package employerboards

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"labour/sources"
	"labour/sources/sourcetest"
)

func TestReadFaults(t *testing.T) {
	for _, c := range []struct {
		name, vendor, body string
		adverts            int
		codes              []sources.FaultCode
	}{
		{"one row of another type leaves the rest", "greenhouse",
			`{"jobs":[{"id":1,"title":["x"]},{"id":2,"title":"y"}],"meta":{"total":2}}`, 1,
			[]sources.FaultCode{sources.FaultSchema}},
		{"announced more", "greenhouse", `{"jobs":[{"id":2,"title":"y"}],"meta":{"total":3}}`, 1,
			[]sources.FaultCode{sources.FaultIncomplete}},
		{"announced fewer", "greenhouse", `{"jobs":[{"id":2,"title":"y"}],"meta":{"total":0}}`, 1,
			[]sources.FaultCode{sources.FaultIncomplete}},
		{"nothing announced", "greenhouse", `{"jobs":[{"id":2,"title":"y"}]}`, 1, nil},
		{"empty", "greenhouse", `{"jobs":[],"meta":{"total":0}}`, 0, nil},
		{"no title", "ashby", `{"jobs":[{"id":"1"}]}`, 0, []sources.FaultCode{sources.FaultSchema}},
		{"no id", "ashby", `{"jobs":[{"title":"x"}]}`, 0, []sources.FaultCode{sources.FaultSchema}},
		{"bad date", "ashby", `{"jobs":[{"id":"1","title":"x","publishedAt":"soon"}]}`, 0,
			[]sources.FaultCode{sources.FaultBadValue}},
		{"bad time", "lever", `[{"id":"1","text":"x","createdAt":1.5}]`, 0, []sources.FaultCode{sources.FaultBadValue}},
		{"error object in the place of the list", "lever", `{"ok":false,"error":"Document not found"}`, 0,
			[]sources.FaultCode{sources.FaultWrongFormat}},
		{"web page", "lever", `<!doctype html><html></html>`, 0, []sources.FaultCode{sources.FaultWrongFormat}},
		{"breaks off", "ashby", `{"jobs":[{"id":"1","title":"x","isListed":true},{"id"`, 0,
			[]sources.FaultCode{sources.FaultNotJSON}},
		{"the last page is full", "lever", postings(0, 100), 100, []sources.FaultCode{sources.FaultIncomplete}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found, faults := readOne(t, c.vendor, c.vendor+"/board", []byte(c.body))
			var codes []sources.FaultCode
			for _, f := range faults {
				codes = append(codes, f.Code)
			}
			if len(found) != c.adverts || !cmp.Equal(codes, c.codes) {
				t.Errorf("%d adverts and faults %+v, want %d and %v", len(found), faults, c.adverts, c.codes)
			}
		})
	}
}

// TestFaultyRowsAreNumbered from 1, as the operator counts them.
func TestFaultyRowsAreNumbered(t *testing.T) {
	_, faults := readOne(t, "ashby", "ashby/board",
		[]byte(`{"jobs":[{"title":"x"},{"id":"2","title":"y","isListed":true},{"title":"z"}]}`))
	if len(faults) != 2 || faults[0].Where != "row 1" || faults[1].Where != "row 3" {
		t.Errorf("faults %+v, want them in rows 1 and 3", faults)
	}
}

// A board that is not in the register is not read, whatever the archive holds.
func TestReadOnlyTheRegister(t *testing.T) {
	found, faults := readOne(t, "greenhouse", "greenhouse/other", []byte(oneJob))
	if len(found) != 0 || len(faults) != 1 || !strings.Contains(faults[0].Detail, "register") {
		t.Errorf("%d adverts, faults %+v; want one fault that names the register", len(found), faults)
	}
	s := connector(t, Config{Boards: []Board{{Vendor: "greenhouse", Token: "other", Employer: "Other", Retired: true}}})
	x := sources.Extract{Objects: []sources.ArchivedObject{{Name: "greenhouse/other"}}}
	if !s.Info().ListsLiveOnly {
		t.Error("boards list what is live today, so that the past has to come from past lists")
	}
	records, faults, err := sourcetest.ReadExtract(s, x, bodies{"greenhouse/other": []byte(oneJob)})
	if err != nil || len(records) != 1 || len(faults) != 0 {
		t.Errorf("the past of a retired board: %d adverts, faults %+v, error %v; want 1", len(records), faults, err)
	}
}

// A posting is not taken for listed, or for remote, on a guess.
func TestDeniedByDefault(t *testing.T) {
	found, _ := readOne(t, "ashby", "ashby/board",
		[]byte(`{"jobs":[{"id":"1","title":"x","isRemote":true,"location":"London"}]}`))
	if len(found) != 1 || found[0].Listed || found[0].Locations[0].Remote {
		t.Errorf("got %+v, want it neither listed nor remote", found)
	}
	found, _ = readOne(t, "greenhouse", "greenhouse/board",
		[]byte(`{"jobs":[{"id":1,"title":"x","location":{"name":"Hybrid / Remote, Leeds"}}]}`))
	if len(found) != 1 || found[0].Listed || found[0].Locations[0].Remote {
		t.Errorf("got %+v, want it neither listed nor remote", found)
	}
}

func TestConfig(t *testing.T) {
	board := Board{Vendor: "ashby", Token: "acme", Employer: "Acme"}
	for _, c := range []struct {
		name   string
		config Config
		want   []string // parts of the error; nil = none
	}{
		{"good", Config{Boards: []Board{board}}, nil},
		{"empty register", Config{}, []string{"the register is empty"}},
		{"everything at once", Config{
			Vendors: map[string]Vendor{"ashbi": {}, "lever": {BaseURL: "lever.example"}},
			Boards: []Board{{Vendor: "greenhose", Token: "a", Employer: "A"},
				{Vendor: "lever", Token: "a/b", Employer: "A"}, {Vendor: "lever", Token: "a"}},
		}, []string{`"ashbi"; known vendors are `, `"greenhose"; known vendors are `, "not an http(s) address",
			"the token may not hold", "entry 3 (lever/a): the employer's name is missing"}},
		{"twice", Config{Boards: []Board{board, {Vendor: "ashby", Token: "ACME", Employer: "Acme"}}},
			[]string{"entry 2 (ashby/ACME) repeats entry 1"}},
		{"way out of the address", Config{Boards: []Board{{Vendor: "ashby", Token: "..", Employer: "A"}}},
			[]string{"the token is missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(c.config)
			if (err == nil) != (c.want == nil) {
				t.Fatalf("New = %v", err)
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("the error does not say %q:\n%v", part, err)
				}
			}
		})
	}
}

func TestPayRange(t *testing.T) {
	for _, c := range []struct{ currency, least, most, interval, want string }{
		{"GBP", "1", "2", "per year", "GBP 1 to 2, per year"}, {"GBP", "1", "1", "", "GBP 1"},
		{"", "1", "", "", "1"}, {"GBP", "", "2", "", "GBP 2"}, {"GBP", "", "", "per year", ""},
	} {
		if got := payRange(c.currency, c.least, c.most, c.interval); got != c.want {
			t.Errorf("payRange(%q, %q, %q, %q) = %q, want %q", c.currency, c.least, c.most, c.interval, got, c.want)
		}
	}
}

// Whatever a body holds, every row becomes at most one advert, ids are unique,
// and a body that is not the vendor's form is a fault.
func FuzzRead(f *testing.F) {
	for _, v := range vendors() {
		for _, ext := range []string{".json", ".xml"} {
			if body, err := os.ReadFile(filepath.Join("testdata", v.Key+ext)); err == nil {
				f.Add(v.Key, body)
			}
		}
	}
	f.Fuzz(func(t *testing.T, key string, body []byte) {
		v, ok := find(key)
		if !ok {
			t.Skip()
		}
		found, faults := readOne(t, key, key+"/board", body)
		l, err := v.list(body)
		if err != nil && len(faults) == 0 {
			t.Errorf("%v, and no fault says so", err)
		}
		if err == nil && len(found) > len(l.rows) {
			t.Errorf("%d adverts from %d rows", len(found), len(l.rows))
		}
		seen := map[string]bool{}
		for _, a := range found {
			if seen[a.ID] || a.Title == "" || a.Employer != "Employer" || !strings.HasPrefix(a.ID, key+"/board/") {
				t.Errorf("bad advert %+v", a)
			}
			seen[a.ID] = true
		}
	})
}

// A place that an office has is read with the office's address, which says the country.
func TestGreenhouseOffices(t *testing.T) {
	const board = `{"jobs":[{"id":1,"internal_job_id":2,"title":"Engineer","first_published":"2026-11-02T09:00:00Z","absolute_url":"https://x.example/1","content":"",
		"location":{"name":%q},"offices":[{"name":"Boston office","location":"Needham, Massachusetts, United States"},{"name":"London","location":"London, England, United Kingdom"}]}],"meta":{"total":1}}`
	for place, want := range map[string]string{
		"Needham": "Needham, Massachusetts, United States", "london": "London, England, United Kingdom",
		"Boston office":   "Needham, Massachusetts, United States",
		"Needham; London": "Needham; London", "Leeds": "Leeds", "Need": "Need",
	} {
		found, _ := readOne(t, "greenhouse", "greenhouse/board", fmt.Appendf(nil, board, place))
		if len(found) != 1 || len(found[0].Locations) != 1 || found[0].Locations[0].Text != want {
			t.Errorf("%q: %+v, want %q", place, found, want)
		}
	}
}

// TestPageThatIsLostIsTheOnlyFault: the announced number is not compared with what the other pages have.
func TestPageThatIsLostIsTheOnlyFault(t *testing.T) {
	const first, second = "smartrecruiters/b/0", "smartrecruiters/b/1"
	s := connector(t, Config{Boards: []Board{{Vendor: "smartrecruiters", Token: "b", Employer: "B"}}})
	x := sources.Extract{Source: Key, Objects: []sources.ArchivedObject{{Name: first}, {Name: second}}}
	found, faults, err := sourcetest.ReadExtract(s, x, bodies{second: []byte("<html>"),
		first: []byte(pageOf("smartrecruiters", rowsOf("smartrecruiters", 0, 2), 3, ""))})
	if err != nil || len(found) != 2 || len(faults) != 1 || faults[0].Object != second ||
		faults[0].Code != sources.FaultWrongFormat {
		t.Errorf("%d adverts, %+v, %v; want two and the page that is none", len(found), faults, err)
	}
}

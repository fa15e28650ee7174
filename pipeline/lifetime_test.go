package pipeline

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/pipeline/report"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/fakepublishers"
)

// service is the apprenticeship service with vacancies of those numbers, of one
// occupation.
func (s *small) service(mux *http.ServeMux, base string) string {
	if s.vacancies == nil {
		return ""
	}
	var rows []json.RawMessage
	for _, n := range s.vacancies {
		rows = append(rows, json.RawMessage(fmt.Sprintf(`{"vacancyReference":"20000%05[1]d","title":"Chef apprentice","postedDate":"2026-11-02T09:00:00Z",`+
			`"closingDate":"2026-12-20T23:59:59","addresses":[{"postcode":"NW1 0AA","addressLine4":"Camden"}],"employerName":"Kitchen %[1]d","numberOfPositions":1,`+
			`"course":{"larsCode":91,"title":"Chef","level":2},"vacancyUrl":"https://www.findapprenticeship.example/%[1]d","fullDescription":"<p>Cook.</p>"}`, n)))
	}
	var faa http.Handler = fakepublishers.NewApprenticeshipService("key", rows, 0)
	if s.faaFault != nil {
		faa = s.faaFault(faa)
	}
	mux.Handle("/faa/", http.StripPrefix("/faa", faa))
	return fmt.Sprintf("  find_an_apprenticeship: {base_url: \"%s/faa\"}\n", base)
}

// halved leaves half of the vacancies out of a list, and not the number that it announces.
func halved(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := httptest.NewRecorder()
		h.ServeHTTP(whole, r)
		var list map[string]any
		if err := json.Unmarshal(whole.Body.Bytes(), &list); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		rows := list["vacancies"].([]any)
		list["vacancies"] = rows[:len(rows)/2]
		json.NewEncoder(w).Encode(list) // the client may be gone
	})
}

func down(http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "down", http.StatusInternalServerError) })
}

// page is one of HTML in the place of data.
func page(http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "<!DOCTYPE html><html><body>We are back soon.</body></html>")
	})
}

// tagged answers with an ETag, and 304 to who has the answer already, and counts the
// bytes of bodies.
func (s *small) tagged(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		whole := httptest.NewRecorder()
		h.ServeHTTP(whole, r)
		if whole.Code == http.StatusOK {
			tag := fmt.Sprintf(`"%x"`, sha256.Sum256(whole.Body.Bytes()))
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		w.Header().Set("Content-Type", whole.Header().Get("Content-Type"))
		w.WriteHeader(whole.Code)
		s.sent.Add(int64(whole.Body.Len()))
		w.Write(whole.Body.Bytes()) // the client may be gone
	})
}

// liveWork is what a snapshot says is live of the service: the numbers of the jobs that
// it shows, and how many it counts on the date of the data.
func (s *small) liveWork(r Result) (jobs []string, counted int32) {
	s.t.Helper()
	for _, j := range rowsOf[snapshots.JobsRow](s, r, "jobs") {
		if id, ok := strings.CutPrefix(j.ID, "find_an_apprenticeship:20000"); ok {
			jobs = append(jobs, strings.TrimLeft(id, "0"))
		}
	}
	slices.Sort(jobs)
	for _, d := range embargoedRowsOf[snapshots.DemandRow](s, r, "demand") {
		if sources.DateOf(d.Day) == s.last.AsOf {
			counted += d.Vacancies
		}
	}
	return jobs, counted
}

// statedSource is a source as a snapshot lists it, and how fresh it is when the next run is due.
func (s *small) statedSource(r Result, key string) (row snapshots.SourcesRow, fresh snapshots.Freshness) {
	s.t.Helper()
	for _, row := range rowsOf[snapshots.SourcesRow](s, r, "sources") {
		if row.Key == key {
			parts := rowsOf[snapshots.FreshnessRow](s, r, "freshness")
			parts = slices.DeleteFunc(parts, func(p snapshots.FreshnessRow) bool { return p.SourceKey != key })
			return row, snapshots.FreshnessOf(row.Cadence, parts, s.clock)
		}
	}
	s.t.Fatalf("no source %s", key)
	return row, fresh
}

// TestVacancyThatLeavesIsClosed: "A vacancy that leaves a board is closed at the first
// run that does not see it", even where its closing day is still to come, and on the
// very day; a service that could not be had, or gave half of its list, closes none, and
// turns stale in time.
func TestVacancyThatLeavesIsClosed(t *testing.T) {
	s := newSmall(t)
	s.feed["adverts.ndjson"] = advertLine("other", `"unlisted":true`)
	s.vacancies = []int{1, 2, 3, 4, 5, 6, 7, 8}
	days := []struct {
		name    string
		change  func()
		live    []string
		failed  bool
		code    sources.FaultCode
		stale   bool
		sameDay bool
	}{
		{name: "all", live: []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
		{name: "one left", change: func() { s.vacancies = s.vacancies[1:] }, live: []string{"2", "3", "4", "5", "6", "7", "8"}},
		{name: "another left within the day", sameDay: true, change: func() { s.vacancies = s.vacancies[1:] }, live: []string{"3", "4", "5", "6", "7", "8"}},
		{name: "one is back", change: func() { s.vacancies = append([]int{1}, s.vacancies...) }, live: []string{"1", "3", "4", "5", "6", "7", "8"}},
		{name: "half", change: func() { s.faaFault = halved }, live: []string{"1", "3", "4", "5", "6", "7", "8"}, failed: true, code: sources.FaultIncomplete},
		{name: "down", change: func() { s.faaFault = down }, live: []string{"1", "3", "4", "5", "6", "7", "8"}, failed: true, code: sources.FaultUnavailable, stale: true},
		{name: "a page", change: func() { s.faaFault = page }, live: []string{"1", "3", "4", "5", "6", "7", "8"},
			failed: true, code: sources.FaultWrongFormat, stale: true},
		{name: "healthy, and two have left", change: func() { s.faaFault, s.vacancies = nil, []int{3, 4, 5, 6, 7} }, live: []string{"3", "4", "5", "6", "7"}},
	}
	for _, day := range days {
		if day.change != nil {
			day.change()
		}
		if day.sameDay {
			s.clock = s.clock.AddDate(0, 0, -1).Add(time.Hour)
		}
		r := s.run()
		jobs, counted := s.liveWork(r)
		if !slices.Equal(jobs, day.live) || int(counted) != len(day.live) {
			t.Errorf("%s: jobs %v and %d counted, want %v", day.name, jobs, counted, day.live)
		}
		if failed := slices.Contains(r.FailedSources, "find_an_apprenticeship"); failed != day.failed {
			t.Errorf("%s: failed %v", day.name, r.FailedSources)
		}
		if day.failed {
			checkFetchFault(t, day.name, r, "find_an_apprenticeship", day.code)
		}
		if _, fresh := s.statedSource(r, "find_an_apprenticeship"); fresh.IsStale() != day.stale {
			t.Errorf("%s: stale %t when the next run is due", day.name, fresh.IsStale())
		}
		if day.sameDay {
			s.clock = s.clock.Add(-time.Hour)
		}
	}
}

func checkFetchFault(t *testing.T, name string, r Result, source string, code sources.FaultCode) {
	t.Helper()
	for _, f := range r.Report.Fetched {
		if f.Source != source {
			continue
		}
		for _, fault := range f.Faults {
			if fault.Code == code {
				return
			}
		}
		t.Errorf("%s: %+v, want a fault %s", name, f, code)
	}
}

// TestBoardThatIsCarriedForLong: its vacancies stay counted, the report says how old its
// list is and warns once that is older than twice the cadence, and the source as a whole
// turns stale at the same moment, since it is half of its parts. Healed, nothing is carried.
func TestBoardThatIsCarriedForLong(t *testing.T) {
	s := newSmall(t)
	good := s.boards["bolt"]
	for day := range 5 {
		if day == 1 {
			s.boards["bolt"] = "<!DOCTYPE html><html>moved</html>"
		}
		if day == 4 {
			s.boards["bolt"] = good
		}
		r := s.run()
		boards := sourceReport(t, r, "employer_boards")
		if boards.Adverts.Counted != 2 {
			t.Errorf("day %d: %d adverts of boards counted, want 2", day, boards.Adverts.Counted)
		}
		if broken := day > 0 && day < 4; broken != slices.Equal(r.FailedSources, []string{"employer_boards"}) || broken != (len(boards.Carried) == 1) {
			t.Fatalf("day %d: failed %v, carried %+v", day, r.FailedSources, boards.Carried)
		}
		for _, c := range boards.Carried {
			advice := fmt.Sprintf("last fetched %d day", day)
			isRight := c.Part == "ashby/bolt" && c.AgeDays == day && c.Stale == (day > 1)
			if !isRight || !strings.Contains(c.Advice(), advice) {
				t.Errorf("day %d: %+v", day, c)
			}
		}
		// One of two boards is half of them; the other one is received every day.
		_, fresh := s.statedSource(r, "employer_boards")
		if now := s.clock.AddDate(0, 0, -1); !fresh.LastSuccessAt.Equal(now) || fresh.Parts != 2 || fresh.IsStale() != (day == 2 || day == 3) {
			t.Errorf("day %d: last success %s, %d of %d parts stale", day, fresh.LastSuccessAt, fresh.Stale, fresh.Parts)
		}
	}
}

// TestBoardThatEmpties: a board whose last vacancy is filled is suspected for a day and empty from
// then on, without a fault, and the employer can post again.
func TestBoardThatEmpties(t *testing.T) {
	s := newSmall(t)
	good := s.boards["bolt"]
	s.run()
	s.boards["bolt"] = `{"apiVersion":"1","jobs":[]}`
	for day := 1; day < 6; day++ {
		if day == 5 {
			s.boards["bolt"] = good
		}
		r := s.run()
		boards, suspected := sourceReport(t, r, "employer_boards"), day == 1
		if suspected != (len(r.FailedSources) > 0) || suspected != (len(boards.Carried) > 0) {
			t.Errorf("day %d: failed %v, carried %+v", day, r.FailedSources, boards.Carried)
		}
		want := map[string]int64{"ashby/acme": 1, "ashby/bolt": 0}
		if suspected || day == 5 {
			want["ashby/bolt"] = 1
		}
		if d := cmp.Diff(want, boards.Adverts.Parts); d != "" {
			t.Errorf("day %d: live adverts (-want +got):\n%s", day, d)
		}
	}
}

// TestEvidenceKeepsItsDay: a figure whose publisher does not say when it was published has the day
// on which it was first received, and keeps it.
func TestEvidenceKeepsItsDay(t *testing.T) {
	s := newSmall(t)
	s.version = "1.0"
	for day := range 3 {
		rows := rowsOf[snapshots.EvidenceRow](s, s.run(), "evidence")
		if len(rows) == 0 {
			t.Fatal("no evidence")
		}
		for _, r := range rows {
			if got := r.PublishedOn.Format(time.DateOnly); got != "2026-11-19" {
				t.Errorf("day %d: %s was published on %s", day, r.ID, got)
			}
		}
	}
}

// TestEvidenceOfSubjectsThatReadAlike: two subjects whose names read alike in an address have a row
// each.
func TestEvidenceOfSubjectsThatReadAlike(t *testing.T) {
	s := newSmall(t)
	s.csv = "time_period,time_identifier,geographic_level,country_code,country_name,ssa_t1_desc,starts\n" +
		"202425,Academic year,National,E92000001,England,Arts & Media,700\n" +
		"202425,Academic year,National,E92000001,England,Arts / Media,600\n" +
		"202425,Academic year,National,E92000001,England,Total,1300\n"
	var statements []string
	ids := map[string]bool{}
	for _, r := range rowsOf[snapshots.EvidenceRow](s, s.run(), "evidence") {
		statements = append(statements, r.Statement)
		ids[r.ID] = true
	}
	if len(statements) != 3 || len(ids) != 3 {
		t.Errorf("%d ids of %q", len(ids), statements)
	}
}

func sourceReport(t *testing.T, r Result, key string) *report.SourceEntry {
	t.Helper()
	for _, s := range r.Report.Sources {
		if s.Source == key {
			return s
		}
	}
	t.Fatalf("no report of %s", key)
	return nil
}

// TestUnchangedSourcesAreNotFetchedAgain: the second of two runs over unchanged sources
// receives next to nothing, and writes the same rows.
func TestUnchangedSourcesAreNotFetchedAgain(t *testing.T) {
	s := newSmall(t)
	s.version, s.vacancies = "1.0", []int{1, 2, 3}
	s.run()
	sent := s.sent.Load()
	s.clock = s.clock.AddDate(0, 0, -1).Add(time.Hour)
	second := s.run()
	if again := s.sent.Load() - sent; sent < 2000 || again*20 > sent {
		t.Errorf("the first run received %d bytes, the second %d", sent, again)
	}
	if len(second.Report.Changes) == 0 {
		t.Error("the second run was compared with nothing")
	}
	for _, c := range second.Report.Changes {
		// Parts of sources have the time at which they were last fetched.
		if c.Changes() != 0 && c.Table != "freshness" {
			t.Errorf("the rows of a table differ: %+v", c)
		}
	}
}

// TestBoardThatWasNeverHad: a board of the configuration that never answered is listed as
// such, and not as one that is carried.
func TestBoardThatWasNeverHad(t *testing.T) {
	s := newSmall(t)
	s.boards["bolt"] = "<!DOCTYPE html><html>no board</html>"
	for range 2 {
		carried := sourceReport(t, s.run(), "employer_boards").Carried
		if len(carried) != 1 || carried[0].Part != "ashby/bolt" || !carried[0].NeverFetched || !carried[0].Stale ||
			carried[0].LastDeliveredAt != nil ||
			!strings.Contains(carried[0].Advice(), "never fetched") {
			t.Errorf("%+v", carried)
		}
	}
}

// TestAdvertsListedByPart: the report counts what each board lists, for its own bound.
func TestAdvertsListedByPart(t *testing.T) {
	s := newSmall(t)
	parts := sourceReport(t, s.run(), "employer_boards").Adverts.Parts
	if len(parts) != 2 || parts["ashby/acme"] != 1 || parts["ashby/bolt"] != 1 {
		t.Errorf("%v", parts)
	}
}

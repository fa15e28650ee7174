package conformance

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"
)

// "All labour endpoints are GET and return the envelope above."
func TestLabourEndpointsAreGET(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range prefixed(labourPaths) {
			for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
				a := s.send(t, method, path, "", "Authorization", "Bearer "+s.key)
				if a.status != http.StatusMethodNotAllowed || a.header.Get("Allow") == "" {
					t.Errorf("%s %s: status %d, Allow %q", method, path, a.status, a.header.Get("Allow"))
				}
			}
		}
	})
}

// "GET /v1/jobs: … Query limit (default 50, maximum 100)."
func TestJobsLimit(t *testing.T) {
	each(t, func(t *testing.T, s *server) { limits(t, s, "/v1/jobs", 50, 100) })
}

func limits(t *testing.T, s *server, path string, usual, most int64) {
	t.Helper()
	for parameters, want := range map[string]int64{"": usual, "?limit=7": 7, "?limit=100000": most} {
		if got := s.rows(t, path+parameters).Meta.whole(t, "limit"); got != want {
			t.Errorf("%s%s: limit %d, want %d", path, parameters, got, want)
		}
	}
	for _, wrong := range []string{"0", "-1", "1.5", "x"} {
		s.refused(t, path+"?limit="+wrong, http.StatusBadRequest, "invalid_parameter")
	}
}

// "Returns data and meta (returned, limit, next_cursor)."
func TestJobsMeta(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		e := s.rows(t, "/v1/jobs")
		e.Meta.has(t, "returned", "limit", "next_cursor")
		if e.Meta.whole(t, "returned") != int64(len(e.Data)) {
			t.Errorf("returned %v of %d", e.Meta["returned"], len(e.Data))
		}
		for _, r := range e.Data {
			r.filled(t, "id", "type", "title", "employer", "link", "source_key", "attribution_statement")
		}
	})
}

// "Live jobs": none is closed, none comes from a source that forbids it.
func TestJobsAreLive(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		asOf := s.labour(t, "sources").Meta.text("as_of")
		for _, r := range s.walk(t, "/v1/jobs?limit=100") {
			if closes := r.text("closes_on"); closes != "" && closes < asOf {
				t.Errorf("%s closed on %s", r.text("id"), closes)
			}
			if k := r.text("source_key"); k == "employer_boards" {
				t.Errorf("%s is from %s", r.text("id"), k)
			}
		}
	})
}

// "GET /v1/candidates: one summary object … Not paged."
func TestCandidatesIsOneObject(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		s.object(t, "/v1/candidates").has(t, "residents", "by_borough", "seeking_work")
		s.refused(t, "/v1/candidates?limit=5", http.StatusBadRequest, "invalid_parameter")
	})
}

// "GET /v1/s106: one summary object … Not paged."
func TestS106IsOneObject(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		s.object(t, "/v1/s106").has(t, "developments", "obligations", "jobs_created", "apprenticeships_started",
			"local_people_employed", "training_places", "contributions_gbp")
		s.refused(t, "/v1/s106?limit=5", http.StatusBadRequest, "invalid_parameter")
		s.refused(t, "/v1/s106?borough=nowhere", http.StatusBadRequest, "unknown_place")
	})
}

// "GET /v1/events: … limit (default 50, maximum 200)."
func TestEventsLimit(t *testing.T) {
	each(t, func(t *testing.T, s *server) { limits(t, s, "/v1/events", 50, 200) })
}

// "page (integer from 1)."
func TestEventsPage(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if s.rows(t, "/v1/events").Meta.whole(t, "page") != 1 {
			t.Error("the first page is not page 1")
		}
		for _, wrong := range []string{"0", "-1", "x"} {
			s.refused(t, "/v1/events?page="+wrong, http.StatusBadRequest, "invalid_parameter")
		}
		if e := s.rows(t, "/v1/events?page=1000000"); len(e.Data) != 0 {
			t.Errorf("%d events on a page that is not there", len(e.Data))
		}
	})
}

// "since": only events at this time or later.
func TestEventsSince(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		newest := s.rows(t, "/v1/events?limit=20").Data
		if len(newest) == 0 {
			t.Fatal("no events")
		}
		since := newest[len(newest)-1].text("occurred_at")
		rows := s.rows(t, query("/v1/events", "since", since, "limit", "200")).Data
		if len(rows) < len(newest) {
			t.Errorf("%d events since %s, want at least %d", len(rows), since, len(newest))
		}
		for _, r := range rows {
			if r.text("occurred_at") < since {
				t.Errorf("%s before %s", r.text("occurred_at"), since)
			}
		}
		s.refused(t, "/v1/events?since=yesterday", http.StatusBadRequest, "invalid_parameter")
	})
}

// "Returns total, the count of all events matching the same filters including since."
func TestEventsTotal(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		all := s.rows(t, "/v1/events?limit=200")
		since := all.Data[len(all.Data)-1].text("occurred_at")
		for _, filter := range []url.Values{{"since": {since}}, {"type": {"click.recorded"}, "since": {since}}} {
			counted := int64(0)
			var total int64
			for page := 1; ; page++ {
				e := s.rows(t, "/v1/events?limit=200&page="+strconv.Itoa(page)+"&"+filter.Encode())
				counted, total = counted+int64(len(e.Data)), e.Meta.whole(t, "total")
				if len(e.Data) == 0 {
					break
				}
			}
			if counted != total {
				t.Errorf("%v: total %d, %d counted", filter, total, counted)
			}
		}
		if all.Meta.whole(t, "total") < int64(len(all.Data)) {
			t.Errorf("total %v of %d", all.Meta["total"], len(all.Data))
		}
	})
}

// No event lies after the data: a client that polls with the last time seen misses none.
func TestEventsAreNotInTheFuture(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if at := s.rows(t, "/v1/events?limit=1").Data[0].time(t, "occurred_at"); at.After(time.Now()) {
			t.Errorf("the newest event is at %v", at)
		}
	})
}

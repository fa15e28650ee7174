package conformance

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// paged are calls of the three endpoints with cursors, with the field that names a row.
var paged = map[string]string{"/v1/jobs?limit=100": "id", "/v1/labour/skills-unmet?limit=30": "skill",
	"/v1/labour/evidence?limit=100": "id"}

// page is the page of a path after a cursor; empty = the first one.
func (s *server) page(t *testing.T, path, cursor string) envelope {
	t.Helper()
	if cursor != "" {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		path += separator + "cursor=" + url.QueryEscape(cursor)
	}
	return s.rows(t, path)
}

// walk is every row of a path, page by page.
func (s *server) walk(t *testing.T, path string) []row {
	t.Helper()
	return s.walkFrom(t, path, "")
}

// kept is walk, once for all tests that look at the same rows and not at the call.
func (s *server) kept(t *testing.T, path string) []row {
	t.Helper()
	if s.walked[path] == nil {
		if s.walked == nil {
			s.walked = map[string][]row{}
		}
		s.walked[path] = s.walk(t, path)
	}
	return s.walked[path]
}

func (s *server) walkFrom(t *testing.T, path, cursor string) (rows []row) {
	t.Helper()
	for range 1000 {
		e := s.page(t, path, cursor)
		rows = append(rows, e.Data...)
		if cursor = e.Meta.text("next_cursor"); cursor == "" {
			return rows
		}
	}
	t.Fatalf("%s does not end", path)
	return nil
}

// lastPage is the last page of a path.
func (s *server) lastPage(t *testing.T, path string) envelope {
	t.Helper()
	e := s.page(t, path, "")
	for e.Meta.text("next_cursor") != "" {
		e = s.page(t, path, e.Meta.text("next_cursor"))
	}
	return e
}

// "Cursor paging applies to /v1/jobs, /v1/labour/skills-unmet and
// /v1/labour/evidence. When more results exist, meta.next_cursor is a string; on the
// last page it is null."
func TestCursorPaging(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for path := range paged {
			small := strings.Split(path, "?")[0] + "?limit=1"
			if s.page(t, small, "").Meta.text("next_cursor") == "" {
				t.Errorf("%s: no cursor on the first page", small)
			}
			if last := s.lastPage(t, path); last.Meta["next_cursor"] != nil || len(last.Data) == 0 {
				t.Errorf("%s: the last page has %d rows and the cursor %v", path, len(last.Data),
					last.Meta["next_cursor"])
			}
		}
	})
}

// "The client sends it back unchanged as cursor with the same filters. Changing
// filters mid-walk yields pages of a different list."
func TestChangedFiltersGiveAnotherList(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		first := s.labour(t, "skills-unmet?limit=5")
		other := s.page(t, query("/v1/labour/skills-unmet", "limit", "5", "place", s.borough(t)),
			first.Meta.text("next_cursor"))
		if len(other.Data) == 0 {
			t.Error("no page of the other list")
		}
	})
}

// "A cursor the service did not issue returns 400."
func TestForeignCursor(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		issued := s.labour(t, "skills-unmet?limit=5").Meta.text("next_cursor")
		changed := []byte(issued)
		for i := range changed {
			was := changed[i]
			changed[i] = 'A'
			if was == 'A' {
				changed[i] = 'B'
			}
			s.refused(t, query("/v1/labour/skills-unmet", "cursor", string(changed)), http.StatusBadRequest,
				"invalid_cursor")
			changed[i] = was
		}
		for _, cursor := range []string{"1", "abc", "\x00", "e30", issued + "A", issued[:len(issued)-1]} {
			if a := s.get(t, query("/v1/labour/skills-unmet", "cursor", cursor)); a.status != http.StatusBadRequest {
				t.Errorf("cursor %q: status %d", cursor, a.status)
			}
		}
		s.refused(t, query("/v1/labour/evidence", "cursor", issued), http.StatusBadRequest, "invalid_cursor")
	})
}

// "A full walk returns every matching item exactly once, in order …"
func TestFullWalk(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for path, id := range paged {
			rows := s.walk(t, path)
			if len(keys(rows, id)) != len(rows) {
				t.Errorf("%s: %d rows, %d of them different", path, len(rows), len(keys(rows, id)))
			}
			slow := s.walk(t, strings.Split(path, "?")[0]+"?limit=47")
			if fmt.Sprint(column(rows, id)) != fmt.Sprint(column(slow, id)) {
				t.Errorf("%s: another order with another page size", path)
			}
		}
	})
}

// column is a field of every row.
func column(rows []row, field string) (out []string) {
	for _, r := range rows {
		out = append(out, r.text(field))
	}
	return out
}

// "… even when items are published during the walk. New items appear at the front,
// never mid-walk."
func TestWalkWhilePublishing(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		if s.own == nil || s.name != "http" {
			t.Skip("only the operator can publish")
		}
		before := s.walk(t, "/v1/jobs?limit=100")
		first := s.rows(t, "/v1/jobs?limit=10")
		asOf := first.Meta.text("as_of")
		names := s.publish(t, asOf)
		walked := append(first.Data, s.walkFrom(t, "/v1/jobs?limit=100", first.Meta.text("next_cursor"))...)
		if fmt.Sprint(column(walked, "id")) != fmt.Sprint(column(before, "id")) {
			t.Error("the walk that had begun shows what was published meanwhile")
		}
		for i, r := range s.walk(t, "/v1/jobs?limit=100")[:len(names)] {
			if !names[r.text("title")] {
				t.Errorf("row %d of a new walk is %s, not one of %v", i+1, r.text("title"), names)
			}
		}
	})
}

// "meta.returned is the size of the current page. No total count of matches exists for
// cursor-paged endpoints."
func TestNoTotalOnPagedEndpoints(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for path := range paged {
			e := s.page(t, path, "")
			if e.Meta.whole(t, "returned") != int64(len(e.Data)) {
				t.Errorf("%s: %v of %d rows", path, e.Meta["returned"], len(e.Data))
			}
			for _, name := range []string{"total", "count", "pages"} {
				if _, there := e.Meta[name]; there {
					t.Errorf("%s has meta.%s", path, name)
				}
			}
		}
	})
}

// "Calls without cursor behave as they did before cursors existed": they give the
// first page.
func TestWithoutCursorTheFirstPage(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for path, id := range paged {
			if a, b := column(s.page(t, path, "").Data, id), column(s.walk(t, path), id); fmt.Sprint(a) != fmt.Sprint(
				b[:len(a)]) {
				t.Errorf("%s: not the first page", path)
			}
		}
	})
}

// "Jobs are ordered newest first …"
func TestJobsAreNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *server) { descending(t, s, "/v1/jobs?limit=100", "posted_at") })
}

// "… evidence is ordered newest first …"
func TestEvidenceIsNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *server) { descending(t, s, "/v1/labour/evidence?limit=200", "published_on") })
}

func descending(t *testing.T, s *server, path, field string) {
	t.Helper()
	rows := s.walk(t, path)
	for i := 1; i < len(rows); i++ {
		if rows[i].text(field) > rows[i-1].text(field) {
			t.Fatalf("%s: %s after %s", path, rows[i].text(field), rows[i-1].text(field))
		}
	}
}

// "… skills-not-met is ordered by rank."
func TestUnmetIsOrderedByRank(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for i, r := range s.walk(t, "/v1/labour/skills-unmet?limit=30") {
			if r.whole(t, "rank") != int64(i+1) {
				t.Fatalf("row %d has rank %v", i+1, r["rank"])
			}
		}
	})
}

// "Events page by page and limit, not by cursor."
func TestEventsPageByNumber(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		first, second := s.rows(t, "/v1/events?limit=5"), s.rows(t, "/v1/events?limit=5&page=2")
		if len(first.Data) != 5 || len(second.Data) == 0 || first.Data[0].text("id") == second.Data[0].text("id") {
			t.Errorf("%d and %d events", len(first.Data), len(second.Data))
		}
		s.refused(t, "/v1/events?cursor=abc", http.StatusBadRequest, "invalid_parameter")
	})
}

// "Unpaged labour endpoints return one bounded list": meta.truncated is true if rows were left out.
func TestUnpagedListsAreBounded(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range []string{"skills-gaps", "course-demand", "regions"} {
			e := s.labour(t, path+"?limit=2")
			if len(e.Data) != 2 || e.Meta["truncated"] != true {
				t.Errorf("%s?limit=2: %d rows, truncated is %v", path, len(e.Data), e.Meta["truncated"])
			}
			e = s.labour(t, path+"?limit=5000")
			if e.Meta["truncated"] != (len(e.Data) == 5000) {
				t.Errorf("%s: %d rows, truncated is %v", path, len(e.Data), e.Meta["truncated"])
			}
		}
	})
}

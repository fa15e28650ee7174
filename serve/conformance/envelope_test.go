package conformance

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// envelopes runs a test on a response of each labour endpoint.
func envelopes(t *testing.T, test func(*testing.T, string, envelope)) {
	t.Helper()
	each(t, func(t *testing.T, s *server) {
		for _, path := range labourPaths {
			test(t, path, s.some(t, path))
		}
	})
}

// "Every labour response is a JSON object with four parts."
func TestEnvelopeHasFourParts(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range labourPaths {
			parts := row{}
			header := s.ok(t, "/v1/labour/"+path, &parts)
			if !strings.HasPrefix(header.Get("Content-Type"), "application/json") {
				t.Errorf("%s is %s", path, header.Get("Content-Type"))
			}
			if got := slices.Sorted(maps.Keys(parts)); !slices.Equal(got, []string{"attribution_notice", "data", "meta",
				"sources"}) {
				t.Errorf("%s has %v", path, got)
			}
		}
	})
}

// "data: array. The figures."
func TestEnvelopeData(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range append(labourPaths, "regions?name=nothinghasthisname") {
			parts := row{}
			s.ok(t, "/v1/labour/"+path, &parts)
			if _, isArray := parts["data"].([]any); !isArray {
				t.Errorf("%s: data is %v", path, parts["data"])
			}
		}
	})
}

// "sources: array. One entry per source the figures came from."
func TestEnvelopeSources(t *testing.T) {
	envelopes(t, func(t *testing.T, path string, e envelope) {
		if len(keys(e.Sources, "key")) != len(e.Sources) {
			t.Errorf("%s: a source stands twice: %v", path, e.Sources)
		}
		if path == "skills-unmet" { // its rows are of adverts of several sources
			return
		}
		used := keys(e.Data, "source_key")
		for _, r := range e.Data {
			for _, k := range r.texts("pointing_sources") {
				used[k] = true
			}
		}
		if got := keys(e.Sources, "key"); !maps.Equal(got, used) {
			t.Errorf("%s: sources %v, figures of %v", path, got, used)
		}
	})
}

// texts is a field that is a list of texts.
func (r row) texts(name string) (out []string) {
	items, _ := r[name].([]any)
	for _, i := range items {
		if s, isText := i.(string); isText {
			out = append(out, s)
		}
	}
	return out
}

// "attribution_notice: string. The attribution rule, included in every response."
func TestEnvelopeAttributionNotice(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		notice := s.labour(t, "sources").AttributionNotice
		for _, path := range append(labourPaths, "regions?name=nothinghasthisname") {
			if got := s.labour(t, path).AttributionNotice; got == "" || got != notice {
				t.Errorf("%s: %q", path, got)
			}
		}
	})
}

// "meta: object. Response metadata."
func TestEnvelopeMeta(t *testing.T) {
	envelopes(t, func(t *testing.T, path string, e envelope) {
		e.Meta.has(t, "as_of", "generated", "returned", "limit", "next_cursor")
	})
}

// "key: source key; matches source_key in data rows."
func TestSourceKeyMatchesRows(t *testing.T) {
	envelopes(t, func(t *testing.T, path string, e envelope) {
		known := keys(e.Sources, "key")
		for _, r := range e.Data {
			if !known[r.text("source_key")] {
				t.Errorf("%s: %q is not among the sources", path, r.text("source_key"))
			}
		}
	})
}

// everySource checks each entry of sources.
func everySource(t *testing.T, test func(*testing.T, row)) {
	t.Helper()
	envelopes(t, func(t *testing.T, _ string, e envelope) {
		if len(e.Sources) == 0 {
			t.Error("no sources")
		}
		for _, source := range e.Sources {
			test(t, source)
		}
	})
}

// "publisher: publisher name."
func TestSourcePublisher(t *testing.T) {
	everySource(t, func(t *testing.T, r row) { r.filled(t, "publisher") })
}

// "licence: licence text."
func TestSourceLicence(t *testing.T) {
	everySource(t, func(t *testing.T, r row) { r.filled(t, "licence") })
}

// "link: a link to the source."
func TestSourceLink(t *testing.T) {
	everySource(t, func(t *testing.T, r row) {
		if link, err := url.Parse(r.text("link")); err != nil || link.Scheme != "https" || link.Host == "" {
			t.Errorf("link %q of %s", r.text("link"), r.text("key"))
		}
	})
}

// "attribution_statement: text that must be displayed with any figure from the
// source."
func TestSourceAttributionStatement(t *testing.T) {
	everySource(t, func(t *testing.T, r row) { r.filled(t, "attribution_statement") })
}

// "as_of: date (ISO 8601, YYYY-MM-DD). The date the data describes."
func TestMetaAsOf(t *testing.T) {
	envelopes(t, func(t *testing.T, path string, e envelope) {
		if on := e.Meta.date(t, "as_of"); on.After(time.Now()) {
			t.Errorf("%s: as_of %v", path, e.Meta["as_of"])
		}
	})
}

// "generated: timestamp. When the response was built."
func TestMetaGenerated(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		before := time.Now().Add(-time.Minute) // clocks may differ
		for _, path := range labourPaths {
			if at := s.labour(t, path).Meta.time(t, "generated"); at.Before(before) ||
				at.After(time.Now().Add(time.Minute)) {
				t.Errorf("%s was generated at %v", path, at)
			}
		}
	})
}

// "returned: integer. Number of rows in this page."
func TestMetaReturned(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range append(labourPaths, "skills-unmet?limit=3", "evidence?limit=1",
			"regions?name=nothinghasthisname") {
			if e := s.labour(t, path); e.Meta.whole(t, "returned") != int64(len(e.Data)) {
				t.Errorf("%s: returned %v of %d rows", path, e.Meta["returned"], len(e.Data))
			}
		}
	})
}

// "limit: integer. The page size applied."
func TestMetaLimit(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range []string{"skills-unmet", "skills-gaps", "course-demand", "evidence", "regions"} {
			e := s.labour(t, path+"?limit=2")
			if e.Meta.whole(t, "limit") != 2 || len(e.Data) > 2 {
				t.Errorf("%s?limit=2: limit %v, %d rows", path, e.Meta["limit"], len(e.Data))
			}
			e = s.labour(t, path+"?limit=1000000")
			if limit := e.Meta.whole(t, "limit"); limit >= 1000000 || int64(len(e.Data)) > limit {
				t.Errorf("%s: limit %d, %d rows", path, limit, len(e.Data))
			}
			s.refused(t, "/v1/labour/"+path+"?limit=0", http.StatusBadRequest, "invalid_parameter")
		}
	})
}

// "next_cursor: string or null. Cursor for the next page; null on the last page …"
func TestMetaNextCursor(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range []string{"skills-unmet?limit=2", "evidence?limit=2"} {
			if s.labour(t, path).Meta.text("next_cursor") == "" {
				t.Errorf("%s: no cursor for the next page", path)
			}
		}
		last := s.lastPage(t, "/v1/labour/skills-unmet?limit=200")
		if last.Meta["next_cursor"] != nil {
			t.Errorf("a cursor on the last page: %v", last.Meta)
		}
	})
}

// "… and always null on unpaged endpoints."
func TestUnpagedEndpointsHaveNoCursor(t *testing.T) {
	each(t, func(t *testing.T, s *server) {
		for _, path := range []string{"skills-gaps", "course-demand", "sources", "regions", "skills-gaps?limit=1",
			"course-demand?limit=1", "regions?limit=1"} {
			e := s.labour(t, path)
			e.Meta.has(t, "next_cursor")
			if e.Meta["next_cursor"] != nil {
				t.Errorf("%s: %v", path, e.Meta["next_cursor"])
			}
		}
	})
}

package web

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"labour/serve/api"
	"labour/snapshots"
)

// TestThereIsNoCatalogueOfAMissingSnapshot: the current one may have been removed by hand, which is no error of the
// request.
func TestThereIsNoCatalogueOfAMissingSnapshot(t *testing.T) {
	s, log := siteFor(t, &loaded{})
	ids := daysFrom(2)
	keep(t, s, ids, nil)
	write(t, filepath.Join(s.Store.RootDir(), snapshots.CurrentFileName), "2026-02-01.1\n")
	w := httptest.NewRecorder()
	s.catalog(w, httptest.NewRequest(http.MethodGet, "/catalog.jsonld", nil))
	if w.Code != http.StatusServiceUnavailable || log.Len() > 0 {
		t.Errorf("%d %s, and the log says %q", w.Code, w.Body, log)
	}
}

// TestAFileWithoutATemplateIsAnError.
func TestAFileWithoutATemplateIsAnError(t *testing.T) {
	if err := fill(io.Discard, "nothing.txt", nil); err == nil {
		t.Error("a file is made of nothing")
	}
}

// TestNoLineIsDrawnOfAQueryThatFailed, although some of its rows came, and the page does not credit their sources.
func TestNoLineIsDrawnOfAQueryThatFailed(t *testing.T) {
	s := &fixed{err: errors.New("broken"), asOf: dayOf("2026-11-20"), quarters: []api.Quarter{{From: dayOf("2026-07-01")}}}
	v := visit(s, "/skills/sql")
	points := trendPoints(v, filter{Window: 12}, &skillView{Skill: "sql"}, "quarter", s.AsOf())
	if points != nil || v.stamp.Snapshot != nil || !errors.Is(v.err, s.err) {
		t.Errorf("%+v (%v)", points, v.err)
	}
}

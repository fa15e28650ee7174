package web_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestTheFileOfChangesIsOfItsSnapshot: it has the name of it, and is asked for again each time, since the snapshot may
// be withdrawn. Its first line names the columns.
func TestTheFileOfChangesIsOfItsSnapshot(t *testing.T) {
	w := newSite(t).get(t, "/snapshots/2026-11-20.1/changes.csv")
	h := w.Header()
	if w.Code != http.StatusOK || h.Get("Content-Type") != "text/csv; charset=utf-8" ||
		h.Get("Cache-Control") != "no-cache" ||
		h.Get("Content-Disposition") != `attachment; filename="changes-2026-11-20.1.csv"` || !strings.HasPrefix(
		w.Body.String(), "table,key,change,old,new,reason,source_keys,keys,attribution_statement\n") {
		t.Errorf("%d %v %.200s", w.Code, h, w.Body)
	}
}

package fakepublishers

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// ask gets one path from a handler.
func ask(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

type listing struct {
	ObjectID string `json:"objectIdFieldName"`
	Features []struct {
		ID         int
		Attributes map[string]any
		Properties map[string]any
		Geometry   json.RawMessage
	}
	Exceeded   bool `json:"exceededTransferLimit"`
	Properties struct {
		Exceeded bool `json:"exceededTransferLimit"`
	}
}

func list(t *testing.T, h http.Handler, query string) listing {
	t.Helper()
	_, body := ask(t, h, "/x/rest/services/LAD/FeatureServer/0/query?where=1=1&"+query)
	var l listing
	if err := json.Unmarshal([]byte(body), &l); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return l
}

func councils(n int) ArcGISTable {
	t := ArcGISTable{MaxRecordCount: 3, ObjectIDField: "FID"}
	for i := range n {
		t.Rows = append(t.Rows, map[string]any{"LAD25CD": fmt.Sprintf("E07%06d", i)})
		t.Geometry = append(t.Geometry, json.RawMessage(`{"type":"Point","coordinates":[0,51]}`))
	}
	return t
}

// TestPages checks the quirks that a client must know: the limit of an
// answer, the field that announces more rows, and that only ordered pages are disjoint.
func TestPages(t *testing.T) {
	a := NewArcGIS(map[string]ArcGISTable{"LAD": councils(7)})
	for _, c := range []struct {
		query string
		n     int
		more  bool
	}{{"orderByFields=FID&resultOffset=0&resultRecordCount=100", 3, true},
		{"orderByFields=FID&resultOffset=3", 3, true},
		{"orderByFields=FID&resultOffset=6", 1, false}, {"resultOffset=70", 0, false},
		{"resultRecordCount=2", 2, true}} {
		l := list(t, a, c.query)
		if len(l.Features) != c.n || l.Exceeded != c.more || l.ObjectID != "FID" {
			t.Errorf("%s: %d features, more %v", c.query, len(l.Features), l.Exceeded)
		}
		g := list(t, a, c.query+"&f=geojson")
		if len(g.Features) != c.n || g.Properties.Exceeded != c.more || g.Exceeded {
			t.Errorf("%s as GeoJSON: %d features, more %v", c.query, len(g.Features), g.Properties.Exceeded)
		}
	}
	for order, want := range map[string]int{"orderByFields=FID": 7, "f=json": 5} {
		seen := map[any]bool{}
		for offset := 0; offset < 7; offset += 3 {
			for _, f := range list(t, a, fmt.Sprintf("%s&resultOffset=%d", order, offset)).Features {
				seen[f.Attributes["FID"]] = true
			}
		}
		if len(seen) != want {
			t.Errorf("%s: the pages hold %d of 7 records, want %d", order, len(seen), want)
		}
	}
}

func TestErrorsArriveWith200(t *testing.T) {
	a := NewArcGIS(map[string]ArcGISTable{"LAD": councils(1)})
	for path, want := range map[string]string{
		"/LAD/FeatureServer/0/query?where=1=1&returnCountOnly=true": `{"count":1}`,
		"/NO/FeatureServer/0/query?where=1=1":                       "Invalid URL",
		"/LAD/FeatureServer/0/query":                                "'where' parameter is invalid",
		"/LAD/FeatureServer/0/query?where=1=1&orderByFields=x":      "'orderByFields' parameter is invalid",
		"/LAD": "Invalid URL",
	} {
		status, body := ask(t, a, path)
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
}

func TestEES(t *testing.T) {
	const table = "time_period,starts\n202425,10\n"
	e := NewEducationStatistics(EducationDataSet{ID: "a", Title: "A & B", Version: "2.0", Published: time.Date(2025, 11,
		27, 9, 30, 0, 0,
		time.UTC), CSV: []byte(table)},
		EducationDataSet{ID: "b", CSV: []byte(table), Uncompressed: true}, EducationDataSet{ID: "c"})
	if _, body := ask(t, e, "/statistics/v1/data-sets/a"); !strings.Contains(body, `"A & B"`) ||
		!strings.Contains(body, `"totalResults":1`) ||
		!strings.Contains(body, `"published":"2025-11-27T09:30:00Z"`) {
		t.Errorf("description: %s", body)
	}
	_, body := ask(t, e, "/data-sets/a/csv?dataSetVersion=2.0")
	z, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := io.ReadAll(z); err != nil || !bytes.Equal(plain, []byte(table)) {
		t.Errorf("file: %q, %v", plain, err)
	}
	if _, body := ask(t, e, "/data-sets/b/csv"); body != table {
		t.Errorf("plain file: %q", body)
	}
	for path, want := range map[string]int{"/data-sets/d": 404, "/data-sets/a/csv?dataSetVersion=1.0": 404,
		"/data-sets/a/meta": 404,
		"/data-sets/c/csv":  200, "/data-sets/c": 200, "/": 404} {
		if status, _ := ask(t, e, path); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
}

package fakepublishers

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// ArcGISTable is one table of a simulated ArcGIS server.
type ArcGISTable struct {
	// Rows are the features of the table, as values by field name. An object id is added if no row
	// has one.
	Rows []map[string]any
	// Geometry is one GeoJSON geometry for each row; nil for a table without shapes.
	Geometry []json.RawMessage
	// ObjectIDField is the name of the field with the object id; empty = "ObjectId". The real portal
	// also uses FID and OBJECTID.
	ObjectIDField string
	// MaxRecordCount is the maximum number of features in one response; 0 = 2000.
	MaxRecordCount int
}

// NewArcGIS returns a handler that imitates the ArcGIS server of the Open Geography Portal. The
// keys of tables are service names. A table is served at {service}/FeatureServer/{layer}/query.
//
// The handler has the quirks of the real server. It sends errors with status 200. It returns at
// most MaxRecordCount records per response. Pages overlap unless the request orders them by object
// id. The last page has no field exceededTransferLimit.
func NewArcGIS(tables map[string]ArcGISTable) http.Handler {
	served := map[string]ArcGISTable{}
	for service, t := range tables {
		t.ObjectIDField = cmp.Or(t.ObjectIDField, "ObjectId")
		t.MaxRecordCount = cmp.Or(t.MaxRecordCount, 2000)
		rows := make([]map[string]any, len(t.Rows))
		for i, r := range t.Rows {
			rows[i] = map[string]any{t.ObjectIDField: i + 1}
			maps.Copy(rows[i], r)
		}
		t.Rows = rows
		served[service] = t
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var t ArcGISTable
		parts, ok := strings.Split(strings.Trim(r.URL.Path, "/"), "/"), false
		if n := len(parts); n >= 4 && parts[n-1] == "query" && parts[n-3] == "FeatureServer" {
			t, ok = served[parts[n-4]]
		}
		q := r.URL.Query()
		switch {
		case !ok:
			arcgisError(w, "Invalid URL")
		case q.Get("where") != "1=1":
			arcgisError(w, "'where' parameter is invalid: the simulator knows 1=1 only")
		case q.Get("returnCountOnly") == "true":
			writeJSON(w, typeJSON, http.StatusOK, map[string]any{"count": len(t.Rows)})
		default:
			t.answer(w, page{offset: number(q.Get("resultOffset")), size: number(q.Get("resultRecordCount")),
				order: q.Get("orderByFields"), geojson: q.Get("f") == "geojson"})
		}
	})
}

// page holds the paging parameters of a query to the simulated ArcGIS server.
type page struct {
	offset, size int
	order        string
	geojson      bool
}

func (t ArcGISTable) answer(w http.ResponseWriter, p page) {
	if p.order != "" && !strings.EqualFold(strings.TrimSuffix(p.order, " ASC"), t.ObjectIDField) {
		arcgisError(w, "'orderByFields' parameter is invalid")
		return
	}
	if p.size <= 0 || p.size > t.MaxRecordCount {
		p.size = t.MaxRecordCount
	}
	index := make([]int, len(t.Rows))
	for i := range index {
		index[i] = i
	}
	// Without an order the server may list the rows differently for every page.
	if p.order == "" && p.size > 0 && p.offset/p.size%2 == 1 {
		slices.Reverse(index)
	}
	from := min(max(p.offset, 0), len(index))
	to := min(from+p.size, len(index))
	features := make([]any, 0, to-from)
	for _, i := range index[from:to] {
		if !p.geojson {
			features = append(features, map[string]any{"attributes": t.Rows[i]})
			continue
		}
		var shape json.RawMessage
		if i < len(t.Geometry) {
			shape = t.Geometry[i]
		}
		features = append(features, map[string]any{"type": "Feature", "id": t.Rows[i][t.ObjectIDField], "geometry": shape,
			"properties": t.Rows[i]})
	}
	more := map[string]any{}
	if to < len(index) {
		more["exceededTransferLimit"] = true
	}
	if !p.geojson {
		maps.Copy(more, map[string]any{"objectIdFieldName": t.ObjectIDField, "fields": t.fields(), "features": features})
		writeJSON(w, typeJSON, http.StatusOK, more)
		return
	}
	body := map[string]any{"type": "FeatureCollection", "features": features}
	if len(more) > 0 {
		body["properties"] = more
	}
	writeJSON(w, "application/geo+json; charset=utf-8", http.StatusOK, body)
}

// fields returns one JSON object for each column of a simulated ArcGIS table, with the column's name
// and type, sorted by name.
func (t ArcGISTable) fields() []any {
	if len(t.Rows) == 0 {
		return []any{}
	}
	names := slices.Sorted(maps.Keys(t.Rows[0]))
	out := make([]any, len(names))
	for i, n := range names {
		kind := "esriFieldTypeString"
		if n == t.ObjectIDField {
			kind = "esriFieldTypeOID"
		}
		out[i] = map[string]any{"name": n, "type": kind, "alias": n}
	}
	return out
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// arcgisError sends an error as the real portal does: with HTTP status 200.
func arcgisError(w http.ResponseWriter, message string) {
	writeJSON(w, typeJSON, http.StatusOK, map[string]any{
		"error": map[string]any{"code": 400, "message": message, "details": []string{"code 400"}}})
}

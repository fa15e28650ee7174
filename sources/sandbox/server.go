package sandbox

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path"
	"strconv"
	"strings"
	"text/template"
	"time"

	"labour/sources"
	"labour/sources/fakepublishers"
)

// contentTypes are those of the documents, by the endings of their names.
var contentTypes = map[string]string{".csv": "text/csv", ".rss": "application/rss+xml; charset=utf-8",
	".atom": "application/atom+xml; charset=utf-8"}

// templates returns the texts of the world that depend only on its date: labour.yaml and, under
// documents, the publications of the skills bodies, feeds of news and the lists of local plans, all
// made up in the publishers' formats.
func (w *World) templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"year": func(after int) int { return w.asOf.Year + after },
		"day":  func(after int) sources.Date { return w.asOf.AddDays(after) },
		"mailed": func(after int) string {
			return w.asOf.AddDays(after).Time().Add(7 * time.Hour).Format(
				time.RFC1123Z)
		},
	}).ParseFS(embedded, "labour.yaml", "documents/*"))
}

func filled(t *template.Template, values any) []byte {
	var b bytes.Buffer
	template.Must(t, t.Execute(&b, values))
	return b.Bytes()
}

// documents returns the documents that the simulated publishers offer, by name.
func (w *World) documents() map[string]fakepublishers.File {
	files := map[string]fakepublishers.File{}
	for _, t := range w.templates().Templates() {
		if kind, ok := contentTypes[path.Ext(t.Name())]; ok {
			files[t.Name()] = fakepublishers.File{ContentType: kind, Body: filled(t, nil)}
		}
	}
	return files
}

// Config returns a labour.yaml that points every connector to this world: the feed in feedDir, the
// publishers under baseURL. The key of the apprenticeship service is the secret KeyEnv. With a file
// of Corrections it also shows the faults of publishers: it adds a source that was taken down, so
// that a run continues without it and the source is stale.
func (w *World) Config(feedDir, baseURL, corrections string) []byte {
	var boards []employer
	for _, e := range w.boards {
		boards = append(boards, w.employers[e])
	}
	return filled(w.templates().Lookup("labour.yaml"), map[string]any{"Site": siteAddress, "Feed": feedDir,
		"Base":        baseURL,
		"Corrections": corrections, "Boards": boards})
}

// importedBeside is how many adverts of other boards the apprenticeship service reports in addition
// to its own.
const importedBeside = 230

// Handler returns a handler that simulates the publishers, each under its own path: /greenhouse,
// /faa, /ees, /ons and /files.
func (w *World) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/"+vendor+"/", fakepublishers.NewGreenhouse(w.boardRows()))
	mux.Handle("/faa/", fakepublishers.NewFAA(Key, w.serviceRows(), importedBeside))
	mux.Handle("/ees/", fakepublishers.NewEES(w.statistics()...))
	mux.Handle("/ons/", fakepublishers.NewArcGIS(w.lists.portal))
	mux.Handle("/files/", fakepublishers.NewFiles(w.documents()))
	return mux
}

// halfSide is half the side of a council's square, in degrees.
type halfSide struct{ lat, lon float64 }

// halfOf returns half the side of a council's square: boroughs have squares of about 2 km, which do
// not overlap, and other councils larger ones.
func halfOf(c council) halfSide {
	if c.people > 0 {
		return halfSide{lat: 0.009, lon: 0.013}
	}
	return halfSide{lat: 0.02, lon: 0.03}
}

// portalTables reads the tables of the portal, which are files named like its services: the first
// line has the fields, and a geometry is the points of an outline.
func portalTables() map[string]fakepublishers.ArcGISTable {
	tables := map[string]fakepublishers.ArcGISTable{}
	files, _ := embedded.ReadDir("geography")
	for _, file := range files {
		var t fakepublishers.ArcGISTable
		lines := rows("geography/" + file.Name())
		for _, cells := range lines[1:] {
			row := map[string]any{}
			for i, cell := range cells {
				switch number, err := strconv.ParseFloat(cell, 64); {
				case lines[0][i] == "geometry":
					t.ObjectID = "FID"
					t.Geometry = append(t.Geometry,
						json.RawMessage(`{"type":"Polygon","coordinates":[[[`+strings.ReplaceAll(cell, " ", "],[")+
							`]]]}`))
				case err == nil:
					row[lines[0][i]] = number
				default:
					row[lines[0][i]] = cell
				}
			}
			t.Rows = append(t.Rows, row)
		}
		tables[strings.TrimSuffix(file.Name(), path.Ext(file.Name()))] = t
	}
	return tables
}

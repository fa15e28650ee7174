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

// contentTypes maps the file extension of a document to its content type.
var contentTypes = map[string]string{".csv": "text/csv", ".rss": "application/rss+xml; charset=utf-8",
	".atom": "application/atom+xml; charset=utf-8"}

// templates returns the templates for labour.yaml and for the made-up publications, news feeds and
// plans.
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

func render(t *template.Template, values any) []byte {
	var b bytes.Buffer
	template.Must(t, t.Execute(&b, values))
	return b.Bytes()
}

// documents returns the files that the simulated publishers offer for download, by name.
func (w *World) documents() map[string]fakepublishers.ServedFile {
	files := map[string]fakepublishers.ServedFile{}
	for _, t := range w.templates().Templates() {
		if kind, ok := contentTypes[path.Ext(t.Name())]; ok {
			files[t.Name()] = fakepublishers.ServedFile{ContentType: kind, Body: render(t, nil)}
		}
	}
	return files
}

// ConfigFile returns a configuration file labour.yaml for this made-up world. feedDir is the
// directory of the platform's feed. baseURL is the address of PublishersHandler.
//
// corrections is the path of the corrections file, or "". If it is set, the configuration also
// lists a news feed that does not exist, to show a failed download.
func (w *World) ConfigFile(feedDir, baseURL, corrections string) []byte {
	var boards []employer
	for _, e := range w.boards {
		boards = append(boards, w.employers[e])
	}
	return render(w.templates().Lookup("labour.yaml"), map[string]any{"Site": siteAddress, "Feed": feedDir,
		"Base":        baseURL,
		"Corrections": corrections, "Boards": boards})
}

// otherBoardAdverts is the number of adverts from other job boards that the simulated apprenticeship
// service reports in addition to its vacancies.
const otherBoardAdverts = 230

// PublishersHandler returns an HTTP handler that imitates the publishers' servers. Its paths begin
// with /greenhouse, /faa, /ees, /ons and /files.
func (w *World) PublishersHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/"+vendor+"/", fakepublishers.NewGreenhouse(w.boardRows()))
	mux.Handle("/faa/", fakepublishers.NewApprenticeshipService(ApprenticeshipAPIKey, w.serviceRows(), otherBoardAdverts))
	mux.Handle("/ees/", fakepublishers.NewEducationStatistics(w.statistics()...))
	mux.Handle("/ons/", fakepublishers.NewArcGIS(w.lists.portal))
	mux.Handle("/files/", fakepublishers.NewFileServer(w.documents()))
	return mux
}

// halfSide is half the height and half the width of the square that represents a council area, in
// degrees.
type halfSide struct{ lat, lon float64 }

// halfOf returns the size of the square that represents a council area. The squares of boroughs are
// small, so that they do not overlap.
func halfOf(c council) halfSide {
	if c.people > 0 {
		return halfSide{lat: 0.009, lon: 0.013}
	}
	return halfSide{lat: 0.02, lon: 0.03}
}

// portalTables returns the embedded tables of the simulated geography portal, by service name. The
// first line of a table's file names its fields. A geometry is a list of points.
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
					t.ObjectIDField = "FID"
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

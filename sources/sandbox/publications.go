package sandbox

import (
	"bytes"
	"fmt"
	"path"
	"text/template"
	"time"

	"labour/sources"
	"labour/sources/fakepublishers"
)

// contentTypes are those of the documents, by the endings of their names.
var contentTypes = map[string]string{".csv": "text/csv", ".rss": "application/rss+xml; charset=utf-8", ".atom": "application/atom+xml; charset=utf-8"}

// templates are the texts of the world that only its date changes: labour.yaml, and under
// documents the publications of the skills bodies, feeds of news and what local plans
// list, all made up in the publishers' formats.
func (w *World) templates() (*template.Template, error) {
	return template.New("").Funcs(template.FuncMap{
		"year":   func(after int) int { return w.asOf.Year + after },
		"day":    func(after int) sources.Date { return w.asOf.AddDays(after) },
		"mailed": func(after int) string { return w.asOf.AddDays(after).Time().Add(7 * time.Hour).Format(time.RFC1123Z) },
	}).ParseFS(embedded, "labour.yaml", "documents/*")
}

// documents are those that the simulated publishers offer, by name.
func (w *World) documents() (map[string]fakepublishers.File, error) {
	all, err := w.templates()
	if err != nil {
		return nil, fmt.Errorf("read the documents: %w", err)
	}
	files := map[string]fakepublishers.File{}
	for _, t := range all.Templates() {
		if kind, ok := contentTypes[path.Ext(t.Name())]; ok {
			var b bytes.Buffer
			if err := t.Execute(&b, nil); err != nil {
				return nil, err
			}
			files[t.Name()] = fakepublishers.File{ContentType: kind, Body: b.Bytes()}
		}
	}
	return files, nil
}

// Config is a labour.yaml that points every connector to this world: the feed in
// feedDir, the publishers under baseURL. The key of the apprenticeship service is the
// secret KeyEnv. With a file of Corrections it has what goes wrong with publishers too:
// one more source, which was taken down, so that a run goes on without it and the source
// is stale.
func (w *World) Config(feedDir, baseURL, corrections string) ([]byte, error) {
	type employerBoard struct{ Token, Employer string }
	values := struct {
		Site, Feed, Base, Corrections string
		Boards                        []employerBoard
	}{Site: siteAddress, Feed: feedDir, Base: baseURL, Corrections: corrections}
	for _, b := range w.boards {
		values.Boards = append(values.Boards, employerBoard{b.token, w.employers[b.employer].name})
	}
	var b bytes.Buffer
	all, err := w.templates()
	if err == nil {
		err = all.ExecuteTemplate(&b, "labour.yaml", values)
	}
	if err != nil {
		return nil, fmt.Errorf("write the configuration: %w", err)
	}
	return b.Bytes(), nil
}

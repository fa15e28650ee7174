package web

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"

	"labour/serve/prefixsearch"
	"labour/serve/web/samples"
	"labour/snapshots"
)

// document is a page of the documentation.
type document struct {
	Name  string // last part of its address; empty = the first one
	Title string
	Here  bool
}

// URL is the address of the document.
func (d document) URL() string {
	if d.Name == "" {
		return "/docs"
	}
	return "/docs/" + d.Name
}

func (d document) template() string {
	if d.Name == "" {
		return "docs/start"
	}
	return "docs/" + d.Name
}

func documents() []document {
	return []document{{Title: "Getting started"}, {Name: "programs", Title: "In your program"}, {Name: "methods", Title: "Methods and quality"}, {Name: "glossary", Title: "Glossary"}, {Name: "dictionary", Title: "Data dictionary"}, {Name: "paging", Title: "Paging"}, {Name: "limits", Title: "Limits"}, {Name: "errors", Title: "Errors"},
		{Name: "small-numbers", Title: "Small numbers"}, {Name: "attribution", Title: "Attribution"}, {Name: "webhooks", Title: "Verifying webhooks"}, {Name: "changes", Title: "API changes"}, {Name: "about", Title: "Contact, privacy and accessibility"}}
}

// documentView is the data of a page of the documentation.
type documentView struct {
	Base      string
	Documents []document
	Changes   template.HTML
	Samples   []sample
	Programs  []sample
	Contact   string
	Tables    []snapshots.Table // that can be downloaded
}

// tags are what a text of HTML holds beside its words.
var tags = regexp.MustCompile(`<[^>]*>|\{\{[^}]*\}\}`)

// readDocuments makes the texts of the documents ready to be searched.
func (s *Site) readDocuments() error {
	s.documents = map[string]prefixsearch.Name{}
	for _, d := range documents() {
		text, err := files.ReadFile("templates/" + d.template() + ".html")
		if err != nil {
			return err
		}
		s.documents[d.Name] = prefixsearch.NameOf(tags.ReplaceAllString(string(text), " "))
	}
	return nil
}

func (s *Site) document(v *request, d document) view {
	data := documentView{Base: v.base, Documents: documents(), Changes: s.changes, Samples: s.samples, Programs: s.programs(v), Contact: s.Contact}
	for _, name := range released() {
		if table, ok := snapshots.TableNamed(name); ok {
			data.Tables = append(data.Tables, table)
		}
	}
	for i := range data.Documents {
		data.Documents[i].Here = data.Documents[i].Name == d.Name
	}
	section := "/docs"
	if d.Name == "methods" { // has an entry of its own
		section = d.URL()
	}
	return view{template: d.template(), title: d.Title, section: section, data: data}
}

// sample is a program text of the documentation.
type sample struct{ ID, Name, Text string }

// readSamples reads programs: their files and names in turn.
func readSamples(filesAndNames ...string) (list []sample, err error) {
	for pair := range slices.Chunk(filesAndNames, 2) {
		text, err := samples.Files.ReadFile(pair[0])
		if err != nil {
			return nil, err
		}
		// A reader's file has a package of its own.
		list = append(list, sample{ID: pair[0], Name: pair[1], Text: strings.TrimPrefix(string(text), "package samples\n\n")})
	}
	return list, nil
}

// callPattern is a call of the labour data in letters that mean nothing to any language.
var callPattern = regexp.MustCompile(`^` + labourPath + `[a-z-]+(\?[A-Za-z0-9%&=+_.~-]*)?$`)

// programs are the callers with the call that the address names.
func (s *Site) programs(v *request) []sample {
	call := cmp.Or(callPattern.FindString(v.URL.Query().Get("call")), samples.Call)
	path, query, _ := strings.Cut(call, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		q = url.Values{}
	}
	q.Set("format", "csv")
	put := strings.NewReplacer(samples.Host+samples.CallCSV, v.base+address(path, q), samples.Host+samples.Call, v.base+call)
	var list []sample
	for _, one := range s.callers {
		one.Text = put.Replace(one.Text)
		list = append(list, one)
	}
	return list
}

// renderMarkdown makes HTML of a document of the project. HTML in it is left out.
func renderMarkdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	if err := goldmark.Convert([]byte(text), &b); err != nil {
		return "", fmt.Errorf("web: render a document: %w", err)
	}
	return template.HTML(b.String()), nil
}

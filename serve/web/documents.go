package web

import (
	"bytes"
	"cmp"
	"html/template"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/prefixsearch"
	"labour/serve/web/samples"
	"labour/serve/web/words"
	"labour/snapshots"
)

// documentURL returns the path of a documentation page, such as /docs/methods. The path of the
// first page is /docs.
func documentURL(d api.Named) string { return path.Join("/docs", d.Value) }

func documentTemplate(d api.Named) string { return path.Join("docs", cmp.Or(d.Value, "start")) }

type documentView struct {
	Base      string
	Documents []api.Named
	Here      string // name of the document on the page, as in its path
	Changes   template.HTML
	Samples   []sample
	Programs  []sample
	Contact   string
	Tables    []snapshots.Table // tables of the snapshot that anyone can download
}

// tags matches the HTML tags and the template actions in a template file. The rest of the file is
// text.
var tags = regexp.MustCompile(`<[^>]*>|\{\{[^}]*\}\}`)

func (s *Site) readDocuments() error {
	s.documents = map[string]prefixsearch.Name{}
	for _, d := range words.List("document") {
		text, err := files.ReadFile("templates/" + documentTemplate(d) + ".html")
		if err != nil {
			return err
		}
		s.documents[d.Value] = prefixsearch.NewName(tags.ReplaceAllString(string(text), " "))
	}
	return nil
}

func (s *Site) document(v *request, d api.Named) view {
	data := documentView{Base: v.base, Documents: words.List("document"), Here: d.Value, Changes: s.changes,
		Samples: s.samples, Programs: s.programs(v), Contact: s.OperatorContact}
	for _, name := range downloadableTables() {
		if table, ok := snapshots.FindTable(name); ok {
			data.Tables = append(data.Tables, table)
		}
	}
	section := "/docs"
	if d.Value == "methods" { // this page has its own entry in the navigation
		section = documentURL(d)
	}
	return view{template: documentTemplate(d), title: d.Name, section: section, data: data}
}

type sample struct{ ID, Name, Text string }

// readSamples reads sample programs, one for each programming language. list is the name of a list
// in package words; the codes in this list are the file names of the programs.
func readSamples(list string) (programs []sample, err error) {
	for _, file := range words.List(list) {
		text, err := samples.Files.ReadFile(file.Value)
		if err != nil {
			return nil, err
		}
		// A user's file has its own package name.
		programs = append(programs,
			sample{ID: file.Value, Name: file.Name, Text: strings.TrimPrefix(string(text), "package samples\n\n")})
	}
	return programs, nil
}

// callPattern matches the path and query of an API request for labour market data. It permits no
// character that has a special meaning in a programming language.
var callPattern = regexp.MustCompile(`^` + serve.LabourPath + `[a-z-]+(\?[A-Za-z0-9%&=+_.~-]*)?$`)

// programs returns the sample programs that request data from the API. The request is the one in
// the parameter call of the page's address. If that is missing or invalid, the request is
// samples.JSONRequestPath.
func (s *Site) programs(v *request) []sample {
	call := cmp.Or(callPattern.FindString(v.URL.Query().Get("call")), samples.JSONRequestPath)
	endpoint, query, _ := strings.Cut(call, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		q = url.Values{}
	}
	q.Set("format", "csv")
	put := strings.NewReplacer(samples.BaseURL+samples.CSVRequestPath, v.base+address(endpoint, q),
		samples.BaseURL+samples.JSONRequestPath,
		v.base+call)
	var list []sample
	for _, one := range s.callers {
		one.Text = put.Replace(one.Text)
		list = append(list, one)
	}
	return list
}

// renderMarkdown converts a Markdown text to HTML. It removes HTML that the text contains.
func renderMarkdown(text string) (template.HTML, error) {
	var b bytes.Buffer
	err := goldmark.Convert([]byte(text), &b)
	return template.HTML(b.String()), err
}

package web

import (
	"slices"
	"strings"
	"testing"

	"labour/serve/api"
	"labour/serve/web/samples"
	"labour/serve/web/words"
)

// TestADocumentHasItsPage: methods have an entry of their own in the navigation.
func TestADocumentHasItsPage(t *testing.T) {
	for value, want := range map[string]string{"": "docs/start Getting started /docs",
		"methods": "docs/methods Methods and quality /docs/methods", "limits": "docs/limits Limits /docs"} {
		d := api.Named{Value: value, Name: words.DisplayName("document", value)}
		s := &Site{Options: Options{OperatorContact: "a@b.example"}, changes: "<p>new</p>",
			samples: []sample{{ID: "verify.go"}}, callers: []sample{{ID: "call.py", Text: samples.BaseURL +
				samples.JSONRequestPath + " or " + samples.BaseURL + samples.CSVRequestPath}}}
		v := s.document(visit(nil, "/docs"), d)
		if got := v.template + " " + v.title + " " + v.section; got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
		data := v.data.(documentView)
		var tables []string
		for _, table := range data.Tables {
			tables = append(tables, table.Name)
		}
		if data.Here != value || data.Base != "https://labour.example" || data.Changes != "<p>new</p>" ||
			data.Contact != "a@b.example" || len(data.Documents) != 18 || !slices.Equal(tables, downloadableTables()) ||
			len(data.Samples) != 1 || len(data.Programs) != 1 {
			t.Errorf("%q: %+v with the tables %q", value, data, tables)
		}
	}
}

// TestProgramsHaveTheCallOfTheAddress: as JSON and as CSV. Another call, or one with characters that mean something
// in a program, is replaced by that of the example.
func TestProgramsHaveTheCallOfTheAddress(t *testing.T) {
	s := &Site{callers: []sample{{ID: "call.py", Text: samples.BaseURL + samples.JSONRequestPath + " or " +
		samples.BaseURL + samples.CSVRequestPath}}}
	const example = "https://labour.example" + samples.JSONRequestPath + " or https://labour.example" +
		samples.CSVRequestPath
	for target, want := range map[string]string{
		"/docs/programs":               example,
		"/docs/programs?call=/v1/jobs": example,
		"/docs/programs?call=%24(x)":   example,
		"/docs/programs?call=/v1/labour/places": "https://labour.example/v1/labour/places or " +
			"https://labour.example/v1/labour/places?format=csv",
		"/docs/programs?call=/v1/labour/skills-unmet?soc%3D61": "https://labour.example/v1/labour/skills-unmet?soc=61 or " +
			"https://labour.example/v1/labour/skills-unmet?format=csv&soc=61",
		"/docs/programs?call=/v1/labour/skills-unmet?soc%3D%2524": "https://labour.example/v1/labour/skills-unmet?soc=%24 " +
			"or https://labour.example/v1/labour/skills-unmet?format=csv&soc=%24",
	} {
		if got := s.programs(visit(nil, target))[0].Text; got != want {
			t.Errorf("%s: %s, want %s", target, got, want)
		}
	}
	if s.callers[0].Text[:len(samples.BaseURL)] != samples.BaseURL {
		t.Error("the sample of all pages is changed")
	}
}

// TestSampleProgramsAreThoseOfAUser: without the name of their package here.
func TestSampleProgramsAreThoseOfAUser(t *testing.T) {
	list, err := readSamples("verify")
	if err != nil || len(list) != 4 || list[0].ID != "verify.go" || list[0].Name != "Go" {
		t.Fatalf("%v, %v", list, err)
	}
	for _, one := range list {
		if one.Text == "" || strings.HasPrefix(one.Text, "package samples") {
			t.Errorf("%s begins with %.40q", one.ID, one.Text)
		}
	}
	if _, err := readSamples("metric"); err == nil {
		t.Error("a program without a file is read")
	}
}

// TestDocumentsAreSearchedByTheirText, and not by their tags.
func TestDocumentsAreSearchedByTheirText(t *testing.T) {
	s := &Site{}
	if err := s.readDocuments(); err != nil || len(s.documents) != 18 {
		t.Fatalf("%d documents, %v", len(s.documents), err)
	}
	for asked, want := range map[string]bool{"operator": true, "href": false, "template": false} {
		if got := searchOf(asked).Matches(s.documents[""]); got != want {
			t.Errorf("%q is in the first page: %v", asked, got)
		}
	}
}

// TestTheChangeLogHasNoMarkupOfItsOwn: HTML in it is left out.
func TestTheChangeLogHasNoMarkupOfItsOwn(t *testing.T) {
	got, err := renderMarkdown("# New\n\n<b>bold</b> *said*")
	if err != nil || strings.Contains(string(got), "<b>") || !strings.Contains(string(got), "<h1>New</h1>") ||
		!strings.Contains(string(got), "<em>said</em>") {
		t.Errorf("%s, %v", got, err)
	}
}

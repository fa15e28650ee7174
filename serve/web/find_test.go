package web_test

import (
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// An exact match comes first, of any kind: a skill by its name or wording, an occupation by its name.
// A plural counts as the same word.
func TestBestMatchIsFirst(t *testing.T) {
	s := newSite(t)
	if os.Getenv(dataEnv) != "" {
		t.Skip("the names are those of the small snapshot")
	}
	for asked, want := range map[string]string{
		"SQL": "SQL", "relational database": "SQL", "camdens": "Camden",
		"care workers and home carers": "Care workers and home carers",
		"customer cares":               "Customer service", "methods and quality": "Methods and quality",
	} {
		first := ""
		if sections := elements(s.page(t, "/find?q="+url.QueryEscape(asked)), "section"); len(sections) > 0 {
			first = text(elements(sections[0], "a")[0])
		}
		if first != want {
			t.Errorf("%q finds %q first, want %q", asked, first, want)
		}
	}
}

// Every result can be reached: what is not listed is one link away.
func TestEveryResultIsReachable(t *testing.T) {
	s := newSite(t)
	count := func(path string) (links int, more string) {
		for _, section := range elements(s.page(t, path), "section") {
			if text(elements(section, "h2")[0]) != "Documents" {
				continue
			}
			links = len(elements(section, "li"))
			for _, p := range elements(section, "p") {
				more = attribute(elements(p, "a")[0], "href")
			}
		}
		return links, more
	}
	few, more := count("/find?q=a")
	if more == "" {
		t.Fatalf("%d documents and no link to more", few)
	}
	if all, none := count(more); all <= few || none != "" {
		t.Errorf("%s lists %d documents, before %d, and leads to %q", more, all, few, none)
	}
}

// A search for what the service does not cover says so and leads to who has it.
func TestNotCovered(t *testing.T) {
	s := newSite(t)
	for asked, want := range map[string]string{"pay": "ons.gov.uk", "salaries": "ons.gov.uk",
		"how much does a nurse earn": "ons.gov.uk",
		"courses in Camden":          "nationalcareers.service.gov.uk", "jobs": "findajob.dwp.gov.uk"} {
		w := s.get(t, "/find?q="+url.QueryEscape(asked))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "not covered here") && asked != "jobs" ||
			!strings.Contains(w.Body.String(), want) {
			t.Errorf("%q: status %d without %s", asked, w.Code, want)
		}
	}
	if w := s.get(t, "/find?q=sql"); strings.Contains(w.Body.String(), "not covered here") {
		t.Error("SQL is said not to be covered")
	}
}

// A question in words finds its subject, and also who publishes data that is not covered here.
func TestQuestionsFindTheirSubject(t *testing.T) {
	s := newSite(t)
	if os.Getenv(dataEnv) != "" {
		t.Skip("the names are those of the small snapshot")
	}
	for asked, want := range map[string]string{"how much do care workers earn": "/occupations/6135",
		"how much does a care worker earn": "/occupations/6135",
		"what is the need for python":      "/skills/python", "salary in camden": "/places/camden"} {
		found := false
		for _, section := range elements(s.page(t, "/find?q="+url.QueryEscape(asked)), "section") {
			for _, l := range elements(section, "a") {
				found = found || strings.HasPrefix(attribute(l, "href"), want)
			}
		}
		if !found {
			t.Errorf("%q does not find %s", asked, want)
		}
	}
}

// A search without a letter or number finds nothing, and says what is searched.
func TestSignsFindNothing(t *testing.T) {
	s := newSite(t)
	for _, asked := range []string{"%", "- -", "NW1", "Manchester"} {
		w := s.get(t, "/find?q="+url.QueryEscape(asked))
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), `<a href="/places">these places</a>`) {
			t.Errorf("%q: status %d, %s", asked, w.Code, w.Body)
		}
	}
}

// A misspelt word that is in no name has its nearest spelling suggested; a known word has none, nor one
// that is like nothing.
func TestSpellings(t *testing.T) {
	s := newSite(t)
	if os.Getenv(dataEnv) != "" {
		t.Skip("the words are those of the small snapshot")
	}
	for asked, want := range map[string]string{"Camdn": "camden", "pythn": "python", "care workre": "care workers",
		"carre plannnig": "care planning", "python": "", "qqqqqq": "", "relational": ""} {
		meant := ""
		tree, err := html.Parse(s.get(t, "/find?q="+url.QueryEscape(asked)).Body)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range elements(tree, "a") {
			if href := attribute(l, "href"); strings.HasPrefix(href, "/find?q=") {
				meant = text(l)
			}
		}
		if meant != want {
			t.Errorf("%q: did you mean %q, want %q", asked, meant, want)
		}
	}
}

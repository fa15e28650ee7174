package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"labour/serve/web"
)

// If the data are made up, every page states it, also error pages and the pages of partners.
func TestEveryPageMarksMadeUpData(t *testing.T) {
	s := siteThrough(t, sampleData(t), sameLive, func(o *web.Options) { o.MadeUp = true })
	marked := map[int]int{}
	check := func(path string, code int, body string) {
		if marked[code]++; !strings.Contains(body, "Made-up data") {
			t.Errorf("%s, which answers %d, does not say that its data are made up", path, code)
		}
	}
	for _, p := range s.crawl(t, most) {
		if strings.Contains(p.body, "<html") { // no table as CSV
			check(p.path, http.StatusOK, p.body)
		}
	}
	for _, path := range []string{"/docs/api", "/partner", "/partner/keys", "/nosuch", "/skills/nosuch", "/skills?sort=x",
		"/skills?place=nowhere", "/skills/sql?by=x", "/places/nowhere", "/docs/nosuch", "/snapshots/none", "/occupations/0"} {
		w := s.get(t, path)
		check(path, w.Code, w.Body.String())
	}
	none := siteThrough(t, t.TempDir(), sameLive, func(o *web.Options) { o.MadeUp = true }).get(t, "/skills")
	check("/skills without data", none.Code, none.Body.String())
	for _, code := range []int{http.StatusOK, http.StatusBadRequest, http.StatusNotFound, http.StatusServiceUnavailable} {
		if marked[code] == 0 {
			t.Errorf("no page with the status %d: %v", code, marked)
		}
	}
}

// bracketed matches a bracket that opens within another.
var bracketed = regexp.MustCompile(`[^ ]*\([^()]*\(`)

// No sentence of a page has brackets within brackets.
func TestNoBracketsInBrackets(t *testing.T) {
	pages, brackets := newSite(t).crawl(t, most), 0
	for _, p := range pages {
		for _, e := range elements(p.tree, "") {
			if !ownText(e) || inCode(e) {
				continue
			}
			said := strings.Join(strings.Fields(text(e)), " ")
			brackets += strings.Count(said, "(")
			if found := bracketed.FindString(said); found != "" {
				t.Errorf("%s: %q in %q", p.path, found, said)
			}
		}
	}
	if brackets == 0 {
		t.Errorf("no bracket on %d pages", len(pages))
	}
}

// ownText reports whether an element has text of its own, and not of other elements only.
func ownText(e *html.Node) bool {
	for c := range e.ChildNodes() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return true
		}
	}
	return false
}

// inCode reports whether an element is of a program.
func inCode(e *html.Node) bool {
	for ; e != nil; e = e.Parent {
		if e.Data == "code" || e.Data == "pre" || e.Data == "script" || e.Data == "style" {
			return true
		}
	}
	return false
}

// A licence has one level, held: its page offers no choice of levels and no breakdown by them, and
// that of another skill does.
func TestLicencesOfferNoLevels(t *testing.T) {
	s := newSite(t)
	for path, offered := range map[string]bool{"/skills/site-safety": false, "/skills/sql": true} {
		body := s.get(t, path).Body.String()
		choice, breakdown := strings.Contains(body, `id="f-level"`), strings.Contains(body, "?by=level")
		if choice != offered || breakdown != offered {
			t.Errorf("%s: levels to choose %t, a breakdown by level %t", path, choice, breakdown)
		}
	}
}

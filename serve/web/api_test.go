package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
	"labour/serve/web"
)

// operations returns the operations of the OpenAPI document, such as "GET /v1/jobs", and how many
// the interactive reference draws: it draws messages of webhooks too.
func operations(t *testing.T, s *site) (list []string, drawn int) {
	t.Helper()
	var d struct{ Paths, Webhooks map[string]map[string]any }
	if err := json.Unmarshal(s.get(t, "/v1/openapi.json").Body.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	for path, methods := range d.Paths {
		for method := range methods {
			list = append(list, strings.ToUpper(method)+" "+path)
		}
	}
	drawn = len(list)
	for _, methods := range d.Webhooks {
		drawn += len(methods)
	}
	return list, drawn
}

// Without a script the page of the API has a table of every call, in the frame of the site.
func TestEveryCallIsInATable(t *testing.T) {
	s := siteThrough(t, sampleData(t), sameLive, func(o *web.Options) { o.MadeUp = true })
	tree := s.page(t, "/docs/api")
	rows := map[string]string{}
	for _, row := range elements(tree, "tr") {
		cells := elements(row, "td")
		if len(cells) == 2 {
			rows[text(elements(row, "th")[0])] = text(cells[1])
			if words := text(cells[0]); len(words) < 10 || !strings.HasSuffix(words, ".") {
				t.Errorf("%s is described as %q", text(elements(row, "th")[0]), words)
			}
		}
	}
	list, _ := operations(t, s)
	for _, operation := range list {
		if rows[operation] == "" {
			t.Errorf("%s is in no table", operation)
		}
	}
	if len(rows) != len(list) || rows["GET /v1/jobs"] != "jobs:read" || rows["GET /healthz"] != "no key" {
		t.Errorf("%d rows for %d calls: %v", len(rows), len(list), rows)
	}
	words := text(tree)
	for _, want := range []string{"Made-up data.", "Planner’s table", "How small numbers are kept safe"} {
		if !strings.Contains(words, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	csp := s.get(t, "/docs/api").Header().Get("Content-Security-Policy")
	if !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") {
		t.Errorf("policy %q", csp)
	}
}

// The files of the interactive reference are served without a key, and are not sent twice.
func TestFilesOfTheReference(t *testing.T) {
	s := newSite(t)
	for _, name := range []string{"swagger-ui.css", "swagger-ui-bundle.js"} {
		w := s.get(t, "/docs/api/"+name)
		if w.Code != http.StatusOK || w.Body.Len() < 10_000 || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d with %d bytes", name, w.Code, w.Body.Len())
		}
		r, _ := http.NewRequest(http.MethodGet, "/docs/api/"+name, nil)
		//lint:ignore SA1008 the header is sent as it is spelt in RFC 9110
		r.Header.Set("If-None-Match", w.Header()["ETag"][0])
		if again := s.do(r); again.Code != http.StatusNotModified {
			t.Errorf("%s with its tag: %d", name, again.Code)
		}
	}
}

// gapOfHeadings finds the first visible heading more than one level below the one before it.
const gapOfHeadings = `(() => { let last = 0;
	for (const h of document.querySelectorAll("main :is(h1, h2, h3, h4, h5, h6)")) {
		if (!h.checkVisibility()) continue;
		const level = Number(h.ariaLevel ?? h.tagName[1]);
		if (level > last + 1) return h.textContent;
		last = level;
	}
	return ""; })()`

// The interactive reference is drawn when asked for, and axe-core finds no violation: wide and
// narrow, light and dark, with a call unfolded. The browser asks no other host and refuses nothing.
func TestInteractivePageIsAccessible(t *testing.T) {
	axe, s := headlesstest.ReadAxeCore(t, "../.."), newSite(t)
	b := newTab(t, s, true)
	_, want := operations(t, s)
	for _, look := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {390, "dark"}} {
		headlesstest.SetAppearance(t, b.ctx, look.width, look.scheme)
		b.do(t, chromedp.Navigate(b.base+"/docs/api"))
		for _, v := range axe.Violations(t, b.ctx) {
			t.Errorf("the tables at %d, %s: %s", look.width, look.scheme, v)
		}
		b.do(t, chromedp.Click("#try"))
		run(t, b, chromedp.Poll[bool](`document.querySelectorAll(".opblock-summary-control").length > 5`))
		if drawn := run(t, b, chromedp.Evaluate[int](`document.querySelectorAll(".opblock").length`)); drawn != want {
			t.Errorf("%d operations are drawn, want %d", drawn, want)
		}
		headlesstest.Screenshot(t, b.ctx, "api-"+look.scheme)
		if !long() {
			continue
		}
		for _, v := range axe.Violations(t, b.ctx) {
			t.Errorf("at %d, %s: %s", look.width, look.scheme, v)
		}
	}
	run(t, b, chromedp.Evaluate[string](`document.querySelector(".opblock-summary-control").click(); ""`))
	run(t, b, chromedp.Poll[bool](`document.querySelector(".opblock.is-open .responses-table .microlight") !== null`))
	for _, v := range axe.Violations(t, b.ctx) {
		t.Errorf("unfolded: %s", v)
	}
	if gap := run(t, b, chromedp.Evaluate[string](gapOfHeadings)); gap != "" {
		t.Errorf("a heading skips a level: %s", gap)
	}
	b.quiet(t)
}

// The address of a call in the reference opens the reference.
func TestAddressOfACallOpensTheReference(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.Navigate(b.base+"/docs/api#/Labour%20market%20data/skills-unmet"))
	run(t, b, chromedp.Poll[bool](`document.querySelector(".opblock.is-open #operations-Labour_market_data-skills-unmet, #operations-Labour_market_data-skills-unmet.is-open") !== null`))
	b.quiet(t)
}

// A path in the table of calls breaks only before a slash.
func TestPathsBreakAtSlashes(t *testing.T) {
	page := newSite(t).get(t, "/docs/api").Body.String()
	if want := "GET /v1<wbr>/labour<wbr>/skills-unmet<"; !strings.Contains(page, want) {
		t.Errorf("the page has no %q", want)
	}
}

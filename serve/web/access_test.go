package web_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// axeFile is where .ci/run puts axe-core from the npm registry.
const axeFile = "../../bin/axe-core/axe.min.js"

// kindsOfPage has an address of every page and of each of its appearances. The
// crawl of the other tests sees to the rest.
func kindsOfPage() []string {
	list := []string{"/", "/skills", "/skills?place=camden", "/skills?sector=digital&level=3&source=platform", "/skills?place=camden&window=3&soc=5&sector=digital",
		"/skills/find", "/skills/find?q=s", "/skills/find?q=zzz", "/skills/sql", "/skills/sql?by=sector", "/skills/sql?by=soc", "/skills/sql?by=level",
		"/skills/sql?by=month", "/skills/sql?place=camden", "/gaps", "/gaps?country=US", "/gaps?q=zzz", "/courses", "/courses?region=E12000007", "/evidence", "/evidence?kind=news",
		"/regions", "/regions?kind=lsip", "/sources", "/snapshots", "/snapshots/2026-11-20.1", "/nothing", "/skills?place=nowhere"}
	for _, d := range []string{"", "/paging", "/limits", "/errors", "/small-numbers", "/attribution", "/webhooks", "/changes"} {
		list = append(list, "/docs"+d)
	}
	return list
}

// longEnv asks for every page in every look; without it each page is looked at in
// one of the two, in turn.
const longEnv = "LABOUR_PAGES_LONG"

// violation is what axe-core finds, shortened.
type violation struct {
	ID    string   `json:"id"`
	Help  string   `json:"help"`
	Nodes []string `json:"nodes"`
}

// axeRun asks for the rules of WCAG 2.2 AA and of the levels below it.
const axeRun = `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]}).then(r =>
	JSON.stringify(r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 160) + " " + (n.failureSummary || "").slice(0, 200))}))))`

// TestAccessible: axe-core finds no violation on any page, wide and narrow, light
// and dark.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile(axeFile)
	if err != nil {
		t.Skipf("axe-core is not there (npm pack axe-core, unpacked to bin/axe-core): %v", err)
	}
	b := newTab(t, newSite(t), true)
	for i, look := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {390, "dark"}} {
		if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}}); err != nil {
			t.Fatal(err)
		}
		b.do(t, chromedp.EmulateViewport(look.width, 900))
		for n, path := range kindsOfPage() {
			if n%2 != i && os.Getenv(longEnv) == "" {
				continue
			}
			b.do(t, chromedp.Navigate(b.base+path))
			run(t, b, chromedp.Evaluate[bool](`for (const d of document.querySelectorAll("details")) d.open = true; true`))
			run(t, b, chromedp.Evaluate[bool](string(axe)+"; true"))
			var found []violation
			if err := json.Unmarshal([]byte(run(t, b, chromedp.Evaluate[string](axeRun, chromedp.EvalAwaitPromise))), &found); err != nil {
				t.Fatal(err)
			}
			for _, v := range found {
				t.Errorf("%s at %d, %s: %s (%s)\n%s", path, look.width, look.scheme, v.ID, v.Help, strings.Join(v.Nodes, "\n"))
			}
		}
	}
}

// TestReadableAt320: nothing is cut off or scrolls sideways at 320 pixels.
func TestReadableAt320(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.EmulateViewport(320, 900))
	for _, path := range kindsOfPage() {
		b.do(t, chromedp.Navigate(b.base+path))
		if wide := run(t, b, chromedp.Evaluate[int]("document.documentElement.scrollWidth")); wide > 320 {
			over := run(t, b, chromedp.Evaluate[string](`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > 321).slice(0, 3).map(e => e.outerHTML.slice(0, 100)).join("\n")`))
			t.Errorf("%s is %d pixels wide:\n%s", path, wide, over)
		}
	}
}

// TestPagesAskNoOtherHost: with everything loaded, no page asks another host, and
// the browser refuses nothing.
func TestPagesAskNoOtherHost(t *testing.T) {
	b := newTab(t, newSite(t), true)
	for _, path := range kindsOfPage() {
		if path == "/nothing" || strings.Contains(path, "nowhere") || strings.Contains(path, "zzz") {
			continue // the browser notes their status
		}
		b.do(t, chromedp.Navigate(b.base+path))
	}
	b.quiet(t)
	if n := fmt.Sprint(len(b.requests)); len(b.requests) < 40 {
		t.Errorf("only %s requests were seen", n)
	}
}

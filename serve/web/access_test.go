package web_test

import (
	"os"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
)

// kindsOfPage has an address of every page and of each of its appearances. The
// crawl of the other tests sees to the rest.
func kindsOfPage() []string {
	list := []string{"/", "/skills", "/skills?place=camden", "/skills?sector=digital&level=3&source=platform",
		"/skills?place=camden&window=3&soc=5&sector=digital",
		"/find", "/find?q=s", "/find?q=zzz", "/skills?sort=people_turned_down&kind=licence", "/places",
		"/places/camden", "/places/camden?with=islington", "/places/central-london", "/changes",
		"/changes?place=camden", "/skills?place=camden&snapshot=2026-11-19.1", "/skills/sql",
		"/skills/sql?by=place&map=turned-down", "/skills/sql?by=sector", "/skills/sql?by=soc", "/skills/sql?by=level",
		"/skills/sql?by=month", "/skills/sql?place=camden", "/plan", "/plan?place=camden", "/places/camden/brief",
		"/occupations", "/occupations/6135", "/occupations/61?place=camden", "/gaps", "/gaps?country=US", "/gaps?q=zzz",
		"/courses", "/courses?region=camden", "/courses?region=E12000007", "/evidence", "/evidence?kind=news",
		"/evidence?q=care",
		"/places?kind=lsip", "/places?name=lond", "/sources", "/status", "/snapshots", "/snapshots/2026-11-20.1",
		"/snapshots/2026-11-19.1",
		"/embed/skills/sql", "/embed/skills/sql?by=place", "/nothing", "/skills?place=nowhere"}
	for _, d := range []string{"", "/programs", "/dictionary", "/methods", "/glossary", "/about", "/paging", "/limits",
		"/errors", "/small-numbers", "/attribution", "/webhooks", "/changes", "/api"} {
		list = append(list, "/docs"+d)
	}
	return list
}

// long reports whether the long forms of tests are asked for.
func long() bool { return os.Getenv("LABOUR_LONG") != "" }

// TestAccessible: axe-core finds no violation on any page, wide and narrow, light
// and dark. The short form looks at every fourth page, in one of the two looks in turn.
func TestAccessible(t *testing.T) {
	axe := headlesstest.ReadAxeCore(t, "../..")
	b := newTab(t, newSite(t), true)
	for i, look := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {390, "dark"}} {
		headlesstest.SetAppearance(t, b.ctx, look.width, look.scheme)
		for n, path := range kindsOfPage() {
			if n%8 != 4*i && !long() {
				continue
			}
			b.do(t, chromedp.Navigate(b.base+path))
			for _, v := range axe.Violations(t, b.ctx) {
				t.Errorf("%s at %d, %s: %s", path, look.width, look.scheme, v)
			}
		}
	}
}

// TestReadableAt320: nothing is cut off or scrolls sideways at 320 pixels. With everything
// loaded, no page asks another host, and the browser refuses nothing.
func TestReadableAt320(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.EmulateViewport(320, 900))
	var noted []string // pages of whose status the browser complains
	for _, path := range kindsOfPage() {
		if path == "/nothing" || strings.Contains(path, "nowhere") || strings.Contains(path, "zzz") {
			noted = append(noted, path)
			continue
		}
		b.fits(t, path)
	}
	b.quiet(t)
	if len(b.requests) < 40 {
		t.Errorf("only %d requests were seen", len(b.requests))
	}
	for _, path := range noted {
		b.fits(t, path)
	}
}

// fits fails where a page is wider than 320 pixels.
func (b *tab) fits(t *testing.T, path string) {
	t.Helper()
	b.do(t, chromedp.Navigate(b.base+path))
	if wide := run(t, b, chromedp.Evaluate[int]("document.documentElement.scrollWidth")); wide > 320 {
		over := run(t, b,
			chromedp.Evaluate[string](`[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > 321).slice(0, 3).map(e => e.outerHTML.slice(0, 100)).join("\n")`))
		t.Errorf("%s is %d pixels wide:\n%s", path, wide, over)
	}
}

// TestPrinted: on paper the bars are drawn, and nothing is wider than a sheet of A4
// within its margins.
func TestPrinted(t *testing.T) {
	const sheet = 703 // pixels
	b := newTab(t, newSite(t), true)
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	b.do(t, chromedp.EmulateViewport(sheet, 1000), chromedp.Navigate(b.base+"/places/camden"))
	if wide := run(t, b, chromedp.Evaluate[int]("document.documentElement.scrollWidth")); wide > sheet {
		t.Errorf("the page of a place is %d pixels wide", wide)
	}
	bars := run(t, b,
		chromedp.Evaluate[int](`[...document.querySelectorAll(".kinds .bar rect")].filter(r => getComputedStyle(r).display != "none").length`))
	if bars == 0 {
		t.Error("no bar is drawn")
	}
}

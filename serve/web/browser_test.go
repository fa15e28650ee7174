package web_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"labour/serve/internal/headlesstest"
)

// tab is a page of a headless browser, on the site served on loopback.
type tab struct {
	ctx  context.Context
	base string

	mu       sync.Mutex
	requests []string // addresses that were asked for
	problems []string // what the browser complained of, such as the policy
}

// newTab opens the site in a browser. Without scripts it is as for a visitor who
// has none.
func newTab(t *testing.T, s *site, scripts bool) *tab {
	t.Helper()
	server := httptest.NewServer(s.handler)
	t.Cleanup(server.Close)
	b := &tab{ctx: headlesstest.StartBrowser(t, scripts), base: server.URL}
	if err := chromedp.Listen(b.ctx, b.note); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	return b
}

// note keeps what the browser asks for and complains of.
func (b *tab) note(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	case *cdplog.EventEntryAdded:
		b.problems = append(b.problems, e.Entry.Text)
	}
}

func (b *tab) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// run runs one action and gives its value.
func run[T any](t *testing.T, b *tab, action chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(b.ctx, action)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// quiet fails when another host was asked, or the browser complained.
func (b *tab) quiet(t *testing.T) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.requests) == 0 {
		t.Error("no request was seen")
	}
	for _, address := range b.requests {
		here := strings.HasPrefix(address, b.base+"/") || strings.HasPrefix(address, "data:") // in the page itself
		if !here && address != "about:blank" {
			t.Errorf("the browser asked %s", address)
		}
	}
	for _, p := range b.problems {
		t.Errorf("the browser complains: %s", p)
	}
}

// Someone who has never been here chooses a borough and has an answer, with a
// script and without.
func TestFirstVisitToAnAnswer(t *testing.T) {
	for name, scripts := range map[string]bool{"with a script": true, "without a script": false} {
		t.Run(name, func(t *testing.T) {
			b := newTab(t, newSite(t), scripts)
			b.do(t, chromedp.Navigate(b.base+"/"), chromedp.Focus("#choose"), chromedp.SendKeys("#choose", "Camden"))
			if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(".choose button")); err != nil {
				t.Fatal(err)
			}
			b.answered(t, "/skills?place=camden", "Camden, last 12 months")
			// Without a script a filter is sent with the button.
			b.do(t, chromedp.Click(".more summary"), chromedp.Focus("#f-level"), chromedp.SendKeys("#f-level", "3"))
			if !scripts {
				if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(".filters button")); err != nil {
					t.Fatal(err)
				}
				b.answered(t, "level=3", "Camden, level 3, last 12 months")
			}
			b.quiet(t)
		})
	}
}

// answered fails unless the tab is at an address with a heading and a figure.
func (b *tab) answered(t *testing.T, address, heading string) {
	t.Helper()
	if got := run(t, b, chromedp.Location()); !strings.Contains(got, address) {
		t.Errorf("at %s, want %s", got, address)
	}
	if got := run(t, b, chromedp.Text("h1")); !strings.Contains(got, heading) {
		t.Errorf("the heading is %q, want %q", got, heading)
	}
	if got := run(t, b, chromedp.TextContent("tbody td data[data-f=adverts_share_pct]")); !strings.HasSuffix(got, "%") {
		t.Errorf("the first share is %q", got)
	}
}

// A filter answers without the page being loaded again, has its own address, and
// the way back leads to the list before.
func TestFilterChange(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.Navigate(b.base+"/skills"))
	run(t, b, chromedp.Evaluate[bool]("window.sameVisit = true"))
	b.do(t, chromedp.Focus("#f-place"))
	// Chosen at once: of letters that are typed one by one, a slow machine may take
	// the later ones for the beginning of another word.
	run(t, b, chromedp.Evaluate[string](`(s => { s.value = "camden"; s.dispatchEvent(new Event("change", {bubbles: true})); return "" })(document.querySelector("#f-place"))`))
	run(t, b, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("Camden")`))
	b.answered(t, "/skills?place=camden", "Camden")
	if !run(t, b, chromedp.Evaluate[bool]("window.sameVisit === true")) {
		t.Error("the page was loaded again")
	}
	if id := run(t, b, chromedp.Evaluate[string]("document.activeElement.id")); id != "f-place" {
		t.Errorf("the focus went to %q", id)
	}
	if said := run(t, b, chromedp.TextContent("#announce")); !strings.Contains(said, "Camden") {
		t.Errorf("the change is announced as %q", said)
	}
	run(t, b, chromedp.Evaluate[string]("history.back(); ''"))
	run(t, b, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("all places")`))
	if place := run(t, b, chromedp.Value("#f-place")); place != "" {
		t.Errorf("after the way back the place is %q", place)
	}
	b.quiet(t)
}

// A list that is moved through with keys changes with every key: it is answered once, when
// the keys rest, stays the same element with the focus, and makes one step of the history.
// The answer to the first letters must not take the list away.
func TestTypingInAList(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.Navigate(b.base+"/skills"), chromedp.Focus("#f-place"))
	run(t, b, chromedp.Evaluate[string](`window.list = document.querySelector("#f-place"); window.asked = []; window.steps = history.length;
		const ask = window.fetch; window.fetch = (address, o) => { window.asked.push(address); return ask(address, o); };
		window.press = place => { list.dispatchEvent(new KeyboardEvent("keydown", {key: place[0], bubbles: true})); list.value = place; list.dispatchEvent(new Event("change", {bubbles: true})); };
		press("camden"); press("central-london"); ""`))
	run(t, b, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("Central London")`))
	run(t, b, chromedp.Evaluate[string](`press("westminster"); ""`))
	run(t, b, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("Westminster")`))
	if asked := run(t, b,
		chromedp.Evaluate[string](`window.asked.join(" ")`)); asked != "/skills?place=central-london&window=12 "+
		"/skills?place=westminster&window=12" {
		t.Errorf("the list asked for %s", asked)
	}
	if !run(t, b, chromedp.Evaluate[bool](`document.querySelector("#f-place") === list && document.activeElement === list && list.value === "westminster"`)) {
		t.Error("the list was replaced, lost the focus or forgot what was chosen")
	}
	if n := run(t, b, chromedp.Evaluate[int](`history.length - window.steps`)); n != 1 {
		t.Errorf("typing made %d steps of the history", n)
	}
	b.quiet(t)
}

// From the list to a skill, its map, its months, and a borough of the map.
func TestBreakdown(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.Navigate(b.base+"/skills/sql?by=place"))
	if n := run(t, b, chromedp.Evaluate[int](`document.querySelectorAll("svg.map path[data-row]").length`)); n < 3 {
		t.Errorf("the map has %d boroughs", n)
	}
	follow := func(selector string) {
		if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(selector)); err != nil {
			t.Fatal(err)
		}
	}
	follow(`.tabs a[href*="by=month"]`)
	if got := run(t, b, chromedp.Location()); !strings.Contains(got, "/skills/sql?by=month") {
		t.Errorf("at %s", got)
	}
	if d := run(t, b,
		chromedp.Evaluate[string](`document.querySelector(".trend path.trace").getAttribute("d")`)); !strings.HasPrefix(
		d, "M") {
		t.Errorf("the line is %q", d)
	}
	follow(`.tabs a[href*="by=place"]`)
	b.do(t, chromedp.Click(`.choice label:has([value=table])`))
	follow(`tbody a[href*="place=camden"]`)
	b.answered(t, "place=camden", "Camden")
	b.quiet(t)
}

// The map shows another figure, stays with a filter that is changed without the page
// being loaded again, and a borough of it leads where its row does.
func TestMap(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.Navigate(b.base+"/skills/sql?by=place"))
	follow := func(selector string) {
		if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(selector)); err != nil {
			t.Fatal(err)
		}
	}
	follow(`#map .tabs a[href*="map=turned-down"]`)
	if said := run(t, b, chromedp.TextContent("svg.map path[data-row=camden] title")); !strings.HasPrefix(said,
		"Camden: ") {
		t.Errorf("the map says %q", said)
	}
	run(t, b, chromedp.Evaluate[bool]("window.sameVisit = true"))
	run(t, b, chromedp.Evaluate[string](`(s => { s.value = "24"; s.dispatchEvent(new Event("change", {bubbles: true})); return "" })(document.querySelector("#f-window"))`))
	run(t, b, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("24 months")`))
	b.answered(t, "map=turned-down", "24 months")
	if !run(t, b, chromedp.Evaluate[bool](`window.sameVisit === true && document.querySelectorAll("svg.map path[data-row]").length >= 3`)) {
		t.Error("the page was loaded again, or the map is gone")
	}
	// Of a winding borough the middle of its box may be in another one.
	click := chromedp.Evaluate[string](`setTimeout(() => document.querySelector("svg.map path[data-row=camden]").dispatchEvent(new MouseEvent("click", {bubbles: true}))); ""`)
	choose := func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := click(ctx, target)
		return chromedp.Void{}, err
	}
	if _, err := chromedp.RunResponse(b.ctx, choose); err != nil {
		t.Fatal(err)
	}
	b.answered(t, "place=camden", "Camden")
	b.quiet(t)
}

// An open menu is folded by a click next to it and by Escape, which gives the focus back to
// what opened it; a click in it leaves it open.
func TestMenusClose(t *testing.T) {
	b := newTab(t, newSite(t), true)
	headlesstest.SetAppearance(t, b.ctx, 390, "light")
	b.do(t, chromedp.Navigate(b.base+"/docs"))
	open := chromedp.Evaluate[int](`document.querySelectorAll("header details[open]").length`)
	for _, step := range []struct {
		does string
		want int
	}{
		{`document.querySelector("header details summary").click()`, 1},
		{`document.querySelector("header details[open] ul").click()`, 1},
		{`document.querySelector("h1").click()`, 0},
		{`document.querySelector("header details summary").click(); document.querySelector("header details[open] a").focus()`, 1},
		{`document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}))`, 0},
	} {
		run(t, b, chromedp.Evaluate[string](step.does+`; ""`))
		if got := run(t, b, open); got != step.want {
			t.Errorf("%s: %d menus are open, want %d", step.does, got, step.want)
		}
	}
	if focus := run(t, b, chromedp.Evaluate[string]("document.activeElement.tagName")); focus != "SUMMARY" {
		t.Errorf("after Escape the focus is on %s", focus)
	}
	b.quiet(t)
}

// With the keyboard alone a filter is reached and changed, the list answers, and the focus stays.
func TestKeyboardAloneChangesAFilter(t *testing.T) {
	b := newTab(t, newSite(t), true)
	b.do(t, chromedp.Navigate(b.base+"/skills"))
	focus := func() string { return run(t, b, chromedp.Evaluate[string]("document.activeElement.id")) }
	for range 40 {
		if b.do(t, chromedp.KeyEvent(kb.Tab)); focus() == "f-window" {
			break
		}
	}
	b.do(t, chromedp.KeyEvent(kb.ArrowDown))
	run(t, b, chromedp.Poll[bool](`document.querySelector("h1").textContent.includes("24 months")`))
	if id := focus(); id != "f-window" {
		t.Errorf("the focus is on %q", id)
	}
	b.answered(t, "window=24", "24 months")
	b.quiet(t)
}

package dashboard_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"labour/serve/internal/headlesstest"
	"labour/serve/state/statetest"
)

// tab is a page of a headless browser, on the service on plain HTTP at loopback:
// there a browser takes a cookie that is for TLS only, too.
type tab struct {
	*service
	ctx  context.Context
	base string
}

func newTab(t *testing.T, scripts bool) *tab {
	t.Helper()
	s := newService(t, statetest.SQLitePath(t))
	server := httptest.NewServer(s.server.Config.Handler)
	t.Cleanup(server.Close)
	return &tab{s, headlesstest.StartBrowser(t, scripts), server.URL}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// text is the text of an element.
func (b *tab) text(selector string) string {
	b.t.Helper()
	words, err := chromedp.Run(b.ctx, chromedp.Text(selector))
	if err != nil {
		b.t.Fatalf("%s: %v", selector, err)
	}
	return words
}

// fill writes into a field.
func (b *tab) fill(selector, words string) {
	b.t.Helper()
	b.do(chromedp.SetValue(selector, words))
}

// click clicks what leads to another page, and gives that page's status. Menus that were
// unfolded for axe-core are folded first: they lie over the page.
func (b *tab) click(selector string) int64 {
	b.t.Helper()
	const fold = `for (const d of document.querySelectorAll("header details")) d.open = false; ""`
	if _, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fold)); err != nil {
		b.t.Fatalf("fold the menus: %v", err)
	}
	response, err := chromedp.RunResponse(b.ctx, chromedp.Click(selector))
	if err != nil {
		b.t.Fatalf("click %s: %v", selector, err)
	}
	return response.Status
}

// open opens a path and gives its status.
func (b *tab) open(path string) int64 {
	b.t.Helper()
	response, err := chromedp.RunResponse(b.ctx, chromedp.Navigate(b.base+path))
	if err != nil {
		b.t.Fatalf("open %s: %v", path, err)
	}
	return response.Status
}

// signIn signs in with a link, which it gives.
func (b *tab) signIn(partner string) string {
	b.t.Helper()
	link := b.link(partner)
	b.open(link)
	if status := b.click("main form button"); status != http.StatusOK || b.text("h1") != "Your keys" {
		b.t.Fatalf("after signing in: status %d, %q", status, b.text("h1"))
	}
	return link
}

// A person signs in, makes a key, names, rotates and revokes it, and signs out,
// without a script.
func TestLifeOfAKeyInABrowser(t *testing.T) {
	b := newTab(t, false)
	link := b.signIn(b.north)
	b.fill("#name", "Weekly report")
	b.click("form[action='/partner/keys'] button")
	first := b.text("#secret")
	if status := b.visitor().call(first, "/v1/labour/nothing"); status != http.StatusNotFound {
		t.Errorf("the new key: status %d", status)
	}
	b.click("main a[href^='/partner/keys/']")
	if got := b.text("h1"); got != "Weekly report" {
		t.Errorf("the key is called %q", got)
	}
	b.fill("#name", "Daily report")
	b.click("form[action$='/name'] button")
	if got := b.text("h1"); got != "Daily report" {
		t.Errorf("the key is called %q", got)
	}
	b.fill("#grace", "0s")
	b.click("form[action$='/rotate'] button")
	second := b.text("#secret")
	if v := b.visitor(); v.call(first, "/v1/labour/nothing") != http.StatusUnauthorized ||
		v.call(second, "/v1/labour/nothing") != http.StatusNotFound {
		t.Error("the rotation changed nothing")
	}
	b.click("main a[href^='/partner/keys/']")
	b.do(chromedp.Click("input[name=sure]"))
	b.click("form[action$='/revoke'] button")
	if got := b.text(".note"); !strings.Contains(got, "revoked") {
		t.Errorf("the page says %q", got)
	}
	if status := b.visitor().call(second, "/v1/labour/nothing"); status != http.StatusUnauthorized {
		t.Errorf("a revoked key: status %d", status)
	}
	b.click(".deskhead button")
	if b.open("/partner/usage"); b.text("h1") == "Usage" {
		t.Error("signing out did not sign out")
	}
	if status := b.open(link); status != http.StatusGone || !strings.Contains(b.text("h1"), "not valid any more") {
		t.Errorf("a link used twice: status %d, %q", status, b.text("h1"))
	}
}

// A person sets up a webhook, tests it and has the message sent again.
func TestWebhookInABrowser(t *testing.T) {
	b, r := newTab(t, true), newReceiver(t)
	b.signIn(b.north)
	b.open("/partner/webhooks")
	b.fill("#url", r.URL+"/hooks")
	b.click("form[action='/partner/webhooks'] button")
	secret := b.text("#secret")
	b.click("main a[href^='/partner/webhooks/']")
	b.click("form[action$='/test'] button")
	eventually(t, "the test arrives", func() bool { return r.count() == 1 })
	r.verified(t, 0, secret)
	eventually(t, "the page shows it", func() bool {
		at, err := chromedp.Run(b.ctx, chromedp.Location())
		if err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.Navigate(at))
		return strings.Contains(b.text("tbody"), "received, status 200")
	})
	b.click("form[action$='/redeliver'] button")
	eventually(t, "it arrives again", func() bool { return r.count() == 2 })
	r.verified(t, 1, secret)
	other, _ := b.service.signedIn(b.south).makeHook("https://127.0.0.1:1/south")
	if status := b.open("/partner/webhooks/" + other); status != http.StatusNotFound {
		t.Errorf("another partner's endpoint: status %d", status)
	}
}

// furnish gives the partner keys, calls and webhooks, and returns the addresses of its pages.
func (b *tab) furnish(r *receiver) []string {
	v := b.signedIn(b.north)
	keyID, secret := v.makeKey(url.Values{"name": {"Weekly report for the board of the partnership"},
		"plan": {"standard"}, "scope": {"webhooks:manage", "jobs:read", "events:read"}})
	oldID, _ := v.makeKey(url.Values{"plan": {"evaluation"}})
	v.post("/partner/keys/"+oldID+"/revoke", url.Values{"sure": {"yes"}}).want(b.t, http.StatusSeeOther)
	hourly := int64(12)
	if err := b.stores.Keys.SetKeyLimits(context.Background(), keyID, &hourly, nil); err != nil {
		b.t.Fatal(err)
	}
	for i := range 15 {
		v.call(secret, []string{"/v1/webhooks/endpoints", "/v1/labour/skills-unmet?place=camden", "/v1/s106",
			"/v1/nothing"}[i%4])
	}
	hookID, _ := v.makeHook(r.URL + "/a/rather/long/path/of/an/endpoint/that/somebody/chose")
	failing, _ := v.makeHook("https://127.0.0.1:1/nobody")
	for _, id := range []string{hookID, failing} {
		v.post("/partner/webhooks/"+id+"/test", nil).want(b.t, http.StatusSeeOther)
	}
	for _, words := range map[string]string{hookID: "received", failing: "refused"} {
		eventually(b.t, words, func() bool {
			return strings.Contains(v.get("/partner/webhooks/"+hookID).body+v.get("/partner/webhooks/"+failing).body,
				words)
		})
	}
	return []string{"/partner", "/partner?done=revoked", "/partner/keys/" + keyID, "/partner/keys/" + oldID,
		"/partner/usage", "/partner/usage?key=" + keyID,
		"/partner/webhooks", "/partner/webhooks/" + hookID, "/partner/webhooks/" + failing + "?done=tested",
		"/partner/nothing"}
}

// TestPagesAreAccessible: on no page, wide and light or narrow and dark, axe-core
// finds a violation or something is wider than the screen.
func TestPagesAreAccessible(t *testing.T) {
	axe := headlesstest.ReadAxeCore(t, "../../..")
	b, r := newTab(t, true), newReceiver(t)
	pages := b.furnish(r)
	for _, look := range []struct {
		width  int64
		scheme string
	}{{1280, "light"}, {390, "dark"}} {
		headlesstest.SetAppearance(t, b.ctx, look.width, look.scheme)
		name := fmt.Sprint(look.width)
		b.open("/partner")
		b.check(axe, name+"-welcome")
		link := b.link(b.north)
		b.open(link)
		b.check(axe, name+"-link")
		b.click("main form button")
		for i, path := range pages {
			b.open(path)
			b.check(axe, fmt.Sprintf("%s-%02d", name, i))
		}
		b.open(pages[2])
		b.click("form[action$='/rotate'] button")
		b.check(axe, name+"-secret")
		b.open(link)
		b.check(axe, name+"-spent")
		b.click(".deskhead button")
	}
	b.signIn(b.north)
	headlesstest.SetAppearance(t, b.ctx, 320, "light")
	for _, path := range pages {
		b.open(path)
		b.fits("320 " + path)
	}
}

// check looks at the page as it is.
func (b *tab) check(axe headlesstest.AxeCore, name string) {
	b.t.Helper()
	for _, v := range axe.Violations(b.t, b.ctx) {
		b.t.Errorf("%s: %s", name, v)
	}
	b.fits(name)
	headlesstest.Screenshot(b.t, b.ctx, name)
}

// The cookie that the browser keeps is out of reach of scripts, for TLS only, and
// not sent with forms of other sites.
func TestTheBrowserKeepsTheCookieSafe(t *testing.T) {
	b := newTab(t, true)
	b.signIn(b.north)
	seen, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("document.cookie"))
	if err != nil || seen != "" {
		t.Errorf("a script sees %q, %v", seen, err)
	}
	kept, err := chromedp.Call(b.ctx, network.GetCookies, network.GetCookiesParams{})
	if err != nil || len(kept.Cookies) != 1 {
		t.Fatalf("%+v, %v", kept, err)
	}
	if c := kept.Cookies[0]; !c.HTTPOnly || !c.Secure || c.SameSite != network.CookieSameSiteLax || c.Path != "/" ||
		!strings.HasPrefix(c.Name, "__Host-") {
		t.Errorf("%+v", c)
	}
	if keys, err := b.stores.Keys.PartnerKeys(t.Context(), b.north); err != nil || len(keys) != 0 {
		t.Fatal(keys, err)
	}
	// A page of another site sends a form: it arrives without the session, and is refused.
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<form method="post" action="%s/partner/keys"><input name="plan" `+
			`value="evaluation"><button>Win</button></form>`, b.base)
	}))
	defer elsewhere.Close()
	b.do(chromedp.Navigate(elsewhere.URL))
	if status := b.click("button"); status != http.StatusForbidden || b.text("h1") != "Refused" {
		t.Errorf("a form of another site: status %d, %q", status, b.text("h1"))
	}
	if keys, err := b.stores.Keys.PartnerKeys(t.Context(), b.north); err != nil || len(keys) != 0 {
		t.Error(keys, err)
	}
}

// fits fails when the page as it is is wider than the screen.
func (b *tab) fits(name string) {
	b.t.Helper()
	const tooWide = `document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1).slice(0, 3).map(e => e.outerHTML.slice(0, 100)).join("\n") || "something" : ""`
	if wide, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](tooWide)); err != nil || wide != "" {
		b.t.Errorf("%s is too wide: %s %v", name, wide, err)
	}
}

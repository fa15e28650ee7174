package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"labour/serve/apidocs"
)

var linked = regexp.MustCompile(`(?:src|href)="([^"]+)"`)

// The page and everything that it asks for are served without a key, by this host
// alone, under a policy that lets nothing else in.
func TestDocumentationIsServed(t *testing.T) {
	s := newService(t, nil)
	page := s.do(t, http.MethodGet, apidocs.Path)
	if page.status != http.StatusOK || !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
		t.Fatalf("%d, %v", page.status, page.header)
	}
	links := linked.FindAllStringSubmatch(string(page.body), -1)
	if len(links) < 5 {
		t.Fatalf("the page asks for %v", links)
	}
	for _, l := range links {
		if !strings.HasPrefix(l[1], "/") || strings.HasPrefix(l[1], "//") {
			t.Errorf("the page asks another host: %s", l[1])
			continue
		}
		res := s.do(t, http.MethodGet, l[1])
		if res.status != http.StatusOK || len(res.body) == 0 || res.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d with %d bytes", l[1], res.status, len(res.body))
		}
		if again := s.do(t, http.MethodGet, l[1], "If-None-Match",
			res.header.Get("ETag")); again.status != http.StatusNotModified {
			t.Errorf("%s with its tag %q: %d", l[1], res.header.Get("ETag"), again.status)
		}
	}
	policy := page.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") ||
		strings.Contains(policy, "*") || strings.Contains(policy, "http") {
		t.Errorf("policy %q", policy)
	}
	if strings.Contains(string(page.body), "<script>") || strings.Contains(string(page.body), "<style") ||
		strings.Contains(string(page.body), "style=") {
		t.Error("the page has an inline script or style, which its policy forbids")
	}
	if res := s.do(t, http.MethodGet, apidocs.Path+"/../openapi.json"); res.status != http.StatusNotFound {
		t.Errorf("a path upwards: %d", res.status)
	}
}

// seen is what a browser did and complained about.
type seen struct {
	mu       sync.Mutex
	hosts    map[string]bool
	statuses map[string]int64
	faults   []string
}

func (s *seen) listen(event any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err == nil && u.Scheme != "data" {
			s.hosts[u.Host] = true
		}
	case *network.EventResponseReceived:
		s.statuses[e.Response.URL] = e.Response.Status
	case *runtime.EventExceptionThrown:
		s.faults = append(s.faults, e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			s.faults = append(s.faults, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// A real browser draws every operation, breaks no rule of the policy and talks to
// this host alone.
func TestDocumentationInABrowser(t *testing.T) {
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			browser = found
		}
	}
	if browser == "" {
		t.Skip("no Chromium: install it to see the documentation drawn")
	}
	s := newService(t, nil)
	server := httptest.NewServer(s.handler)
	defer server.Close()
	allocated, cancel := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(browser), chromedp.NoSandbox)...)
	defer cancel()
	ctx, cancel := chromedp.NewContext(allocated)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	defer cancel()
	saw := &seen{hosts: map[string]bool{}, statuses: map[string]int64{}}
	if err := chromedp.Do(ctx); err != nil { // starts it
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, saw.listen); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+apidocs.Path),
		chromedp.WaitVisible(".opblock")); err != nil {
		t.Fatal(err)
	}
	drawn, err := chromedp.Run(ctx, chromedp.Evaluate[int](`document.querySelectorAll(".opblock").length`))
	if err != nil {
		t.Fatal(err)
	}
	version, err := chromedp.Run(ctx, chromedp.Text(".info .version"))
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	doc := documentOf(t)
	for _, section := range []string{"paths", "webhooks"} {
		for _, name := range keys(at(doc, section)) {
			want += len(keys(at(doc, section, name)))
		}
	}
	if drawn != want || !strings.Contains(version, interfaceVersion) {
		t.Errorf("%d operations drawn of version %q, want %d of %s", drawn, version, want, interfaceVersion)
	}
	saw.mu.Lock()
	defer saw.mu.Unlock()
	if len(saw.hosts) != 1 || !saw.hosts[strings.TrimPrefix(server.URL, "http://")] {
		t.Errorf("asked the hosts %v", saw.hosts)
	}
	for address, status := range saw.statuses {
		if status >= 400 {
			t.Errorf("%s: %d", address, status)
		}
	}
	if len(saw.faults) > 0 {
		t.Errorf("the browser complained: %s", strings.Join(saw.faults, "\n"))
	}
}

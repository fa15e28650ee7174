package web_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/html"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/query"
	"labour/serve/state"
	"labour/serve/stores"
	"labour/serve/web"
	"labour/snapshots/store"
)

// site is the pages and the API, on a real snapshot, with a key.
type site struct {
	handler http.Handler
	secret  string
	log     *bytes.Buffer
}

// dataEnv names a data directory to test on instead of the small made-up snapshot,
// such as that of `labour sandbox --once --dir DIR`: DIR/data.
const dataEnv = "LABOUR_PAGES_DATA"

func siteOf(t testing.TB, data string) *site {
	t.Helper()
	return siteThrough(t, data, sameLive)
}

// sameLive gives the pages the snapshots as they are.
func sameLive(l api.Snapshots) api.Snapshots { return l }

// siteThrough is siteOf whose pages are given snapshots as through gives them.
func siteThrough(t testing.TB, data string, through func(api.Snapshots) api.Snapshots,
	set ...func(*web.Options)) *site {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	now := func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) }
	s := &site{log: &bytes.Buffer{}}
	log := slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	live := query.NewSnapshotSource(store, now, log, query.Options{TempDir: t.TempDir()})
	if err := live.Reload(ctx); err != nil && !errors.Is(err, context.Canceled) &&
		!strings.Contains(err.Error(), "no snapshot") {
		t.Fatal(err)
	}
	openPast(t, store, live)
	stores, err := stores.Open(ctx, filepath.Join(t.TempDir(), state.DatabaseFileName), now, rand.Reader, log)
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { stores.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
		if err := errors.Join(live.Close(), stores.Close()); err != nil {
			t.Error(err)
		}
	})
	hooks, err := stores.OpenWebhooks(ctx, nil, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, s.secret, err = stores.Keys.CreateKey(ctx, access.KeyRequest{Partner: "Example",
		Plan: access.PlanPartner}); err != nil {
		t.Fatal(err)
	}
	s.handler, err = serve.New(serve.Options{Snapshots: live, Authenticator: stores.Keys,
		RequestCounter: stores.RequestCounter,
		Cursors:        stores.Cursors, Webhooks: hooks, RequestsPerAddress: -1,
		Now: now, RandomSource: rand.Reader, Log: log, Pages: func(inside serve.PageBackend) (http.Handler, error) {
			o := web.Options{Snapshots: through(live), Backend: inside, Cursors: stores.Cursors, Store: store, Now: now,
				Log: log, ChangeLog: serve.APIChanges()}
			for _, set := range set {
				set(&o)
			}
			return web.New(o)
		}})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// openPast opens the superseded snapshots, as a server has them that took them up one after
// the other: no page opens one.
func openPast(t testing.TB, store *store.Store, live *query.SnapshotSource) {
	t.Helper()
	past, err := store.SupersededTimes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for id := range past {
		if _, release, err := live.AcquireByID(t.Context(), string(id), true); err == nil {
			release()
		}
	}
}

// get asks for a path as a visitor; with a key when it is under /v1.
func (s *site) get(t testing.TB, path string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host = "labour.example"
	if strings.HasPrefix(path, "/v1/") {
		r.Header.Set("Authorization", "Bearer "+s.secret)
	}
	return s.do(r)
}

func (s *site) do(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// visited is a page that was crawled.
type visited struct {
	path string
	body string
	tree *html.Node
}

// crawl follows the links from the first page, each address once, at most that
// many pages in the order of their discovery, and fails on what does not answer.
func (s *site) crawl(t testing.TB, most int) []visited {
	t.Helper()
	queue, seen := []string{"/"}, map[string]bool{"/": true}
	var pages []visited
	for len(queue) > 0 && len(pages) < most {
		path := queue[0]
		queue = queue[1:]
		w := s.get(t, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
			continue
		}
		tree, err := html.Parse(strings.NewReader(w.Body.String()))
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		pages = append(pages, visited{path, w.Body.String(), tree})
		for _, a := range elements(tree, "a") {
			link, _, _ := strings.Cut(attribute(a, "href"), "#")
			if isPage(link) && !seen[link] {
				seen[link] = true
				queue = append(queue, link)
			}
		}
	}
	return pages
}

// isPage leaves out other hosts, files, and the dashboard, whose own tests try it.
func isPage(link string) bool {
	if !strings.HasPrefix(link, "/") {
		return false
	}
	for _, other := range []string{"/csv/", "/xlsx/", "/workbook/", "/static/", "/v1/", "/docs/programs?", "/partner",
		"/snapshots.atom"} {
		if strings.HasPrefix(link, other) {
			return false
		}
	}
	return !strings.Contains(link, "/files/") && !strings.HasSuffix(link, ".zip") &&
		!strings.Contains(link, "/chart.svg")
}

// elements are the elements of a name below a node; every one for "".
func elements(n *html.Node, name string) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (name == "" || d.Data == name) {
			found = append(found, d)
		}
	}
	return found
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text is the text of a node.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

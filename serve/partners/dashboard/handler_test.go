package dashboard_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/serve"
	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/partners/dashboard"
	"labour/serve/state/statetest"
	"labour/serve/stores"
	"labour/serve/web"
	"labour/serve/webhooks"
	"labour/snapshots/store"
)

var databases statetest.TestDatabases

func TestMain(m *testing.M) { os.Exit(databases.RunTests(m)) }

// noData is a server whose first snapshot is still to come.
type noData struct{}

func (noData) Acquire() (api.Snapshot, func(), error) {
	return nil, nil, api.ErrNoSnapshot
}

func (noData) AcquireByID(context.Context, string, bool) (api.Snapshot, func(), error) {
	return nil, nil, api.ErrSnapshotGone
}

func (noData) IsOpen(string) bool { return false }

// log is what the service said; it is safe for concurrent use.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// service is the interface with its pages, over TLS on loopback, with two partners.
type service struct {
	t      testing.TB
	stores *stores.Stores
	hook   *webhooks.Service
	server *httptest.Server
	said   log
	mails  mails

	mu   sync.Mutex
	past time.Duration // by how much the clock is put on

	north, south string // ids of the partners
}

// now is the clock of the service.
func (s *service) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.past)
}

func (s *service) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past += d
}

// mails takes what would be mailed.
type mails chan [2]string

func (m mails) SendLink(_ context.Context, to, link string, _ time.Time) error {
	m <- [2]string{to, link}
	return nil
}

func newService(t testing.TB, address string) *service {
	t.Helper()
	s := &service{t: t, mails: make(mails, 8)}
	ctx, stop := context.WithCancel(context.Background())
	logger := slog.New(slog.NewJSONHandler(&s.said, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	if s.stores, err = stores.Open(ctx, address, s.now, rand.Reader, logger); err != nil {
		t.Fatal(err)
	}
	hooks, err := s.stores.OpenWebhooks(ctx, []webhooks.EncryptionKey{key(t)}, true, roots)
	if err != nil {
		t.Fatal(err)
	}
	s.hook = hooks
	linkMails := dashboard.NewSignInMailQueue(s.stores.Signin, s.mails, "https://labour.example", logger)
	store, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	handler, err := serve.New(serve.Options{RequestsPerAddress: -1, Snapshots: noData{}, Authenticator: s.stores.Keys,
		RequestCounter: s.stores.RequestCounter, Cursors: s.stores.Cursors, Webhooks: hooks,
		Now: s.now, RandomSource: rand.Reader, Log: logger,
		Pages: func(inside serve.PageBackend) (http.Handler, error) {
			return web.New(web.Options{Snapshots: noData{}, Backend: inside, Cursors: s.stores.Cursors, Store: store,
				Now: s.now, Log: logger, ChangeLog: serve.APIChanges(),
				Dashboard: &dashboard.Options{Keys: s.stores.Keys, Signin: s.stores.Signin, Usage: s.stores.UsageReader,
					Webhooks: hooks, LinkMails: linkMails, Now: s.now, Log: logger}})
		}})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { s.stores.Run(ctx) })
	running.Go(func() { linkMails.Run(ctx) })
	running.Go(func() {
		if err := hooks.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	s.server = httptest.NewTLSServer(handler)
	s.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(func() {
		s.server.Close()
		stop()
		running.Wait()
		if err := s.stores.Close(); err != nil {
			t.Error(err)
		}
	})
	s.north, s.south = s.partner("North"), s.partner("South")
	return s
}

// key encrypts signing secrets.
func key(t testing.TB) webhooks.EncryptionKey {
	t.Helper()
	k, err := webhooks.ParseEncryptionKey(strings.Repeat("0f", 32))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// partner makes a partner that may choose everything.
func (s *service) partner(name string) string {
	s.t.Helper()
	p, err := s.stores.Keys.CreatePartner(context.Background(), name)
	if err == nil {
		err = s.stores.Keys.SetGrant(context.Background(), p.ID,
			access.Grant{Plan: access.PlanStandard, Scopes: access.Scopes(), Keys: 5})
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return p.ID
}

// visitor is somebody with a browser that runs no script.
type visitor struct {
	*service
	client *http.Client
}

func (s *service) visitor() *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return &visitor{s, &http.Client{Transport: s.server.Client().Transport, Jar: jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// answer is a response that was read.
type answer struct {
	*http.Response
	body string
}

func (v *visitor) do(r *http.Request) answer {
	v.t.Helper()
	response, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer{response, string(body)}
}

func (v *visitor) request(method, path string, form url.Values) *http.Request {
	v.t.Helper()
	r, err := http.NewRequest(method, v.server.URL+path, strings.NewReader(form.Encode()))
	if err != nil {
		v.t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", v.server.URL)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	return r
}

func (v *visitor) get(path string) answer { return v.do(v.request(http.MethodGet, path, nil)) }

func (v *visitor) post(path string, form url.Values) answer {
	return v.do(v.request(http.MethodPost, path, form))
}

// link makes a link for a partner and gives its path.
func (s *service) link(partner string) string {
	s.t.Helper()
	token, _, err := s.stores.Signin.CreateInvitation(context.Background(), partner)
	if err != nil {
		s.t.Fatal(err)
	}
	return dashboard.SignInLink("", token)
}

// signedIn is a visitor who has used a link of a partner.
func (s *service) signedIn(partner string) *visitor {
	s.t.Helper()
	v := s.visitor()
	if a := v.post(s.link(partner), nil); a.StatusCode != http.StatusSeeOther ||
		a.Header.Get("Location") != dashboard.RootPath {
		s.t.Fatalf("status %d: %s", a.StatusCode, a.body)
	}
	return v
}

var secretPattern = regexp.MustCompile(`<code id="secret">([^<]+)</code>`)

// secret is the secret that a page shows.
func (a answer) secret(t testing.TB) string {
	t.Helper()
	m := secretPattern.FindStringSubmatch(a.body)
	if m == nil || a.StatusCode != http.StatusOK || a.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("status %d, Cache-Control %q, no secret in %s", a.StatusCode, a.Header.Get("Cache-Control"), a.body)
	}
	return html.UnescapeString(m[1])
}

// call makes a call of the interface.
func (v *visitor) call(secret, path string) int {
	r := v.request(http.MethodGet, path, nil)
	r.Header.Set("Authorization", "Bearer "+secret)
	return v.do(r).StatusCode
}

// makeKey makes a key on the page and gives its id and secret.
func (v *visitor) makeKey(form url.Values) (id, secret string) {
	v.t.Helper()
	a := v.post("/partner/keys", form)
	secret = a.secret(v.t)
	m := regexp.MustCompile(`href="/partner/keys/(key_[0-9A-Z]{26})"`).FindStringSubmatch(a.body)
	if m == nil {
		v.t.Fatal(a.body)
	}
	return m[1], secret
}

// makeHook makes an endpoint on the page and gives its id and secret.
func (v *visitor) makeHook(address string) (id, secret string) {
	v.t.Helper()
	a := v.post("/partner/webhooks",
		url.Values{"url": {address}, "event_types": {"click.recorded", "outcome.recorded"}})
	secret = a.secret(v.t)
	m := regexp.MustCompile(`href="/partner/webhooks/(whe_[0-9A-Z]{26})"`).FindStringSubmatch(a.body)
	if m == nil {
		v.t.Fatal(a.body)
	}
	return m[1], secret
}

// want fails unless an answer has a status and these words.
func (a answer) want(t testing.TB, status int, words ...string) {
	t.Helper()
	if a.StatusCode != status {
		t.Errorf("%s %s: status %d, want %d", a.Request.Method, a.Request.URL.Path, a.StatusCode, status)
	}
	if len(a.body) >= 100<<10 {
		t.Errorf("%s has %d bytes; a page stays under 100 KB", a.Request.URL.Path, len(a.body))
	}
	for _, w := range words {
		if !strings.Contains(a.body, w) {
			t.Errorf("%s %s does not say %q: %s", a.Request.Method, a.Request.URL.Path, w, a.body)
		}
	}
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for range 12_000 {
		if so() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal(errors.New("never: " + what))
}

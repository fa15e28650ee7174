package serve

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"labour/serve/api"
	"labour/serve/cursor"
	"labour/serve/partners/access"
	"labour/serve/state"
	"labour/serve/state/statetest"
	"labour/serve/webhooks"
)

// Each internal error has its code, and a time after which a client may try again. Only errors of
// the service are kept for the log.
func TestErrorsHaveTheirCodes(t *testing.T) {
	for _, c := range []struct {
		err        error
		code       code
		status     int
		retryAfter int64
	}{
		{api.ErrSnapshotWithdrawn, cursorExpired, 400, 0}, {api.ErrSnapshotGone, cursorExpired, 400, 0},
		{api.ErrNoSnapshot, unavailable, 503, 30}, {errOpening, unavailable, 503, 5},
		{api.ErrSnapshotUnavailable, unavailable, 503, 30}, {ErrBusy, unavailable, 503, 1},
		{errState, unavailable, 503, 5}, {context.Canceled, unavailable, 503, 1},
		{context.DeadlineExceeded, timeout, 504, 0}, {webhooks.ErrNotFound, notFound, 404, 0},
		{webhooks.ErrDuplicateURL, conflict, 409, 0}, {webhooks.ErrTooManyEndpoints, conflict, 409, 0},
		{webhooks.ErrTooManyTests, conflict, 409, 0}, {webhooks.ErrEndpointDisabled, conflict, 409, 0},
		{errors.New("anything else"), internal, 500, 0},
		{&apiError{code: rateLimited, retryAfter: 7}, rateLimited, 429, 7},
	} {
		call := &call{id: "req_1"}
		err := fmt.Errorf("wrapped: %w", c.err)
		got := apiErrorOf(call, err)
		if got.code != c.code || got.code.status() != c.status || got.retryAfter != c.retryAfter ||
			got.requestID != "req_1" || call.code != c.code || (call.cause != nil) != (c.status >= 500) {
			t.Errorf("%v: %+v with cause %v, want %s, %d and %d", c.err, got, call.cause, c.code, c.status, c.retryAfter)
		}
		want := map[bool]string{true: fmt.Sprint(c.retryAfter)}[c.retryAfter > 0]
		if h := got.headers(); h.Get("Retry-After") != want || h.Get("Cache-Control") != noStore ||
			(got.body().Error.RetryAfterSeconds != nil) != (want != "") {
			t.Errorf("%v: headers %v, want Retry-After %q", c.err, h, want)
		}
	}
}

// A page that costs as much as several calls counts as these, and one that costs more than all takes all.
func TestExtraCallsAreCounted(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	request := func(c *call) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		return r.WithContext(context.WithValue(r.Context(), callKey{}, c))
	}
	c := &call{at: at, limiter: rate.NewLimiter(1, 5)}
	w := httptest.NewRecorder()
	for i, n := range []int{2, 3, 1} {
		if got := ChargeExtraRequests(w, request(c), n); got != (i < 2) {
			t.Errorf("%d more calls: %v", n, got)
		}
	}
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" || !c.overLimit ||
		!strings.HasPrefix(w.Body.String(), "Too many calls without a valid key") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	if c = (&call{at: at, limiter: rate.NewLimiter(1, 5)}); !ChargeExtraRequests(w, request(c), 100) ||
		ChargeExtraRequests(w, request(c), 1) {
		t.Error("a call that costs more than all does not take all")
	}
	if !ChargeExtraRequests(w, httptest.NewRequest(http.MethodGet, "/", nil), 9) ||
		!ChargeExtraRequests(w, request(&call{}), 9) {
		t.Error("calls are limited without a limit")
	}
}

// The reference has every operation in the group of its tag, in the order of path and method.
func TestGroupsOfOperations(t *testing.T) {
	groups, err := OperationGroups()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	calls := 0
	for _, g := range groups {
		names = append(names, g.Name)
		calls += len(g.Calls)
		if g.Description == "" {
			t.Errorf("%s has no description", g.Name)
		}
		for i, c := range g.Calls {
			if i > 0 && g.Calls[i-1].Path+" "+g.Calls[i-1].Method >= c.Path+" "+c.Method {
				t.Errorf("%s: %s %s stands after %s", g.Name, c.Method, c.Path, g.Calls[i-1].Path)
			}
		}
	}
	var d referenced
	if err := json.Unmarshal(document, &d); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, methods := range d.Paths {
		all += len(methods)
	}
	tags := "Labour market data, Datasets not yet open, Jobs, pathways and the platform, Webhooks, Operation"
	if strings.Join(names, ", ") != tags || calls != all {
		t.Errorf("%d operations in the groups %q, want %d in %s", calls, names, all, tags)
	}
	want := Operation{Method: "GET", Path: "/v1/candidates", Scope: "candidates:read",
		Words: "One summary object of anonymous resident statistics; counts only, small groups suppressed."}
	if got := groups[2].Calls[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for description, want := range map[string]Operation{
		"Only one sentence.":           {Words: "Only one sentence."},
		"Two. Scope: a:b. Example: c.": {Words: "Two.", Scope: "a:b"},
	} {
		want.Method, want.Path = "DELETE", "/x"
		if got := callOfDocument("delete", "/x", description); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

func TestACertificateOfThisMachine(t *testing.T) {
	now := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	made, err := SelfSignedCertificate(rand.Reader, now, "labour", 7)
	if err != nil {
		t.Fatal(err)
	}
	c := made.Leaf
	if c.Subject.CommonName != "labour" || c.SerialNumber.Int64() != 7 || !c.NotBefore.Equal(now.Add(-time.Hour)) ||
		!c.NotAfter.Equal(now.AddDate(1, 0, 0)) || !c.IsCA {
		t.Errorf("%+v", c.Subject)
	}
	roots := x509.NewCertPool()
	roots.AddCert(c)
	for host, good := range map[string]bool{"127.0.0.1": true, "127.0.0.2": false, "localhost": false} {
		_, err := c.Verify(x509.VerifyOptions{DNSName: host, Roots: roots, CurrentTime: now})
		if (err == nil) != good {
			t.Errorf("for %s: %v", host, err)
		}
	}
}

// stopper is a log that calls a function at a message.
type stopper struct {
	bytes.Buffer
	message string
	stop    func()
}

func (s *stopper) Write(b []byte) (int, error) {
	if strings.Contains(string(b), s.message) {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// openStores opens stores on an SQLite file.
func openStores(t *testing.T, address string, now func() time.Time, log *slog.Logger) *StateStores {
	t.Helper()
	m, err := OpenStores(t.Context(), address, now, rand.Reader, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// The database is written at most once a second, and again if the clock goes back.
func TestTheDatabaseIsCheckedOnceASecond(t *testing.T) {
	at := time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)
	m := openStores(t, statetest.SQLitePath(t), func() time.Time { return at }, slog.New(slog.DiscardHandler))
	start := at
	for _, c := range []struct {
		after, noted time.Duration
	}{{0, 0}, {time.Second - 1, 0}, {time.Second, time.Second}, {2*time.Second - 1, time.Second},
		{-time.Minute, -time.Minute}} {
		at = start.Add(c.after)
		if err := m.CheckWritable(t.Context()); err != nil {
			t.Fatal(err)
		}
		noted, err := m.db.Setting(t.Context(), "checked_at", func() (string, error) { return "never", nil })
		if want := start.Add(c.noted).Format(time.RFC3339); err != nil || noted != want {
			t.Errorf("after %s the check of %s is noted (%v), want %s", c.after, noted, err, want)
		}
	}
	if err := m.db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := m.CheckWritable(t.Context()); err != nil {
		t.Errorf("within the second the result is not repeated: %v", err)
	}
	at = at.Add(time.Second)
	for range 2 {
		if err := m.CheckWritable(t.Context()); err == nil {
			t.Error("a closed database can be written")
		}
	}
}

// The public address is that of the last start, and the key of the cursors that of the first.
func TestWhatTheStoresKeep(t *testing.T) {
	path := statetest.SQLitePath(t)
	now := func() time.Time { return time.Unix(1e9, 0) }
	m := openStores(t, path, now, slog.New(slog.DiscardHandler))
	stored := func() string {
		address, err := m.PublicAddress(t.Context(), "https://first.example")
		if err != nil {
			t.Fatal(err)
		}
		return address
	}
	if got := stored(); got != "https://first.example" {
		t.Errorf("the address is %s", got)
	}
	for _, address := range []string{"https://second.example", "https://second.example", "https://third.example"} {
		if err := m.StorePublicAddress(t.Context(), address); err != nil || stored() != address {
			t.Errorf("the address is %s, want %s (%v)", stored(), address, err)
		}
	}
	token, err := m.Cursors.Seal("/v1/jobs", "2026-11-20.1", 5)
	if err != nil {
		t.Fatal(err)
	}
	var position int
	again := openStores(t, path, now, slog.New(slog.DiscardHandler))
	if id, err := again.Cursors.Open(token, "/v1/jobs", &position); err != nil || id != "2026-11-20.1" || position != 5 {
		t.Errorf("a cursor after a restart: %s, %v", id, err)
	}
	other := openStores(t, statetest.SQLitePath(t), now, slog.New(slog.DiscardHandler))
	if _, err := other.Cursors.Open(token, "/v1/jobs", &position); !errors.Is(err, cursor.ErrInvalid) {
		t.Errorf("a cursor of another database: %v", err)
	}
}

// Work in the background that fails is logged, and goes on.
func TestFaultsInTheBackgroundAreLogged(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	log := &stopper{message: "ended sessions stay", stop: stop}
	m := openStores(t, statetest.SQLitePath(t), time.Now, slog.New(slog.NewTextHandler(log, nil)))
	_, secret, err := m.Keys.CreateKey(t.Context(), access.KeyRequest{Partner: "Example"})
	if err == nil {
		_, err = m.Keys.Authenticate(t.Context(), secret, time.Now())
	}
	if err := errors.Join(err, m.db.Close()); err != nil {
		t.Fatal(err)
	}
	m.Run(ctx)
	for _, want := range []string{"old counted calls stay until the next time",
		"ended sessions stay until the next time", "note when keys were used"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log)
		}
	}
	log.Reset()
	m.Run(ctx) // which has ended
	if strings.Contains(log.String(), "stay until the next time") {
		t.Errorf("the end is logged as a fault: %s", log)
	}
}

func TestStoresThatCannotBeOpened(t *testing.T) {
	if _, err := OpenStores(t.Context(), t.TempDir(), time.Now, rand.Reader, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a directory is opened as a database")
	}
	path := statetest.SQLitePath(t)
	db, err := state.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Setting(t.Context(), "cursor_key", func() (string, error) { return "no key", nil }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = OpenStores(t.Context(), path, time.Now, rand.Reader, slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasPrefix(err.Error(), "open the state database: ") {
		t.Errorf("with a broken key of the cursors: %v", err)
	}
}

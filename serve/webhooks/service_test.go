package webhooks

import (
	"bytes"
	"crypto/rand"
	"crypto/x509"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/api"
	"labour/serve/state"
	"labour/serve/state/statetest"
)

var stores statetest.TestDatabases

func TestMain(m *testing.M) {
	if address := os.Getenv(childAddress); address != "" {
		deliverForEver(address)
	}
	os.Exit(stores.RunTests(m))
}

// clock is a time that a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, 11, 20, 6, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// notes is a log that a test reads.
type notes struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(b)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// fixture is a service on a database with the partners ptn_a and ptn_b.
type fixture struct {
	*Service
	t     testing.TB
	db    *state.DB
	clock *clock
	log   *notes
}

func newFixture(t testing.TB, address string, change func(*Options)) *fixture {
	t.Helper()
	return fixtureOn(t, statetest.Open(t, address), change)
}

func fixtureOn(t testing.TB, db *state.DB, change func(*Options)) *fixture {
	t.Helper()
	f := &fixture{t: t, db: db, clock: newClock(), log: &notes{}}
	const insert = `INSERT INTO partners (id, name, created_at) VALUES ('ptn_a', 'Partner A', 0), ('ptn_b', 'Partner ` +
		`B', 0) ON CONFLICT (id) DO NOTHING`
	if _, err := f.db.Exec(insert); err != nil {
		t.Fatal(err)
	}
	o := Options{DB: f.db, Now: f.clock.now, Random: rand.Reader, AllowLoopback: true,
		Log: slog.New(slog.NewTextHandler(f.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	if change != nil {
		change(&o)
	}
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	f.Service = s
	return f
}

// endpoint makes one of partner A.
func (f *fixture) endpoint(url string, types ...string) (api.WebhookEndpoint, string) {
	f.t.Helper()
	e, secret, err := f.CreateEndpoint(f.t.Context(), "ptn_a", api.NewWebhook{URL: url, EventTypes: types})
	if err != nil {
		f.t.Fatal(err)
	}
	return e, secret
}

// deliveries is the log of an endpoint of partner A.
func (f *fixture) deliveries(endpoint string) []api.WebhookDelivery {
	f.t.Helper()
	all, err := f.ListDeliveries(f.t.Context(), "ptn_a", endpoint, "", MaxListedDeliveries)
	if err != nil {
		f.t.Fatal(err)
	}
	return all
}

func (f *fixture) publish(events ...Event) {
	f.t.Helper()
	if n, err := f.Publish(f.t.Context(), events); err != nil || n != len(events) {
		f.t.Fatalf("%d of %d events published: %v", n, len(events), err)
	}
}

// due makes the next attempt of a delivery at the present time, and returns how
// long it is until the one after; 0 when there is none.
func (f *fixture) due(delivery string) time.Duration {
	f.t.Helper()
	if err := f.deliver(f.t.Context(), delivery); err != nil {
		f.t.Fatal(err)
	}
	var next time.Time
	err := f.db.QueryRow(`SELECT next_at FROM webhook_deliveries WHERE id = $1 AND status = $2`, delivery,
		StatusPending).Scan(state.ScanTime(&next))
	if errors.Is(err, sql.ErrNoRows) {
		return 0
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return next.Sub(f.clock.now())
}

func click(id string) Event {
	return Event{ID: id, Type: ClickRecorded, At: time.Date(2026, 11, 20, 5, 0, 0, 0, time.UTC),
		Data: api.EventData{Advert: ptr("ad-1"), Borough: ptr("camden")}}
}

// received is one message as a receiver saw it.
type received struct {
	id, body string
	header   http.Header
}

// receiver is a partner's endpoint: it answers from a script, the last line of
// it again and again, and keeps what it got.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	script []http.HandlerFunc
	got    []received
}

func newReceiver(t testing.TB, script ...http.HandlerFunc) *receiver {
	t.Helper()
	r := &receiver{script: script}
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(r.answer))
	r.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo) // handshakes that tests break
	r.StartTLS()
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answer(w http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	r.got = append(r.got, received{request.Header.Get("webhook-id"), string(body), request.Header})
	step := status(http.StatusNoContent)
	if len(r.script) > 0 {
		step = r.script[min(len(r.got), len(r.script))-1]
	}
	r.mu.Unlock()
	step(w, request)
}

// silent never answers. To return would be to answer 200, which can still arrive
// as the sender gives up.
func silent(_ http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

func (r *receiver) messages() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.got...)
}

// trust makes a service believe the receiver's certificate.
func (r *receiver) trust(o *Options) {
	o.RootCAs = x509.NewCertPool()
	o.RootCAs.AddCert(r.Certificate())
}

func status(code int, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for _, h := range header {
			name, value, _ := strings.Cut(h, ": ")
			w.Header().Set(name, value)
		}
		w.WriteHeader(code)
	}
}

// verify checks a message with the standard's own verifier.
func verify(t testing.TB, m received, secret string) {
	t.Helper()
	w, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.VerifyIgnoringTimestamp([]byte(m.body), m.header); err != nil {
		t.Errorf("message %s: %v", m.id, err)
	}
}

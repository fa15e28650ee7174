package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"labour/serve/partners/access"
	"labour/serve/state"
	"labour/serve/state/statetest"
	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// fleet is two servers on one PostgreSQL and one store, under load, that the test
// kills and starts again.
type fleet struct {
	t                 *testing.T
	data, address     string
	db                *state.DB
	env               []string
	receiver          *httptest.Server
	addrs             [2]string
	children          [2]*exec.Cmd
	keyID, secret     string
	answered, started atomic.Int64
	signing           atomic.Pointer[standardwebhooks.Webhook] // verifies messages, once the endpoint is made

	mu       sync.Mutex
	received map[string]int // by event
}

// TestKilledServersLoseNothing: two servers on one PostgreSQL are killed with
// SIGKILL and started again under load, while snapshots with new events are
// promoted. Every call that was answered is counted, and none besides but those that
// were on their way at a kill; every event arrives, and again only around a kill.
func TestKilledServersLoseNothing(t *testing.T) {
	longOnly(t)
	f := newFleet(t)
	f.promote(1)
	for i := range f.children {
		f.start(i)
	}
	f.makeEndpoint()
	f.announced() // what the first snapshot has is history
	ctx, stop := context.WithCancel(context.Background())
	var load sync.WaitGroup
	const callers = 8
	for n := range callers {
		load.Go(func() { f.call(ctx, n) })
	}
	const kills = 4
	for n := range kills {
		f.promote(2 + n)
		f.moreAnswers(100)
		if n%2 == 0 { // around the taking up of the snapshot
			time.Sleep(time.Duration(n) * 300 * time.Millisecond)
		} else { // around the publishing
			f.someReceived(1 + 5*n)
		}
		f.kill(n % 2)
		f.start(n % 2)
	}
	f.moreAnswers(100)
	stop()
	load.Wait()
	f.kill(0)
	f.kill(1)
	f.forgetTheDead()
	f.start(0)
	f.start(1)
	f.complete(kills)
	f.counted(int64(kills) + 2)
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{t: t, data: filepath.Join(t.TempDir(), "data"), received: map[string]int{}}
	var stores statetest.TestDatabases
	f.address = stores.PostgresAddress(t)
	t.Cleanup(func() {
		if err := stores.Close(); err != nil {
			t.Error(err)
		}
	})
	f.db = statetest.Open(t, f.address)
	keys, err := access.New(context.Background(), f.db, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, secret, err := keys.CreateKey(context.Background(), access.KeyRequest{Partner: "North", Scopes: access.Scopes()})
	if err != nil {
		t.Fatal(err)
	}
	most := int64(1 << 40)
	if err := keys.SetKeyLimits(context.Background(), key.ID, &most, &most); err != nil {
		t.Fatal(err)
	}
	f.keyID, f.secret = key.ID, secret
	f.receiver = httptest.NewTLSServer(http.HandlerFunc(f.receive))
	f.receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	t.Cleanup(f.receiver.Close)
	roots := filepath.Join(t.TempDir(), "roots.pem")
	if err := os.WriteFile(roots,
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.receiver.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	f.env = append(os.Environ(), "SSL_CERT_FILE="+roots, "SSL_CERT_DIR="+t.TempDir(),
		webhookKey+"="+strings.Repeat("0f", 32), realClock+"=yes")
	return f
}

// receive takes a message that verifies.
func (f *fleet) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if w := f.signing.Load(); err == nil && w != nil {
		err = w.Verify(body, r.Header)
	}
	var message struct{ ID string }
	if err := errors.Join(err, json.Unmarshal(body, &message)); err != nil || message.ID != r.Header.Get("webhook-id") {
		f.t.Errorf("a message that does not verify: %v %s", err, body)
	}
	f.mu.Lock()
	f.received[message.ID]++
	f.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

// eventsPer is how many events a snapshot has that the one before did not have.
const eventsPer = 20

// promote publishes the n-th snapshot.
func (f *fleet) promote(n int) {
	f.t.Helper()
	c := snaptest.DefaultContent(f.t, "2026-11-20")
	c.Events = nil
	for i := range n * eventsPer {
		c.Events = append(c.Events, snapshots.EventsRow{ID: fmt.Sprintf("ev-%04d", i), Type: "click.recorded",
			Partner:    []string{"", "North"}[i%2],
			OccurredAt: time.Date(2026, 11, 20, 0, 0, i, 0, time.UTC)})
	}
	snaptest.BuildSnapshot(f.t, f.data, "2026-11-20", c)
}

// start starts a server and waits until it is ready.
func (f *fleet) start(i int) {
	f.t.Helper()
	if f.addrs[i] == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			f.t.Fatal(err)
		}
		f.addrs[i] = l.Addr().String()
		if err := l.Close(); err != nil {
			f.t.Fatal(err)
		}
	}
	child := exec.Command("labour", "serve", "--data", f.data, "--state", f.address, "--addr", f.addrs[i],
		"--webhooks-allow-loopback")
	child.Env = f.env
	var said shared
	child.Stderr = &said
	if err := child.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.children[i] = child
	f.t.Cleanup(func() { _ = child.Process.Kill() }) // most have ended
	for {
		r, err := http.Get("http://" + f.addrs[i] + "/readyz")
		if err == nil {
			r.Body.Close()
			if r.StatusCode == http.StatusOK {
				return
			}
		}
		if child.ProcessState != nil || strings.Contains(said.String(), "labour: ") {
			f.t.Fatalf("the server ended: %s", said.String())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (f *fleet) kill(i int) {
	f.t.Helper()
	if err := f.children[i].Process.Kill(); err != nil {
		f.t.Fatal(err)
	}
	_ = f.children[i].Wait() // by the signal
}

// makeEndpoint makes the partner's endpoint. It counts as a call.
func (f *fleet) makeEndpoint() {
	f.t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+f.addrs[0]+"/v1/webhooks/endpoints",
		strings.NewReader(fmt.Sprintf(`{"url":%q}`, f.receiver.URL+"/hooks")))
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+f.secret)
	r.Header.Set("Content-Type", "application/json")
	f.started.Add(1)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	defer answer.Body.Close()
	var made struct{ Data struct{ Secret string } }
	if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || answer.StatusCode != http.StatusCreated {
		f.t.Fatalf("status %d, %v", answer.StatusCode, err)
	}
	f.answered.Add(1)
	w, err := standardwebhooks.NewWebhook(made.Data.Secret)
	if err != nil {
		f.t.Fatal(err)
	}
	f.signing.Store(w)
}

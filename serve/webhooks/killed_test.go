package webhooks

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"labour/serve/state"
)

// The environment that makes the test's program a server that delivers.
const (
	childAddress = "LABOUR_TEST_DELIVER_FROM"
	childRoots   = "LABOUR_TEST_DELIVER_ROOTS"
	childRescue  = 2 * time.Second
)

// deliverForEver is a server that delivers until it is killed. Deliveries that a
// killed server claimed are taken over after two seconds instead of two minutes.
func deliverForEver(address string) {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	db, err := state.Open(context.Background(), address)
	if err != nil {
		fail(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(os.Getenv(childRoots)))
	s, err := New(context.Background(), Options{DB: db, Now: func() time.Time { return time.Now().UTC() },
		Random: rand.Reader,
		Log:    slog.New(slog.DiscardHandler), AllowLoopback: true, RootCAs: roots,
		tuning: tuning{rescueAfter: childRescue, poll: 100 * time.Millisecond, timeout: childRescue / 4}})
	if err != nil {
		fail(err)
	}
	fail(s.Run(context.Background()))
}

// Servers are killed in the middle of their deliveries. Every event arrives at
// least once, and again only if a server was killed around it.
func TestServersThatDieLoseNoEvent(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds until the deliveries of a killed server are taken over")
	}
	stores.RunOnEach(t, func(t *testing.T, address string) {
		t.Parallel()
		const events, kills = 60, 2
		arrived := make(chan struct{}, 1000)
		r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
			arrived <- struct{}{}
			time.Sleep(20 * time.Millisecond)
			w.WriteHeader(http.StatusNoContent)
		})
		f := newFixture(t, address, real(r))
		f.endpoint(r.URL)
		f.publish(clicks(events)...)
		for range kills {
			kill := child(t, address, r.Certificate())
			for range 12 {
				<-arrived
			}
			kill()
		}
		kill := child(t, address, r.Certificate())
		defer kill()
		f.settled()
		got, twice := perEvent(r.messages()), 0
		for _, e := range clicks(events) {
			if got[e.ID] == 0 {
				t.Errorf("%s was lost", e.ID)
			}
			twice += max(0, got[e.ID]-1)
		}
		if twice > kills*maxPerEndpoint {
			t.Errorf("%d messages were sent again; %d servers with %d attempts each were killed", twice, kills,
				maxPerEndpoint)
		}
	})
}

// child starts a server and returns what kills it.
func child(t *testing.T, address string, root *x509.Certificate) func() {
	t.Helper()
	c := exec.Command(os.Args[0])
	pemRoot := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root.Raw})
	c.Env = append(os.Environ(), childAddress+"="+address, childRoots+"="+string(pemRoot))
	var faults strings.Builder
	c.Stderr = &faults
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err == nil || faults.Len() > 0 {
			t.Fatalf("ended by itself: %v: %s", err, &faults)
		}
	}
}

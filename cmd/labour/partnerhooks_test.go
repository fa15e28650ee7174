package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestWebhooksTellPartnersOfTheirOwn: of the events of a new snapshot, an endpoint of a
// partner receives its own and those that are everybody's, and no application or outcome
// of another partner or of none.
func TestWebhooksTellPartnersOfTheirOwn(t *testing.T) {
	var mu sync.Mutex
	received := map[string][]string{} // event ids by partner
	receiver := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var event struct{ ID string }
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		partner := strings.TrimPrefix(r.URL.Path, "/")
		if !slices.Contains(received[partner], event.ID) { // a message may arrive twice
			received[partner] = append(received[partner], event.ID)
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	receiver.StartTLS()
	defer receiver.Close()

	data, ctx := t.TempDir(), context.Background()
	empty := snaptest.DefaultContent(t, "2026-11-20")
	empty.Events = nil
	first := snaptest.BuildSnapshot(t, data, "2026-11-20", empty)
	a := &app{now: time.Now, random: rand.Reader, getenv: func(string) (string, bool) { return "", false }}
	roots := receiver.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	s, err := a.newService(ctx, serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: data}},
		AllowLoopbackWebhooks: true,
		roots:                 roots}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}()
	want := eventIDsByPartner()
	for partner := range want {
		key, _, err := s.stores.Keys.CreateKey(ctx, access.KeyRequest{Partner: partner + " Works", Plan: access.PlanPartner,
			Scopes: access.Scopes()})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.hooks.CreateEndpoint(ctx, key.PartnerID,
			api.NewWebhook{URL: receiver.URL + "/" + partner}); err != nil {
			t.Fatal(err)
		}
	}
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	announcer := s.stores.NewAnnouncer(store, s.hooks, s.live.CurrentID)
	if n, err := announcer.Announce(ctx, first); n != 0 || err != nil {
		t.Fatalf("announced %d events of the first snapshot, %v", n, err)
	}
	full := snaptest.DefaultContent(t, "2026-11-21")
	full.Events = eventsOfThree()
	if _, err := announcer.Announce(ctx, snaptest.BuildSnapshot(t, data, "2026-11-21", full)); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for arrived := 0; arrived < 14 && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		mu.Lock()
		arrived = len(received["North"]) + len(received["South"]) + len(received["East"])
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	for partner, ids := range want {
		slices.Sort(ids)
		slices.Sort(received[partner])
		if !slices.Equal(received[partner], ids) {
			t.Errorf("%s received %v, want %v", partner, received[partner], ids)
		}
	}
}

// eventIDsByPartner returns the ids of the events that each of the three partners may see.
func eventIDsByPartner() map[string][]string {
	ids := map[string][]string{"East": {"open-1", "open-3"}}
	for _, partner := range []string{"North", "South"} {
		ids[partner] = []string{"open-1", "open-3"}
		for i := range 4 {
			ids[partner] = append(ids[partner], fmt.Sprintf("own-%s-%d", partner, i))
		}
	}
	return ids
}

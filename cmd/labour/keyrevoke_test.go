package main

import (
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"labour/cmd/internal/cli"
	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/stores"
)

// TestRevokingTheLastKeyNamesWebhooks: webhooks belong to the partner, so they go on without a key. Only
// who revokes the last usable key is told, until the whole partner is revoked.
func TestRevokingTheLastKeyNamesWebhooks(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	ids := partnerWithWebhooks(t, state, 2)
	call := func(args ...string) string {
		t.Helper()
		var out, said shared
		a := &app{stdout: &out, stderr: &said, now: scriptClock, random: rand.Reader, version: "test",
			getenv: func(string) (string, bool) { return "", false }}
		if status := run(append(args, "--state", state), a); status != cli.ExitDone {
			t.Fatalf("status %d: %s", status, said.String())
		}
		return out.String() + said.String()
	}
	for i, want := range []string{"", "North Works has no usable key left, but its webhooks still receive events " +
		"(2 endpoints); labour partner revoke \"North Works\" ends these too\n"} {
		if said := call("key", "revoke", ids[i]); said != ids[i]+" is revoked\n"+want {
			t.Errorf("the revocation of key %d says %q, want %q", i+1, said, want)
		}
	}
	call("partner", "revoke", "North Works")
	if said := call("key", "revoke", ids[1]); strings.Contains(said, "webhooks") {
		t.Errorf("after the revocation of the partner: %q", said)
	}
}

// partnerWithWebhooks makes the partner North Works with two keys and n webhook endpoints. It returns the
// ids of the keys.
func partnerWithWebhooks(t *testing.T, state string, n int) (ids []string) {
	t.Helper()
	s, err := stores.Open(t.Context(), state, scriptClock, rand.Reader, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	hooks, err := s.OpenWebhooks(t.Context(), nil, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	var partner string
	for range 2 {
		key, _, err := s.Keys.CreateKey(t.Context(), access.KeyRequest{Partner: "North Works"})
		if err != nil {
			t.Fatal(err)
		}
		ids, partner = append(ids, key.ID), key.PartnerID
	}
	for i := range n {
		address := "https://127.0.0.1:1/hooks/" + string(rune('a'+i))
		if _, _, err := hooks.CreateEndpoint(t.Context(), partner, api.NewWebhook{URL: address}); err != nil {
			t.Fatal(err)
		}
	}
	return ids
}

package main

import (
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"labour/cmd/internal/cli"
	"labour/serve/api"
	"labour/serve/partners/access"
	"labour/serve/stores"
)

// TestLostKeysNameWebhooks: webhooks belong to the partner, so they go on when a key is revoked or rotated.
// Both commands list them, whether or not the partner has another key, until the partner is revoked.
func TestLostKeysNameWebhooks(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	ids, endpoints := partnerWithWebhooks(t, state, 2)
	call := func(args ...string) (notes string) {
		t.Helper()
		var out, said shared
		a := &app{stdout: &out, stderr: &said, now: scriptClock, random: rand.Reader, version: "test",
			getenv: func(string) (string, bool) { return "", false }}
		if status := run(append(args, "--state", state), a); status != cli.ExitDone {
			t.Fatalf("status %d: %s", status, said.String())
		}
		return said.String()
	}
	want := "North Works has 2 webhook endpoints that receive its events, with or without this key:\n" +
		strings.Join(endpoints, "") +
		"If the key was lost, ask the partner to check them and to delete each that it does not know; " +
		"labour partner revoke \"North Works\" ends all of them\n"
	if said := call("key", "rotate", ids[0], "--grace", "0s"); said != "Old secrets are refused from now on\n"+want {
		t.Errorf("the rotation says %q, want %q", said, want)
	}
	for i, id := range ids {
		if said := call("key", "revoke", id); said != want {
			t.Errorf("the revocation of key %d says %q, want %q", i+1, said, want)
		}
	}
	call("partner", "revoke", "North Works")
	if said := call("key", "revoke", ids[1]); said != "" {
		t.Errorf("after the revocation of the partner: %q", said)
	}
}

// TestOneWebhookIsSingular: the note about a single endpoint is a correct sentence.
func TestOneWebhookIsSingular(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	ids, _ := partnerWithWebhooks(t, state, 1)
	var out, said shared
	a := &app{stdout: &out, stderr: &said, now: scriptClock, random: rand.Reader, version: "test",
		getenv: func(string) (string, bool) { return "", false }}
	status := run([]string{"key", "revoke", ids[0], "--state", state}, a)
	if want := "has 1 webhook endpoint that receives its events"; status != cli.ExitDone ||
		!strings.Contains(said.String(), want) {
		t.Errorf("status %d and %q, want %q", status, said.String(), want)
	}
}

// partnerWithWebhooks makes the partner North Works with two keys and n webhook endpoints. It returns the ids
// of the keys, and the lines with which a command lists the endpoints.
func partnerWithWebhooks(t *testing.T, state string, n int) (keys, endpoints []string) {
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
		keys, partner = append(keys, key.ID), key.PartnerID
	}
	for i := range n {
		address := "https://127.0.0.1:1/hooks/" + string(rune('a'+i))
		endpoint, _, err := hooks.CreateEndpoint(t.Context(), partner, api.NewWebhook{URL: address})
		if err != nil {
			t.Fatal(err)
		}
		endpoints = append(endpoints, fmt.Sprintf("  %s %q\n", endpoint.ID, address))
	}
	slices.Sort(endpoints) // all are made in the same second, so the order is that of the ids
	return keys, endpoints
}

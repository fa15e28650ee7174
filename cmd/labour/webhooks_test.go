package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/partners/access"
)

// TestServerDeliversWebhooks checks that the server sends webhooks while it answers requests, with the
// state database, the key and the addresses of its flags and environment. No authority has signed the
// receiver's certificate, so the attempt is made and fails for that reason.
func TestServerDeliversWebhooks(t *testing.T) {
	receiver := httptest.NewTLSServer(http.NotFoundHandler())
	defer receiver.Close()
	receiver.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	dir, ctx := t.TempDir(), context.Background()
	a := &app{now: time.Now, random: rand.Reader, getenv: func(name string) (string, bool) {
		return strings.Repeat("0f", 32), name == webhookKey
	}}
	o := serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: t.TempDir()},
		State: filepath.Join(dir, "other.db")}, AllowLoopbackWebhooks: true}
	s, err := a.newService(ctx, o, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := os.Stat(filepath.Join(o.Data, "state.db")); !os.IsNotExist(err) {
		t.Errorf("a state database in the data directory: %v", err)
	}
	_, secret, err := s.stores.Keys.CreateKey(ctx, access.KeyRequest{Partner: "Example", Plan: access.PlanPartner,
		Scopes: []access.Scope{access.ScopeWebhooksManage}})
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, path, body string, out any) {
		t.Helper()
		r := httptest.NewRequest(method, "/v1/webhooks/endpoints"+path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+secret)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		if err := json.Unmarshal(w.Body.Bytes(), out); err != nil || w.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
		}
	}
	var made struct{ Data struct{ ID string } }
	call("POST", "", `{"url":"`+receiver.URL+`/hooks"}`, &made)
	call("POST", "/"+made.Data.ID+"/test", "", &struct{}{})
	for {
		var log struct {
			Data []struct{ Attempts []struct{ Fault string } }
		}
		call("GET", "/"+made.Data.ID+"/deliveries", "", &log)
		if len(log.Data) == 1 && len(log.Data[0].Attempts) > 0 {
			if got := log.Data[0].Attempts[0].Fault; got != "tls" {
				t.Errorf("the attempt failed for %q", got)
			}
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestWebhookKeys: a key that is named and cannot be used stops the start.
func TestWebhookKeys(t *testing.T) {
	key := strings.Repeat("0f", 32)
	file, empty := filepath.Join(t.TempDir(), "key"), filepath.Join(t.TempDir(), "empty")
	for path, text := range map[string]string{file: key + "\n", empty: " \n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		text, file string
		keys       int // -1 = refused
	}{
		{"", "", 0}, {key, "", 1}, {key + " " + strings.Repeat("a0", 32), "", 2}, {"", file, 1}, {key, "nowhere", 1},
		{"", "nowhere", -1}, {"", empty, -1}, {"short", "", -1}, {key + " short", "", -1},
	} {
		var said shared
		a := &app{getenv: func(name string) (string, bool) {
			text := map[string]string{webhookKey: tt.text, webhookKey + "_FILE": tt.file}[name]
			return text, text != ""
		}}
		keys, err := a.webhookKeys(slog.New(slog.NewTextHandler(&said, nil)))
		if tt.keys < 0 && err == nil || tt.keys >= 0 && (err != nil || len(keys) != tt.keys) {
			t.Errorf("%q, file %q: %d keys, %v", tt.text, tt.file, len(keys), err)
		}
		if warned := strings.Contains(said.String(), "stored plainly"); warned != (tt.keys == 0) {
			t.Errorf("%q, file %q: warned %v", tt.text, tt.file, warned)
		}
		if err != nil && strings.Contains(err.Error(), key) {
			t.Errorf("the error shows a key: %v", err)
		}
	}
}

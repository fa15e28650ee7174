package main

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// signedContent is the content of a snapshot that is signed with a secret key.
func signedContent(t *testing.T, key string) snaptest.Content {
	t.Helper()
	signer, err := signature.ReadSigner(key, "")
	if err != nil {
		t.Fatal(err)
	}
	c := snaptest.DefaultContent(t, "2026-11-20")
	c.BeforeSeal = func(w *store.Writer) error {
		w.SignSums = func(sums []byte) ([]byte, error) { return signer.Sign(w.ID(), sums) }
		return nil
	}
	return c
}

// TestServerRefusesWhatIsNotSigned: a promoted snapshot without the signature is
// not taken up; the log says why, and the previous one goes on answering.
func TestServerRefusesWhatIsNotSigned(t *testing.T) {
	dir, data, ctx := t.TempDir(), t.TempDir(), context.Background()
	key := filepath.Join(dir, "key")
	var out, said shared
	a := &app{stdout: &out, stderr: &said, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	if err := a.keygen(t.Context(), &keygenOptions{Key: key}, nil); err != nil {
		t.Fatal(err)
	}
	first := snaptest.BuildSnapshot(t, data, "2026-11-20", signedContent(t, key))
	public, err := publicKey(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	service, err := a.newService(ctx, serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: data}},
		signatureCheck: verifier(public)}, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := service.close(); err != nil {
			t.Error(err)
		}
	}()
	unsigned := snaptest.BuildSnapshot(t, data, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	if err := service.live.Reload(ctx); err == nil || !strings.Contains(err.Error()+said.String(),
		"a signature is required") {
		t.Errorf("reloading %s: %v", unsigned, err)
	}
	snapshot, release, err := service.live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if got := snapshot.ID(); got != string(first) {
		t.Errorf("%s answers, want %s", got, first)
	}
}

// TestFilesAreGivenOutWithAGoodSignatureOnly: a server that asks for signatures gives
// out no file of a snapshot whose signature or file is not what was sealed.
func TestFilesAreGivenOutWithAGoodSignatureOnly(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	key := filepath.Join(dir, "key")
	var out, said shared
	a := &app{stdout: &out, stderr: &said, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	if err := a.keygen(t.Context(), &keygenOptions{Key: key}, nil); err != nil {
		t.Fatal(err)
	}
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", signedContent(t, key))
	service, err := a.newService(t.Context(), serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: data}},
		PublicKey: key + ".pub", AddressRate: -1}, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer service.close()
	get := func(name string) int {
		w := httptest.NewRecorder()
		service.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/snapshots/"+string(id)+"/files/"+name, nil))
		return w.Code
	}
	store, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	change := func(name string, f func(path string) error) {
		path := snapshots.JoinPath(store.SnapshotDir(id), name)
		for _, p := range []string{filepath.Dir(path), path} {
			if err := os.Chmod(p, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := f(path); err != nil {
			t.Fatal(err)
		}
	}
	if got := [2]int{get("manifest.json"), get("tables/skills.parquet")}; got != [2]int{http.StatusOK, http.StatusOK} {
		t.Errorf("what was signed: %v", got)
	}
	change("tables/skills.parquet", func(path string) error {
		b, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(path, append(b, 'x'), 0o600))
	})
	if got := [2]int{get("manifest.json"), get("tables/skills.parquet")}; got != [2]int{http.StatusOK,
		http.StatusNotFound} {
		t.Errorf("with a changed table: %v", got)
	}
	change(snapshots.SignatureFileName, os.Remove)
	if got := [2]int{get("manifest.json"), get("tables/regions.parquet")}; got != [2]int{http.StatusNotFound,
		http.StatusNotFound} {
		t.Errorf("without a signature: %v", got)
	}
}

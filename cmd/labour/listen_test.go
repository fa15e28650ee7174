package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve/certtest"
)

// certificateOf writes a certificate of that serial number for 127.0.0.1.
func certificateOf(t *testing.T, o tlsOptions, serial int64) {
	t.Helper()
	_, err := certtest.WriteCertificate(o.Cert, o.Key, serial)
	at := time.Unix(1e9+serial, 0) // another second than the one before
	if err := errors.Join(err, os.Chtimes(o.Cert, at, at), os.Chtimes(o.Key, at, at)); err != nil {
		t.Fatal(err)
	}
}

// TestTLSAndMetrics: the interface speaks TLS, with a certificate that is renewed
// while it runs, and the operator's address has what was measured.
func TestTLSAndMetrics(t *testing.T) {
	dir := t.TempDir()
	var listeners [2]net.Listener
	for i := range listeners {
		var err error
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	o := serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: t.TempDir()}}, admin: listeners[1],
		tlsOptions: tlsOptions{Cert: filepath.Join(dir, "cert"), Key: filepath.Join(dir, "key")}}
	certificateOf(t, o.tlsOptions, 1)
	a := &app{now: time.Now, random: rand.Reader, stderr: io.Discard,
		getenv: func(string) (string, bool) { return "", false }}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.serve(ctx, listeners[0], o) }()
	serial := func() int64 {
		t.Helper()
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
			DisableKeepAlives: true}}
		r, err := client.Get("https://" + listeners[0].Addr().String() + "/v1/jobs")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if r.StatusCode != http.StatusUnauthorized {
			t.Errorf("status %d", r.StatusCode)
		}
		return r.TLS.PeerCertificates[0].SerialNumber.Int64()
	}
	if n := serial(); n != 1 {
		t.Errorf("certificate %d, want 1", n)
	}
	var link bytes.Buffer
	a.stdout = &link
	stores, err := a.openState(ctx, &o.keyOptions)
	if err != nil {
		t.Fatal(err)
	}
	defer stores.Close()
	if err := a.invite(ctx, stores, &inviteOptions{}, []string{"Partner"}); err != nil ||
		!strings.HasPrefix(link.String(), "https://"+listeners[0].Addr().String()+"/partner/sign-in/") {
		t.Errorf("invited by %q, %v", link.String(), err)
	}
	certificateOf(t, o.tlsOptions, 2)
	if n := serial(); n != 2 {
		t.Errorf("certificate %d after it was renewed, want 2", n)
	}
	if err := os.WriteFile(o.Cert, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := serial(); n != 2 {
		t.Errorf("certificate %d after a bad one, want 2", n)
	}
	text := fetchText(t, "http://"+listeners[1].Addr().String()+"/metrics")
	for _, want := range []string{`labour_http_requests_total{method="GET",route="",status="401"} 3`,
		`labour_http_errors_total{code="unauthorized"} 3`, "labour_snapshot_mounted 0", "labour_webhook_backlog 0"} {
		if !strings.Contains(text, want) {
			t.Errorf("the metrics lack %s:\n%s", want, text)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", listeners[1].Addr().String()); err == nil {
		t.Error("the operator's address is still open")
	}
}

func fetchText(t *testing.T, url string) string {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", url, r.StatusCode, err)
	}
	return string(b)
}

func TestTLSNeedsBothFiles(t *testing.T) {
	log := slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil))
	var usage cli.UsageError
	for _, o := range []tlsOptions{{Cert: "c"}, {Key: "k"}, {Cert: "nowhere", Key: "nowhere"}} {
		if _, err := o.config(log); !errors.As(err, &usage) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if c, err := (tlsOptions{}).config(log); c != nil || err != nil {
		t.Errorf("without files: %v, %v", c, err)
	}
}

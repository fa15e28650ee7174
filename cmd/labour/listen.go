package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"labour/cmd/internal/cli"
	"labour/serve"
)

func (a *app) listenAndServe(ctx context.Context, o serveOptions) error {
	listener, err := net.Listen("tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", o.Addr, err)
	}
	if o.AdminAddr != "" {
		if o.admin, err = net.Listen("tcp", o.AdminAddr); err != nil {
			return errors.Join(fmt.Errorf("listen on %s: %w", o.AdminAddr, err), listener.Close())
		}
		fmt.Fprintf(a.stderr, "Metrics on http://%s/metrics\n", o.admin.Addr())
	}
	fmt.Fprintf(a.stderr, "Serving %s on %s\n", o.Data, addressOf(listener, o.tlsOptions))
	return a.serve(ctx, listener, o)
}

// wildcardHosts replaces a wildcard address in a URL, such as 0.0.0.0, with localhost. A server
// with a wildcard address listens on all interfaces.
var wildcardHosts = strings.NewReplacer("//0.0.0.0:", "//localhost:", "//[::]:", "//localhost:")

func addressOf(listener net.Listener, o tlsOptions) string {
	if o.Cert != "" {
		return "https://" + listener.Addr().String()
	}
	return "http://" + listener.Addr().String()
}

// serveExtra serves s on listener, which has another address than the API, for example for metrics.
// It serves until stop is called, even if ctx ends earlier, because the API still finishes running
// calls then.
func serveExtra(ctx context.Context, s serve.Server, listener net.Listener) (stop func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.Run(ctx, listener); err != nil {
			s.Log.Error("serve a further address", "address", listener.Addr().String(), "error", err)
		}
	})
	return func() { cancel(); running.Wait() }
}

// tlsOptions holds the flags for TLS: the files of the server's certificate and of its key. Set
// both or neither.
type tlsOptions struct {
	Cert string `flag:"tls-cert" usage:"file of a certificate with its chain (PEM); the server then uses TLS, and loads a renewed certificate by itself"`
	Key  string `flag:"tls-key" usage:"file of the certificate's key (PEM)"`
}

// config returns the TLS configuration of the server. It returns nil if no certificate is given.
// The server loads replaced certificate files without a restart.
func (o tlsOptions) config(log *slog.Logger) (*tls.Config, error) {
	if o.Cert == "" && o.Key == "" {
		return nil, nil
	}
	if o.Cert == "" || o.Key == "" {
		return nil, cli.NewUsageError(errors.New("--tls-cert and --tls-key belong together"))
	}
	c := &certificate{tlsOptions: o, log: log}
	if _, err := c.get(nil); err != nil {
		return nil, cli.NewUsageError(err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

// certificate caches the server's TLS certificate and reloads it when its files change.
type certificate struct {
	tlsOptions
	log *slog.Logger

	mu       sync.Mutex
	pair     *tls.Certificate
	modTimes [2]time.Time // times at which the certificate's file and the key's file were written
}

// get returns the server's certificate. If its files have changed, it reads them again. If they
// cannot be read, it returns the previous certificate.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var at [2]time.Time
	for i, file := range []string{c.Cert, c.Key} {
		if info, err := os.Stat(file); err == nil { // an error is reported when the file is read below
			at[i] = info.ModTime()
		}
	}
	if c.pair != nil && at == c.modTimes {
		return c.pair, nil
	}
	pair, err := tls.LoadX509KeyPair(c.Cert, c.Key)
	switch {
	case err == nil:
		c.pair = &pair
	case c.pair == nil:
		return nil, fmt.Errorf("read the certificate of %s: %w", c.Cert, err)
	default:
		c.log.Warn("the certificate was not renewed; the last one is used", "error", err)
	}
	c.modTimes = at
	return c.pair, nil
}

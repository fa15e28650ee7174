package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"

	"labour/serve"
)

// listenAndServe listens on both addresses and serves until ctx ends.
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

// everywhere replaces the addresses that stand for all of a machine's by one of them.
var everywhere = strings.NewReplacer("//0.0.0.0:", "//localhost:", "//[::]:", "//localhost:")

func addressOf(listener net.Listener, o tlsOptions) string {
	if o.Cert != "" {
		return "https://" + listener.Addr().String()
	}
	return "http://" + listener.Addr().String()
}

// close gives the listeners back where nothing serves on them.
func (o serveOptions) close(listener net.Listener) error {
	if o.admin == nil {
		return listener.Close()
	}
	return errors.Join(listener.Close(), o.admin.Close())
}

// serveAdmin answers the operator until stop, which must be called. It goes on while
// the interface ends its calls.
func serveAdmin(ctx context.Context, listener net.Listener, metrics http.Handler, log *slog.Logger) (stop func()) {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() {
		if err := (serve.Server{Handler: mux, Log: log}).Run(ctx, listener); err != nil {
			log.Error("metrics", "error", err)
		}
	})
	return func() { cancel(); running.Wait() }
}

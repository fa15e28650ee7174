package serve

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Server runs a handler on a listener until it is told to stop.
type Server struct {
	Handler http.Handler
	Log     *slog.Logger
	// TLS makes the server speak TLS; nil = plain HTTP.
	TLS *tls.Config
	// Grace is how long running requests may take to end after the stop; 0 = 15 s.
	Grace time.Duration
}

// The times and sizes that bound one connection. Reading is short, since
// requests are small; writing is longer than a query may take.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
	defaultGrace      = 15 * time.Second
)

// Run serves until ctx ends, then takes no more requests, lets the running ones
// end, and returns nil. The error tells why it could not serve, or that requests
// were cut off.
func (s Server) Run(ctx context.Context, listener net.Listener) error {
	grace := s.Grace
	if grace == 0 {
		grace = defaultGrace
	}
	server := &http.Server{
		Handler: s.Handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, TLSConfig: s.TLS, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() {
		if s.TLS != nil {
			failed <- server.ServeTLS(listener, "", "")
			return
		}
		failed <- server.Serve(listener)
	}()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := server.Shutdown(limit); err != nil {
		return errors.Join(fmt.Errorf("end the running requests within %v: %w", grace, err), server.Close())
	}
	return nil
}

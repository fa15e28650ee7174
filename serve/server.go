package serve

import (
	"cmp"
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
// requests are small; writing is long enough for a file over a slow line.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 10 * time.Minute
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 32 << 10
	defaultGrace      = 15 * time.Second
)

// Run serves until ctx ends, then takes no more requests, lets the running ones
// end, and returns nil. The error tells why it could not serve, or that requests
// were cut off.
func (s Server) Run(ctx context.Context, listener net.Listener) error {
	grace := s.Grace
	grace = cmp.Or(grace, defaultGrace)
	secured := s.TLS.Clone()
	if secured != nil {
		secured.NextProtos = []string{"h2", "http/1.1"}
	}
	server := &http.Server{
		Handler: withTLS(s.Handler), ConnContext: keepTLS, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, TLSConfig: secured, ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(newReadable(listener, secured)) }()
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

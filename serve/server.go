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

// Server serves an HTTP handler on a listener, with or without TLS. It stops gracefully.
type Server struct {
	Handler http.Handler
	Log     *slog.Logger
	// TLS is the TLS configuration; nil = plain HTTP.
	TLS *tls.Config
	// ShutdownTimeout is how long requests in progress may take to finish when the server stops; 0
	// = 15 s.
	ShutdownTimeout time.Duration
}

// readHeaderTimeout and the constants below are the time and size limits of a connection.
const (
	// readHeaderTimeout is the time limit for receiving the headers of a request.
	readHeaderTimeout = 5 * time.Second
	// readTimeout is the time limit for receiving a whole request.
	readTimeout = 15 * time.Second
	// writeTimeout is the time limit for sending a response. A large file over a slow connection
	// takes minutes.
	writeTimeout = 10 * time.Minute
	// idleTimeout is how long a connection stays open without a request.
	idleTimeout = 2 * time.Minute
	// maxHeaderBytes is the size limit of the request line and headers, in bytes.
	maxHeaderBytes = 128 << 10
	// defaultGrace is the time that requests in progress have to finish when a server stops, if
	// Server.ShutdownTimeout is zero.
	defaultGrace = 15 * time.Second
)

// Run serves on a listener until ctx ends. It then waits for requests in progress and returns nil.
// It returns an error if serving fails, or if requests do not finish within ShutdownTimeout.
func (s Server) Run(ctx context.Context, listener net.Listener) error {
	grace := cmp.Or(s.ShutdownTimeout, defaultGrace)
	server := &http.Server{
		Handler: s.Handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, TLSConfig: s.TLS.Clone(),
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn),
	}
	failed := make(chan error, 1)
	go func() {
		if s.TLS != nil {
			failed <- server.ServeTLS(listener, "", "") // the certificate is in TLS
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

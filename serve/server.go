package serve

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"path"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"labour/serve/access"
	"labour/serve/api"
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
// requests are small; writing is long enough for a file over a slow line. What is longer
// than maxHeaderBytes, or no HTTP request, net/http refuses in plain text: nobody's key
// was read.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = 10 * time.Minute
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 128 << 10 // of request line and headers
	defaultGrace      = 15 * time.Second
)

// Run serves until ctx ends, then takes no more requests, lets the running ones
// end, and returns nil. The error tells why it could not serve, or that requests
// were cut off.
func (s Server) Run(ctx context.Context, listener net.Listener) error {
	grace := cmp.Or(s.Grace, defaultGrace)
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

type healthReply[B any] struct {
	CacheControl string `header:"Cache-Control" doc:"no-store."`
	Body         B
}

// noStore is the Cache-Control of what holds for this moment only.
const noStore = "no-store"

// healthRoutes registers what a supervisor asks. They need no key.
func (a *handler) healthRoutes() {
	open := func(path, id string) huma.Operation {
		return huma.Operation{Method: http.MethodGet, Path: path, OperationID: id, SkipValidateParams: true, Middlewares: huma.Middlewares{a.checkParameters, a.refuseFaults}}
	}
	huma.Register(a.huma, open("/healthz", "health"), func(context.Context, *struct{}) (*healthReply[api.Health], error) {
		return &healthReply[api.Health]{CacheControl: noStore, Body: api.Health{Status: "ok"}}, nil
	})
	huma.Register(a.huma, open("/readyz", "readiness"), a.ready)
	a.documentRoute()
}

// ready reads real data and asks the state database, so that it is 503 when calls
// would fail.
func (a *handler) ready(ctx context.Context, _ *struct{}) (*healthReply[api.Readiness], error) {
	s, release, err := a.Live.Acquire()
	if err != nil {
		return nil, apiErrorOf(callOf(ctx), err)
	}
	defer release()
	// Not in the queue of queries: a server that is busy is ready.
	limit, cancel := context.WithTimeout(ctx, a.QueryDeadline)
	defer cancel()
	if _, err := s.Sources(limit, api.SourcesQuery{}); err != nil {
		return nil, apiErrorOf(callOf(ctx), err)
	}
	if err := a.CheckState(limit); err != nil {
		return nil, apiErrorOf(callOf(ctx), fmt.Errorf("%w: %w", errState, err))
	}
	return &healthReply[api.Readiness]{CacheControl: noStore, Body: api.Readiness{Status: "ready", Snapshot: s.ID(), AsOf: api.DateOf(s.AsOf())}}, nil
}

// Inside is what the interface does for the web pages.
type Inside struct {
	// Ask runs the questions of f within the bounds of queries at once and of time
	// that the interface has. The error is f's, ErrBusy, or that of the context at
	// its deadline.
	Ask func(ctx context.Context, f func(context.Context) error) error
	// Labour answers a call of the labour data for a page, without a key and without
	// counting it: what a key with only the scope labour:read would be told. The error
	// model is the interface's.
	Labour func(w http.ResponseWriter, r *http.Request, t Taken, query url.Values)
}

// ask is Inside.Ask.
func (a *handler) ask(ctx context.Context, f func(context.Context) error) error {
	_, err := runLimited(ctx, a, func(ctx context.Context) (struct{}, error) { return struct{}{}, f(ctx) })
	return err
}

// labour is Inside.Labour. The call is one of its own: the page's has no key, and
// it never leaves the endpoints of the labour data.
func (a *handler) labour(w http.ResponseWriter, r *http.Request, t Taken, query url.Values) {
	of := callOf(r.Context())
	c := &call{id: of.id, at: of.at, match: noneMatch(r), slots: of.slots, route: "/v1/labour/" + t.Dataset, taken: t, key: access.Key{Scopes: []access.Scope{access.LabourRead}}}
	query.Del("format") // the page's own counts
	if path.Clean(c.route) != c.route || path.Base(c.route) != t.Dataset {
		a.send(w, c, errNotFound())
		return
	}
	if !of.downloads {
		of.downloads = true
		if err := a.takeDownload(r, of); err != nil {
			a.send(w, of, apiErrorOf(of, err))
			return
		}
	}
	inner := r.Clone(context.WithValue(r.Context(), callKey{}, c))
	inner.URL = &url.URL{Path: c.route, RawQuery: query.Encode()}
	a.mux.ServeHTTP(w, inner)
	of.cause, of.code = c.cause, c.code
}

// SelfSigned makes a certificate of 127.0.0.1 that is its own authority, valid for a year.
func SelfSigned(random io.Reader, now time.Time, name string, serial int64) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), random)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(random, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	leaf, err := x509.ParseCertificate(der)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}, err
}

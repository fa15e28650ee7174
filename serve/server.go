package serve

import (
	"bytes"
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
	"regexp"
	"sync/atomic"
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
	grace := cmp.Or(s.Grace, defaultGrace)
	secured := s.TLS.Clone()
	if secured != nil {
		secured.NextProtos = []string{"h2", "http/1.1"}
	}
	server := &http.Server{
		Handler: s.Handler, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
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
		return nil, apiErrorOf(callOf(ctx), fmt.Errorf("%w: %w", errStateTimeout, err))
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

// net/http answers an address that it cannot read, such as /v1/labour/%zz, in plain text
// before any handler sees it. Connections of HTTP/1 are therefore read through
// readableConn, which replaces what cannot be read: the call then finds no route, and
// is counted and answered in JSON like every other. HTTP/2 knows only a stream error
// for it, and passes as it is.

// readableConn is a connection of HTTP/1 whose request lines can be read. Each byte
// stays one byte: if what looks like a request line is part of a body, the body has its
// length, and what follows it is not taken for another request.
type readableConn struct {
	net.Conn
	answered atomic.Bool // something was sent: what comes next may be a request line
	inside   bool        // of a request that has been seen
	held     []byte      // beginning of a request line
	out      []byte      // not read yet
}

var (
	requestLine = regexp.MustCompile(`^([A-Z]{1,20} )(/[^?\n]*)([^\n]*)( HTTP/1\.[01]\r?\n)`)
	// beginning is what a request line may begin with. The rest of a body that was not
	// read is none.
	beginning = regexp.MustCompile(`^[A-Z]{0,20}( (/[^\n]*)?)?$`)
	inPath    = regexp.MustCompile(`%[0-9A-Fa-f]{2}|[%\x00-\x20\x7f]`)
	inQuery   = regexp.MustCompile(`[\x00-\x1f\x7f]`)
	// carryOn asks for the body of a request, so no request line comes next.
	carryOn = []byte("HTTP/1.1 100 ")
)

// Write sends a part of a response.
func (c *readableConn) Write(p []byte) (int, error) {
	if !bytes.HasPrefix(p, carryOn) {
		c.answered.Store(true)
	}
	return c.Conn.Write(p)
}

// Read reads on, with the request line mended.
func (c *readableConn) Read(p []byte) (int, error) {
	for len(c.out) == 0 {
		n, err := c.Conn.Read(p)
		if c.answered.Swap(false) {
			c.inside = false
		}
		if c.inside || n == 0 && len(c.held) == 0 {
			return n, err
		}
		c.hold(p[:n])
		if err != nil && len(c.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// hold keeps what may be a request line until it is whole.
func (c *readableConn) hold(part []byte) {
	c.held = append(c.held, part...)
	if line := requestLine.FindSubmatch(c.held); line != nil {
		query := inQuery.ReplaceAll(bytes.ReplaceAll(line[3], []byte(" "), []byte("+")), []byte(";")) // with ; it is refused
		c.out = bytes.Join([][]byte{line[1], inPath.ReplaceAllFunc(line[2], mendPath), query, line[4], c.held[len(line[0]):]}, nil)
	} else if len(c.held) < maxHeaderBytes && beginning.Match(c.held) {
		return
	} else {
		c.out = c.held
	}
	c.held, c.inside = nil, true
}

// mendPath puts a character that no route has in the place of one that is not escaped.
// What is escaped stays.
func mendPath(text []byte) []byte {
	if len(text) == len("%zz") {
		return text
	}
	return []byte{'~'}
}

// securedConn is a readableConn whose TLS net/http sees.
type securedConn struct {
	*readableConn
	secured *tls.Conn
}

// ConnectionState returns what the handshake came to.
func (c securedConn) ConnectionState() tls.ConnectionState { return c.secured.ConnectionState() }

// readable accepts connections that net/http can read.
type readable struct {
	net.Listener
	accepted chan net.Conn
	failed   chan error
	closed   context.Context
	close    context.CancelFunc
}

// newReadable accepts the connections of a listener, and speaks TLS on them where
// secured says how. Nobody waits for the handshake of another.
func newReadable(l net.Listener, secured *tls.Config) *readable {
	if secured != nil {
		l = tls.NewListener(l, secured)
	}
	r := &readable{Listener: l, accepted: make(chan net.Conn), failed: make(chan error)}
	r.closed, r.close = context.WithCancel(context.Background())
	go r.run()
	return r
}

func (r *readable) run() {
	for r.closed.Err() == nil {
		c, err := r.Listener.Accept()
		if err == nil {
			go r.hand(c)
			continue
		}
		select {
		case r.failed <- err:
		case <-r.closed.Done():
		}
	}
}

func (r *readable) hand(c net.Conn) {
	secured, isTLS := c.(*tls.Conn)
	var failed error // net/http tells the client and the log
	if isTLS {
		ctx, cancel := context.WithTimeout(r.closed, readHeaderTimeout)
		failed = secured.HandshakeContext(ctx)
		cancel()
	}
	if !isTLS {
		c = &readableConn{Conn: c}
	} else if failed == nil && secured.ConnectionState().NegotiatedProtocol != "h2" {
		c = securedConn{&readableConn{Conn: c}, secured}
	}
	select {
	case r.accepted <- c:
	case <-r.closed.Done():
		c.Close()
	}
}

// Accept returns the next connection.
func (r *readable) Accept() (net.Conn, error) {
	select {
	case c := <-r.accepted:
		return c, nil
	case err := <-r.failed:
		return nil, err
	case <-r.closed.Done():
		return nil, net.ErrClosed
	}
}

// Close stops accepting.
func (r *readable) Close() error {
	r.close()
	return r.Listener.Close()
}

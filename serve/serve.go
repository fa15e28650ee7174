// Package serve implements the HTTP API of the service: it checks keys and limits, decodes
// parameters, queries the current snapshot and writes responses.
//
// A request runs through the steps in handler.go and then an endpoint in routes.go. The tags of the
// endpoint's input struct define how its parameters are decoded. Endpoints query a snapshot (the
// data of one publication) through package api. The OpenAPI document is generated from the Go types
// of requests and responses. CHANGES.md lists the changes of the API.
package serve

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/klauspost/compress/gzhttp"
	"golang.org/x/time/rate"

	"labour/serve/api"
	"labour/serve/cursor"
	"labour/serve/metrics"
	"labour/serve/partners/access"
	"labour/serve/partners/usage"
	"labour/serve/webhooks"
)

// Authenticator checks the secret of a request and returns the API key. *access.Store implements
// it.
type Authenticator interface {
	Authenticate(ctx context.Context, secret string, at time.Time) (access.Key, error)
}

// RequestCounter counts the requests of each API key. *usage.Counter implements it. Count counts
// one request and returns the numbers of requests in the current hour and month, including this
// one.
type RequestCounter interface {
	Count(ctx context.Context, keyID string, at time.Time) (usage.Counts, error)
}

// Options configures the handler that New returns. The fields up to Log are required; the others
// have defaults.
type Options struct {
	Snapshots      api.Snapshots  // source of the published snapshots
	Authenticator  Authenticator  // finds the API key that belongs to a secret
	RequestCounter RequestCounter // counts the requests made with each API key
	Cursors        *cursor.Sealer
	Webhooks       *webhooks.Service // manages the webhook endpoints of partners
	Now            func() time.Time
	RandomSource   io.Reader // source of secure random bytes, for request ids
	Log            *slog.Logger

	// Pages returns the handler of the web pages. It handles all paths outside /v1 that match no
	// endpoint. If Pages is nil, there are no web pages.
	Pages func(PageBackend) (http.Handler, error)
	// Metrics counts requests and queries and records their durations; nil = nothing is recorded.
	Metrics *metrics.Metrics
	// QueryTimeout is the longest time that one query may run; 0 = 5 s.
	QueryTimeout time.Duration
	// MaxQueries is the largest number of queries that may run at once; 0 = 16.
	MaxQueries int
	// QueueWait is how long a request waits for a query slot before it gets status 503; 0 = 1 s.
	QueueWait time.Duration
	// StateTimeout is the time limit for one use of the state database, to find a key or count a
	// request; 0 = 3 s.
	StateTimeout time.Duration
	// CheckStateDatabase returns an error if the state database cannot be used; nil = no check.
	CheckStateDatabase func(context.Context) error
	// RequestsPerAddress is the number of requests per second that one network address may make
	// without a valid key; 0 = 10, negative = no limit.
	RequestsPerAddress float64
	// TrustedProxies are the networks of trusted proxies. X-Forwarded-For and X-Forwarded-Proto are used
	// only if this machine or a host in these networks sent them.
	TrustedProxies []netip.Prefix
}

// defaultDeadline, defaultMaxQueries and defaultQueueWait replace the zero values of
// Options.QueryTimeout, MaxQueries and QueueWait.
const (
	// defaultDeadline is the longest time that one query may run if Options.QueryTimeout is 0.
	defaultDeadline = 5 * time.Second
	// defaultMaxQueries is the largest number of queries at once if Options.MaxQueries is 0.
	defaultMaxQueries = 16
	// defaultQueueWait is how long a request waits for a query slot if Options.QueueWait is 0.
	defaultQueueWait = time.Second
	// maxKeys is the number of API keys whose last request counts are cached.
	maxKeys = 1 << 12
	// compressFrom is the size of the smallest response body that is compressed, in bytes.
	compressFrom = 1024
)

// handler handles all HTTP requests, both to the API and to the web pages.
type handler struct {
	Options
	// lastCounts holds the last known request counts of each API key. The rate-limit headers use
	// them if the state database fails.
	lastCounts *lru.Cache[string, usage.Counts]
	slots      chan struct{} // semaphore that limits concurrent queries for requests with a key
	// pageSlots limits concurrent queries for web pages. It is a quarter of the limit for the API,
	// so that visitors and crawlers do not delay partners.
	pageSlots  chan struct{}
	addresses  *addressLimits // rate limits on requests without a valid key; nil = no limits
	downloads  *addressLimits // hourly limits on file downloads from web pages; nil = no limits
	logLimiter rate.Sometimes // limits how often requests over a rate limit are logged
	pages      http.Handler   // handler of the web pages; nil = no web pages

	mux  *http.ServeMux
	byID map[string]*endpoint // endpoints by their OpenAPI operation id
}

// New returns an HTTP handler for the API and the web pages. It returns an error if an endpoint's
// definition is invalid or if Options.Pages returns one.
func New(o Options) (http.Handler, error) {
	a, err := newHandler(o)
	if err != nil {
		return nil, err
	}
	if o.Pages != nil {
		if a.pages, err = o.Pages(PageBackend{RunQuery: a.askForPages, SendDownload: a.download}); err != nil {
			return nil, err
		}
	}
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.EnableZstd(true), gzhttp.PreferZstd(true))
	if err != nil {
		return nil, err
	}
	return wrap(http.HandlerFunc(a.begin)), nil
}

func (o Options) withDefaults() Options {
	o.QueryTimeout = cmp.Or(o.QueryTimeout, defaultDeadline)
	o.MaxQueries = cmp.Or(o.MaxQueries, defaultMaxQueries)
	o.QueueWait = cmp.Or(o.QueueWait, defaultQueueWait)
	o.StateTimeout = cmp.Or(o.StateTimeout, stateTimeout)
	if o.Metrics == nil {
		o.Metrics = metrics.New(metrics.MeasuredState{Snapshots: o.Snapshots, Now: o.Now}, o.Log)
	}
	if o.CheckStateDatabase == nil {
		o.CheckStateDatabase = func(context.Context) error { return nil }
	}
	return o
}

// newHandler returns a handler with all API endpoints but without web pages.
func newHandler(o Options) (*handler, error) {
	o = o.withDefaults()
	lastCounts, err := lru.New[string, usage.Counts](maxKeys)
	if err != nil {
		return nil, err
	}
	a := &handler{
		Options: o, lastCounts: lastCounts, logLimiter: rate.Sometimes{Interval: sampleEvery},
		slots: make(chan struct{}, o.MaxQueries), pageSlots: make(chan struct{}, max(1, o.MaxQueries/4)),
		mux: http.NewServeMux(), byID: map[string]*endpoint{},
	}
	if err := a.limitAddresses(); err != nil {
		return nil, err
	}
	return a, a.routes()
}

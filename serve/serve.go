// Package serve implements the HTTP API of the service: it checks keys and limits, decodes
// parameters, queries the current snapshot and writes responses.
//
// A request passes the steps in handler.go and then goes to one of the endpoints in routes.go. Its
// parameters are decoded by the tags of the endpoint's input struct. The handler of the endpoint
// queries a snapshot through package api. The OpenAPI document is generated from the Go types of
// requests and responses. stores.go opens the state database. CHANGES.md lists the changes for
// partners.
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

// Access finds the key of a secret; *access.Store implements it.
type Access interface {
	Authenticate(ctx context.Context, secret string, at time.Time) (access.Key, error)
}

// Meter counts a call durably before it is handled; *usage.Counter implements it.
type Meter interface {
	Count(ctx context.Context, keyID string, at time.Time) (usage.Counts, error)
}

// Options are the options of the API. All fields up to Log are required.
type Options struct {
	Live     api.Live
	Access   Access
	Meter    Meter
	Cursors  *cursor.Sealer
	Webhooks *webhooks.Service // manages the endpoints of partners
	Now      func() time.Time
	Random   io.Reader // secure randomness, for request ids
	Log      *slog.Logger

	// Pages makes the web pages, which handle every path outside /v1 that is not one of the API's
	// own; nil = no pages.
	Pages func(Inside) (http.Handler, error)
	// Metrics records calls and queries; nil = no metrics.
	Metrics *metrics.Metrics
	// QueryDeadline is the time limit of one query; 0 = 5 s.
	QueryDeadline time.Duration
	// MaxQueries is how many queries may run at once; 0 = 16.
	MaxQueries int
	// QueueWait is how long a call waits for a query slot before it gets 503; 0 = 1 s.
	QueueWait time.Duration
	// StateTimeout is the time limit for the state database to find a key or count a call; 0 = 3 s.
	StateTimeout time.Duration
	// CheckState reports a fault of the state database, for readiness; nil = no check.
	CheckState func(context.Context) error
	// AddressRate is how many calls per second an address may make without a valid key; 0 = 10,
	// negative = no limit.
	AddressRate float64
	// Proxies are the networks of the trusted proxies, in addition to this machine. Their
	// X-Forwarded-For and X-Forwarded-Proto headers are used.
	Proxies []netip.Prefix
}

// The defaults of the options.
const (
	defaultDeadline   = 5 * time.Second
	defaultMaxQueries = 16
	defaultQueueWait  = time.Second
	maxKeys           = 1 << 12 // number of keys whose last counts are cached
	compressFrom      = 1024    // bytes; "responses over 1 KiB are compressed when asked for"
)

// handler is the API with its options and state.
type handler struct {
	Options
	// lastCounts holds the last known counts of each key, for the headers of a call that cannot be
	// counted.
	lastCounts *lru.Cache[string, usage.Counts]
	slots      chan struct{} // one token per running query of calls with a key
	// Pages have a smaller, separate share of queries, so that visitors and crawlers do not delay
	// partners.
	pageSlots chan struct{}
	addresses *addressLimits // limits of calls without a valid key; nil = no limits
	downloads *addressLimits // limits of file downloads from pages; nil = no limits
	sampled   rate.Sometimes // log lines about calls over the limit of an address
	pages     http.Handler   // nil = none

	mux  *http.ServeMux
	byID map[string]*endpoint // by operation id
}

// New returns the handler of the API. It is an error if the description of an operation is invalid.
func New(o Options) (http.Handler, error) {
	a, err := newHandler(o)
	if err != nil {
		return nil, err
	}
	if o.Pages != nil {
		if a.pages, err = o.Pages(Inside{Ask: a.askForPages, Download: a.download}); err != nil {
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
	o.QueryDeadline = cmp.Or(o.QueryDeadline, defaultDeadline)
	o.MaxQueries = cmp.Or(o.MaxQueries, defaultMaxQueries)
	o.QueueWait = cmp.Or(o.QueueWait, defaultQueueWait)
	o.StateTimeout = cmp.Or(o.StateTimeout, stateTimeout)
	if o.Metrics == nil {
		o.Metrics = metrics.New(metrics.State{Live: o.Live, Now: o.Now}, o.Log)
	}
	if o.CheckState == nil {
		o.CheckState = func(context.Context) error { return nil }
	}
	return o
}

// newHandler creates the handler and its endpoints.
func newHandler(o Options) (*handler, error) {
	o = o.withDefaults()
	lastCounts, err := lru.New[string, usage.Counts](maxKeys)
	if err != nil {
		return nil, err
	}
	a := &handler{
		Options: o, lastCounts: lastCounts, sampled: rate.Sometimes{Interval: sampleEvery},
		slots: make(chan struct{}, o.MaxQueries), pageSlots: make(chan struct{}, max(1, o.MaxQueries/4)),
		mux: http.NewServeMux(), byID: map[string]*endpoint{},
	}
	if err := a.limitAddresses(); err != nil {
		return nil, err
	}
	return a, a.routes()
}

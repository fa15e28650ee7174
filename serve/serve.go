// Package serve is the HTTP interface: keys, limits, parameters, the labour
// endpoints, their envelope and errors, and the OpenAPI document, which is
// generated from the same types that decode and encode. It asks snapshots
// through labourdata and knows neither a database nor where data comes from.
// CHANGES.md lists what changed for partners.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/klauspost/compress/gzhttp"

	"labour/serve/access"
	"labour/serve/cursor"
	"labour/serve/kept"
	"labour/serve/labourdata"
	"labour/serve/usage"
	"labour/serve/wire"
)

// Access finds the key of a secret, as it was in some version; *access.Store is the
// real one. Forget makes it look again.
type Access interface {
	Recognise(ctx context.Context, secret string, at time.Time) (access.Key, access.Version, error)
	Forget()
}

// Meter counts a call before it is answered, durably; *usage.Counter is the
// real one. It refuses with usage.ErrKeysChanged when the version is not the newest.
type Meter interface {
	Count(ctx context.Context, keyID string, as access.Version, at time.Time) (usage.Counts, error)
}

// Tally notes what a call asked for and how it ended, for the partner to look at;
// *usage.Tally is the real one. It must not make the call wait.
type Tally interface {
	Add(keyID, route string, status int, at time.Time)
}

// Options is what the interface needs. All of it is required down to Log.
type Options struct {
	Live     labourdata.Live
	Access   Access
	Meter    Meter
	Cursors  *cursor.Sealer
	Webhooks Webhooks
	Now      func() time.Time
	Random   io.Reader // secure randomness, for request ids
	Log      *slog.Logger

	// Pages makes the web pages, which answer whatever is outside /v1 and is no path
	// of the interface's own; nil = there are none.
	Pages func(Inside) (http.Handler, error)
	// Watcher is told of calls and queries; nil = nobody.
	Watcher Watcher
	// Tally notes the calls of keys; nil = nobody does.
	Tally Tally
	// Kept keeps the answers of small lists; nil = each is computed anew.
	Kept *kept.Answers
	// QueryDeadline is how long one query may take; 0 = 5 s.
	QueryDeadline time.Duration
	// MaxQueries is how many queries may run at once; 0 = 16.
	MaxQueries int
	// QueueWait is how long a call waits for its turn before it is 503; 0 = 1 s.
	QueueWait time.Duration
}

// The defaults of the options.
const (
	defaultDeadline   = 5 * time.Second
	defaultMaxQueries = 16
	defaultQueueWait  = time.Second
	compressFrom      = 1024 // bytes; "responses over 1 KiB are compressed when asked for"
)

// api is the interface with everything it needs.
type api struct {
	live     labourdata.Live
	access   Access
	meter    Meter
	cursors  *cursor.Sealer
	webhooks Webhooks
	now      func() time.Time
	random   io.Reader
	log      *slog.Logger
	deadline time.Duration
	wait     time.Duration
	slots    chan struct{} // one token per running query
	watcher  Watcher
	tally    Tally         // nil = none
	pages    http.Handler  // nil = none
	kept     *kept.Answers // nil = none

	json       wire.Encoder
	recorders  recorders
	mux        *http.ServeMux
	huma       huma.API
	parameters map[string]parameters // by operation id
	document   []byte
	etag       string // of the document
}

// New is the HTTP interface. The error tells which options are missing, or what
// is wrong with the description of an operation.
func New(o Options) (http.Handler, error) {
	if err := o.missing(); err != nil {
		return nil, err
	}
	a, err := newAPI(o)
	if err != nil {
		return nil, err
	}
	if o.Pages != nil {
		if a.pages, err = o.Pages(Inside{Ask: a.ask, Labour: a.labour}); err != nil {
			return nil, err
		}
	}
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.EnableZstd(true), gzhttp.PreferZstd(true))
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	return compress(http.HandlerFunc(a.serve)), nil
}

func (o Options) missing() error {
	var faults []error
	for _, need := range []struct {
		name    string
		missing bool
	}{
		{"Live", o.Live == nil}, {"Access", o.Access == nil}, {"Meter", o.Meter == nil}, {"Cursors", o.Cursors == nil},
		{"Webhooks", o.Webhooks == nil}, {"Now", o.Now == nil}, {"Random", o.Random == nil}, {"Log", o.Log == nil},
	} {
		if need.missing {
			faults = append(faults, fmt.Errorf("serve.Options.%s is missing", need.name))
		}
	}
	return errors.Join(faults...)
}

func newAPI(o Options) (*api, error) {
	if o.QueryDeadline == 0 {
		o.QueryDeadline = defaultDeadline
	}
	if o.MaxQueries == 0 {
		o.MaxQueries = defaultMaxQueries
	}
	if o.QueueWait == 0 {
		o.QueueWait = defaultQueueWait
	}
	if o.Watcher == nil {
		o.Watcher = unwatched{}
	}
	a := &api{
		watcher: o.Watcher, tally: o.Tally, kept: o.Kept,
		live: o.Live, access: o.Access, meter: o.Meter, cursors: o.Cursors, webhooks: o.Webhooks, now: o.Now, random: o.Random, log: o.Log,
		deadline: o.QueryDeadline, wait: o.QueueWait, slots: make(chan struct{}, o.MaxQueries),
		mux: http.NewServeMux(), parameters: map[string]parameters{},
	}
	json := huma.Format{Marshal: a.encode}
	config := huma.Config{OpenAPI: describe(), Formats: map[string]huma.Format{"application/json": json}, DefaultFormat: "application/json"}
	config.AllowAdditionalPropertiesByDefault = true
	a.huma = humago.New(a.mux, config)
	if err := a.routes(); err != nil {
		return nil, err
	}
	return a, a.publish()
}

// encode writes an answer or a problem.
func (a *api) encode(w io.Writer, v any) error {
	if p, ok := v.(*problem); ok {
		return a.json.Encode(w, p.body())
	}
	return a.json.Encode(w, v)
}

// Document is the OpenAPI document, as /v1/openapi.json serves it.
func Document() ([]byte, error) {
	a, err := newAPI(Options{})
	if err != nil {
		return nil, err
	}
	return a.document, nil
}

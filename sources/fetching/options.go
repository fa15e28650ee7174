// Package fetching downloads the data of one source and archives the bytes. It names a contact in
// the User-Agent, sends conditional requests, retries with back-off and obeys Retry-After.
// Attempts, time, redirects and sizes are limited.
//
// A part (for example one board) that fails keeps its last good data and is reported as a fault. If
// every part fails, the previous extract remains. Secrets and headers are never written to the
// archive, a log or an error.
package fetching

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

// Options configures the fetch of one source in one run.
type Options struct {
	Archive *archive.Archive // required
	Source  string           // required: key of the source
	// UserAgent is required and names a contact, an e-mail address or a web page: "labour/1.0
	// (+https://works.example; data@works.example)". Publishers refuse programs that do not
	// identify their operator.
	UserAgent string
	Now       func() time.Time                                 // required
	Sleep     func(ctx context.Context, d time.Duration) error // waits for d, or until ctx ends; nil = real time
	Log       *slog.Logger                                     // nil logs nothing
	// Progress is called after each object, with the number of objects requested so far and the
	// number of objects in the last extract; nil = no calls.
	Progress   func(objects, before int)
	FindSecret func(name string) (string, bool) // returns a secret by its name in the configuration; nil = no secrets

	Hosts *HostStates // state of the hosts, shared by the sources of a run; nil = not shared

	Attempts       int               // tries per object; 0 is 5
	AttemptTimeout time.Duration     // time limit of one try, body included; 0 is 5 minutes
	ObjectTimeout  time.Duration     // time limit of one object, waits included; 0 is 30 minutes
	RunTimeout     time.Duration     // time limit of all objects of the source; 0 is 1 hour
	MaxRunBytes    int64             // limit of the bytes of all objects of the source; 0 is 256 GiB
	MaxTotalWait   time.Duration     // limit of the total waiting time for one object; 0 is 10 minutes
	Transport      http.RoundTripper // makes the requests; nil uses a connection pool
}

// withDefaults returns the options with defaults filled in, or an error if a required one is
// missing.
func (o Options) withDefaults() (Options, error) {
	var errs sources.ConfigErrors
	errs.Require(o.Archive != nil, "fetching: an archive is needed")
	errs.Require(o.Source != "", "fetching: the key of the source is needed")
	errs.Require(o.Now != nil, "fetching: a clock is needed")
	errs.Require(strings.Contains(o.UserAgent, "@") || strings.Contains(o.UserAgent, "://"),
		"fetching: the user agent %q must name a contact: an e-mail address or a web page", o.UserAgent)
	o.Hosts = cmp.Or(o.Hosts, &HostStates{})
	o.Attempts = cmp.Or(o.Attempts, 5)
	o.AttemptTimeout = cmp.Or(o.AttemptTimeout, 5*time.Minute)
	o.ObjectTimeout = cmp.Or(o.ObjectTimeout, 30*time.Minute)
	o.RunTimeout = cmp.Or(o.RunTimeout, time.Hour)
	o.MaxRunBytes = cmp.Or(o.MaxRunBytes, 256<<30)
	o.MaxTotalWait = cmp.Or(o.MaxTotalWait, 10*time.Minute)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.FindSecret == nil {
		o.FindSecret = func(string) (string, bool) { return "", false }
	}
	return o, errors.Join(errs...)
}

// sleep waits for d, or until ctx ends, and returns the error of ctx.
func sleep(ctx context.Context, d time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-waiting.Done()
	return ctx.Err()
}

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
	Archive   *archive.Archive // stores the downloaded data; required
	SourceKey string           // key of the source to fetch; required
	// UserAgent names the operator's e-mail address or web page, such as "labour/1.0
	// (+https://works.example; data@works.example)". It is required, because publishers refuse
	// programs that do not identify their operator.
	UserAgent string
	Now       func() time.Time // returns the current time; required
	// waits for d, or until ctx ends; nil = a function that waits in real time
	Sleep func(ctx context.Context, d time.Duration) error
	Log   *slog.Logger // receives log messages; nil = none are logged
	// OnProgress is called after each object, with the number of objects requested so far and the
	// number of objects in the last extract; nil = no calls.
	OnProgress func(objects, before int)
	// returns a secret by its name in the configuration; nil = no secrets
	FindSecret func(name string) (string, bool)

	HostStates *HostStates // states of hosts that the sources of a run share; nil = not shared

	MaxAttempts    int           // attempts for each object; 0 = 5
	AttemptTimeout time.Duration // time limit of one attempt, including the body; 0 = 5 minutes
	ObjectTimeout  time.Duration // time limit of one object, including waits; 0 = 30 minutes
	RunTimeout     time.Duration // time limit of all objects of the source; 0 = 1 hour
	MaxRunBytes    int64         // size limit of all objects of the source, in bytes; 0 = 256 GiB
	// limit of the total time spent waiting for one object; 0 = 10 minutes
	MaxTotalWait time.Duration
	Transport    http.RoundTripper // sends the HTTP requests; nil = a new connection pool
}

// withDefaults returns the options with defaults for empty fields. It returns an error if a
// required field is missing.
func (o Options) withDefaults() (Options, error) {
	var errs sources.ConfigErrors
	errs.Require(o.Archive != nil, "fetching: an archive is needed")
	errs.Require(o.SourceKey != "", "fetching: the key of the source is needed")
	errs.Require(o.Now != nil, "fetching: a clock is needed")
	errs.Require(strings.Contains(o.UserAgent, "@") || strings.Contains(o.UserAgent, "://"),
		"fetching: the user agent %q must name a contact: an e-mail address or a web page", o.UserAgent)
	o.HostStates = cmp.Or(o.HostStates, &HostStates{})
	o.MaxAttempts = cmp.Or(o.MaxAttempts, 5)
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

// sleep waits for the duration d. It returns early with an error if ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	waiting, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	<-waiting.Done()
	return ctx.Err()
}

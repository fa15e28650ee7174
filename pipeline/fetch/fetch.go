// Package fetch downloads the sources of a run into the archive. It also decides whether the
// archive has enough to build a snapshot from. Package sources/fetching makes the requests.
package fetch

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"labour/pipeline/locks"
	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/parallel"
	"labour/sources/platform"
)

// atOnce is the largest number of sources that are fetched at the same time. If a host asks for a
// delay (Retry-After), the delay applies to all sources on that host.
const atOnce = 4

// FetchSources fetches the sources of a run and archives the responses. It skips a source whose
// terms do not permit fetching. It returns one result for each source. A failed source does not
// stop the others.
func FetchSources(ctx context.Context, o *options.Options) ([]report.FetchResult, error) {
	o.ReportStep("fetch")
	list, err := o.ConfiguredSources()
	if err != nil {
		return nil, err
	}
	if !o.IsWhole() {
		list = []sources.Source{platform.New(o.FeedConfig(false))}
	}
	return run{Sources: list, Archive: protected.ArchiveDir(o.DataDir), Locks: o.NewWaiter(), Now: o.Now, Log: o.Log,
		Secrets:   o.LookupSecret,
		UserAgent: fmt.Sprintf("labour/%s (+%s; %s)", o.ToolVersion, o.Config.Platform.Link, o.Config.Contact),
		Attempts:  o.DownloadAttempts, Step: o.ReportStep, Detail: o.ReportDetail}.all(ctx)
}

// run holds the sources to fetch, and the settings for fetching them.
type run struct {
	Sources   []sources.Source
	Archive   string // path of the archive directory
	Locks     locks.Waiter
	Now       func() time.Time
	Log       *slog.Logger
	Secrets   func(name string) (value string, ok bool)
	UserAgent string
	Attempts  int // number of attempts for each download; 0 = 5
	// called with a source's name when it has been fetched or has failed
	Step func(name string)
	// called often with the progress of the fetch of a source
	Detail func(format string, args ...any)
}

// all fetches the sources of the run, up to four at a time.
func (r run) all(ctx context.Context) ([]report.FetchResult, error) {
	// Opened once before the sources are fetched, so that an unreadable archive is one fault.
	store, err := archive.Open(r.Archive)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		return nil, err
	}
	var results []report.FetchResult
	hosts := &fetching.HostStates{}
	one := func(src sources.Source) report.FetchResult { return r.one(ctx, src, hosts) }
	for fetched := range parallel.Map(ctx, atOnce, len(r.Sources), slices.Values(r.Sources), one) {
		results = append(results, fetched)
		r.Step("fetched " + fetched.Source)
	}
	if err := ctx.Err(); err != nil {
		return results, fmt.Errorf("fetch: %w", err)
	}
	return results, nil
}

// one fetches the source src. It locks only this source, so that a slow publisher does not delay
// other runs. hosts is shared by all sources, so that they respect the delays that a host asks for.
func (r run) one(ctx context.Context, src sources.Source, hosts *fetching.HostStates) report.FetchResult {
	info := src.Info()
	result := report.FetchResult{Source: info.Key}
	if !info.Terms.MayFetch {
		result.Err = "its terms do not permit fetching"
		return result
	}
	store, err := archive.Open(r.Archive)
	if err != nil {
		result.Err = err.Error()
		return result
	}
	defer store.Close() // everything is already on disk
	name := "the archive of " + info.Key
	if err := r.Locks.Wait(ctx, name, func() error { return store.LockSource(info.Key) }); err != nil {
		result.Err = err.Error()
		return result
	}
	_, faults, err := fetching.FetchSource(ctx, src, fetching.Options{
		Archive: store, Now: r.Now, Log: r.Log, FindSecret: r.Secrets,
		UserAgent:   r.UserAgent,
		MaxAttempts: r.Attempts,
		HostStates:  hosts,
		OnProgress: func(objects, before int) {
			r.Detail("fetch %s: %d objects (the last time: %d)", info.Key, objects, before)
		},
	})
	result.Faults = faults
	if err != nil {
		_, had, archiveErr := store.LastExtract(info.Key)
		result.Err, result.NeverFetched = err.Error(), archiveErr == nil && !had
		stands := "its last good extract is used"
		if result.NeverFetched {
			stands = noExtract
		}
		r.Log.Error("source failed; "+stands, "source", info.Key, "error", err)
	}
	return result
}

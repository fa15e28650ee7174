package pipeline

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
)

// fetchesAtOnce bounds how many publishers are asked at the same time. Each is
// asked by one connector, so none sees more than its own politeness allows.
const fetchesAtOnce = 4

// Fetched is what one fetch of one source gave.
type Fetched struct {
	Source string          `json:"source"`
	Err    string          `json:"error,omitempty"` // nothing usable came; the last good extract stands
	Faults []sources.Fault `json:"faults,omitempty"`
}

// Fetch asks every configured source whose terms permit it and files what it
// answers away. A source that fails is in the result and stops nothing.
func Fetch(ctx context.Context, o Options) ([]Fetched, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	o.step("fetch")
	list, err := o.list()
	if err != nil {
		return nil, err
	}
	store, err := archive.Open(ArchiveDir(o.Data))
	if err != nil {
		return nil, err
	}
	defer store.Close() // everything is durable already
	results := make([]Fetched, len(list))
	var done sync.Mutex
	var g errgroup.Group
	g.SetLimit(fetchesAtOnce)
	for i, src := range list {
		g.Go(func() error {
			results[i] = o.fetchOne(ctx, store, src)
			done.Lock()
			defer done.Unlock()
			o.step("fetched " + results[i].Source)
			return nil
		})
	}
	_ = g.Wait() // the functions return no error: a failure is in the result
	if err := ctx.Err(); err != nil {
		return results, fmt.Errorf("fetch: %w", err)
	}
	return results, nil
}

func (o *Options) fetchOne(ctx context.Context, store *archive.Archive, src sources.Source) Fetched {
	info := src.Info()
	result := Fetched{Source: info.Key}
	if !info.Terms.Fetch {
		result.Err = "its terms do not permit fetching"
		return result
	}
	_, faults, err := fetching.Run(ctx, src, fetching.Options{
		Archive: store, Now: o.Now, Log: o.Log, Secrets: o.Secrets,
		UserAgent: fmt.Sprintf("labour/%s (+%s; %s)", o.ToolVersion, o.Config.Platform.Link, o.Config.Contact),
		Attempts:  o.Fetching.Attempts, TotalTimeout: o.Fetching.TotalTimeout,
	})
	result.Faults = faults
	if err != nil {
		result.Err = err.Error()
		o.Log.Error("source failed; its last good extract stands", "source", info.Key, "error", err)
	}
	return result
}

// failed lists the sources that gave nothing usable, or of which a part failed.
func failed(fetched []Fetched) []string {
	var keys []string
	for _, f := range fetched {
		if f.Err != "" || len(f.Faults) > 0 {
			keys = append(keys, f.Source)
		}
	}
	return keys
}

// extracts are the extracts of a source that a build reads, newest first. What a
// listing showed in the past is in its past extracts; every other source says all
// in its newest one.
func extracts(store *archive.Archive, info sources.Info, since time.Time) []sources.Extract {
	if !info.Listing {
		if last, ok := store.LastExtract(info.Key); ok {
			return []sources.Extract{last}
		}
		return nil
	}
	newestFirst := store.Extracts(info.Key, since)
	slices.Reverse(newestFirst)
	return newestFirst
}

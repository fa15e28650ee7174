package pipeline

import (
	"context"
	"fmt"
	"slices"

	"labour/pipeline/calendar"
	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/fetching"
	"labour/sources/parallel"
	"labour/sources/platform"
)

// fetchesAtOnce bounds how many publishers are asked at the same time. Each is
// asked by one connector, so none sees more than its own politeness allows.
const fetchesAtOnce = 4

// Fetch fetches every configured source whose terms permit it, and archives the responses. A source
// that fails is reported in the result and does not stop the others.
func Fetch(ctx context.Context, o Options) ([]report.Fetched, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	return o.fetch(ctx)
}

func (o *Options) fetch(ctx context.Context) ([]report.Fetched, error) {
	o.step("fetch")
	list, err := o.list()
	if err != nil {
		return nil, err
	}
	if !calendar.Day.DueAt(o.level()) {
		list = []sources.Source{platform.New(o.feed())}
	}
	// Opened once before the sources are asked, so that an archive that cannot be read is one fault.
	store, err := archive.Open(ArchiveDir(o.Data))
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		return nil, err
	}
	var results []report.Fetched
	hosts := &fetching.Hosts{}
	fetch := func(src sources.Source) report.Fetched { return o.fetchOne(ctx, src, hosts) }
	for one := range parallel.Map(ctx, fetchesAtOnce, len(list), slices.Values(list), fetch) {
		results = append(results, one)
		o.step("fetched " + one.Source)
	}
	if err := ctx.Err(); err != nil {
		return results, fmt.Errorf("fetch: %w", err)
	}
	return results, nil
}

// fetchOne fetches one source. It waits for the lock of that source and holds no other, so that a
// slow publisher does not delay a light run.
func (o *Options) fetchOne(ctx context.Context, src sources.Source, hosts *fetching.Hosts) report.Fetched {
	info := src.Info()
	result := report.Fetched{Source: info.Key}
	if !info.Terms.Fetch {
		result.Err = "its terms do not permit fetching"
		return result
	}
	store, err := archive.Open(ArchiveDir(o.Data))
	if err != nil {
		result.Err = err.Error()
		return result
	}
	defer store.Close() // everything is durable already
	name := "the archive of " + info.Key
	if err := o.waitForLock(ctx, name, func() error { return store.Lock(info.Key) }); err != nil {
		result.Err = err.Error()
		return result
	}
	_, faults, err := fetching.Run(ctx, src, fetching.Options{
		Archive: store, Now: o.Now, Log: o.Log, Secrets: o.Secrets,
		UserAgent: fmt.Sprintf("labour/%s (+%s; %s)", o.ToolVersion, o.Config.Platform.Link, o.Config.Contact),
		Attempts:  o.Attempts,
		Hosts:     hosts,
		Progress: func(objects, before int) {
			o.detail("fetch %s: %d objects (the last time: %d)", info.Key, objects, before)
		},
	})
	result.Faults = faults
	if err != nil {
		_, had, archiveErr := store.LastExtract(info.Key)
		result.Err, result.Never = err.Error(), archiveErr == nil && !had
		stands := "its last good extract stands"
		if result.Never {
			stands = noExtract
		}
		o.Log.Error("source failed; "+stands, "source", info.Key, "error", err)
	}
	return result
}

// noExtract is the message for a failed source that never delivered anything.
const noExtract = "there is no earlier extract to use"

// leavesNothing reports whether the failure of the n-th source that never delivered leaves an empty
// service: the platform never delivered, or no source did.
func leavesNothing(key string, n, sources int) bool { return key == platform.Key || n == sources }

// requireInput refuses to build from an empty archive, see leavesNothing.
func (o *Options) requireInput(fetched []report.Fetched) error {
	absent := 0
	for _, f := range fetched {
		if !f.Never {
			continue
		}
		if absent++; leavesNothing(f.Source, absent, len(fetched)) {
			return fmt.Errorf("no snapshot is made: source %s failed and %s: %s", f.Source, noExtract, f.Err)
		}
	}
	return nil
}

// RequireArchived refuses to build if the archive lacks so many sources that the service would be
// empty, as a run does.
func RequireArchived(o Options) error {
	o, err := o.resolved()
	if err != nil {
		return err
	}
	list, err := o.list()
	if err != nil {
		return err
	}
	store, err := archive.Open(ArchiveDir(o.Data))
	if err != nil {
		return err
	}
	defer store.Close() // nothing is written
	o.onlyFetchedBy = true
	absent := 0
	for _, src := range list {
		key := src.Info().Key
		had, err := o.hasExtract(store, key)
		if err != nil {
			return fmt.Errorf("last extract of %s: %w", key, err)
		}
		if had {
			continue
		}
		if absent++; !leavesNothing(key, absent, len(list)) {
			continue
		}
		if o.backdated() {
			return fmt.Errorf("no snapshot is made: nothing of %s had been fetched by the end of %s", key, o.AsOf)
		}
		return fmt.Errorf("no snapshot is made: the archive in %s has nothing of %s yet; labour fetch fills it", o.Data,
			key)
	}
	return nil
}

// hasExtract reports whether the archive has an extract of a source that may be read.
func (o *Options) hasExtract(store *archive.Archive, key string) (bool, error) {
	known := o.fetchedBy()
	for x, err := range store.NewestFirst(key) {
		if err != nil || known(x) {
			return err == nil, err
		}
	}
	return false, nil
}

// failed lists the sources that delivered nothing usable, that have a failed part, or whose
// archived bytes are damaged.
func failed(fetched []report.Fetched, r *report.Report) []string {
	var keys []string
	for _, f := range fetched {
		if f.Err != "" || len(f.Faults) > 0 {
			keys = append(keys, f.Source)
		}
	}
	for _, s := range r.Sources {
		if s.Faults[sources.FaultDamaged] > 0 && !s.TakenOver {
			keys = append(keys, s.Source)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// whole reports whether every object of an extract is undamaged in the archive, and records each
// that is not.
func (b *build) whole(x sources.Extract) bool {
	whole := true
	for _, o := range x.Objects {
		if x.Source == platform.Key && !b.o.reads(o.Name) {
			continue
		}
		if err := b.archive.Verify(o); err != nil {
			whole = false
			b.report.Of(x.Source).AddFault(sources.Fault{Source: x.Source, Object: o.Name, Code: sources.CodeOf(err),
				Detail: err.Error() + "; the newest whole extract is used until it is fetched again"})
		}
	}
	return whole
}

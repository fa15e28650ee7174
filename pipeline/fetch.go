package pipeline

import (
	"context"
	"fmt"
	"slices"

	"labour/pipeline/calendar"
	"labour/pipeline/fetch"
	"labour/pipeline/options"
	"labour/pipeline/pruning"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// Fetch fetches every configured source whose terms permit it, and archives the responses. A source
// that fails is reported in the result and does not stop the others.
func Fetch(ctx context.Context, o Options) ([]report.FetchResult, error) {
	o, err := o.Resolved()
	if err != nil {
		return nil, err
	}
	return fetchAll(ctx, &o)
}

func fetchAll(ctx context.Context, o *Options) ([]report.FetchResult, error) {
	o.Step("fetch")
	list, err := o.Sources()
	if err != nil {
		return nil, err
	}
	if !o.Whole() {
		list = []sources.Source{platform.New(o.Feed())}
	}
	return fetch.Run{Sources: list, Archive: options.ArchiveDir(o.Data), Locks: o.Locks(), Now: o.Now, Log: o.Log,
		Secrets:   o.Secrets,
		UserAgent: fmt.Sprintf("labour/%s (+%s; %s)", o.ToolVersion, o.Config.Platform.Link, o.Config.Contact),
		Attempts:  o.Attempts, Step: o.Step, Detail: o.Detailf}.All(ctx)
}

// RequireArchived returns an error if the archive lacks so many sources that the service would be
// empty. A run makes the same check.
func RequireArchived(o Options) error {
	o, err := o.Resolved()
	if err != nil {
		return err
	}
	list, err := o.Sources()
	if err != nil {
		return err
	}
	a, err := archive.Open(options.ArchiveDir(o.Data))
	if err != nil {
		return err
	}
	defer a.Close() // nothing was written
	o.FetchedByDate = true
	switch missing, err := fetch.MissingIn(a, list, o.Known); {
	case err != nil || missing == "":
		return err
	case o.Backdated():
		return fmt.Errorf("no snapshot is made: nothing of %s had been fetched by the end of %s", missing, o.AsOf)
	default:
		return fmt.Errorf("no snapshot is made: the archive in %s has nothing of %s yet; labour fetch fills it", o.Data,
			missing)
	}
}

// CollectArchive removes the archived bodies that are no longer needed, see pruning.Needed. The
// snapshots in gone are treated as already removed.
func CollectArchive(ctx context.Context, o Options, gone []snapshots.ID, dry bool) (archive.CollectResult, error) {
	list, err := o.Sources()
	if err != nil {
		return archive.CollectResult{}, err
	}
	folder, err := store.Open(o.Data)
	if err != nil {
		return archive.CollectResult{}, err
	}
	stored, err := folder.List(ctx)
	if err != nil {
		return archive.CollectResult{}, err
	}
	stored = slices.DeleteFunc(stored, func(e store.Entry) bool { return slices.Contains(gone, e.ID) })
	a, err := archive.Open(options.ArchiveDir(o.Data))
	if err != nil {
		return archive.CollectResult{}, err
	}
	defer a.Close() // the removals are on disk already
	needed, err := pruning.Needed(a, stored, list, calendar.Window(o.AsOf, calendar.LongestWindow).From.Time())
	if err != nil {
		return archive.CollectResult{}, err
	}
	var collected archive.CollectResult
	err = o.Locks().Wait(ctx, "the archive", func() (err error) {
		collected, err = a.Collect(func(sha string) bool { return needed[sha] }, dry)
		return err
	})
	return collected, err
}

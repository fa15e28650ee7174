package pipeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"labour/pipeline/counting"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
)

// CollectArchive removes the archived bodies that nothing needs any more. Needed is
// what a snapshot of the store was built from, so that it can be built again; what
// the next build may read: of a listing, whose past is in its past extracts, every
// extract of the months that are counted, and of every other source the newest
// whole one and all after it; and the last body of every object. Of a source that
// the configuration does not name, as much is kept as of a listing. Nothing is
// removed when a manifest cannot be read, since it may name anything. gone are
// snapshots that are counted as removed already.
func CollectArchive(ctx context.Context, o Options, gone []snapshots.ID, dry bool) (archive.Collected, error) {
	list, err := o.list()
	if err != nil {
		return archive.Collected{}, err
	}
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return archive.Collected{}, err
	}
	entries, err := store.List(ctx)
	if err != nil {
		return archive.Collected{}, err
	}
	needed := map[string]bool{}
	for _, e := range entries {
		if slices.Contains(gone, e.ID) {
			continue
		}
		if e.Err != nil {
			return archive.Collected{}, fmt.Errorf("collect archived bodies: what %s was built from is not known: %w", e.ID, e.Err)
		}
		for _, in := range e.Manifest.Inputs {
			for _, object := range in.Objects {
				needed[object.SHA256] = true
			}
		}
	}
	a, err := archive.Open(ArchiveDir(o.Data))
	if err != nil {
		return archive.Collected{}, err
	}
	defer a.Close() // removals need no more than that
	window := counting.WindowStart(o.AsOf, counting.WindowMonths).Time()
	for _, key := range a.Sources() {
		whole := slices.ContainsFunc(list, func(s sources.Source) bool { return s.Info().Key == key && !s.Info().Listing })
		for _, x := range readNext(a, key, window, whole) {
			for _, object := range x.Objects {
				needed[object.SHA256] = true
			}
		}
	}
	return a.Collect(func(sha string) bool { return needed[sha] }, dry)
}

// readNext are the extracts of a source that a build may read from now on.
func readNext(a *archive.Archive, key string, window time.Time, whole bool) []sources.Extract {
	if !whole {
		return append(a.Extracts(key, window), lastOf(a, key)...)
	}
	all := a.Extracts(key, time.Time{})
	for i, x := range slices.Backward(all) {
		if !slices.ContainsFunc(x.Objects, func(o sources.Object) bool { return a.Verify(o) != nil }) {
			return all[i:]
		}
	}
	return all
}

func lastOf(a *archive.Archive, key string) []sources.Extract {
	if x, ok := a.LastExtract(key); ok {
		return []sources.Extract{x}
	}
	return nil
}

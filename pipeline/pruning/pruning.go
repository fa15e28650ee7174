// Package pruning removes archived response bodies that are no longer needed. A body is needed if a
// kept snapshot was built from it, or if the next build may read it.
package pruning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// RemoveUnneededResponses removes archived responses that are no longer needed. It treats the
// snapshots in removedIDs as removed. If dry is true, it only returns what it would remove.
func RemoveUnneededResponses(ctx context.Context, o options.Options, removedIDs []snapshots.ID,
	dry bool) (archive.RemovalCounts, error) {
	list, err := o.ConfiguredSources()
	if err != nil {
		return archive.RemovalCounts{}, err
	}
	folder, err := store.Open(o.DataDir)
	if err != nil {
		return archive.RemovalCounts{}, err
	}
	stored, err := folder.List(ctx)
	if err != nil {
		return archive.RemovalCounts{}, err
	}
	stored = slices.DeleteFunc(stored, func(e store.ListedSnapshot) bool { return slices.Contains(removedIDs, e.ID) })
	a, err := archive.Open(protected.ArchiveDir(o.DataDir))
	if err != nil {
		return archive.RemovalCounts{}, err
	}
	defer a.Close() // the removals are on disk already
	needed := neededSince{allRecords: o.Now().Add(-longestBuild),
		liveOnly: calendar.LongestWindow(o.AsOf).From.Time()}
	if needed.lastOfEachDay, err = firstDayToBuild(folder); err != nil {
		return archive.RemovalCounts{}, err
	}
	keep, err := bodiesToKeep(a, stored, list, needed)
	if err != nil {
		return archive.RemovalCounts{}, err
	}
	var collected archive.RemovalCounts
	err = o.NewWaiter().Wait(ctx, "the archive", func() (err error) {
		collected, err = a.RemoveUnneeded(func(sha string) bool { return keep[sha] }, dry)
		return err
	})
	return collected, err
}

// longestBuild is the longest time that a build is expected to take. Fetches of the last
// longestBuild are kept, because a build whose snapshot is not in the store yet may still read
// them.
const longestBuild = 24 * time.Hour

// neededSince states from which time on fetches of a source are kept. The time depends on the type
// of the source.
type neededSince struct {
	allRecords time.Time // for sources whose every fetch has all records: all fetches since then
	liveOnly   time.Time // for sources that list only live adverts: the start of the counted months
	// for sources whose every fetch has all records: the last fetch of each day since then
	lastOfEachDay time.Time
}

// firstDayToBuild returns the start of the first day whose snapshot can still be built and promoted:
// the day after that of the current snapshot. It returns the zero time if there is no current
// snapshot.
func firstDayToBuild(folder *store.Store) (time.Time, error) {
	id, err := folder.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return time.Time{}, nil
	}
	return id.Date().AddDate(0, 0, 1), err
}

// bodiesToKeep returns the hashes of the archived response bodies that must be kept:
//
//   - the inputs of the snapshots in the store, so that the snapshots can be built again;
//   - the fetches from which the counts of people in these snapshots were made;
//   - the fetches that the next build, or one that has begun, may read.
//
// For a source that lists only live adverts, a build may read every fetch of the counted months.
// For any other source, it may read the newest undamaged fetch and all later ones. A build of a day
// that was missed may also read the last undamaged fetch of that day. An unknown source is treated as
// one that lists only live adverts. An unreadable manifest is an error, because its inputs are not
// known.
func bodiesToKeep(a *archive.Archive, stored []store.ListedSnapshot, configured []sources.Source,
	needed neededSince) (map[string]bool, error) {
	bodies, err := builtFrom(a, stored)
	if err != nil {
		return nil, fmt.Errorf("collect archived bodies: %w", err)
	}
	keys, err := a.Sources()
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		hasAllRecords := slices.ContainsFunc(configured,
			func(s sources.Source) bool { return s.Info().Key == key && !s.Info().ListsLiveOnly })
		next, err := readNext(a, key, needed, hasAllRecords)
		if err != nil {
			return nil, err
		}
		for _, x := range next {
			for _, object := range x.Objects {
				bodies[object.SHA256] = true
			}
		}
	}
	return bodies, nil
}

// fetch identifies a fetch as manifests do: by source and second.
type fetch struct {
	source string
	second int64 // Unix time
}

// builtFrom returns the hashes of the archived response bodies from which the snapshots were built.
// If a manifest has only a keyed hash, it returns all bodies that were fetched from the source in
// the same second. Counts of people are carried from one snapshot to the next. It therefore also
// returns the bodies of the fetch from which a snapshot's counts of people were made.
func builtFrom(a *archive.Archive, entries []store.ListedSnapshot) (map[string]bool, error) {
	bodies := map[string]bool{}
	fetches := map[fetch]bool{}
	for _, e := range entries {
		if e.ManifestErr != nil {
			return nil, fmt.Errorf("the inputs of %s are not known: %w", e.ID, e.ManifestErr)
		}
		for _, in := range e.Manifest.Inputs {
			for _, object := range in.Objects {
				if object.SHA256 != "" {
					bodies[object.SHA256] = true
				} else {
					fetches[fetch{in.Source, in.FetchedAt.Unix()}] = true
				}
			}
		}
		if counts := e.Manifest.People; counts != nil {
			fetches[fetch{platform.Key, counts.FeedFetchedAt.Unix()}] = true
		}
	}
	return bodies, addBodiesOf(a, fetches, bodies)
}

// addBodiesOf adds the hashes of the archived response bodies of the given fetches to bodies.
func addBodiesOf(a *archive.Archive, fetches map[fetch]bool, bodies map[string]bool) error {
	keys := map[string]bool{}
	for f := range fetches {
		keys[f.source] = true
	}
	for key := range keys {
		for x, err := range a.ExtractsNewestFirst(key) {
			if err != nil {
				return err
			}
			if !fetches[fetch{key, x.FetchedAt.Unix()}] {
				continue
			}
			for _, object := range x.Objects {
				bodies[object.SHA256] = true
			}
		}
	}
	return nil
}

// readNext returns the extracts (fetches) of a source that a build may read. They are the newest
// extract and every extract that was fetched at or after the time that needed states for this type
// of source. If hasAllRecords is true, each extract has all records. In that case, the newest
// undamaged extract and all later ones are also returned, and so are those of each day that can still
// be built.
func readNext(a *archive.Archive, key string, needed neededSince,
	hasAllRecords bool) (next []sources.Extract, err error) {
	since := needed.liveOnly
	if hasAllRecords {
		since = needed.allRecords
	}
	foundUndamaged := !hasAllRecords
	var day sources.Date // of the extract before
	for x, err := range a.ExtractsNewestFirst(key) {
		if err != nil {
			return nil, err
		}
		mayBeBuilt := hasAllRecords && !x.FetchedAt.Before(needed.lastOfEachDay)
		isNewEnough := len(next) == 0 || !x.FetchedAt.Before(since)
		if mayBeBuilt && sources.DateOf(x.FetchedAt) != day {
			foundUndamaged, day = false, sources.DateOf(x.FetchedAt)
		}
		switch {
		case !foundUndamaged || isNewEnough:
			next = append(next, x)
			foundUndamaged = foundUndamaged || a.IsUndamaged(x)
		case !mayBeBuilt:
			return next, nil
		}
	}
	return next, nil
}

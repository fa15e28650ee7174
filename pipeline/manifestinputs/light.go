package manifestinputs

import (
	"fmt"
	"slices"
	"time"

	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources/archive"
	"labour/sources/platform"
)

// LightInputs returns the inputs of a light snapshot, one that updates only the platform's data.
// They are the inputs of the previous snapshot from other sources, its oldest input from the
// platform (which its carried tables were built from), and those inputs in made that are the
// platform's. The error wraps previous.ErrWholeRunNeeded if the oldest input from the platform is not in
// the archive.
func LightInputs(a *archive.Archive, key snapshots.ManifestKey, before *previous.Snapshot, id snapshots.ID,
	made []snapshots.ArchivedFetch) (inputs []snapshots.ArchivedFetch, err error) {
	var first *snapshots.ArchivedFetch // first input of the platform
	for _, in := range before.Inputs {
		switch {
		case in.Source != platform.Key:
			inputs = append(inputs, in)
		case first == nil || in.FetchedAt.Before(first.FetchedAt):
			first = &in
		}
	}
	if first != nil {
		again, err := namedAgain(a, key, before.ID, id, *first)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, again)
		first = &again
	}
	for _, in := range made {
		if in.Source == platform.Key && (first == nil || !CanBeSameFetch(in, *first)) {
			inputs = append(inputs, in)
		}
	}
	return inputs, nil
}

// namedAgain returns an input of the platform, as the manifest of one snapshot names it, with the
// hashes for another snapshot. It returns an error if the fetch is not in the archive.
func namedAgain(a *archive.Archive, key snapshots.ManifestKey, from, to snapshots.ID,
	in snapshots.ArchivedFetch) (snapshots.ArchivedFetch, error) {
	if !slices.ContainsFunc(in.Objects, func(o snapshots.ArchivedObject) bool { return o.HMACSHA256 != "" }) {
		return in, nil
	}
	for x, err := range a.ExtractsNewestFirst(in.Source) {
		if err != nil {
			return in, err
		}
		if CanBeSameFetch(in, InputFromExtract(x, key, from)) {
			return InputFromExtract(x, key, to), nil
		}
	}
	return in, fmt.Errorf(
		"the fetch of %s at %s, from which snapshot %s was made, is not in the archive, or is named under another key: %w",
		in.Source, in.FetchedAt.Format(time.RFC3339), from, previous.ErrWholeRunNeeded)
}

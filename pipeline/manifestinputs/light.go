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

// LightInputs returns the inputs of a light snapshot, which updates only the platform's data. from
// is the previous snapshot, and id is the light snapshot. The inputs from other sources are those
// of the previous snapshot. The inputs from the platform are the oldest one of the previous
// snapshot, from which its copied tables were built, and the platform's inputs in newInputs. The
// error wraps previous.ErrWholeRunNeeded if that oldest input is not in the archive.
func LightInputs(a *archive.Archive, key snapshots.ManifestKey, from *previous.Snapshot, id snapshots.ID,
	newInputs []snapshots.ArchivedFetch) (inputs []snapshots.ArchivedFetch, err error) {
	var first *snapshots.ArchivedFetch // first input of the platform
	for _, in := range from.Inputs {
		switch {
		case in.Source != platform.Key:
			inputs = append(inputs, in)
		case first == nil || in.FetchedAt.Before(first.FetchedAt):
			first = &in
		}
	}
	if first != nil {
		again, err := namedAgain(a, key, from.ID, id, *first)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, again)
		first = &again
	}
	for _, in := range newInputs {
		if in.Source == platform.Key && (first == nil || !CanBeSameFetch(in, *first)) {
			inputs = append(inputs, in)
		}
	}
	return inputs, nil
}

// namedAgain converts an input of the platform from the manifest of one snapshot to that of
// another. Only its keyed hashes change, because they differ in each snapshot. It returns an error
// if the fetch is not in the archive.
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

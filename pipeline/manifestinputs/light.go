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

// LightInputs returns the inputs of the light snapshot id, for its manifest. A light snapshot
// updates only the platform's data. key is the secret key for hashes in manifests, and from is the
// previous snapshot. The result has three parts: the inputs of the previous snapshot from other
// sources, its oldest input from the platform, and newInputs, which were read from the platform
// now. The error wraps previous.ErrWholeRunNeeded if the oldest input is not in the archive.
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
		again, err := rehashInput(a, key, from.ID, id, *first)
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

// rehashInput returns an input of the platform as the manifest of another snapshot must list it. in
// is the input in the manifest of the snapshot with the ID from, and to is the ID of the other
// snapshot. Only the keyed hashes differ. rehashInput returns an error if the fetch is not in the
// archive.
func rehashInput(a *archive.Archive, key snapshots.ManifestKey, from, to snapshots.ID,
	in snapshots.ArchivedFetch) (snapshots.ArchivedFetch, error) {
	if !slices.ContainsFunc(in.Objects, func(o snapshots.ArchivedObject) bool { return o.HMACSHA256 != "" }) {
		return in, nil
	}
	for x, err := range a.ExtractsNewestFirst(in.Source) {
		if err != nil {
			return in, err
		}
		if IsInput(in, x, key, from) {
			return InputFromExtract(x, key, to), nil
		}
	}
	return in, fmt.Errorf(
		"the fetch of %s at %s, from which snapshot %s was made, is not in the archive, or is named under another key: %w",
		in.Source, in.FetchedAt.Format(time.RFC3339), from, previous.ErrWholeRunNeeded)
}

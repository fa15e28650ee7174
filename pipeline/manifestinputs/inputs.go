// Package manifestinputs lists the inputs of a snapshot for its manifest, and finds them again in the
// archive. The inputs are the archived extracts (fetches of sources) from which the snapshot was
// built.
package manifestinputs

import (
	"slices"
	"time"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// InputFromExtract returns the entry for an extract (one fetch of a source) in the manifest of
// snapshot id. An entry of the platform has no file sizes, and has keyed hashes if key is set.
// Plain hashes or sizes could disclose how many people applied in a day. The keyed hash of a file
// differs between snapshots and between fetches.
func InputFromExtract(x sources.Extract, key snapshots.ManifestKey, id snapshots.ID) snapshots.ArchivedFetch {
	input := snapshots.ArchivedFetch{Source: x.Source, FetchedAt: x.FetchedAt.UTC().Truncate(time.Second)}
	for _, o := range x.Objects {
		object := snapshots.ArchivedObject{Name: o.Name, SHA256: o.SHA256, Bytes: o.Bytes}
		if x.Source == platform.Key {
			object.Bytes = 0
			if key != nil {
				object = object.WithKeyedHash(key, id, x.FetchedAt)
			}
		}
		input.Objects = append(input.Objects, object)
	}
	return input
}

// IsInput reports whether in, an input in the manifest of snapshot id, may be the extract x. key is
// the secret key for hashes in manifests. IsInput also recognises the keyed hashes of snapshots
// that earlier versions of this program made.
func IsInput(in snapshots.ArchivedFetch, x sources.Extract, key snapshots.ManifestKey, id snapshots.ID) bool {
	return CanBeSameFetch(in, InputFromExtract(x, key, id)) || CanBeSameFetch(in, formerInput(x, key, id))
}

// formerInput returns the entry for an extract of the platform in the manifest of snapshot id, as
// earlier versions of this program wrote it. They computed the keyed hashes in another way.
func formerInput(x sources.Extract, key snapshots.ManifestKey, id snapshots.ID) snapshots.ArchivedFetch {
	input := snapshots.ArchivedFetch{Source: x.Source, FetchedAt: x.FetchedAt.UTC().Truncate(time.Second)}
	for _, o := range x.Objects {
		input.Objects = append(input.Objects,
			snapshots.ArchivedObject{Name: o.Name, HMACSHA256: key.FormerFileHash(id, o.SHA256)})
	}
	return input
}

// CanBeSameFetch reports whether two inputs of one manifest may be the same fetch. It compares the
// source, the time in seconds and the files.
func CanBeSameFetch(x, y snapshots.ArchivedFetch) bool {
	objects := func(in snapshots.ArchivedFetch) []string {
		var all []string
		for _, o := range in.Objects {
			all = append(all, o.Name+"\x00"+o.HashInManifest())
		}
		slices.Sort(all)
		return all
	}
	return x.Source == y.Source && x.FetchedAt.Equal(y.FetchedAt) && slices.Equal(objects(x), objects(y))
}

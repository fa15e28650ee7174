// Package manifestinputs makes the list of a snapshot's inputs in its manifest: the archived extracts
// (fetches of sources) that the snapshot was built from. It also finds them again in the archive.
package manifestinputs

import (
	"slices"
	"time"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// InputFromExtract returns the manifest's entry for an extract (one fetch of a source). For the
// platform, the entry has no file sizes. If key is set, it has keyed hashes, which differ in each
// snapshot. Equal hashes or sizes could disclose how many people applied in a day.
func InputFromExtract(x sources.Extract, key snapshots.ManifestKey, id snapshots.ID) snapshots.ArchivedFetch {
	input := snapshots.ArchivedFetch{Source: x.Source, FetchedAt: x.FetchedAt.UTC().Truncate(time.Second)}
	for _, o := range x.Objects {
		object := snapshots.ArchivedObject{Name: o.Name, SHA256: o.SHA256, Bytes: o.Bytes}
		if x.Source == platform.Key {
			object.Bytes = 0
			if key != nil {
				object = object.WithKeyedHash(key, id)
			}
		}
		input.Objects = append(input.Objects, object)
	}
	return input
}

// CanBeSameFetch reports whether two inputs in one manifest can be the same fetch: they have the same
// files and the same time in seconds.
func CanBeSameFetch(x, y snapshots.ArchivedFetch) bool {
	objects := func(in snapshots.ArchivedFetch) []string {
		var all []string
		for _, o := range in.Objects {
			all = append(all, o.Name+"\x00"+o.NameInManifest())
		}
		slices.Sort(all)
		return all
	}
	return x.Source == y.Source && x.FetchedAt.Equal(y.FetchedAt) && slices.Equal(objects(x), objects(y))
}

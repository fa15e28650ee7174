// Package inputs makes the list in a manifest of the extracts that the snapshot was built from, and
// finds the extracts of such a list in the archive.
package inputs

import (
	"slices"
	"time"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// Of returns an extract in the form of a manifest. The platform's files are named by a keyed hash
// that differs for each snapshot, and have no sizes: equal names or sizes would disclose from one
// day to the next whether people applied, and how many.
func Of(x sources.Extract, key snapshots.Key, id snapshots.ID) snapshots.Input {
	input := snapshots.Input{Source: x.Source, At: x.At.UTC().Truncate(time.Second)}
	for _, o := range x.Objects {
		object := snapshots.Object{Name: o.Name, SHA256: o.SHA256, Bytes: o.Bytes}
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

// SameFetch reports whether both inputs of one manifest can be the same fetch: the same objects, at
// the same second.
func SameFetch(x, y snapshots.Input) bool {
	objects := func(in snapshots.Input) []string {
		var all []string
		for _, o := range in.Objects {
			all = append(all, o.Name+"\x00"+o.NameInManifest())
		}
		slices.Sort(all)
		return all
	}
	return x.Source == y.Source && x.At.Equal(y.At) && slices.Equal(objects(x), objects(y))
}

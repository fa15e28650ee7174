package pipeline

import (
	"time"

	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// inputOf returns an extract in the form of a manifest. The platform's files are named by a keyed
// hash that differs for each snapshot, and without their sizes: equal names or sizes would disclose
// from one day to the next whether, and how many, people applied.
func inputOf(x sources.Extract, key snapshots.Key, id snapshots.ID) snapshots.Input {
	input := snapshots.Input{Source: x.Source, At: x.At.UTC().Truncate(time.Second)}
	for _, o := range x.Objects {
		object := snapshots.Object{Name: o.Name, SHA256: o.SHA256, Bytes: o.Bytes}
		if x.Source == platform.Key {
			object.Bytes = 0
			if key != nil {
				object = object.Keyed(key, id)
			}
		}
		input.Objects = append(input.Objects, object)
	}
	return input
}

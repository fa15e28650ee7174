package ingest

import (
	"slices"
	"time"

	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// Extracts selects the extracts (archived fetches) of a source to read.
type Extracts struct {
	Archive *archive.Archive
	Known   func(sources.Extract) bool // reports whether an extract may be read
	Reads   func(object string) bool   // reports whether an object of the platform's feed is read
}

// Select returns the extracts of a source to read, newest first, and a fault for each damaged file.
// For a listing (a source of live adverts) these are all extracts that are not older than since.
// For any other source it is the newest undamaged one, since each extract has all its records.
func (e Extracts) Select(info sources.Info, since time.Time) (list []sources.Extract,
	faults []sources.Fault, err error) {
	if info.Listing {
		newestFirst, err := e.Archive.Extracts(info.Key, since)
		slices.Reverse(newestFirst)
		return slices.DeleteFunc(newestFirst, func(x sources.Extract) bool { return !e.Known(x) }), nil, err
	}
	for x, err := range e.Archive.NewestFirst(info.Key) {
		if err != nil {
			return nil, faults, err
		}
		if !e.Known(x) {
			continue
		}
		damaged := e.damaged(x)
		if len(damaged) == 0 {
			return []sources.Extract{x}, faults, nil
		}
		faults = append(faults, damaged...)
	}
	return nil, faults, nil
}

// damaged returns a fault for each object of an extract whose bytes differ from those received.
func (e Extracts) damaged(x sources.Extract) (faults []sources.Fault) {
	for _, o := range x.Objects {
		if x.Source == platform.Key && !e.Reads(o.Name) {
			continue
		}
		if err := e.Archive.Verify(o); err != nil {
			faults = append(faults, sources.Fault{Source: x.Source, Object: o.Name, Code: sources.CodeOf(err),
				Detail: err.Error() + "; the newest whole extract is used until it is fetched again"})
		}
	}
	return faults
}

package ingest

import (
	"slices"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

// ExtractSelector selects which extracts (archived fetches) of a source to read.
type ExtractSelector struct {
	Archive *archive.Archive
	// reports whether the build may read an extract (one fetch of a source)
	MayRead func(sources.Extract) bool
}

// ReadsFile reports whether a source reads a file of its extracts. The platform's feed may be limited to
// some files; every other source reads all.
func ReadsFile(src sources.Source, name string) bool {
	some, ok := src.(interface{ SelectsFile(name string) bool })
	return !ok || some.SelectsFile(name)
}

// Select returns the extracts of a source to read, newest first. For a listing (a source of live
// adverts) it returns the extracts since the given time that may be read, and no faults. For any
// other source, each extract has all records, so it returns only the newest undamaged extract. It
// also returns a fault for each damaged file of the newer extracts. list is empty if there is no
// extract to read.
func (e ExtractSelector) Select(src sources.Source, since time.Time) (list []sources.Extract,
	faults []sources.Fault, err error) {
	info := src.Info()
	if info.ListsLiveOnly {
		newestFirst, err := e.Archive.ExtractsSince(info.Key, since)
		slices.Reverse(newestFirst)
		return slices.DeleteFunc(newestFirst, func(x sources.Extract) bool { return !e.MayRead(x) }), nil, err
	}
	for x, err := range e.Archive.ExtractsNewestFirst(info.Key) {
		if err != nil {
			return nil, faults, err
		}
		if !e.MayRead(x) {
			continue
		}
		damaged := e.damageFaults(src, x)
		if len(damaged) == 0 {
			return []sources.Extract{x}, faults, nil
		}
		faults = append(faults, damaged...)
	}
	return nil, faults, nil
}

// damageFaults returns a fault for each file of an extract (one fetch) that differs from what was
// received. It skips files that the source does not read.
func (e ExtractSelector) damageFaults(src sources.Source, x sources.Extract) (faults []sources.Fault) {
	for _, o := range x.Objects {
		if !ReadsFile(src, o.Name) {
			continue
		}
		if err := e.Archive.VerifyBody(o); err != nil {
			faults = append(faults, sources.Fault{Source: x.Source, Object: o.Name, Code: sources.FaultCodeOf(err),
				Detail: err.Error() + "; the newest whole extract is used until it is fetched again"})
		}
	}
	return faults
}

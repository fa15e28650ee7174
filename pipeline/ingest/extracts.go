package ingest

import (
	"slices"
	"time"

	"labour/sources"
	"labour/sources/archive"
)

// ExtractSelector selects which archived fetches (extracts) of a source a build reads.
type ExtractSelector struct {
	Archive *archive.Archive
	// reports whether the build may read an extract (one fetch of a source)
	MayRead func(sources.Extract) bool
}

// ReadsFile reports whether a source reads the file with the given name. Only the platform may be
// limited to some files. Other sources read all files.
func ReadsFile(src sources.Source, name string) bool {
	some, ok := src.(interface{ SelectsFile(name string) bool })
	return !ok || some.SelectsFile(name)
}

// Select returns the extracts (fetches) of a source to read, newest first. For a source that lists
// only live adverts, they are the extracts since the given time. For any other source, it is the
// newest undamaged extract. It returns a fault for each damaged file in newer extracts. list may be
// empty.
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

// damageFaults returns a fault for each archived file that is not as it was received. It skips
// files that the source does not read.
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

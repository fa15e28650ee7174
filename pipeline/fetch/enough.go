package fetch

import (
	"fmt"
	"slices"

	"labour/pipeline/options"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// noExtract is the message for a failed source that was never fetched before.
const noExtract = "there is no earlier extract to use"

// leavesNothing reports whether the service would be empty because the source with the given key
// was never fetched. It would be empty without the platform, or if no source was ever fetched. n is
// the number of sources that were never fetched. sources is the number of all sources.
func leavesNothing(key string, n, sources int) bool { return key == platform.Key || n == sources }

// CheckEnoughFetched returns an error if the service would be empty. It would be empty if the
// platform, or every source, failed now and was never fetched before. fetches has the results of
// this run's fetches.
func CheckEnoughFetched(fetches []report.FetchResult) error {
	absent := 0
	for _, f := range fetches {
		if !f.NeverFetched {
			continue
		}
		if absent++; leavesNothing(f.Source, absent, len(fetches)) {
			return fmt.Errorf("no snapshot is made: source %s failed and %s: %s", f.Source, noExtract, f.Err)
		}
	}
	return nil
}

// CheckEnoughArchived returns an error if the service would be empty. It would be empty if the
// archive has no readable fetch of the platform, or none of any source.
func CheckEnoughArchived(o *options.Options) error {
	list, err := o.ConfiguredSources()
	if err != nil {
		return err
	}
	a, err := archive.Open(protected.ArchiveDir(o.DataDir))
	if err != nil {
		return err
	}
	defer a.Close() // nothing was written
	switch missing, err := missingIn(a, list, o.MayRead); {
	case err != nil || missing == "":
		return err
	case o.IsBackdated():
		return fmt.Errorf("no snapshot is made: nothing of %s had been fetched by the end of %s", missing, o.AsOf)
	default:
		return fmt.Errorf("no snapshot is made: the archive in %s has nothing of %s yet; labour fetch fills it", o.DataDir,
			missing)
	}
}

// missingIn returns the key of a source without which the service would be empty. It returns "" if
// the archive has enough sources. mayRead reports whether an extract (one fetch of a source) may be
// read.
func missingIn(a *archive.Archive, list []sources.Source, mayRead func(sources.Extract) bool) (key string, err error) {
	absent := 0
	for _, src := range list {
		key := src.Info().Key
		had, err := hasExtract(a, key, mayRead)
		if err != nil {
			return "", fmt.Errorf("last extract of %s: %w", key, err)
		}
		if had {
			continue
		}
		if absent++; leavesNothing(key, absent, len(list)) {
			return key, nil
		}
	}
	return "", nil
}

// hasExtract reports whether the archive has an extract of a source for which mayRead returns true.
// An extract is one fetch of a source.
func hasExtract(a *archive.Archive, key string, mayRead func(sources.Extract) bool) (bool, error) {
	for x, err := range a.ExtractsNewestFirst(key) {
		if err != nil || mayRead(x) {
			return err == nil, err
		}
	}
	return false, nil
}

// FailedSources returns the keys of the sources that failed in a run. A source fails if a fetch of
// it or of a part of it fails. It also fails if its archived data is damaged.
func FailedSources(fetches []report.FetchResult, r *report.Report) []string {
	var keys []string
	for _, f := range fetches {
		if f.HasFailed() {
			keys = append(keys, f.Source)
		}
	}
	keys = append(keys, r.DamagedSources()...)
	slices.Sort(keys)
	return slices.Compact(keys)
}

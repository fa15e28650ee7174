package buildinput

import (
	"fmt"

	"labour/pipeline/calendar"
	"labour/pipeline/ingest"
	"labour/pipeline/options"
	"labour/pipeline/previous"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
)

// ReadPlan determines which sources a build reads, which of their fetches, and with which settings.
type ReadPlan struct {
	Options  *options.Options
	Provider Provider
	Archive  *archive.Archive
	AsOf     sources.Date       // date of the snapshot
	Current  *previous.Snapshot // current snapshot when the build began; nil = there was none
}

// IngestOptions returns settings of ingest.Read that differ between runs. A run of only the
// platform's feed reads jobs and events as of the day of the newest fetch, but not before AsOf.
// Only a run of all sources that is not backdated keeps a cache of adverts that are no longer
// listed. The caller adds the other settings.
func (b ReadPlan) IngestOptions() (r ingest.Options, err error) {
	o := b.Options
	r = ingest.Options{AsOf: b.AsOf, JobsDay: b.AsOf, ServedAreas: o.Config.ServedAreas,
		StagingDir: protected.StagingDir(o.DataDir), Threads: o.Threads, Log: o.Log, OnStep: o.ReportStep,
		OnDetail: o.ReportDetail}
	switch {
	case !o.IsWhole():
		r.JobsDay, err = ingest.LightSnapshotDay(b.Archive, b.Provider.MayRead, b.AsOf)
	case b.Provider.IsNewBuild() && !o.IsBackdated():
		r.PastAdverts, err = ingest.OpenPastAdvertCache(protected.PastAdvertsDir(o.DataDir), o.ToolVersion, o.Config.Sources)
	}
	if err != nil {
		return r, err
	}
	r.JobsFirstSeen, err = ingest.ReadJobsFirstSeen(b.Current)
	return r, err
}

// SourcesToRead returns the sources that a build reads, with their fetches. It adds damaged fetches
// to the report. It also reports what comes from an older fetch, such as one job board of a source.
//
// Residents and applications are needed only to calculate counts of people. If arePeopleCopied is
// true, the counts are copied instead. The first run of all sources each week reads these files
// nevertheless, so that the report names their errors. Damage of these files then does not affect
// which fetch of the feed is read.
func (b ReadPlan) SourcesToRead(list []sources.Source, arePeopleCopied bool,
	r *report.Report) (all []ingest.SourceWithExtracts, err error) {
	needed, checked := b.readsPeople(arePeopleCopied)
	since := calendar.LongestWindow(b.AsOf).From.Time()
	toRead := b.Options.FilterSources(list, needed || checked)
	for i, src := range b.Options.FilterSources(list, needed) {
		extracts, faults, err := b.Provider.Extracts(b.Archive, src, since)
		r.AddFaults(faults)
		if err == nil {
			err = ingest.ReportCarriedParts(b.Archive, src, b.Provider.MayRead, b.AsOf, r, b.Options.Log)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", src.Info().Key, err)
		}
		all = append(all, ingest.SourceWithExtracts{Source: toRead[i], Extracts: extracts})
	}
	return all, nil
}

// readsPeople reports whether the build reads residents and applications. needed means that it
// calculates counts of people from them. checked means that it only finds errors in them, once a
// week: if the current snapshot is from another week. A rebuild does not check them.
func (b ReadPlan) readsPeople(areCopied bool) (needed, checked bool) {
	if !b.Options.IsWhole() || b.Options.Config.Platform.FeedAddress == "" {
		return false, false
	}
	if !areCopied {
		return true, false
	}
	return false, b.Current == nil || !calendar.IsSameWeek(sources.DateOf(b.Current.AsOf.Time), b.AsOf)
}

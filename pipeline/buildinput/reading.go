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

// IngestOptions returns settings of ingest.Read that differ between runs. A light run reads jobs
// and events as of the day of the newest fetch, but not before AsOf. Only a whole run that is not
// backdated keeps a cache of adverts that are no longer listed. The caller adds the other settings.
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

// SourcesToRead returns the sources in list that a build reads, with their fetches. It adds damaged
// fetches to the report r, and parts of sources, such as job boards, that come from an older fetch.
// If arePeopleCopied is true, counts of people are copied and not calculated. In that case, the
// files of residents and applications are read only once a week, to report their errors, and damage
// of these files does not affect which fetch of the feed is read.
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
// calculates counts of people from them; it does not if areCopied is true. checked means that it
// only finds errors in them, once a week: if the current snapshot is from another week. A rebuild
// does not check them.
func (b ReadPlan) readsPeople(areCopied bool) (needed, checked bool) {
	if !b.Options.IsWhole() || b.Options.Config.Platform.FeedAddress == "" {
		return false, false
	}
	if !areCopied {
		return true, false
	}
	return false, b.Current == nil || !calendar.IsSameWeek(sources.DateOf(b.Current.AsOf.Time), b.AsOf)
}

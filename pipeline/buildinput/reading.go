package buildinput

import (
	"fmt"

	"labour/pipeline/calendar"
	"labour/pipeline/ingest"
	"labour/pipeline/options"
	"labour/pipeline/report"
	"labour/sources"
	"labour/sources/archive"
)

// ReadingOptions returns the settings of ingest.Read that depend on the kind of build. A light run
// is one that updates only the platform's data. It reads jobs and events as of the day on which the
// feed was last fetched, or o.AsOf if that is later. Only a whole run with today's date keeps a
// cache of adverts that are no longer listed. The caller adds the descriptions of the sources, the
// registers and the corrections.
func ReadingOptions(o *options.Options, from Provider, a *archive.Archive) (r ingest.Options, err error) {
	r = ingest.Options{AsOf: o.AsOf, JobsDay: o.AsOf, ServedAreas: o.Config.ServedAreas,
		StagingDir: o.ProtectedPath("staging"), Threads: o.Threads, Log: o.Log, OnStep: o.ReportStep,
		OnDetail: o.ReportDetail}
	switch {
	case !o.IsWhole():
		r.JobsDay, err = ingest.LightSnapshotDay(a, from.MayRead, o.AsOf)
	case from.IsNewBuild() && !o.IsBackdated():
		r.PastAdverts, err = ingest.OpenPastAdvertCache(o.ProtectedPath("past"), o.ToolVersion, o.Config.Sources)
	}
	if err != nil {
		return r, err
	}
	r.JobsFirstSeen, err = ingest.ReadJobsFirstSeen(o.DataDir)
	return r, err
}

// SourcesToRead returns the sources that a build reads. Each source comes with its fetches to read.
// period is the period that the counts of people describe. SourcesToRead reports damaged fetches. It
// also reports each part of a source, such as a job board, for which an older fetch is used.
//
// The residents and applications of the platform's feed are needed only if no published snapshot
// has counts of people for the period. If the counts are copied, the first whole run of each week
// still reads these files, so that the report names the errors in them. In that case, these files
// do not affect which fetch of the feed is read.
func SourcesToRead(o *options.Options, from Provider, a *archive.Archive, list []sources.Source, period calendar.Period,
	r *report.Report) (all []ingest.SourceWithExtracts, err error) {
	countsPeople, checksPeople, err := readsPeople(o, from, period)
	if err != nil {
		return nil, err
	}
	since := calendar.WindowOfMonths(o.AsOf, calendar.LongestWindowMonths).From.Time()
	toRead := o.FilterSources(list, countsPeople || checksPeople)
	for i, src := range o.FilterSources(list, countsPeople) {
		extracts, faults, err := from.Extracts(a, src, since)
		r.AddFaults(faults)
		if err == nil {
			err = ingest.ReportCarriedParts(a, src, from.MayRead, o.AsOf, r, o.Log)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", src.Info().Key, err)
		}
		all = append(all, ingest.SourceWithExtracts{Source: toRead[i], Extracts: extracts})
	}
	return all, nil
}

// readsPeople reports whether a build reads residents and applications, and what for. countsPeople
// is true if they are needed for counts of people. checksPeople is true if they are read only to
// report errors in them.
func readsPeople(o *options.Options, from Provider,
	period calendar.Period) (countsPeople, checksPeople bool, err error) {
	if !o.IsWhole() || o.Config.Platform.FeedAddress == "" {
		return false, false, nil
	}
	copied, err := from.HasPeople(period)
	if err != nil || !copied {
		return true, false, err
	}
	published, err := from.PublishedSnapshots()
	if err != nil || len(published) == 0 {
		return false, false, err // a rebuild
	}
	return false, !calendar.IsSameWeek(sources.DateOf(published[0].AsOf.Time), o.AsOf), nil
}

package buildinput

import (
	"labour/pipeline/calendar"
	"labour/pipeline/ingest"
	"labour/pipeline/options"
	"labour/sources"
	"labour/sources/archive"
)

// ReadingOptions returns the settings of ingest.Read that depend on the kind of build. A light run
// (one that updates only the platform's data) reads jobs and events of the day of its last fetch. Only
// a whole run of today keeps a cache of adverts that are no longer listed. The caller adds the
// descriptions of the sources, the registers and the corrections.
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

// NeedsPeople reports whether the residents and applications of the platform's feed are read. They
// are read to calculate the counts of people of a quarter that no published snapshot has. If these
// counts are copied, the first whole run of each week reads them nevertheless, so that the report
// names the errors in them.
func NeedsPeople(o *options.Options, from Provider, quarter calendar.Period) (bool, error) {
	if !o.IsWhole() {
		return false, nil
	}
	copied, err := from.HasPeople(quarter)
	if err != nil || !copied {
		return true, err
	}
	published, err := from.PublishedSnapshots()
	if err != nil || len(published) == 0 {
		return false, err // a rebuild
	}
	return !calendar.IsSameWeek(sources.DateOf(published[0].AsOf.Time), o.AsOf), nil
}

// Package options holds the settings of a run: the configuration, the data directory and the date
// that the data describe. It also derives the sources to read and the fetches that may be used, and
// removes the files that an interrupted run left.
package options

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/cells/engine"
	"labour/pipeline/config"
	"labour/pipeline/locks"
	"labour/pipeline/previous"
	"labour/pipeline/protected"
	"labour/snapshots"
	"labour/snapshots/threads"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/platform"
)

// OnlyPlatform is the value of the flag --only, and of report.Report.OnlySource, for a light
// snapshot. A light snapshot updates only the platform's data, and may be built every minute. The
// run fetches only the platform's feed. It builds the tables that depend only on the feed, and
// copies all other tables from the current snapshot byte for byte.
//
// A light snapshot has the date of the current one, because its copied tables describe that date.
// Its events and jobs are of the day of the fetch. Counts of people and the jobs of other sources
// do not change, but jobs of a source that is no longer configured are left out. Until the next
// whole run, a vacancy may be listed twice, by the platform and by another source.
const OnlyPlatform = platform.Key

// Options holds all inputs and settings of a pipeline run.
type Options struct {
	Config  *config.Config
	DataDir string           // path of the data directory, with the archive and the snapshots
	AsOf    sources.Date     // date that the data of a whole run's snapshot describes
	Now     func() time.Time // clock for the times of fetches and of the creation of the snapshot
	Log     *slog.Logger
	// LookupSecret returns a secret, such as an API key, by its name in the environment. ok is
	// false if it is not set.
	LookupSecret func(name string) (value string, ok bool)
	// OnStep is called with the name of each step when it starts; nil for no calls.
	OnStep func(step string)
	// OnDetail is called often with the progress of the current step; nil for no calls.
	OnDetail func(text string)
	// ToolVersion is the version of this program, for the manifest and the User-Agent of requests.
	ToolVersion string
	// SignSums returns the signature of the file SHA256SUMS of the snapshot with that id; nil for
	// no signature.
	SignSums func(id snapshots.ID, sums []byte) ([]byte, error)
	// IsLight is true for a light run, which updates only the platform's data (see OnlyPlatform),
	// and false for a whole run.
	IsLight          bool
	MemoryMB         int // memory limit in megabytes of the database that counts; 0 = 2048
	Threads          int // number of threads for counting and coding; 0 = one for each core
	DownloadAttempts int // number of attempts for each download; 0 = 5
	// LockWait is how long the run waits for a lock of another run in the same data directory; 0 =
	// locks.DefaultWait.
	LockWait time.Duration

	// OnlyFetchedByDate is true to leave out data that was fetched after AsOf, if AsOf is in the
	// past. Build sets it.
	OnlyFetchedByDate bool
}

// ReportStep reports that a step of the run begins. It logs the name of the step and passes it to
// OnStep.
func (o *Options) ReportStep(name string) {
	o.Log.Info("step", "name", name)
	if o.OnStep != nil {
		o.OnStep(name)
	}
}

// ReportDetail passes a progress message about the current step to OnDetail.
func (o *Options) ReportDetail(format string, args ...any) {
	if o.OnDetail != nil {
		o.OnDetail(fmt.Sprintf(format, args...))
	}
}

// Validate returns an error if a required option is missing. A light run, which reads only the
// platform, needs no AsOf. It needs a current snapshot to copy tables from. The error wraps
// snapshots.ErrUnsupportedFormat if the current snapshot has another format version.
func (o *Options) Validate() error {
	switch {
	case o.Config == nil:
		return errors.New("a configuration is needed")
	case o.DataDir == "":
		return errors.New("a data directory is needed")
	case o.Now == nil || o.Log == nil:
		return errors.New("a clock and a log are needed")
	case !o.IsWhole():
		if _, err := previous.OpenCurrent(o.DataDir); err != nil {
			return err
		}
	case o.AsOf.IsZero():
		return errors.New("the date the data describes is needed")
	}
	return previous.CheckDataFormat(o.DataDir)
}

// RunDay returns the day for which the run is made: AsOf, or today in a light run. The snapshot of a
// light run keeps the date of the current one, which may be weeks ago.
func (o *Options) RunDay() sources.Date {
	if o.IsWhole() {
		return o.AsOf
	}
	return sources.DateOf(o.Now())
}

// IsWhole reports whether this is a whole run, which reads all sources. A light run updates only
// the platform's data.
func (o *Options) IsWhole() bool { return !o.IsLight }

// MayRead reports whether the run may read an extract (one fetch of a source). A backdated run must
// not read extracts that were fetched after its date.
func (o *Options) MayRead(x sources.Extract) bool {
	return !o.IsBackdated() || x.FetchedAt.Before(o.FetchCutoff())
}

// FetchCutoff returns the time before which fetches may be read. For a backdated run it is the end
// of the day AsOf. For other runs it is now, in whole seconds.
func (o *Options) FetchCutoff() time.Time {
	if o.IsBackdated() {
		return calendar.Period{To: o.AsOf}.End()
	}
	return o.Now().UTC().Truncate(time.Second)
}

// IsBackdated reports whether the run is for a past date and ignores later fetches. It returns true
// if OnlyFetchedByDate is set and AsOf is before today.
func (o *Options) IsBackdated() bool {
	return o.OnlyFetchedByDate && o.AsOf.Before(sources.DateOf(o.Now()))
}

// ConfiguredSources returns the configured sources, in the fixed order of package sources/all.
func (o *Options) ConfiguredSources() ([]sources.Source, error) {
	return all.ConfiguredSources(o.Config.Sources, o.Config.Platform)
}

// NewWaiter returns a locks.Waiter with the settings of this run.
func (o *Options) NewWaiter() locks.Waiter {
	return locks.Waiter{LockDir: protected.Dir(o.DataDir), IsWholeRun: o.IsWhole(), MaxWait: o.LockWait,
		OnWait: o.ReportStep}
}

// ValidExceptions returns the exceptions that are valid on the date of the snapshot. An exception
// is a fault that the operator accepts. A whole run also logs expired exceptions. A light run does
// not, because there is one every minute.
func (o *Options) ValidExceptions(asOf sources.Date) []snapshots.Exception {
	standing, expired := o.Config.CheckLimits.ValidExceptions(asOf.Time())
	if !o.IsWhole() {
		return standing
	}
	for _, e := range expired {
		o.Log.Warn("an acknowledged exception has expired and excuses nothing; remove or renew it", "check", e.Check,
			"of", e.Subject, "until", e.ValidUntil)
	}
	return standing
}

// FilterSources returns the sources in list that this run reads. A light run reads only the
// platform's feed and the reference sources. If withPeople is false, the feed is read without
// residents and applications.
func (o *Options) FilterSources(list []sources.Source, withPeople bool) []sources.Source {
	var filtered []sources.Source
	for _, s := range list {
		switch info := s.Info(); {
		case info.Kind == sources.KindPlatform:
			filtered = append(filtered, platform.New(o.FeedConfig(withPeople)))
		case info.IsReference || o.IsWhole():
			filtered = append(filtered, s)
		}
	}
	return filtered
}

// FeedConfig returns the configuration of the platform's feed. If withPeople is false, it excludes
// residents and applications.
func (o *Options) FeedConfig(withPeople bool) platform.Config {
	p := o.Config.Platform
	if !withPeople {
		p.Kinds = slices.DeleteFunc(platform.RecordKinds(), platform.RecordKind.IsAboutPeople)
	}
	return p
}

// SparkClusterSettings returns the settings of the Spark cluster, with its access token. If no
// cluster is configured, only the path of the session file is set. The file is needed to end the
// session of an interrupted run.
func (o *Options) SparkClusterSettings() (c engine.Cluster, err error) {
	if e := o.Config.Engine; e != nil {
		if c = *e; e.TokenEnv != "" {
			var ok bool
			if c.Token, ok = o.LookupSecret(e.TokenEnv); !ok || c.Token == "" {
				return c, fmt.Errorf("engine.token_env: the environment has no %s", e.TokenEnv)
			}
		}
	}
	c.SessionFile = protected.ClusterSessionFile(o.DataDir)
	return c, nil
}

// ConnectCluster connects to the configured Spark cluster. It returns nil if no cluster is
// configured, which means that this machine does the counting.
func (o *Options) ConnectCluster(ctx context.Context) (engine.Engine, error) {
	if o.Config.Engine == nil {
		return nil, nil
	}
	cluster, err := o.SparkClusterSettings()
	if err != nil {
		return nil, err
	}
	o.ReportStep("copy staged rows to the cluster")
	return engine.ConnectCluster(ctx, cluster)
}

// rowsOfEach is the approximate number of table rows for each advert, resident or application
// outcome.
const rowsOfEach = 100

// EngineLimits returns the memory and thread limits for counting on this machine. records is the
// number of adverts, residents and application outcomes.
func (o *Options) EngineLimits(records int32) engine.Limits {
	return engine.Limits{MemoryMB: o.MemoryMB, Threads: cmp.Or(o.Threads, threads.CountForRows(rowsOfEach*int64(records))),
		TempDir: protected.SpillDir(o.DataDir)}
}

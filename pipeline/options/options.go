// Package options holds the settings of a run: the configuration, the data directory and the date
// that the data describe. It also derives the sources to read and the fetches that may be used.
package options

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/cells/engine"
	"labour/pipeline/config"
	"labour/pipeline/locks"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/snapshots/threads"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/platform"
)

// OnlyPlatform requests a light snapshot: one that updates only the platform's data and is cheap
// enough to be built every minute. Only the platform's feed is fetched. The tables made from it
// alone are built again; all others are copied from the current snapshot, byte for byte.
//
// A light snapshot has the date of the current one, since its copied tables describe that date. Its
// events and jobs are of the day of the fetch. Figures of people and jobs of other sources stay as
// they are. A vacancy that both another source and the platform show may be listed twice until the
// next whole run.
const OnlyPlatform = platform.Key

// Options holds the inputs and settings of a run of the pipeline.
type Options struct {
	Config  *config.Config
	DataDir string           // the data directory
	AsOf    sources.Date     // the date the data describes
	Now     func() time.Time // the clock, for fetch times and created_at
	Log     *slog.Logger
	// Secrets finds a secret by its name in the configuration.
	Secrets func(name string) (value string, ok bool)
	// Progress is called with the name of each step when it starts; nil for no calls.
	Progress func(step string)
	// Detail is called often with the progress of the current step; nil for no calls.
	Detail func(text string)
	// ToolVersion is written to the manifest and the User-Agent.
	ToolVersion string
	// Sign signs SHA256SUMS of the snapshot with that id; nil for no signature.
	Sign func(id snapshots.ID, sums []byte) ([]byte, error)
	// Only is empty for a whole run, or OnlyPlatform for a light snapshot.
	Only     string
	MemoryMB int // memory limit of the counting engine; 0 = 2048
	Threads  int // 0 = every core
	Attempts int // tries per download; 0 = 5
	// LockWait is how long the run waits for a lock of another run in the same data directory; 0 =
	// locks.DefaultWait.
	LockWait time.Duration

	FetchedByDate bool // true to leave out extracts fetched after AsOf, if AsOf is in the past
}

// ProtectedPath returns a path in the protected zone: the part of the data directory that only the
// pipeline reads and nothing publishes.
func (o *Options) ProtectedPath(elements ...string) string {
	return filepath.Join(append([]string{o.DataDir, "protected"}, elements...)...)
}

// RemoveUnrounded removes the staged rows and the unrounded counts of this run, or of one that was
// killed. Nothing of them is needed after a build.
func (o *Options) RemoveUnrounded() error {
	if err := errors.Join(os.RemoveAll(o.ProtectedPath("staging")), os.RemoveAll(o.ProtectedPath("truth"))); err != nil {
		return fmt.Errorf("remove staged rows: %w", err)
	}
	return nil
}

// CodingNotesFile returns the path of the last run's notes on coding: places and job titles that
// could not be coded well, and the skills found by sector. The file is not published.
func CodingNotesFile(data string) string {
	return filepath.Join(data, "protected", "coding", "notes.json")
}

// ArchiveDir returns the path of the archive in a data directory.
func ArchiveDir(data string) string { return filepath.Join(data, "protected", "archive") }

// ReportStep reports to the log and to Progress that a named step begins.
func (o *Options) ReportStep(name string) {
	o.Log.Info("step", "name", name)
	if o.Progress != nil {
		o.Progress(name)
	}
}

// ReportDetail reports the progress within a step to Detail.
func (o *Options) ReportDetail(format string, args ...any) {
	if o.Detail != nil {
		o.Detail(fmt.Sprintf(format, args...))
	}
}

// Resolved returns the options after it has checked that the required ones are set. For a light
// snapshot it sets AsOf to the date of the current snapshot. The error is snapshots.ErrUnsupportedFormat if
// the current snapshot has another format version.
func (o Options) Resolved() (Options, error) {
	switch {
	case o.Config == nil:
		return o, errors.New("a configuration is needed")
	case o.DataDir == "":
		return o, errors.New("a data directory is needed")
	case o.Now == nil || o.Log == nil:
		return o, errors.New("a clock and a log are needed")
	case o.Only != "" && o.Only != OnlyPlatform:
		return o, fmt.Errorf("only %q can be fetched alone, not %q", OnlyPlatform, o.Only)
	case !o.IsWhole():
		now, err := previous.Current(o.DataDir)
		if err != nil {
			return o, err
		}
		o.AsOf = sources.DateOf(now.AsOf.Time)
	}
	if o.AsOf.IsZero() {
		return o, errors.New("the date the data describes is needed")
	}
	return o, previous.CheckFormat(o.DataDir)
}

// Level returns the level of the run: Minute for a light snapshot, otherwise Quarter. A run builds
// every output whose cadence is not above its level.
func (o *Options) Level() calendar.Cadence {
	if o.Only == OnlyPlatform {
		return calendar.Minute
	}
	return calendar.Quarter
}

// IsWhole reports whether the run builds every output, and not only those of a light snapshot.
func (o *Options) IsWhole() bool { return calendar.Day.DueAt(o.Level()) }

// MayRead reports whether the run may read an extract (one fetch of a source). A backdated run may
// read only extracts that were fetched by the end of its date. Any other run may read every
// extract.
func (o *Options) MayRead(x sources.Extract) bool {
	return !o.IsBackdated() || x.At.Before(o.FetchCutoff())
}

// FetchCutoff returns the time before which all fetches may be read. It is the end of the day for
// a build of an earlier date, otherwise the current second.
func (o *Options) FetchCutoff() time.Time {
	if o.IsBackdated() {
		return calendar.Period{To: o.AsOf}.End()
	}
	return o.Now().UTC().Truncate(time.Second)
}

// IsBackdated reports whether the run leaves out extracts that were fetched after its date:
// FetchedByDate is set, and AsOf is before today.
func (o *Options) IsBackdated() bool {
	return o.FetchedByDate && o.AsOf.Before(sources.DateOf(o.Now()))
}

// ConfiguredSources returns the configured sources, in the order of sources/all.
func (o *Options) ConfiguredSources() ([]sources.Source, error) {
	return all.ConfiguredSources(o.Config.Sources, o.Config.Platform)
}

// NewWaiter returns a Waiter for the locks of the run.
func (o *Options) NewWaiter() locks.Waiter {
	return locks.Waiter{Dir: o.ProtectedPath(), Whole: o.IsWhole(), MaxWait: o.LockWait, Step: o.ReportStep}
}

// ValidExceptions returns the configured exceptions (accepted faults) that are valid on the run's date.
// It logs those that have expired.
func (o *Options) ValidExceptions() []snapshots.Exception {
	standing, expired := o.Config.Checks.ValidExceptions(o.AsOf.Time())
	for _, e := range expired {
		o.Log.Warn("an acknowledged exception has expired and excuses nothing; remove or renew it", "check", e.Check,
			"of", e.Subject, "until", e.Until)
	}
	return standing
}

// SourcesRead returns those sources of the list that this run reads. A whole run reads all; a light
// run reads only those that its tables need.
func (o *Options) SourcesRead(list []sources.Source) []sources.Source {
	if o.IsWhole() {
		return list
	}
	var few []sources.Source
	for _, s := range list {
		switch info := s.Info(); {
		case info.IsReference:
			few = append(few, s)
		case info.Kind == sources.KindPlatform:
			few = append(few, platform.New(o.FeedConfig()))
		}
	}
	return few
}

// FeedConfig returns the configuration of the platform's feed, limited to the files that this run needs.
func (o *Options) FeedConfig() platform.Config {
	p := o.Config.Platform
	if !o.IsWhole() {
		p.Kinds = []platform.Kind{platform.KindBoroughs, platform.KindAdverts, platform.KindEvents, platform.KindPathways,
			platform.KindS106}
	}
	return p
}

// ReadsFile reports whether this run reads a file of the platform's feed.
func (o *Options) ReadsFile(object string) bool {
	feed := o.FeedConfig()
	return feed.ReadsFile(object)
}

// Cluster returns the configured Spark cluster with its secret. If none is configured, it returns
// only what is needed to remove the files of an earlier one.
func (o *Options) Cluster() (c engine.Cluster, err error) {
	if e := o.Config.Engine; e != nil {
		if c = *e; e.TokenEnv != "" {
			var ok bool
			if c.Token, ok = o.Secrets(e.TokenEnv); !ok || c.Token == "" {
				return c, fmt.Errorf("engine.token_env: the environment has no %s", e.TokenEnv)
			}
		}
	}
	c.SessionFile = o.ProtectedPath("cluster.json")
	return c, nil
}

// ConnectCluster connects to the configured cluster. It returns nil if none is configured and this machine
// does the counting.
func (o *Options) ConnectCluster(ctx context.Context) (engine.Engine, error) {
	if o.Config.Engine == nil {
		return nil, nil
	}
	cluster, err := o.Cluster()
	if err != nil {
		return nil, err
	}
	o.ReportStep("copy staged rows to the cluster")
	return engine.ConnectCluster(ctx, cluster)
}

// rowsOfEach is the approximate number of table rows made for each advert, resident or outcome.
const rowsOfEach = 100

// Limits returns the memory and thread limits for counting on this machine. records is the number
// of adverts, residents and outcomes.
func (o *Options) Limits(records int32) engine.Limits {
	return engine.Limits{MemoryMB: o.MemoryMB, Threads: cmp.Or(o.Threads, threads.ForRows(rowsOfEach*int64(records))),
		TempDir: o.ProtectedPath("spill")}
}

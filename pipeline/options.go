// Package pipeline is the batch side of the service: it fetches each permitted source, applies the
// advert counting rules, codes, counts cells, protects counts of people, checks, seals a dated
// snapshot and promotes it.
//
// A source that fails does not stop a run: its last good extract is used again, it becomes `stale`
// some time after its last success, and the result reports it. A run that is killed at any point
// does not change the current snapshot.
package pipeline

import (
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/config"
	"labour/pipeline/locks"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/all"
	"labour/sources/archive"
	"labour/sources/platform"
)

// OnlyPlatform asks for a light snapshot: only the platform's feed is fetched. The tables that rest
// on it only are made again (events, the platform's jobs, pathways, s106 and the freshness of all
// sources), and every other table is taken over from the current snapshot, byte by byte. It is
// cheap enough to be made every minute.
//
// A light snapshot describes the date of the current one, since the tables it takes over do. Its
// events and jobs are of the day on which it fetches, so that they flow while no whole run is
// promoted, because a check refuses it for example. Figures of people stay as printed. Jobs of
// other sources stay as they are. A vacancy that another source showed before and the platform has
// begun to show since is listed twice. The next whole run lists it once.
const OnlyPlatform = platform.Key

// Options holds the inputs and settings of a run.
type Options struct {
	Config *config.Config
	Data   string           // the data directory
	AsOf   sources.Date     // the date the data describes
	Now    func() time.Time // the clock, for fetch times and created_at
	Log    *slog.Logger
	// Secrets finds a secret by the name that the configuration gives it.
	Secrets func(name string) (value string, ok bool)
	// Progress is called with the name of each step as it begins; nil for no calls.
	Progress func(step string)
	// Detail is called often with how far a running step is; nil for no calls.
	Detail func(text string)
	// ToolVersion goes into the manifest and the User-Agent.
	ToolVersion string
	// Sign signs SHA256SUMS of the snapshot of that id; nil for no signature.
	Sign func(id snapshots.ID, sums []byte) ([]byte, error)
	// Only is empty, or OnlyPlatform for a light snapshot.
	Only     string
	MemoryMB int // of the engine that counts cells; 0 = 2048
	Threads  int // 0 = every core
	Attempts int // tries per download; 0 = 5
	// LockWait is how long the run waits for a lock that another run of the same data directory
	// holds; 0 = locks.DefaultWait.
	LockWait time.Duration

	onlyFetchedBy bool // what was fetched after AsOf is not read
}

// protected returns the part of the data directory that only the pipeline reads.
func (o *Options) protected(elements ...string) string {
	return filepath.Join(append([]string{o.Data, "protected"}, elements...)...)
}

// CodingNotesFile returns the path of the last run's list of places and titles that were not coded
// well and of the skills found by sector. It stays in the protected zone.
func CodingNotesFile(data string) string {
	return filepath.Join(data, "protected", "coding", "notes.json")
}

// ArchiveDir returns the path of the archive of a data directory.
func ArchiveDir(data string) string { return filepath.Join(data, "protected", "archive") }

func (o *Options) step(name string) {
	o.Log.Info("step", "name", name)
	if o.Progress != nil {
		o.Progress(name)
	}
}

func (o *Options) detail(format string, args ...any) {
	if o.Detail != nil {
		o.Detail(fmt.Sprintf(format, args...))
	}
}

// resolved returns the complete options of a run. A light snapshot gets the date of the current
// one.
func (o Options) resolved() (Options, error) {
	switch {
	case o.Config == nil:
		return o, errors.New("a configuration is needed")
	case o.Data == "":
		return o, errors.New("a data directory is needed")
	case o.Now == nil || o.Log == nil:
		return o, errors.New("a clock and a log are needed")
	case o.Only != "" && o.Only != OnlyPlatform:
		return o, fmt.Errorf("only %q can be fetched alone, not %q", OnlyPlatform, o.Only)
	case !calendar.Day.DueAt(o.level()):
		now, err := previous.Current(o.Data)
		if err != nil {
			return o, err
		}
		o.AsOf = sources.DateOf(now.AsOf.Time)
	}
	if o.AsOf.IsZero() {
		return o, errors.New("the date the data describes is needed")
	}
	return o, o.checkFormat()
}

// checkFormat returns snapshots.ErrFormat if the current snapshot of the data directory has another
// format: then nothing is fetched and nothing is written.
func (o *Options) checkFormat() error {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	if _, err := store.Index(); errors.Is(err, snapshots.ErrFormat) {
		return err
	}
	id, err := store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return nil
	}
	if err == nil {
		_, err = store.Manifest(id)
	}
	return err
}

// level returns the highest level at which the run builds: minutes for a light snapshot, otherwise quarters.
// A quarter's figures also have to be ready.
func (o *Options) level() calendar.Cadence {
	if o.Only == OnlyPlatform {
		return calendar.Minute
	}
	return calendar.Quarter
}

// fetchedBy reports whether the run may read an extract. A build reads the extracts that were
// fetched by the end of its date; a run also reads those that it fetched itself, whatever its date.
func (o *Options) fetchedBy() func(sources.Extract) bool {
	if !o.backdated() {
		return archive.AllExtracts
	}
	end := o.fetchedUntil()
	return func(x sources.Extract) bool { return x.At.Before(end) }
}

// fetchedUntil returns the time, exclusive, until which all fetches are known: the end of the day
// for a build of the past, otherwise the current second. The extracts of the current second that
// the snapshot is built from are known as well.
func (o *Options) fetchedUntil() time.Time {
	if o.backdated() {
		return calendar.Period{To: o.AsOf}.End()
	}
	return o.Now().UTC().Truncate(time.Second)
}

// backdated reports whether extracts that were fetched after the date of the data are left out.
func (o *Options) backdated() bool {
	return o.onlyFetchedBy && o.AsOf.Before(sources.DateOf(o.Now()))
}

// list returns the configured sources, in the order of sources/all.
func (o *Options) list() ([]sources.Source, error) {
	return all.List(o.Config.Sources, o.Config.Platform)
}

// locks returns a Waiter for the locks of the run.
func (o *Options) locks() locks.Waiter {
	return locks.Waiter{Dir: o.protected(), Whole: calendar.Day.DueAt(o.level()), Limit: o.LockWait, Step: o.step}
}

// standing returns the exceptions of the configuration that are valid on the date of the data. It
// logs the expired ones, so that they are removed or renewed.
func (o *Options) standing() []snapshots.Exception {
	standing, expired := o.Config.Checks.ValidExceptions(day(o.AsOf))
	for _, e := range expired {
		o.Log.Warn("an acknowledged exception has expired and excuses nothing; remove or renew it", "check", e.Check,
			"of", e.Of, "until", e.Until)
	}
	return standing
}

func day(d sources.Date) time.Time { return d.Time() }

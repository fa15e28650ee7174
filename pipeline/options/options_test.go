package options

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/pipeline/cells/engine"
	"labour/pipeline/check/limits"
	"labour/pipeline/config"
	"labour/pipeline/protected"
	"labour/snapshots/snaptest"
	"labour/sources"
	"labour/sources/platform"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 5, time.UTC)

func day(n int) sources.Date { return sources.DateOf(noon.AddDate(0, 0, n)) }

// optionsOf are complete settings of a run for day 0.
func optionsOf(data string) Options {
	feed := platform.Config{Name: "Works", Link: "https://works.example", FeedAddress: data}
	return Options{Config: &config.Config{Platform: feed}, DataDir: data, AsOf: day(0),
		Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler)}
}

// Settings without which no run begins are asked for by name.
func TestRequiredSettings(t *testing.T) {
	data := t.TempDir()
	for _, c := range []struct {
		change func(*Options)
		has    string
	}{
		{func(*Options) {}, ""},
		{func(o *Options) { o.Config = nil }, "a configuration is needed"},
		{func(o *Options) { o.DataDir = "" }, "a data directory is needed"},
		{func(o *Options) { o.Now = nil }, "a clock and a log are needed"},
		{func(o *Options) { o.Log = nil }, "a clock and a log are needed"},
		{func(o *Options) { o.IsLight = true }, "a whole run is needed"},
		{func(o *Options) { o.AsOf = sources.Date{} }, "the date the data describes is needed"},
	} {
		o := optionsOf(data)
		c.change(&o)
		err := o.Validate()
		if (err == nil) != (c.has == "") || err != nil && !strings.Contains(err.Error(), c.has) {
			t.Errorf("the error is %v, want %q", err, c.has)
		}
	}
	snaptest.BuildSnapshot(t, data, "2026-11-18", snaptest.Content{PlatformName: "Works"})
	for light, asOf := range map[bool]sources.Date{false: day(0), true: {}} {
		o := optionsOf(data)
		o.IsLight, o.AsOf = light, asOf
		if err := o.Validate(); err != nil {
			t.Errorf("light %v, the date %s: %v", light, asOf, err)
		}
	}
}

// A build of an earlier date reads what was fetched by its end; any other run reads everything.
func TestExtractsOfTheDate(t *testing.T) {
	end := day(0).Time() // the end of day -1
	for _, c := range []struct {
		asOf   sources.Date
		byDate bool
		back   bool
		until  time.Time
	}{
		{day(0), true, false, noon.Truncate(time.Second)},
		{day(1), true, false, noon.Truncate(time.Second)},
		{day(-1), true, true, end},
		{day(-1), false, false, noon.Truncate(time.Second)},
	} {
		now := noon.In(time.FixedZone("", 60))
		o := Options{AsOf: c.asOf, OnlyFetchedByDate: c.byDate, Now: func() time.Time { return now }}
		if got := o.FetchCutoff(); o.IsBackdated() != c.back || !got.Equal(c.until) || got.Location() != time.UTC {
			t.Errorf("%s: backdated %v until %s, want %v until %s", c.asOf, o.IsBackdated(), got, c.back, c.until)
		}
		for _, at := range []time.Time{end.Add(-time.Second), end, noon.AddDate(1, 0, 0)} {
			if got, want := o.MayRead(sources.Extract{FetchedAt: at}), !c.back || at.Before(end); got != want {
				t.Errorf("%s: the fetch of %s is known %v, want %v", c.asOf, at, got, want)
			}
		}
	}
}

// Staged rows and true counts are removed, and nothing else; a folder that cannot be emptied is an
// error.
func TestUnroundedCountsAreRemoved(t *testing.T) {
	o := Options{DataDir: t.TempDir()}
	for _, name := range []string{"staging", "truth", "archive"} {
		if err := os.MkdirAll(filepath.Join(protected.Dir(o.DataDir), name, "a folder"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.RemoveUnrounded(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(protected.Dir(o.DataDir))
	if err != nil || len(left) != 1 || left[0].Name() != "archive" {
		t.Errorf("left are %v, %v", left, err)
	}
	o.DataDir = "a\x00b"
	if err := o.RemoveUnrounded(); err == nil || !strings.HasPrefix(err.Error(), "remove staged rows: ") {
		t.Errorf("a folder that cannot be: %v", err)
	}
}

// The files of a killed run and of a killed rebuild are removed, also without the settings of a cluster. The
// directory of a rebuild that goes on stays.
func TestLeftoversAreRemoved(t *testing.T) {
	o := Options{DataDir: t.TempDir(), Config: &config.Config{}}
	if o.hasLeftoverFiles() {
		t.Error("an empty data directory has leftovers")
	}
	active, remove, err := o.MakeRebuildDir()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"staging", "truth", "spill", "rebuild-1", "archive"} {
		if err := os.MkdirAll(filepath.Join(protected.Dir(o.DataDir), name, "a folder"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.RemoveLeftovers(t.Context()); err != nil || !o.hasLeftoverFiles() {
		t.Fatalf("the active rebuild is left: %v, %v", o.hasLeftoverFiles(), err)
	}
	left, err := os.ReadDir(protected.Dir(o.DataDir))
	if err != nil || len(left) != 2 || left[0].Name() != "archive" || left[1].Name() != filepath.Base(active) {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := remove(); err != nil || o.hasLeftoverFiles() {
		t.Errorf("after the rebuild: %v, %v", o.hasLeftoverFiles(), err)
	}
	for _, name := range []string{"staging", "truth", "spill", "rebuild-1"} {
		if err := os.MkdirAll(filepath.Join(protected.Dir(o.DataDir), name), 0o700); err != nil {
			t.Fatal(err)
		}
		if !o.hasLeftoverFiles() {
			t.Errorf("%s is no leftover", name)
		}
		if err := o.removeLeftoverFiles(); err != nil || o.hasLeftoverFiles() {
			t.Errorf("%s is left: %v", name, err)
		}
	}
}

// Steps and details are reported to every listener.
func TestProgressIsReported(t *testing.T) {
	var log bytes.Buffer
	var steps, details []string
	o := Options{Log: slog.New(slog.NewTextHandler(&log, nil))}
	o.ReportStep("a")
	o.ReportDetail("%d", 1)
	o.OnStep = func(s string) { steps = append(steps, s) }
	o.OnDetail = func(s string) { details = append(details, s) }
	o.ReportStep("b")
	o.ReportDetail("%d of %d", 2, 3)
	if !slices.Equal(steps, []string{"b"}) || !slices.Equal(details, []string{"2 of 3"}) ||
		strings.Count(log.String(), "msg=step") != 2 || !strings.Contains(log.String(), "name=a") {
		t.Errorf("the steps are %q, the details %q, the log %s", steps, details, log.String())
	}
	o.LockWait, o.DataDir = time.Minute, "/data"
	if w := o.NewWaiter(); w.LockDir != "/data/protected" || !w.IsWholeRun || w.MaxWait != time.Minute {
		t.Errorf("the locks are %+v", w)
	}
	o.IsLight = true
	if w := o.NewWaiter(); w.IsWholeRun {
		t.Error("a light run waits as a whole one")
	}
}

// one is a source of a kind.
type one struct {
	sources.Source
	info sources.Info
}

func (s one) Info() sources.Info { return s.info }

// A light run reads reference data and, of the platform, only the files that its tables are made
// from.
func TestSourcesOfALightRun(t *testing.T) {
	o := optionsOf(t.TempDir())
	list, err := o.ConfiguredSources()
	if err != nil || len(list) != 1 || list[0].Info().Key != platform.Key {
		t.Fatalf("the sources are %v, %v; want the platform", list, err)
	}
	list = append(list, one{info: sources.Info{Key: "geography", IsReference: true}},
		one{info: sources.Info{Key: "boards", Kind: sources.KindEmployerBoards}})
	for _, c := range []struct {
		only       string
		withPeople bool
		want       string
	}{{"", true, "platform geography boards"}, {"", false, "platform geography boards"},
		{OnlyPlatform, false, "platform geography"}} {
		o.IsLight = c.only != ""
		var keys []string
		var feed interface{ SelectsFile(string) bool }
		for _, s := range o.FilterSources(list, c.withPeople) {
			keys = append(keys, s.Info().Key)
			if s.Info().Key == platform.Key {
				feed = s.(*platform.FeedSource)
			}
		}
		if got := strings.Join(keys, " "); got != c.want {
			t.Errorf("%+v: %s are read", c, got)
		}
		for file, light := range map[string]bool{"boroughs.ndjson": true, "adverts.ndjson": true, "events.ndjson": true,
			"pathways.ndjson": true, "s106.ndjson": true, "residents.ndjson": false, "applications.ndjson": false} {
			if got := feed.SelectsFile(file); got != (light || c.withPeople) {
				t.Errorf("%+v: %s is read %v", c, file, got)
			}
		}
	}
	if len(o.Config.Platform.Kinds) != 0 {
		t.Error("the configuration was changed")
	}
}

// A token is read from the environment. Without a cluster, only the note on an earlier one is
// known.
func TestClusterAndItsToken(t *testing.T) {
	o := optionsOf("/data")
	o.LookupSecret = func(name string) (string, bool) {
		v, ok := map[string]string{"TOKEN": "secret", "EMPTY": ""}[name]
		return v, ok
	}
	var steps []string
	o.OnStep = func(name string) { steps = append(steps, name) }
	if e, err := o.ConnectCluster(t.Context()); e != nil || err != nil || steps != nil {
		t.Errorf("without a cluster: %v, %v", e, err)
	}
	for env, fails := range map[string]bool{"": false, "TOKEN": false, "EMPTY": true, "OTHER": true} {
		o.Config.Engine = &engine.Cluster{Address: "sc://host:15002", WorkFolder: "/work", TokenEnv: env}
		c, err := o.SparkClusterSettings()
		if (err != nil) != fails || fails && !strings.Contains(err.Error(), "engine.token_env: the environment has no "+env) {
			t.Errorf("%q: %v", env, err)
		}
		if !fails && (c.Address != "sc://host:15002" || c.SessionFile != "/data/protected/cluster.json" ||
			(c.Token == "secret") != (env == "TOKEN")) {
			t.Errorf("%q: the cluster is %+v", env, c)
		}
		o.Config.Engine.Address = "no address"
		steps = nil
		if _, err := o.ConnectCluster(t.Context()); err == nil || (len(steps) == 0) != fails {
			t.Errorf("%q: connected to no address: %v after the steps %q", env, err, steps)
		}
	}
	o.Config.Engine = nil
	if c, err := o.SparkClusterSettings(); err != nil ||
		c.SessionFile != "/data/protected/cluster.json" || c.Address != "" {
		t.Errorf("without a cluster: %+v, %v", c, err)
	}
}

// Few rows are counted in one thread, unless a number is set.
func TestLimitsOfCounting(t *testing.T) {
	o := Options{DataDir: "/data", MemoryMB: 7}
	if l := o.EngineLimits(0); l.MemoryMB != 7 || l.Threads != 1 || l.TempDir != "/data/protected/spill" {
		t.Errorf("the limits are %+v", l)
	}
	if l := o.EngineLimits(1_000_000); l.Threads != 0 {
		t.Errorf("a million records are counted in %d threads, want every core", l.Threads)
	}
	o.Threads = 3
	if l := o.EngineLimits(1); l.Threads != 3 {
		t.Errorf("%d threads, want 3", l.Threads)
	}
}

// An exception is valid until its last day. A whole run warns of an expired one.
func TestExpiredExceptionsAreWarnedOf(t *testing.T) {
	var log bytes.Buffer
	o := optionsOf("/data")
	o.Log = slog.New(slog.NewTextHandler(&log, nil))
	o.Config.CheckLimits.Exceptions = []limits.Exception{
		{Check: "shrink", Subject: "jobs", AcceptedBy: "Us", Reason: "So.", ValidUntil: "2026-11-20"},
		{Check: "growth", Subject: "people", AcceptedBy: "Us", Reason: "So.", ValidUntil: "2026-11-19"}}
	got := o.ValidExceptions(o.AsOf)
	if len(got) != 1 || got[0].Check != "shrink" || got[0].Subject != "jobs" {
		t.Errorf("valid are %+v, want that of jobs", got)
	}
	if !strings.Contains(log.String(), "check=growth of=people") || strings.Contains(log.String(), "check=shrink") {
		t.Errorf("the log is %s", log.String())
	}
	log.Reset()
	o.IsLight = true
	if got := o.ValidExceptions(o.AsOf); len(got) != 1 || log.Len() > 0 {
		t.Errorf("a light run: valid are %+v, and the log is %s", got, log.String())
	}
}

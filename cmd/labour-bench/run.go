package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/procfs"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/config"
	"labour/pipeline/protected"
	"labour/sources"
)

type stage struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	CPU     float64 `json:"cpu_seconds"`
}

type pipelineResult struct {
	Stages []stage          `json:"stages"`
	Rows   map[string]int64 `json:"rows"` // number of records by source, and of rows by table
	// peak resident memory of the process, in MB
	PeakMB int64 `json:"peak_memory_mb"`
	// number of bytes that system calls read from disk, cache and sockets
	Read    int64  `json:"bytes_read"`
	Written int64  `json:"bytes_written"` // number of bytes that system calls wrote
	ID      string `json:"snapshot,omitempty"`
	// People has how many counts of people were published in each form, such as a number or "<5".
	// The keys are the forms.
	People map[string]int64 `json:"people_figures,omitempty"`
}

// stopwatch measures the elapsed time and the CPU time of each stage of the pipeline.
type stopwatch struct {
	stages     []stage
	stageStart time.Time
	cpu        time.Duration
	report     func(string)
}

// step ends the current stage of the pipeline and starts a new one. An empty name only ends the
// current stage.
func (s *stopwatch) step(name string) {
	at, cpu := now(), processorUsed()
	if n := len(s.stages); n > 0 {
		s.stages[n-1].Seconds += at.Sub(s.stageStart).Seconds()
		s.stages[n-1].CPU += (cpu - s.cpu).Seconds()
	}
	s.stageStart, s.cpu = at, cpu
	if name != "" {
		s.report(name)
		s.stages = append(s.stages, stage{Name: name})
	}
}

func processorUsed() time.Duration {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &r) != nil {
		return 0 // cannot fail for this process
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

type runOptions struct {
	Dir     string `flag:"dir" required:"" usage:"directory of made-up data, see labour-bench data"`
	Data    string `flag:"data" usage:"data directory to publish into, kept (default: a temporary one, removed)"`
	Memory  int    `flag:"memory" usage:"memory of the engine that counts cells, in MB (default 2048)"`
	Profile string `flag:"profile" usage:"directory for profiles of the pipeline's processor time and memory, for go tool pprof"`
	JSON    string `flag:"json" usage:"file for the figures as JSON"`
}

// measurePipeline builds a snapshot from the archive and promotes it. It measures time, memory and
// disk access. about describes the made-up data in the archive.
func measurePipeline(ctx context.Context, o *runOptions, about madeWorld) (m pipelineResult, err error) {
	asOf, err := sources.ParseDate(about.AsOf)
	if err != nil {
		return m, err
	}
	c, err := config.Load(filepath.Join(o.Dir, configFile))
	if err != nil {
		return m, err
	}
	if err := shareArchive(filepath.Join(o.Dir, fetchedDir), o.Data); err != nil {
		return m, err
	}
	stop, err := startProfile(o.Profile)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	p := newProgress()
	defer p.End()
	cli.SetBatchGC(os.LookupEnv)
	watch := &stopwatch{report: p.Step}
	// with the real time, the build would ignore all fetches after asOf
	onTheDay := func() time.Time { return asOf.AddDays(1).Time().Add(-time.Second) }
	options := pipeline.Options{Config: c, DataDir: o.Data, AsOf: asOf, Now: onTheDay, Log: logger(), LookupSecret: secret,
		OnStep: watch.step, MemoryMB: o.Memory, ToolVersion: "bench"}
	built, err := pipeline.Build(ctx, options)
	if err != nil {
		return m, err
	}
	watch.step("check and promote")
	if err := pipeline.Promote(ctx, options, built.ID); err != nil {
		return m, err
	}
	watch.step("")
	m = pipelineResult{Stages: watch.stages, Rows: map[string]int64{}, ID: string(built.ID), People: built.Report.People}
	for _, s := range built.Report.Sources {
		m.Rows["read "+s.Source] = s.Records
	}
	for name, n := range built.Report.Tables {
		m.Rows["table "+name] = n
	}
	m.PeakMB = peakMB(os.Getpid())
	if self, err := procfs.Self(); err == nil { // only on Linux
		io, _ := self.IO()
		m.Read, m.Written = int64(io.RChar), int64(io.WChar)
	}
	return m, nil
}

// shareArchive makes the data directory target use the archive of the data directory source. It
// makes a symbolic link to that archive, or keeps a link that exists.
func shareArchive(source, target string) error {
	archive, err := filepath.Abs(protected.ArchiveDir(source))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(protected.ArchiveDir(target)), 0o700)
	}
	if err == nil {
		err = os.Symlink(archive, protected.ArchiveDir(target))
	}
	if errors.Is(err, fs.ErrExist) { // the link is from an earlier run
		return nil
	}
	return err
}

func readWorld(dir string) (made madeWorld, err error) {
	text, err := os.ReadFile(filepath.Join(dir, aboutFile))
	if err != nil {
		return made, fmt.Errorf("%w; make the data with `labour-bench data --dir %s`", err, dir)
	}
	return made, json.Unmarshal(text, &made)
}

func measureRun(ctx context.Context, o *runOptions, _ []string) (err error) {
	about, err := readWorld(o.Dir)
	if err != nil {
		return err
	}
	if o.Data == "" {
		if o.Data, err = os.MkdirTemp("", "labour-bench-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(o.Data)) }()
	}
	m, err := measurePipeline(ctx, o, about)
	if err != nil {
		return err
	}
	r := newRunReport(about, m)
	return errors.Join(writeJSON(o.JSON, r), printText(os.Stdout, "run", r))
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/pipeline/options"
	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/sources"
)

// runOptions holds the flags that all pipeline commands have, such as run, fetch and build.
type runOptions struct {
	Config          string        `flag:"config" default:"labour.yaml" usage:"configuration file"`
	Data            string        `flag:"data" default:"data" usage:"data directory"`
	AsOf            string        `flag:"as-of" usage:"date the data describes, YYYY-MM-DD (default: today, UTC)"`
	AllowFutureDate bool          `flag:"as-of-future" usage:"permit a date after tomorrow, for trials"`
	JSON            bool          `flag:"json" usage:"print the result as JSON"`
	LockWait        time.Duration `flag:"lock-wait" default:"10m" usage:"how long to wait for the lock of another run of the same data directory"`
	MemoryMB        int           `flag:"memory" least:"0" usage:"memory of the engine that counts cells, in MB (default 2048)"`
}

type sealOptions struct {
	runOptions
	SignKey string `flag:"sign-key" usage:"file of the secret key that signs the snapshot (default: the environment's LABOUR_SIGN_KEY_FILE; the password of an encrypted key comes from LABOUR_SIGN_KEY_PASSWORD)"`
}

type wholeOptions struct {
	sealOptions
	Notify     bool   `flag:"notify" usage:"notify the address in LABOUR_NOTIFY (https:// or mailto:) if the run does not end with status 0"`
	OnlySource string `flag:"only" usage:"platform: fetch only the platform's feed, and carry the other tables forward from the current snapshot; for a run every minute"`
}

const (
	// signKeyEnv is the environment variable with the path of the secret key that signs snapshots.
	// The flag --sign-key takes precedence.
	signKeyEnv = "LABOUR_SIGN_KEY_FILE"
	// signPasswordEnv is the environment variable with the password of the secret signing key. The
	// variable LABOUR_SIGN_KEY_PASSWORD_FILE may name a file that contains the password.
	signPasswordEnv = "LABOUR_SIGN_KEY_PASSWORD"
)

// pipelineOptions converts the flags to options of the pipeline. If a secret key is configured, the
// options include a function that signs snapshots.
func (o *sealOptions) pipelineOptions(a *app, p cli.Progress) (pipeline.Options, error) {
	if err := a.checkSecretsOfRuns(); err != nil {
		return pipeline.Options{}, err
	}
	settings, err := o.runOptions.pipelineOptions(a, p)
	file := cmp.Or(o.SignKey, a.setting(signKeyEnv))
	if err != nil || file == "" {
		return settings, err
	}
	password, _ := a.secret(signPasswordEnv)
	signer, err := signature.ReadSigner(file, password)
	if err == nil {
		settings.SignSums = signer.Sign
	}
	return settings, err
}

func (o *runOptions) pipelineOptions(a *app, p cli.Progress) (pipeline.Options, error) {
	c, _, err := loadSources(o.Config)
	if err != nil {
		return pipeline.Options{}, err
	}
	asOf, err := parseDate(o.AsOf, sources.DateOf(a.now()))
	if err != nil {
		return pipeline.Options{}, err
	}
	if tomorrow := sources.DateOf(a.now()).AddDays(1); tomorrow.Before(asOf) && !o.AllowFutureDate {
		return pipeline.Options{},
			cli.NewUsageError(fmt.Errorf(
				"--as-of %s is in the future: once promoted, it would block every run until that day; --as-of-future permits it",
				asOf))
	}
	if err := a.checkDecided(c, asOf); err != nil {
		return pipeline.Options{}, err
	}
	cli.SetBatchGC(a.getenv)
	return pipeline.Options{Config: c, DataDir: o.Data, AsOf: asOf, Now: a.now, Log: a.log(), LookupSecret: a.secret,
		OnStep: p.Step, OnDetail: p.Detail, ToolVersion: a.version, MemoryMB: o.MemoryMB,
		LockWait: o.LockWait}, nil
}

func (a *app) runNotified(ctx context.Context, o *wholeOptions, _ []string) error {
	run := func() error { return runPipeline(ctx, a, o) }
	if !o.Notify {
		return run()
	}
	return a.withNotice(ctx, "labour run", run)
}

func runPipeline(ctx context.Context, a *app, o *wholeOptions) error {
	switch {
	case o.OnlySource != "" && o.OnlySource != options.OnlyPlatform:
		return cli.NewUsageError(fmt.Errorf("--only %s: only %s can be fetched alone", o.OnlySource, options.OnlyPlatform))
	case o.OnlySource != "" && o.AsOf != "":
		return cli.NewUsageError(errors.New("--only takes the date from the current snapshot; leave --as-of out"))
	}
	p := a.newProgress()
	defer p.End()
	settings, err := o.pipelineOptions(a, p)
	if err != nil {
		return err
	}
	settings.IsLight = o.OnlySource != ""
	result, err := pipeline.Run(ctx, settings)
	err = explainInterrupt(ctx, err)
	p.End()
	if result.Report != nil {
		if err := printResult(a.stdout, &o.runOptions, result); err != nil {
			return err
		}
		if o.OnlySource != "" && !o.JSON {
			if err := printText(a.stdout, "light", nil); err != nil {
				return err
			}
		}
	}
	if err == nil {
		err = failedSourcesError(&o.runOptions, result)
	}
	return err
}

// failedSourcesError returns an error that wraps errSource and names the sources that failed, or nil
// if none failed.
func failedSourcesError(o *runOptions, r pipeline.Result) error {
	if len(r.FailedSources) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s; see %s report %s --data %s", errSource, strings.Join(r.FailedSources, ", "),
		shellWord(self()), r.ID, shellWord(o.Data))
}

func printResult(w io.Writer, o *runOptions, r pipeline.Result) error {
	if o.JSON {
		return cli.PrintJSON(w, map[string]any{"snapshot": r.ID, "failed_sources": r.FailedSources, "report": r.Report})
	}
	return printReport(w, o.Data, r.ID, r.Report)
}

// stepCmd returns a command that runs one step of the pipeline, such as fetch or build. do runs the
// step; the flags of the command determine the options in to. The other parameters are those of
// cli.NewCommand.
func stepCmd[O any, P interface {
	*O
	pipelineOptions(*app, cli.Progress) (pipeline.Options, error)
}](a *app, use, short string, args cobra.PositionalArgs, defaults O,
	do func(ctx context.Context, to pipeline.Options, o *O, args []string) error) *cobra.Command {
	return cli.NewCommand(use, short, args, defaults, func(ctx context.Context, o *O, args []string) error {
		p := a.newProgress()
		defer p.End()
		to, err := P(o).pipelineOptions(a, p)
		if err != nil {
			return err
		}
		return explainInterrupt(ctx, do(ctx, to, o, args))
	})
}

// explainInterrupt explains the error of a pipeline step that was interrupted, for example with
// Ctrl-C: nothing is lost, and the command can be started again. It returns err unchanged if ctx
// has not ended.
func explainInterrupt(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	return fmt.Errorf("interrupted; nothing is lost: the current snapshot stays as it is, "+
		"and the same command can be started again: %w", err)
}

func (a *app) fetch(ctx context.Context, o pipeline.Options, asked *runOptions, _ []string) error {
	fetched, err := pipeline.Fetch(ctx, o)
	if err != nil {
		return err
	}
	var bad []string
	for _, f := range fetched {
		if f.HasFailed() {
			bad = append(bad, f.Source)
		}
	}
	err = a.show(asked.JSON, "fetched", fetched)
	if err == nil && len(bad) > 0 {
		err = fmt.Errorf("%w: %s", errSource, strings.Join(bad, ", "))
	}
	return err
}

type buildOptions struct {
	sealOptions
	FromArchive string `flag:"from-archive" usage:"id of a sealed snapshot: rebuild its tables from its archived inputs, and report whether they are equal"`
}

func (a *app) build(ctx context.Context, to pipeline.Options, o *buildOptions, _ []string) error {
	if o.FromArchive != "" {
		return rebuild(ctx, a, to, &o.runOptions, o.FromArchive)
	}
	built, err := pipeline.Build(ctx, to)
	if err != nil {
		return err
	}
	result := pipeline.Result{ID: built.ID, Report: built.Report, FailedSources: built.Report.DamagedSources()}
	if err := printResult(a.stdout, &o.runOptions, result); err != nil {
		return err
	}
	return failedSourcesError(&o.runOptions, result)
}

// parseSealedID parses the ID of a snapshot. It returns an error if the snapshot is not in the data
// directory.
func parseSealedID(o pipeline.Options, name string) (snapshots.ID, error) {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return "", cli.NewUsageError(err)
	}
	_, err = snapshotDir(o.DataDir, name)
	return id, err
}

func (a *app) check(ctx context.Context, o pipeline.Options, asked *runOptions, args []string) error {
	id, err := parseSealedID(o, args[0])
	if err != nil {
		return err
	}
	permit, err := pipeline.Check(ctx, o, id)
	var refused *pipeline.RefusedError
	isRefused := errors.As(err, &refused)
	if err != nil && !(isRefused && asked.JSON) {
		return err
	}
	result := map[string]any{"snapshot": id, "faults": []string{},
		"acknowledged":    append([]string{}, permit.AcknowledgedFaults...),
		"idle_exceptions": append([]string{}, permit.UnusedExceptions...)}
	if isRefused {
		result["faults"] = refused.Faults
	}
	return errors.Join(err, a.show(asked.JSON, "checked", result))
}

func (a *app) promote(ctx context.Context, o *runOptions, args []string) error {
	id, err := snapshots.ParseID(args[0])
	if err != nil {
		return cli.NewUsageError(err)
	}
	store, err := openData(o.Data)
	if err != nil {
		return err
	}
	pulled, err := store.IsFromOtherStore(id)
	if err != nil {
		return err
	}
	if pulled {
		err = promotePulled(ctx, store, id)
	} else {
		err = a.promoteSealed(ctx, o, args[0])
	}
	if err != nil {
		return err
	}
	if err := a.show(o.JSON, "promoted", map[string]any{"snapshot": id}); err != nil {
		return err
	}
	return a.warnOfClosedDatasets(o.Data, store, id)
}

// promoteSealed makes a snapshot the current one. name is the snapshot's ID. The snapshot was built
// in this data directory, not downloaded.
func (a *app) promoteSealed(ctx context.Context, o *runOptions, name string) error {
	p := a.newProgress()
	defer p.End()
	settings, err := o.pipelineOptions(a, p)
	if err != nil {
		return err
	}
	id, err := parseSealedID(settings, name)
	if err != nil {
		return err
	}
	return pipeline.Promote(ctx, settings, id)
}

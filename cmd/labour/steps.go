package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
)

// stepCmd is one step of the pipeline as a command of its own.
func stepCmd[O any, P interface {
	*O
	pipeline(*app, cli.Progress) (pipeline.Options, error)
}](a *app, use, short string, args cobra.PositionalArgs, options O, do func(ctx context.Context, to pipeline.Options, o *O, args []string) error) *cobra.Command {
	return cli.Command(use, short, args, options, func(ctx context.Context, o *O, args []string) error {
		p := a.newProgress()
		defer p.End()
		to, err := P(o).pipeline(a, p)
		if err != nil {
			return err
		}
		return do(ctx, to, o, args)
	})
}

func newFetchCmd(a *app) *cobra.Command {
	return stepCmd(a, "fetch", "Download every permitted source into the archive", cli.Exactly(0), runOptions{},
		func(ctx context.Context, o pipeline.Options, _ *runOptions, _ []string) error {
			fetched, err := pipeline.Fetch(ctx, o)
			if err != nil {
				return err
			}
			var bad []string
			for _, f := range fetched {
				outcome := "fetched"
				if f.Err != "" {
					outcome = f.Err
				} else if len(f.Faults) > 0 {
					outcome = fmt.Sprintf("fetched, %d parts failed", len(f.Faults))
				}
				if outcome != "fetched" {
					bad = append(bad, f.Source)
				}
				fmt.Fprintf(a.stdout, "%s: %s\n", f.Source, outcome)
			}
			if len(bad) > 0 {
				return fmt.Errorf("%w: %s", errSource, strings.Join(bad, ", "))
			}
			return nil
		})
}

type buildOptions struct {
	sealOptions
	Again string `flag:"from-archive" usage:"id of a sealed snapshot: make its tables again from the archived bytes that it names, and say whether they are equal"`
}

func newBuildCmd(a *app) *cobra.Command {
	return stepCmd(a, "build", "Build and seal a snapshot from the archive, without the network", cli.Exactly(0), buildOptions{},
		func(ctx context.Context, to pipeline.Options, o *buildOptions, _ []string) error {
			if o.Again != "" {
				return rebuild(ctx, a, to, &o.runOptions, o.Again)
			}
			built, err := pipeline.Build(ctx, to, nil)
			if err != nil {
				return err
			}
			return printResult(a.stdout, &o.runOptions, pipeline.Result{ID: built.ID, Report: built.Report})
		})
}

// sealed is the id of a snapshot of the data directory.
func sealed(o pipeline.Options, name string) (snapshots.ID, error) {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return "", cli.Usage(err)
	}
	_, err = snapshotDir(o.Data, name)
	return id, err
}

func newCheckCmd(a *app) *cobra.Command {
	return stepCmd(a, "check ID", "Say whether a snapshot is sound and may replace the current one", cli.Exactly(1), runOptions{},
		func(ctx context.Context, o pipeline.Options, _ *runOptions, args []string) error {
			id, err := sealed(o, args[0])
			if err != nil {
				return err
			}
			verdict, err := pipeline.Check(ctx, o, id)
			if err != nil {
				return err
			}
			for _, fault := range verdict.Acknowledged {
				fmt.Fprintln(a.stdout, fault)
			}
			for _, e := range verdict.Idle {
				fmt.Fprintf(a.stdout, "exception for %s matches nothing\n", e)
			}
			return a.say("%s may be promoted\n", id)
		})
}

func newPromoteCmd(a *app) *cobra.Command {
	return stepCmd(a, "promote ID", "Make a sealed snapshot the current one; an older one to go back", cli.Exactly(1), runOptions{},
		func(ctx context.Context, o pipeline.Options, _ *runOptions, args []string) error {
			id, err := sealed(o, args[0])
			if err != nil {
				return err
			}
			if err := pipeline.Promote(ctx, o, id); err != nil {
				return err
			}
			return a.say("%s is current\n", id)
		})
}

// rebuild makes a snapshot's tables again and says which are equal to the byte.
func rebuild(ctx context.Context, a *app, o pipeline.Options, asked *runOptions, name string) error {
	id, err := snapshots.ParseID(name)
	if err != nil {
		return cli.Usage(err)
	}
	if asked.AsOf != "" {
		return cli.Usage(errors.New("--from-archive takes the date from the snapshot; leave --as-of out"))
	}
	tables, err := pipeline.Rebuild(ctx, o, id)
	if err != nil {
		return err
	}
	differ := 0
	for _, t := range tables {
		if !t.Equal() {
			differ++
		}
	}
	if err := a.show(asked.JSON, "rebuilt", map[string]any{"snapshot": id, "tables": tables}); err != nil {
		return err
	}
	if differ > 0 {
		return fmt.Errorf("%w: %d of %d tables of %s differ", errRefused, differ, len(tables), id)
	}
	return nil
}

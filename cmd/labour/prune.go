package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
	"labour/snapshots/retention"
)

// pruneOptions are the flags of `labour snapshot prune`.
type pruneOptions struct {
	data         string
	schedule     retention.Schedule
	dryRun, json bool
	archive      bool
	config       string // read for the archive only
}

func newSnapshotPruneCmd(a *app) *cobra.Command {
	var o pruneOptions
	c := &cobra.Command{Use: "prune", Short: "Remove old snapshots by a schedule of days, months and years", Args: cli.Exactly(0),
		Long: "Remove the snapshots that no schedule keeps. The current one, newer ones and those\nthat were sealed or superseded less than 24 hours ago always stay: they may yet be\npromoted, and cursors may name them. With --archive, archived bytes that no snapshot\nthat is left was built from, and that no build will read, are removed too.\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, _ []string) error { return prune(cmd.Context(), a, o) }}
	c.Flags().StringVar(&o.data, "data", "data", "data directory")
	c.Flags().IntVar(&o.schedule.Daily, "keep-daily", 31, "days of which the last published snapshot is kept")
	c.Flags().IntVar(&o.schedule.Monthly, "keep-monthly", 24, "months of which the last published snapshot is kept")
	c.Flags().IntVar(&o.schedule.Yearly, "keep-yearly", 10, "years of which the last published snapshot is kept")
	c.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be removed, and remove nothing")
	c.Flags().BoolVar(&o.archive, "archive", false, "remove archived bytes that nothing needs any more")
	c.Flags().StringVar(&o.config, "config", "labour.yaml", "configuration file, which says what the sources are; read with --archive")
	c.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return c
}

func prune(ctx context.Context, a *app, o pruneOptions) error {
	if min(o.schedule.Daily, o.schedule.Monthly, o.schedule.Yearly) < 0 {
		return cli.Usage(errors.New("the numbers to keep must not be negative"))
	}
	store, err := snapshots.Open(o.data)
	if err != nil {
		return err
	}
	list, err := retained(ctx, store)
	if err != nil {
		return err
	}
	verdicts := retention.Plan(list, a.now(), o.schedule)
	var gone []snapshots.ID
	for _, v := range verdicts {
		if !v.Keep {
			gone = append(gone, v.ID)
		}
	}
	if !o.dryRun {
		for _, id := range gone {
			if err := store.Remove(ctx, id); err != nil {
				return err
			}
		}
	}
	if err := printVerdicts(a, o, verdicts); err != nil || !o.archive {
		return err
	}
	return collectArchive(ctx, a, o, gone)
}

// collectArchive removes archived bytes after the snapshots that needed them.
func collectArchive(ctx context.Context, a *app, o pruneOptions, gone []snapshots.ID) error {
	run := runOptions{config: o.config, data: o.data}
	options, err := run.pipeline(a, cli.NewProgress(a.stderr, a.now, false))
	if err != nil {
		return err
	}
	c, err := pipeline.CollectArchive(ctx, options, gone, o.dryRun)
	if err != nil {
		return err
	}
	done := "removed"
	if o.dryRun {
		done = "would be removed"
	}
	fmt.Fprintf(a.stderr, "archive: %d bodies (%d bytes) %s, %d (%d bytes) kept\n", c.Removed, c.RemovedBytes, done, c.Kept, c.KeptBytes)
	return nil
}

// retained is what the retention needs to know of a store.
func retained(ctx context.Context, store *snapshots.Store) ([]retention.Snapshot, error) {
	entries, err := store.List(ctx)
	if err != nil {
		return nil, err
	}
	superseded, err := store.Superseded(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]retention.Snapshot, 0, len(entries))
	for _, e := range entries {
		list = append(list, retention.Snapshot{ID: e.ID, Current: e.Current, Sealed: e.Manifest.CreatedAt, Superseded: superseded[e.ID], Damaged: e.Err != nil})
	}
	return list, nil
}

func printVerdicts(a *app, o pruneOptions, verdicts []retention.Verdict) error {
	if o.json {
		return cli.PrintJSON(a.stdout, map[string]any{"dry_run": o.dryRun, "snapshots": verdicts})
	}
	removed := "removed"
	if o.dryRun {
		removed = "would be removed"
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	for _, v := range verdicts {
		done := "kept"
		if !v.Keep {
			done = removed
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", v.ID, done, strings.Join(v.Reasons, ", "))
	}
	return t.Flush()
}

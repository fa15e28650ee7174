package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/snapshots"
	"labour/snapshots/retention"
)

// pruneOptions are the flags of `labour snapshot prune`.
type pruneOptions struct {
	listOptions
	Daily   int    `flag:"keep-daily" default:"31" usage:"days of which the last published snapshot is kept"`
	Monthly int    `flag:"keep-monthly" default:"24" usage:"months of which the last published snapshot is kept"`
	Yearly  int    `flag:"keep-yearly" default:"10" usage:"years of which the last published snapshot is kept"`
	DryRun  bool   `flag:"dry-run" usage:"say what would be removed, and remove nothing"`
	Archive bool   `flag:"archive" usage:"remove archived bytes that nothing needs any more"`
	Config  string `flag:"config" default:"labour.yaml" usage:"configuration file, which says what the sources are; read with --archive"`
}

func (a *app) prune(ctx context.Context, o *pruneOptions, _ []string) error {
	if min(o.Daily, o.Monthly, o.Yearly) < 0 {
		return cli.Usage(errors.New("the numbers to keep must not be negative"))
	}
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	list, err := retained(ctx, store)
	if err != nil {
		return err
	}
	verdicts := retention.Plan(list, a.now(), retention.Schedule{Daily: o.Daily, Monthly: o.Monthly, Yearly: o.Yearly})
	var gone []snapshots.ID
	for _, v := range verdicts {
		if !v.Keep {
			gone = append(gone, v.ID)
		}
	}
	if !o.DryRun {
		for _, id := range gone {
			if err := store.Remove(ctx, id); err != nil {
				return err
			}
		}
	}
	if err := printVerdicts(a, o, verdicts); err != nil || !o.Archive {
		return err
	}
	return collectArchive(ctx, a, o, gone)
}

// collectArchive removes archived bytes after the snapshots that needed them.
func collectArchive(ctx context.Context, a *app, o *pruneOptions, gone []snapshots.ID) error {
	run := runOptions{Config: o.Config, Data: o.Data}
	options, err := run.pipeline(a, cli.NewProgress(a.stderr, a.now, false))
	if err != nil {
		return err
	}
	c, err := pipeline.CollectArchive(ctx, options, gone, o.DryRun)
	if err != nil {
		return err
	}
	done := "removed"
	if o.DryRun {
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

func printVerdicts(a *app, o *pruneOptions, verdicts []retention.Verdict) error {
	if o.JSON {
		return cli.PrintJSON(a.stdout, map[string]any{"dry_run": o.DryRun, "snapshots": verdicts})
	}
	removed := "removed"
	if o.DryRun {
		removed = "would be removed"
	}
	t := cli.Table(a.stdout, "")
	for _, v := range verdicts {
		done := "kept"
		if !v.Keep {
			done = removed
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", v.ID, done, strings.Join(v.Reasons, ", "))
	}
	return t.Flush()
}

type withdrawOptions struct {
	cli.DataFlag
	By     string `flag:"by" usage:"who withdraws it"`
	Reason string `flag:"reason" usage:"why, in a sentence"`
}

func (a *app) withdraw(ctx context.Context, o *withdrawOptions, args []string) error {
	store, id, err := openSnapshot(o.Data, args)
	if err != nil {
		return err
	}
	if strings.TrimSpace(o.By) == "" || strings.TrimSpace(o.Reason) == "" {
		return cli.Usage(errors.New("--by and --reason must be given: they stay listed"))
	}
	now, err := store.Withdraw(ctx, id, snapshots.Withdrawal{At: a.now(), By: o.By, Reason: o.Reason})
	if errors.Is(err, snapshots.ErrWithdrawn) {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		return err
	}
	if now == "" {
		return a.say("%s is withdrawn; nothing is current, and nothing is served\n", id)
	}
	return a.say("%s is withdrawn; %s is current\n", id, now)
}

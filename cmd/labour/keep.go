package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"labour/cmd/internal/cli"
	"labour/pipeline/pruning"
	"labour/snapshots"
	"labour/snapshots/retention"
	"labour/snapshots/signature"
	"labour/snapshots/store"
	"labour/sources/archive"
)

type pruneOptions struct {
	listOptions
	Daily   int    `flag:"keep-daily" least:"0" default:"31" usage:"number of days whose last published snapshot is kept"`
	Monthly int    `flag:"keep-monthly" least:"0" default:"24" usage:"number of months whose last published snapshot is kept"`
	Yearly  int    `flag:"keep-yearly" least:"0" default:"10" usage:"number of years whose last published snapshot is kept"`
	DryRun  bool   `flag:"dry-run" usage:"list what would be removed, and remove nothing"`
	Archive bool   `flag:"archive" usage:"remove archived bytes that are no longer needed"`
	Config  string `flag:"config" default:"labour.yaml" usage:"configuration file with the sources; read with --archive"`
}

// prune removes the snapshots that the flags --keep-daily, --keep-monthly and --keep-yearly do not
// keep. With --archive it then removes the archived files that no remaining snapshot needs. Before
// it removes anything, it checks that all snapshots and the archive can be read.
func (a *app) prune(ctx context.Context, o *pruneOptions, _ []string) error {
	folder, err := openData(o.Data)
	if err != nil {
		return err
	}
	list, err := listForRetention(ctx, folder)
	if err != nil {
		return err
	}
	decisions := retention.Plan(list, a.now(), retention.Schedule{Daily: o.Daily, Monthly: o.Monthly, Yearly: o.Yearly})
	removedIDs := removedSnapshots(decisions)
	counts, err := collectArchive(ctx, a, o, removedIDs, true)
	if err != nil {
		return err
	}
	if !o.DryRun {
		if err := removeSnapshots(ctx, folder, removedIDs); err != nil {
			return err
		}
	}
	err = a.show(o.JSON, "pruned", map[string]any{"dry_run": o.DryRun, "snapshots": decisions})
	if err != nil || !o.Archive {
		return err
	}
	if !o.DryRun {
		if counts, err = collectArchive(ctx, a, o, removedIDs, false); err != nil {
			return err
		}
	}
	a.reportCollected(counts, o.DryRun)
	return nil
}

// removedSnapshots returns the IDs of the snapshots that are not kept according to decisions.
func removedSnapshots(decisions []retention.KeepDecision) (ids []snapshots.ID) {
	for _, d := range decisions {
		if !d.Keep {
			ids = append(ids, d.ID)
		}
	}
	return ids
}

func removeSnapshots(ctx context.Context, folder *store.Store, ids []snapshots.ID) error {
	for _, id := range ids {
		if err := folder.Remove(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// collectArchive removes archived files that no remaining snapshot needs. removedIDs are the
// snapshots that do not remain. If dry is true, collectArchive only counts the files. Without
// --archive it does nothing.
func collectArchive(ctx context.Context, a *app, o *pruneOptions, removedIDs []snapshots.ID,
	dry bool) (archive.RemovalCounts, error) {
	if !o.Archive {
		return archive.RemovalCounts{}, nil
	}
	run := runOptions{Config: o.Config, Data: o.Data}
	options, err := run.pipelineOptions(a, cli.NewProgress(a.stderr, a.now, false))
	if err != nil {
		return archive.RemovalCounts{}, err
	}
	return pruning.RemoveUnneededResponses(ctx, options, removedIDs, dry)
}

// reportCollected prints how many archived files were removed, or would be removed by a dry run.
func (a *app) reportCollected(c archive.RemovalCounts, dry bool) {
	done := "removed"
	if dry {
		done = "would be removed"
	}
	fmt.Fprintf(a.stderr, "archive: %d bodies (%d bytes) %s, %d (%d bytes) kept\n", c.Removed, c.RemovedBytes, done,
		c.Kept, c.KeptBytes)
}

// listForRetention lists all snapshots of a store, with the facts that decide which of them are
// kept. One such fact is the time at which a snapshot was superseded.
func listForRetention(ctx context.Context, folder *store.Store) ([]retention.Snapshot, error) {
	entries, err := folder.List(ctx)
	if err != nil {
		return nil, err
	}
	superseded, err := folder.SupersededTimes(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]retention.Snapshot, 0, len(entries))
	for _, e := range entries {
		list = append(list, retention.Snapshot{ID: e.ID, Current: e.Current, SealedAt: e.Manifest.CreatedAt,
			SupersededAt: superseded[e.ID], Withdrawn: folder.IsWithdrawn(e.ID), Damaged: e.ManifestErr != nil})
	}
	return list, nil
}

type withdrawOptions struct {
	cli.DataFlag
	By     string `flag:"by" required:"" usage:"who withdraws it; stays listed"`
	Reason string `flag:"reason" required:"" usage:"why, in a sentence; stays listed"`
}

func (a *app) withdraw(ctx context.Context, o *withdrawOptions, args []string) error {
	folder, id, err := openSnapshot(o.Data, args)
	if err != nil {
		return err
	}
	now, err := folder.Withdraw(ctx, id, store.Withdrawal{At: a.now(), By: o.By, Reason: o.Reason})
	if errors.Is(err, store.ErrWithdrawn) {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		return err
	}
	if now == "" {
		return a.say("%s is withdrawn; nothing is current, and nothing is served\n", id)
	}
	if err := a.say("%s is withdrawn; %s is current\n", id, now); err != nil {
		return err
	}
	return a.warnOfClosedDatasets(o.Data, folder, now)
}

type keygenOptions struct {
	Key string `flag:"key" required:"" usage:"file of the secret key"`
}

func (a *app) keygen(_ context.Context, o *keygenOptions, _ []string) error {
	file := o.Key
	password, _ := a.secret(signPasswordEnv)
	secret, public, err := signature.GenerateKeyPair(a.random, password)
	if err != nil {
		return err
	}
	if err := writeNewKey(file, secret, 0o600); err != nil {
		return err
	}
	if err := writeNewKey(file+".pub", public, 0o644); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return a.say("%s is secret; give %s.pub to those who verify.\n", file, file)
}

// writeNewKey writes a key to a new file. If the file exists, the error says what to do.
func writeNewKey(file string, b []byte, mode os.FileMode) error {
	err := writeNew(file, b, mode)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("new key: %s exists and is not overwritten; name another file with --key, or move this one "+
			"away", file)
	}
	if err != nil {
		return fmt.Errorf("new key: %w", err)
	}
	return nil
}

// writeNew creates a file with the content b and syncs it to disk. It returns an error if the file
// already exists. If writing fails, it removes the file, so that the call can be repeated.
func writeNew(file string, b []byte, mode os.FileMode) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	return nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"labour/cmd/internal/cli"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/objects"
	"labour/snapshots/signature"
	"labour/snapshots/store"
)

type publishOptions struct {
	listOptions
	Destination string `flag:"to" required:"" usage:"address of the object storage"`
}

func (a *app) publishSnapshot(ctx context.Context, o *publishOptions, args []string) (err error) {
	folder, id, err := openSnapshot(o.Data, args)
	if errors.Is(err, store.ErrNoCurrent) && anyWithdrawn(folder) {
		err = nil // withdrawals are published without a current snapshot too
	}
	if err != nil {
		return err
	}
	remote, err := objects.Open(ctx, o.Destination)
	if err != nil {
		return cli.NewUsageError(err)
	}
	defer func() { err = errors.Join(err, remote.Close()) }()
	sent, err := remote.Publish(ctx, folder, id)
	if errors.Is(err, store.ErrWithdrawn) || errors.Is(err, store.ErrNeverPromoted) {
		err = fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		if sent.RemovedCurrent != "" {
			fmt.Fprintf(a.stderr, "labour: CURRENT at %s named the withdrawn %s and was removed\n", o.Destination,
				sent.RemovedCurrent)
		}
		return err
	}
	return a.show(o.JSON, "published", sent)
}

// anyWithdrawn reports whether any snapshot of a store has been withdrawn.
func anyWithdrawn(folder *store.Store) bool {
	all, err := folder.Withdrawals()
	return err == nil && len(all) > 0
}

type pullOptions struct {
	listOptions
	From       string `flag:"from" required:"" usage:"address of the object storage"`
	PublicKey  string `flag:"public-key" usage:"file of a public key; a missing or wrong signature is refused"`
	Promote    bool   `flag:"promote" usage:"make it the current one, which a server here then loads"`
	AllowOlder bool   `flag:"allow-older" usage:"with --promote: go back to an older snapshot than the current one"`
}

func (a *app) pullSnapshot(ctx context.Context, o *pullOptions, _ []string) (err error) {
	folder, err := store.Open(o.Data)
	if err != nil {
		return err
	}
	key, err := publicKey(o.PublicKey)
	if err != nil {
		return err
	}
	remote, err := objects.OpenForReading(ctx, o.From)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w; mount the folder, or correct --from", err)
	}
	if err != nil {
		return cli.NewUsageError(err)
	}
	defer func() { err = errors.Join(err, remote.Close()) }()
	got, err := remote.Pull(ctx, folder, o.rowCheck(ctx, folder, key))
	for _, id := range got.Withdrawn {
		fmt.Fprintf(a.stderr, "labour: %s is withdrawn here, as it is at %s\n", id, o.From)
	}
	switch {
	case errors.Is(err, store.ErrNoCurrent):
		return fmt.Errorf("%w at %s; labour snapshot publish puts one there", err, o.From)
	case errors.Is(err, store.ErrWithdrawn):
		return fmt.Errorf("%w: %w, and the publisher has published none since", errRefused, err)
	case err != nil:
		return err
	}
	if o.Promote {
		if err := o.promote(ctx, folder, got.ID); err != nil {
			return err
		}
	}
	return a.show(o.JSON, "pulled", got)
}

// rowCheck returns a function that verifies a downloaded snapshot. If key is not nil, the snapshot
// must be signed with that key. For a snapshot that is already in the data directory, the function
// skips the rows of the large tables of adverts.
func (o *pullOptions) rowCheck(ctx context.Context, folder *store.Store,
	key *signature.Verifier) func(dir string) error {
	return func(dir string) error {
		_, named := snapshots.ParseID(filepath.Base(dir))
		report, err := verify.VerifyDir(ctx, dir, verify.Options{PublicKey: key, Store: folder,
			AllowIncompleteIndex: true, SkipLargeTableRows: named == nil})
		if err == nil && !report.HasNoFaults() {
			err = fmt.Errorf("%w: %w", errRefused, report.Err())
		}
		return err
	}
}

// promote makes a downloaded snapshot the current one. It refuses to replace a newer snapshot
// unless --allow-older is set.
func (o *pullOptions) promote(ctx context.Context, folder *store.Store, id snapshots.ID) error {
	current, before, err := folder.CurrentAndPredecessor()
	if err != nil {
		return err
	}
	if current == id {
		return nil
	}
	if before != "" && id.Compare(before) < 0 && !o.AllowOlder {
		return fmt.Errorf("%w: %s is older than %s, which is current here; --allow-older goes back to it", errRefused,
			id, before)
	}
	return folder.Promote(ctx, id, current)
}

// promotePulled verifies a downloaded snapshot and makes it the current one. It does not check the
// snapshot against the previous one, because the publisher has done so. It therefore needs no
// configuration.
func promotePulled(ctx context.Context, folder *store.Store, id snapshots.ID) error {
	report, err := verify.VerifyDir(ctx, folder.SnapshotDir(id), verify.Options{Store: folder,
		AllowIncompleteIndex: true, SkipLargeTableRows: true})
	if err == nil && !report.HasNoFaults() {
		err = fmt.Errorf("%w: %w", errRefused, report.Err())
	}
	if err != nil {
		return err
	}
	current, _, err := folder.CurrentAndPredecessor()
	if err != nil {
		return err
	}
	return folder.Promote(ctx, id, current)
}

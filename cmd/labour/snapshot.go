package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"labour/snapshots"
	"labour/snapshots/verify"
)

func newSnapshotCmd(a *app) *cobra.Command {
	return group("snapshot", "Look at snapshots, for auditors", newSnapshotListCmd(a), newSnapshotShowCmd(a), newSnapshotReportCmd(a), newSnapshotVerifyCmd(a), newSnapshotDiffCmd(a),
		newSnapshotKeygenCmd(a), newSnapshotPruneCmd(a),
		newSnapshotWithdrawCmd(a), newSnapshotPublishCmd(a), newSnapshotPullCmd(a))
}

func newSnapshotShowCmd(a *app) *cobra.Command {
	var data string
	c := &cobra.Command{Use: "show ID", Short: "Print a snapshot's manifest", Args: exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			id, err := snapshots.ParseID(args[0])
			if err != nil {
				return usageError{err}
			}
			store, err := snapshots.Open(data)
			if err != nil {
				return err
			}
			manifest, err := store.Manifest(id)
			if err != nil {
				return err
			}
			b, err := manifest.Encode()
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(b)
			return err
		}}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	return c
}

func newSnapshotVerifyCmd(a *app) *cobra.Command {
	var data, publicKey string
	c := &cobra.Command{Use: "verify ID|DIR", Short: "Re-hash a snapshot and check schemas, order, small numbers and strangers",
		Long: "Verify a snapshot by its id, or any copied snapshot directory. All faults are\nprinted, with the row.\n\n" + exitHelp,
		Args: exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return verifySnapshot(cmd.Context(), a, data, args[0], publicKey)
		}}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&publicKey, "public-key", "", "file of a public key; a missing or wrong signature is a fault")
	return c
}

func verifySnapshot(ctx context.Context, a *app, data, name, publicKey string) error {
	options, err := verifyOptions(publicKey)
	if err != nil {
		return err
	}
	dir, err := snapshotDir(data, name)
	if err != nil {
		return err
	}
	report, err := verify.Dir(ctx, dir, options...)
	if err != nil {
		return err
	}
	for _, f := range report.Faults {
		fmt.Fprintln(a.stdout, f)
	}
	if !report.OK() {
		return fmt.Errorf("%w: %s has %d faults", errRefused, dir, len(report.Faults))
	}
	fmt.Fprintf(a.stdout, "%s is sound\n", dir)
	return nil
}

// snapshotDir is the directory of a snapshot that was named by its id, or by any
// directory that it was copied to.
func snapshotDir(data, name string) (string, error) {
	dir := name
	if id, err := snapshots.ParseID(name); err == nil {
		store, err := snapshots.Open(data)
		if err != nil {
			return "", err
		}
		dir = store.Dir(id)
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return "", usageError{fmt.Errorf("%s is neither a snapshot of %s nor a directory", name, data)}
	}
	return dir, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/verify"
)

func newSnapshotCmd(a *app) *cobra.Command {
	return cli.Group("snapshot", "Look at snapshots, for auditors", newSnapshotListCmd(a), newSnapshotShowCmd(a), newSnapshotReportCmd(a), newSnapshotVerifyCmd(a), newSnapshotDiffCmd(a), newSnapshotTraceCmd(a),
		newSnapshotKeygenCmd(a), newSnapshotPruneCmd(a),
		newSnapshotWithdrawCmd(a), newSnapshotPublishCmd(a), newSnapshotPullCmd(a))
}

func newSnapshotShowCmd(a *app) *cobra.Command {
	var data string
	c := &cobra.Command{Use: "show ID", Short: "Print a snapshot's manifest", Args: cli.Exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			id, err := snapshots.ParseID(args[0])
			if err != nil {
				return cli.Usage(err)
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

// verifyAsked is what `labour snapshot verify` was asked.
type verifyAsked struct {
	publicKey string
	rebuild   bool
	run       runOptions
}

func newSnapshotVerifyCmd(a *app) *cobra.Command {
	var asked verifyAsked
	c := &cobra.Command{Use: "verify ID|DIR", Short: "Re-hash a snapshot and check schemas, order, small numbers and strangers",
		Long: "Verify a snapshot by its id, or any copied snapshot directory. All faults are\nprinted, with the row. By its id, it is held against the index and the chain of the\nstore too. With --rebuild, its tables are made again from the archived bytes that its\nmanifest names, and must be equal to the byte.\n\n" + cli.ExitHelp,
		Args: cli.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return verifySnapshot(cmd.Context(), a, &asked, args[0])
		}}
	c.Flags().StringVar(&asked.run.data, "data", "data", "data directory")
	c.Flags().StringVar(&asked.publicKey, "public-key", "", "file of a public key; a missing or wrong signature is a fault")
	c.Flags().BoolVar(&asked.rebuild, "rebuild", false, "make the tables again from the archive of the data directory; needs an ID")
	c.Flags().StringVar(&asked.run.config, "config", "labour.yaml", "configuration file, for --rebuild")
	c.Flags().IntVar(&asked.run.memoryMB, "memory", 0, "memory of --rebuild, in MB (default 2048)")
	return c
}

func verifySnapshot(ctx context.Context, a *app, asked *verifyAsked, name string) error {
	options, err := verifyOptions(asked.publicKey)
	if err != nil {
		return err
	}
	dir, err := snapshotDir(asked.run.data, name)
	if err != nil {
		return err
	}
	if _, err := snapshots.ParseID(name); err == nil {
		store, err := snapshots.Open(asked.run.data)
		if err != nil {
			return err
		}
		options = append(options, verify.In(store))
	} else if asked.rebuild {
		return cli.Usage(errors.New("--rebuild takes the ID of a snapshot of the data directory"))
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
	if !asked.rebuild {
		return nil
	}
	return verifyRebuild(ctx, a, asked, name)
}

// verifyRebuild says whether the archived bytes give the snapshot's tables again.
func verifyRebuild(ctx context.Context, a *app, asked *verifyAsked, name string) error {
	p := a.newProgress()
	defer p.End()
	options, err := asked.run.pipeline(a, p)
	if err != nil {
		return err
	}
	return rebuild(ctx, a, options, &asked.run, name)
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
		return "", cli.Usage(fmt.Errorf("%s is neither a snapshot of %s nor a directory", name, data))
	}
	return dir, nil
}

package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/snapshots"
	"labour/snapshots/objects"
	"labour/snapshots/verify"
)

const addressHelp = `Addresses are s3://bucket?region=eu-west-2 (with &prefix=labour/ for a folder in it,
and &endpoint=https://…&use_path_style=true for another service) or file:///folder.
Credentials come from the environment, as the service's own tools take them.

`

func newSnapshotPublishCmd(a *app) *cobra.Command {
	var data, to string
	var asJSON bool
	c := &cobra.Command{Use: "publish [ID]", Short: "Copy a snapshot, the current one by default, to object storage and make it current there",
		Long: "Copy a sealed snapshot to object storage: data first, the manifest after it, and\nCURRENT last, only if nobody else moved it meanwhile. What is there with the same\nbytes is not sent again.\n\n" + addressHelp + cli.ExitHelp,
		Args: cli.Between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if to == "" {
				return cli.Usage(errors.New("--to is missing: the address to publish to"))
			}
			return publishSnapshot(cmd.Context(), a, data, to, asJSON, args)
		}}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&to, "to", "", "address of the object storage")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func publishSnapshot(ctx context.Context, a *app, data, to string, asJSON bool, args []string) (err error) {
	store, err := snapshots.Open(data)
	if err != nil {
		return err
	}
	var id snapshots.ID
	if len(args) == 1 {
		if id, err = snapshots.ParseID(args[0]); err != nil {
			return cli.Usage(err)
		}
	} else if id, err = store.Current(); err != nil {
		return err
	}
	remote, err := objects.Open(ctx, to)
	if err != nil {
		return cli.Usage(err)
	}
	defer func() { err = errors.Join(err, remote.Close()) }()
	sent, err := remote.Publish(ctx, store, id)
	if err != nil {
		return err
	}
	if asJSON {
		return cli.PrintJSON(a.stdout, sent)
	}
	fmt.Fprintf(a.stdout, "published %s: %d files sent (%d bytes), %d were there\n", sent.ID, sent.Sent, sent.Bytes, sent.There)
	return nil
}

// pullOptions are the flags of `labour snapshot pull`.
type pullOptions struct {
	data, from, publicKey string
	promote, older, json  bool
}

func newSnapshotPullCmd(a *app) *cobra.Command {
	var o pullOptions
	c := &cobra.Command{Use: "pull", Short: "Take over the current snapshot of an object storage, verified", Args: cli.Exactly(0),
		Long: "Copy the snapshot that is current at an address into the data directory, verify it,\nand only then give it its name. A pull that was stopped goes on where it was.\nEvents of partners are in no snapshot and are not pulled: without them GET /v1/events\nshows what is everybody's, and no webhooks are sent. To have them here, copy the folder\nof the snapshot under partners/ of the first data directory before the pull.\n\n" + addressHelp + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.from == "" {
				return cli.Usage(errors.New("--from is missing: the address to pull from"))
			}
			return pullSnapshot(cmd.Context(), a, o)
		}}
	c.Flags().StringVar(&o.data, "data", "data", "data directory")
	c.Flags().StringVar(&o.from, "from", "", "address of the object storage")
	c.Flags().StringVar(&o.publicKey, "public-key", "", "file of a public key; a missing or wrong signature is refused")
	c.Flags().BoolVar(&o.promote, "promote", false, "make it the current one, so that a server here takes it up")
	c.Flags().BoolVar(&o.older, "allow-older", false, "with --promote: go back to an older snapshot than the current one")
	c.Flags().BoolVar(&o.json, "json", false, "print as JSON")
	return c
}

func pullSnapshot(ctx context.Context, a *app, o pullOptions) (err error) {
	store, err := snapshots.Open(o.data)
	if err != nil {
		return err
	}
	judge, err := judgeOf(ctx, o.publicKey)
	if err != nil {
		return err
	}
	remote, err := objects.Open(ctx, o.from)
	if err != nil {
		return cli.Usage(err)
	}
	defer func() { err = errors.Join(err, remote.Close()) }()
	current, err := store.Current()
	if err != nil && !errors.Is(err, snapshots.ErrNoCurrent) {
		return err
	}
	got, err := remote.Pull(ctx, store, judge)
	if err != nil {
		return err
	}
	if o.promote && current != "" && got.ID.Compare(current) < 0 && !o.older {
		return fmt.Errorf("%w: %s is older than %s, which is current here; --allow-older goes back to it", errRefused, got.ID, current)
	}
	if o.promote && current != got.ID {
		if err := store.Promote(ctx, got.ID, current); err != nil {
			return err
		}
	}
	if o.json {
		return cli.PrintJSON(a.stdout, got)
	}
	fmt.Fprintf(a.stdout, "pulled %s: %d files got (%d bytes), %d were there\n", got.ID, got.Got, got.Bytes, got.There)
	return nil
}

// judgeOf verifies a directory, with a key if one is named.
func judgeOf(ctx context.Context, publicKey string) (func(dir string) error, error) {
	options, err := verifyOptions(publicKey)
	if err != nil {
		return nil, err
	}
	return func(dir string) error {
		report, err := verify.Dir(ctx, dir, options...)
		if err == nil && !report.OK() {
			err = fmt.Errorf("%w: %w", errRefused, report.Err())
		}
		return err
	}, nil
}

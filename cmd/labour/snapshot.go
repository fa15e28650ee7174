package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"labour/snapshots"
	"labour/snapshots/verify"
)

func newSnapshotCmd(a *app) *cobra.Command {
	return group("snapshot", "Look at snapshots, for auditors", newSnapshotListCmd(a), newSnapshotShowCmd(a), newSnapshotVerifyCmd(a),
		newSnapshotKeygenCmd(a), newSnapshotPruneCmd(a),
		newSnapshotPublishCmd(a), newSnapshotPullCmd(a))
}

func newSnapshotListCmd(a *app) *cobra.Command {
	var data string
	var asJSON bool
	c := &cobra.Command{Use: "list", Short: "List the sealed snapshots, newest first", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error { return listSnapshots(cmd.Context(), a, data, asJSON) }}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return c
}

func listSnapshots(ctx context.Context, a *app, data string, asJSON bool) error {
	store, err := snapshots.Open(data)
	if err != nil {
		return err
	}
	entries, err := store.List(ctx)
	if err != nil {
		return err
	}
	lines := make([]snapshotLine, 0, len(entries))
	for _, e := range entries {
		lines = append(lines, lineOf(e))
	}
	slices.Reverse(lines) // newest first
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(lines)
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ID\tAS OF\tROWS\tSTATE")
	for _, l := range lines {
		state := l.Error
		if l.Current {
			state = "current"
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", l.ID, l.AsOf, l.Rows, state)
	}
	return t.Flush()
}

// snapshotLine is one snapshot as `labour snapshot list` prints it.
type snapshotLine struct {
	ID      snapshots.ID `json:"id"`
	AsOf    string       `json:"as_of"`
	Rows    int64        `json:"rows"`
	Current bool         `json:"current"`
	Error   string       `json:"error,omitempty"` // why its manifest cannot be read
}

func lineOf(e snapshots.Entry) snapshotLine {
	l := snapshotLine{ID: e.ID, Current: e.Current}
	if e.Err != nil {
		l.Error = e.Err.Error()
		return l
	}
	l.AsOf = e.Manifest.AsOf.String()
	for _, table := range e.Manifest.Tables {
		l.Rows += table.Rows
	}
	return l
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
	dir := name
	if id, err := snapshots.ParseID(name); err == nil {
		store, err := snapshots.Open(data)
		if err != nil {
			return err
		}
		dir = store.Dir(id)
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return usageError{fmt.Errorf("%s is neither a snapshot of %s nor a directory", name, data)}
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

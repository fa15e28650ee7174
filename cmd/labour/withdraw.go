package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/snapshots"
)

func newSnapshotWithdrawCmd(a *app) *cobra.Command {
	var data, by, reason string
	c := &cobra.Command{Use: "withdraw ID", Short: "Never serve a snapshot again, and say why", Args: cli.Exactly(1),
		Long: "Withdraw a snapshot for ever: no server answers from it again, cursors of it are\nrefused with cursor_expired, and it cannot be promoted. It stays in the list with the\nreason. If it is the current one, the one published before it takes its place; where\nthere is none, nothing is served until the next is promoted.\n\n" + cli.ExitHelp,
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := snapshots.ParseID(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			if strings.TrimSpace(by) == "" || strings.TrimSpace(reason) == "" {
				return cli.Usage(errors.New("--by and --reason must be given: they stay listed"))
			}
			store, err := snapshots.Open(data)
			if err != nil {
				return err
			}
			now, err := store.Withdraw(cmd.Context(), id, snapshots.Withdrawal{At: a.now(), By: by, Reason: reason})
			if errors.Is(err, snapshots.ErrWithdrawn) {
				return fmt.Errorf("%w: %w", errRefused, err)
			}
			if err != nil {
				return err
			}
			if now == "" {
				fmt.Fprintf(a.stdout, "%s is withdrawn; nothing is current, and nothing is served\n", id)
				return nil
			}
			fmt.Fprintf(a.stdout, "%s is withdrawn; %s is current\n", id, now)
			return nil
		}}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&by, "by", "", "who withdraws it")
	c.Flags().StringVar(&reason, "reason", "", "why, in a sentence")
	return c
}

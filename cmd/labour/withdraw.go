package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"labour/cmd/internal/cli"
	"labour/snapshots"
)

type withdrawOptions struct {
	cli.DataFlag
	By     string `flag:"by" usage:"who withdraws it"`
	Reason string `flag:"reason" usage:"why, in a sentence"`
}

func (a *app) withdraw(ctx context.Context, o *withdrawOptions, args []string) error {
	id, err := snapshots.ParseID(args[0])
	if err != nil {
		return cli.Usage(err)
	}
	if strings.TrimSpace(o.By) == "" || strings.TrimSpace(o.Reason) == "" {
		return cli.Usage(errors.New("--by and --reason must be given: they stay listed"))
	}
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	now, err := store.Withdraw(ctx, id, snapshots.Withdrawal{At: a.now(), By: o.By, Reason: o.Reason})
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
}

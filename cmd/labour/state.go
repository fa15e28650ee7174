package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"labour/cmd/internal/cli"
	"labour/serve/state"
)

type copyOptions struct {
	keyOptions
	Destination string `flag:"to" required:"" usage:"empty database to copy into: postgres://…, or the path of a new file"`
}

// backupState writes a copy of the state database to a new file. Servers may use the database
// meanwhile. It warns if the database has no partners, because the server may use another one.
func (a *app) backupState(ctx context.Context, o *keyOptions, args []string) (err error) {
	db, err := openPresent(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Backup(ctx, args[0]); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = cli.NewUsageError(fmt.Errorf("%w; name a new file", err))
		}
		return err
	}
	partners, keys, err := db.CountPartners(ctx)
	if err != nil {
		return err
	}
	if partners == 0 {
		fmt.Fprintf(a.stderr, "labour: %s has no partners; if the server uses another state database, name it with "+
			"--state\n", stateAddress(o.Data, o.State))
	}
	return a.say("%s is a backup of the state, with %s and %s; only its owner may read it. To restore it, stop the "+
		"server, put it in the place of the state database, and revoke again what was revoked since\n", args[0],
		count(partners, "partner"), count(keys, "key"))
}

// copyState copies the state database into another database, which must be empty.
func (a *app) copyState(ctx context.Context, o *copyOptions, _ []string) (err error) {
	from, err := openPresent(ctx, &o.keyOptions)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	to, err := state.Open(ctx, o.Destination)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, to.Close()) }()
	rows, err := state.CopyDatabase(ctx, from, to)
	if errors.Is(err, state.ErrTargetNotEmpty) {
		return fmt.Errorf("%w: %w", errRefused, err)
	}
	if err != nil {
		return err
	}
	return a.say("%d rows are copied; start every server with --state and the address of the copy\n", rows)
}

// openPresent opens an existing state database. It returns a usage error if the database does not
// exist.
func openPresent(ctx context.Context, o *keyOptions) (*state.DB, error) {
	if o.State == "" {
		if _, err := openData(o.Data); err != nil {
			return nil, err
		}
	}
	address := stateAddress(o.Data, o.State)
	if !state.DatabaseExists(address) {
		return nil, cli.NewUsageError(fmt.Errorf("there is no state database %s; name it with --data or --state", address))
	}
	return state.Open(ctx, address)
}

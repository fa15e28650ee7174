package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"labour/cmd/internal/cli"
	"labour/snapshots/signature"
)

type keygenOptions struct {
	Key string `flag:"key" usage:"file of the secret key (must be given)"`
}

func (a *app) keygen(_ context.Context, o *keygenOptions, _ []string) error {
	file := o.Key
	if file == "" {
		return cli.Usage(errors.New("--key FILE says where the secret key goes"))
	}
	password, _ := a.secret(signPasswordEnv)
	secret, public, err := signature.Generate(a.random, password)
	if err != nil {
		return err
	}
	if err := writeNew(file, secret, 0o600); err != nil {
		return err
	}
	if err := writeNew(file+".pub", public, 0o644); err != nil {
		return errors.Join(err, os.Remove(file))
	}
	fmt.Fprintf(a.stdout, "%s is secret; give %s.pub to whoever verifies.\n", file, file)
	return nil
}

// writeNew writes a file that must not be there yet, and syncs it.
func writeNew(file string, b []byte, mode os.FileMode) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("new key: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(b); err != nil {
		return fmt.Errorf("new key: %w", err)
	}
	return f.Sync()
}

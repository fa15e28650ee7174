package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/snapshots/signature"
)

func newSnapshotKeygenCmd(a *app) *cobra.Command {
	var file string
	c := &cobra.Command{Use: "keygen", Short: "Make the key pair that signs snapshots", Args: cli.Exactly(0),
		Long: "Make an Ed25519 key pair in minisign's form: the secret key in FILE, which only\nits owner may read, and the public key in FILE.pub. A file that is there is never\n" +
			"overwritten. The secret key is encrypted when " + signPasswordEnv + "\nis set in the environment, and plain otherwise.\n\n" + cli.ExitHelp,
		RunE: func(*cobra.Command, []string) error { return keygen(a, file) }}
	c.Flags().StringVar(&file, "key", "", "file of the secret key (must be given)")
	return c
}

func keygen(a *app, file string) error {
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

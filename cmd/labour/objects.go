package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"labour/cmd/internal/cli"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/objects"
	"labour/snapshots/signature"
)

type publishOptions struct {
	listOptions
	To string `flag:"to" usage:"address of the object storage"`
}

func (a *app) publishSnapshot(ctx context.Context, o *publishOptions, args []string) (err error) {
	if o.To == "" {
		return cli.Usage(errors.New("--to is missing: the address to publish to"))
	}
	store, id, err := openSnapshot(o.Data, args)
	if err != nil {
		return err
	}
	remote, err := objects.Open(ctx, o.To)
	if err != nil {
		return cli.Usage(err)
	}
	defer func() { err = errors.Join(err, remote.Close()) }()
	sent, err := remote.Publish(ctx, store, id)
	if err != nil {
		return err
	}
	if o.JSON {
		return cli.PrintJSON(a.stdout, sent)
	}
	return a.say("published %s: %d files sent (%d bytes), %d were there\n", sent.ID, sent.Sent, sent.Bytes, sent.There)
}

// pullOptions are the flags of `labour snapshot pull`.
type pullOptions struct {
	listOptions
	From      string `flag:"from" usage:"address of the object storage"`
	PublicKey string `flag:"public-key" usage:"file of a public key; a missing or wrong signature is refused"`
	Promote   bool   `flag:"promote" usage:"make it the current one, so that a server here takes it up"`
	Older     bool   `flag:"allow-older" usage:"with --promote: go back to an older snapshot than the current one"`
}

func (a *app) pullSnapshot(ctx context.Context, o *pullOptions, _ []string) (err error) {
	if o.From == "" {
		return cli.Usage(errors.New("--from is missing: the address to pull from"))
	}
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return err
	}
	judge, err := judgeOf(ctx, o.PublicKey)
	if err != nil {
		return err
	}
	remote, err := objects.Open(ctx, o.From)
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
	if o.Promote && current != "" && got.ID.Compare(current) < 0 && !o.Older {
		return fmt.Errorf("%w: %s is older than %s, which is current here; --allow-older goes back to it", errRefused, got.ID, current)
	}
	if o.Promote && current != got.ID {
		if err := store.Promote(ctx, got.ID, current); err != nil {
			return err
		}
	}
	if o.JSON {
		return cli.PrintJSON(a.stdout, got)
	}
	return a.say("pulled %s: %d files got (%d bytes), %d were there\n", got.ID, got.Got, got.Bytes, got.There)
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
		return fmt.Errorf("new key: %w", err)
	}
	if err := writeNew(file+".pub", public, 0o644); err != nil {
		return errors.Join(fmt.Errorf("new key: %w", err), os.Remove(file))
	}
	return a.say("%s is secret; give %s.pub to whoever verifies.\n", file, file)
}

// writeNew writes a file that must not be there yet, and syncs it.
func writeNew(file string, b []byte, mode os.FileMode) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

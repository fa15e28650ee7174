package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"

	"labour/cmd/internal/cli"
	"labour/pipeline/config"
	"labour/serve"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/sandbox"
)

// servePublishers serves the made-up publishers of a sandbox's directory where its
// configuration looks for them, as they were when its data was made, until ctx ends.
func (a *app) servePublishers(ctx context.Context, o *sandboxOptions) error {
	if o.Dir == "" {
		return cli.Usage(errors.New("--publishers needs --dir: the directory of the sandbox"))
	}
	file, data := filepath.Join(o.Dir, configName), filepath.Join(o.Dir, "data")
	asOf, err := madeOn(data, o.AsOf)
	if err != nil {
		return err
	}
	address, err := publishersOf(file)
	if err != nil {
		return err
	}
	world, err := sandbox.New(sandboxSeed, asOf, o.size)
	if err != nil {
		return err
	}
	handler, err := world.Handler()
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("serve the publishers where %s looks for them: %w", file, err)
	}
	fmt.Fprintf(a.stdout, "The publishers answer on http://%s. In another terminal:\n\n  %s=%s %s run --config %s --data %s\n\nStop with Ctrl-C.\n",
		address, sandbox.KeyEnv, sandbox.Key, self(), file, data)
	return serve.Server{Handler: handler, Log: a.log()}.Run(ctx, listener)
}

// madeOn is the date of the data in a sandbox's directory, unless another is asked for.
func madeOn(data, asked string) (sources.Date, error) {
	if asked != "" {
		asOf, err := sources.ParseDate(asked)
		if err != nil {
			err = cli.Usage(fmt.Errorf("--as-of: %w", err))
		}
		return asOf, err
	}
	store, err := snapshots.Open(data)
	if err != nil {
		return sources.Date{}, err
	}
	id, err := store.Current()
	if err != nil {
		return sources.Date{}, err
	}
	return sources.DateOf(id.Date()), nil
}

// publishersOf is the host and port at which a configuration looks for publishers.
func publishersOf(file string) (string, error) {
	c, err := config.Load(file)
	if err != nil {
		return "", fmt.Errorf("--dir is no directory of a sandbox: %w", err)
	}
	if c.Sources.ONSGeography != nil {
		if u, err := url.Parse(c.Sources.ONSGeography.BaseURL); err == nil && net.ParseIP(u.Hostname()).IsLoopback() {
			return u.Host, nil
		}
	}
	return "", fmt.Errorf("%s is not the configuration of a sandbox: its publishers are not on this machine", file)
}

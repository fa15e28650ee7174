package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"labour/serve"
	"labour/serve/query"
	"labour/snapshots"
	"labour/snapshots/signature"
	"labour/snapshots/verify"
)

// watchEvery is how often the server looks whether another snapshot was promoted.
const watchEvery = 2 * time.Second

func newServeCmd(a *app) *cobra.Command {
	var data, addr, publicKey string
	c := &cobra.Command{
		Use: "serve", Short: "Answer the interface from the current snapshot", Args: exactly(0),
		Long: "Answer the interface from the current snapshot. A newly promoted snapshot is\ntaken up without a failed request. The server reads snapshots/ and state.db and\nnothing else of the data directory.\n\n" + exitHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			verified, err := verifier(publicKey)
			if err != nil {
				return err
			}
			listener, err := net.Listen("tcp", addr)
			if err != nil {
				return fmt.Errorf("listen on %s: %w", addr, err)
			}
			fmt.Fprintf(a.stderr, "Serving %s on http://%s\n", data, listener.Addr())
			return a.serve(cmd.Context(), data, listener, verified)
		},
	}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to listen on")
	c.Flags().StringVar(&publicKey, "public-key", "", "file of a public key; only snapshots with its signature are served")
	return c
}

// serve answers on listener until ctx ends.
func (a *app) serve(ctx context.Context, data string, listener net.Listener, verified check) (err error) {
	log := slog.New(slog.NewJSONHandler(a.stderr, nil))
	s, err := a.newService(ctx, data, log, verified)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, s.close()) }()
	return serve.Server{Handler: s.handler, Log: log}.Run(ctx, listener)
}

// service is the interface with what it stands on.
type service struct {
	handler http.Handler
	memory  *serve.Memory
	live    *query.Live
	stop    context.CancelFunc
	running sync.WaitGroup
}

// newService opens the state, mounts the current snapshot and starts what runs
// beside the answers, until close.
func (a *app) newService(ctx context.Context, data string, log *slog.Logger, verified check) (*service, error) {
	if err := os.MkdirAll(data, 0o755); err != nil {
		return nil, fmt.Errorf("data directory: %w", err)
	}
	store, err := snapshots.Open(data)
	if err != nil {
		return nil, err
	}
	memory, err := serve.OpenMemory(ctx, stateFile(data), a.now, a.random, log)
	if err != nil {
		return nil, err
	}
	s := &service{memory: memory, live: query.NewLive(store, a.now, log, query.Options{Verify: verified})}
	if err := s.live.Reload(ctx); err != nil {
		// Readiness says so, and the next promoted snapshot is taken up.
		log.Error("no snapshot could be mounted", "error", err)
	}
	s.handler, err = serve.New(serve.Options{Live: s.live, Access: memory.Keys, Meter: memory.Calls, Cursors: memory.Cursors,
		Now: a.now, Random: a.random, Log: log})
	if err != nil {
		return nil, errors.Join(err, s.live.Close(), memory.Close())
	}
	// Not ended by ctx: calls that are still running when it ends must be counted.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	s.stop = stop
	s.running.Go(func() { memory.Run(running) })
	s.running.Go(func() { s.live.Watch(running, watchEvery) })
	return s, nil
}

// close ends what runs beside the answers. The server must have stopped.
func (s *service) close() error {
	s.stop()
	s.running.Wait()
	return errors.Join(s.live.Close(), s.memory.Close())
}

// stateFile is the state database of a data directory.
func stateFile(data string) string { return filepath.Join(data, "state.db") }

// check refuses a snapshot's directory.
type check func(ctx context.Context, dir string) error

// verifier refuses a snapshot that is not what was sealed or, where the file of a
// public key is given, not what the key's owner signed.
func verifier(publicKey string) (check, error) {
	options, err := verifyOptions(publicKey)
	return func(ctx context.Context, dir string) error {
		report, err := verify.Dir(ctx, dir, options...)
		if err != nil {
			return err
		}
		return report.Err()
	}, err
}

// verifyOptions asks for the signature of a public key, where its file is given.
func verifyOptions(publicKey string) ([]verify.Option, error) {
	if publicKey == "" {
		return nil, nil
	}
	key, err := signature.ReadVerifier(publicKey)
	if err != nil {
		return nil, usageError{err}
	}
	return []verify.Option{verify.SignedBy(key)}, nil
}

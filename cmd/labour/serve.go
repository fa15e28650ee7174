package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"labour/serve"
	"labour/serve/access"
	"labour/serve/cursor"
	"labour/serve/query"
	"labour/serve/state"
	"labour/serve/usage"
	"labour/snapshots"
	"labour/snapshots/verify"
)

// watchEvery is how often the server looks whether another snapshot was promoted.
const watchEvery = 2 * time.Second

// usedEvery is how often the last use of keys is written down.
const usedEvery = 30 * time.Second

func newServeCmd(a *app) *cobra.Command {
	var data, addr string
	c := &cobra.Command{
		Use: "serve", Short: "Answer the interface from the current snapshot", Args: exactly(0),
		Long: "Answer the interface from the current snapshot. A newly promoted snapshot is\ntaken up without a failed request. The server reads snapshots/ and state.db and\nnothing else of the data directory.\n\n" + exitHelp,
		RunE: func(cmd *cobra.Command, _ []string) error {
			listener, err := net.Listen("tcp", addr)
			if err != nil {
				return fmt.Errorf("listen on %s: %w", addr, err)
			}
			fmt.Fprintf(a.stderr, "Serving %s on http://%s\n", data, listener.Addr())
			return a.serve(cmd.Context(), data, listener)
		},
	}
	c.Flags().StringVar(&data, "data", "data", "data directory")
	c.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "address to listen on")
	return c
}

// serve answers on listener until ctx ends.
func (a *app) serve(ctx context.Context, data string, listener net.Listener) (err error) {
	log := slog.New(slog.NewJSONHandler(a.stderr, nil))
	s, err := a.newService(ctx, data, log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { err = errors.Join(err, s.close()) }()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go s.live.Watch(ctx, watchEvery)
	go s.meter.Run(ctx)
	go s.flushUsed(ctx)
	return serve.Server{Handler: s.handler, Log: log}.Run(ctx, listener)
}

// service is the interface with what it stands on.
type service struct {
	handler http.Handler
	db      *state.DB
	keys    *access.Store
	meter   *usage.Counter
	live    *query.Live
	log     *slog.Logger
}

func (a *app) newService(ctx context.Context, data string, log *slog.Logger) (s *service, err error) {
	s = &service{log: log}
	if s.db, err = openState(ctx, data); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.db.Close())
		}
	}()
	s.keys = access.New(s.db, a.now, a.random)
	s.meter = usage.NewCounter(s.db)
	cursors, err := a.cursors(ctx, s.db)
	if err != nil {
		return nil, err
	}
	store, err := snapshots.Open(data)
	if err != nil {
		return nil, err
	}
	s.live = query.NewLive(store, a.now, log, query.Options{Verify: verifyDir})
	if err := s.live.Reload(ctx); err != nil {
		// Readiness says so, and the next promoted snapshot is taken up.
		log.Error("no snapshot could be mounted", "error", err)
	}
	s.handler, err = serve.New(serve.Options{Live: s.live, Access: s.keys, Meter: s.meter, Cursors: cursors, Now: a.now, Random: a.random, Log: log})
	if err != nil {
		return nil, errors.Join(err, s.live.Close())
	}
	return s, nil
}

// verifyDir refuses a snapshot that is not what was sealed.
func verifyDir(ctx context.Context, dir string) error {
	report, err := verify.Dir(ctx, dir)
	if err != nil {
		return err
	}
	return report.Err()
}

// cursors seals with the key of the state database, made at the first start, so
// that every server that shares the state opens the cursors of the others.
func (a *app) cursors(ctx context.Context, db *state.DB) (*cursor.Sealer, error) {
	key, err := db.Setting(ctx, "cursor_key", func() (string, error) { return cursor.NewKey(a.random) })
	if err != nil {
		return nil, fmt.Errorf("key of the cursors: %w", err)
	}
	return cursor.New(key)
}

// flushUsed writes the last use of keys down until ctx ends.
func (s *service) flushUsed(ctx context.Context) {
	tick := time.NewTicker(usedEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := s.keys.FlushUsed(ctx); err != nil {
				s.log.Error("last use of keys could not be written", "error", err)
			}
		}
	}
}

func (s *service) close() error {
	return errors.Join(s.keys.FlushUsed(context.Background()), s.live.Close(), s.db.Close())
}

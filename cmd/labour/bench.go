package main

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"labour/cmd/labour/internal/measure"
	"labour/serve/access"
)

// newBenchCmd measures this program.
func newBenchCmd(a *app) *cobra.Command {
	return measure.Command(&measure.Program{
		Stdout: a.stdout, Stderr: a.stderr, Now: a.now, Random: a.random, Version: a.version, Log: a.log, Progress: a.newProgress,
		Secret: a.sandboxSecret, ForBatch: a.forBatch,
		Keys: func(ctx context.Context, data, state string, do func(*access.Store) error) error {
			return withKeys(ctx, a, keyOptions{data: data, state: state}, do)
		},
		Service: func(ctx context.Context, data, state string) (http.Handler, func() error, error) {
			s, err := a.newService(ctx, serveOptions{data: data, state: state}, a.log())
			if err != nil {
				return nil, nil, err
			}
			return s.handler, s.close, nil
		},
	})
}

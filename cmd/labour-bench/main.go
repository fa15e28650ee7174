// Command labour-bench measures labour: it makes data of a chosen size, and measures
// the pipeline and the server on it, each in a process of its own. It is not part of
// what is deployed.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/pprof"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := command().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "labour-bench:", err)
		stop()
		os.Exit(cli.ExitFailed)
	}
}

func command() *cobra.Command {
	return cli.Group("labour-bench", "Make data of a chosen size and measure", newDataCmd(), newRunCmd(), newServeCmd(), newPipelineCmd(), newMountCmd())
}

func now() time.Time { return time.Now().UTC() }

func logger() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) }

func newProgress() cli.Progress { return cli.NewProgress(os.Stderr, now, false) }

// writeJSON writes what was measured to a file, for people and programs; an empty name
// writes nothing.
func writeJSON(file string, v any) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", file, err)
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// profiled notes where this process spends its time and memory until stop, which
// writes cpu.pprof and allocs.pprof into the directory; "" = it does nothing.
func profiled(dir string) (stop func() error, err error) {
	if dir == "" {
		return func() error { return nil }, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	cpu, badCPU := os.Create(filepath.Join(dir, "cpu.pprof"))
	allocs, badAllocs := os.Create(filepath.Join(dir, "allocs.pprof"))
	if err := errors.Join(badCPU, badAllocs); err != nil {
		return nil, err
	}
	return func() error {
		pprof.StopCPUProfile()
		return errors.Join(cpu.Close(), pprof.Lookup("allocs").WriteTo(allocs, 0), allocs.Close())
	}, pprof.StartCPUProfile(cpu)
}

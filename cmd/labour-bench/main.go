// Command labour-bench measures labour: it makes data of a chosen size, and measures
// the pipeline and the server on it, each in a process of its own. It is not part of
// what is deployed.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"labour/cmd/internal/cli"
	"labour/cmd/labour-bench/internal/measure"
	"labour/sources/findanapprenticeship"
)

// The memory of a run of the pipeline, as labour sets it.
const (
	batchGC     = 200
	batchMemory = 2 << 30
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := measure.Command(program()).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "labour-bench:", err)
		stop()
		os.Exit(cli.ExitFailed)
	}
}

func program() *measure.Program {
	now := func() time.Time { return time.Now().UTC() }
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return &measure.Program{
		Stdout: os.Stdout, Stderr: os.Stderr, Now: now, Random: rand.Reader, Version: "bench",
		Labour:   filepath.Join(filepath.Dir(self), "labour"),
		Log:      func() *slog.Logger { return slog.New(slog.NewTextHandler(os.Stderr, nil)) },
		Progress: func() cli.Progress { return cli.NewProgress(os.Stderr, now, false) },
		Secret: func(name string) (string, bool) {
			if name == findanapprenticeship.DefaultKeyEnv {
				return "sandbox", true // what simulated publishers expect
			}
			return os.LookupEnv(name)
		},
		ForBatch: func() { debug.SetGCPercent(batchGC); debug.SetMemoryLimit(batchMemory) },
	}
}

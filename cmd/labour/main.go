// Command labour publishes labour market data: a batch pipeline writes dated snapshots, and a
// read-only server serves the current one.
//
// Each family of commands has a file, and commands.go lists them. Their access to the outside world
// is here; flags, errors and exit statuses are in cmd/internal/cli. The tests run the whole
// program: scripts (testdata/script), an independent count of the published figures (oracle),
// attackers who query everything (attacked), and kills, full disks, swaps and fleets of servers.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/serve/partners/access"
)

func main() {
	os.Exit(run(os.Args[1:], newApp(os.Stdout, os.Stderr)))
}

// app is the environment of the commands (input, output, clock, network); tests replace its parts.
type app struct {
	stdout, stderr io.Writer
	now            func() time.Time
	random         io.Reader
	getenv         func(string) (string, bool)
	version        string
	// interactive is true if stderr is a terminal, so that progress may be drawn.
	interactive bool
	verbose     bool
}

func newApp(stdout, stderr *os.File) *app {
	info, err := stderr.Stat()
	return &app{stdout: stdout, stderr: stderr, now: func() time.Time { return time.Now().UTC() }, random: rand.Reader,
		getenv: os.LookupEnv, version: version(), interactive: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// buildVersion is set by the linker to the commit that the program was built from.
var buildVersion string

// self returns the name by which this program was called, so that printed commands can be copied and
// work in any directory.
func self() string {
	called := os.Args[0]
	if filepath.Base(called) != "labour" {
		return "labour"
	}
	if called == "labour" { // found in PATH
		return called
	}
	whole, err := filepath.Abs(called)
	if err != nil {
		return called
	}
	return whole
}

func version() string {
	if buildVersion != "" {
		return buildVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// errSource ends a command that finished its work although a source failed.
var errSource = errors.New("a source failed")

// errRefused ends a command if a check found faults.
var errRefused = errors.New("refused by a check")

func run(args []string, a *app) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	err := root.ExecuteContext(ctx)
	status := exitStatus(err)
	if err != nil {
		fmt.Fprintln(a.stderr, "labour:", err)
	}
	return status
}

func exitStatus(err error) int {
	var refused *pipeline.Refused
	var usage cli.UsageError
	switch {
	case err == nil:
		return cli.ExitDone
	case errors.As(err, &refused) || errors.Is(err, errRefused):
		return cli.ExitRefused
	case errors.Is(err, errSource):
		return cli.ExitSource
	case errors.As(err, &usage), errors.Is(err, access.ErrNotOffered), errors.Is(err, access.ErrPartnerName):
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

func (a *app) say(format string, args ...any) error {
	_, err := fmt.Fprintf(a.stdout, format, args...)
	return err
}

// newProgress returns a display of the progress of long work for the operator.
func (a *app) newProgress() cli.Progress { return cli.NewProgress(a.stderr, a.now, a.interactive) }

// log returns the log for the operator. It has errors, and with --verbose also the steps.
func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

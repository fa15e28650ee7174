// Command labour publishes labour market data. A batch pipeline writes dated snapshots, and a
// read-only server serves the current one.
//
// commands.go lists all commands. Each group of commands has its own file. Flags, usage errors and
// exit statuses are in cmd/internal/cli.
//
// The tests run the whole program. Some run scripts (testdata/script), some recount the published
// figures independently (oracle), and some attack the published figures (attack). Others kill
// processes, fill the disk, replace snapshots or run several servers.
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
	"strings"
	"syscall"
	"time"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/serve/partners/access"
)

func main() {
	os.Exit(run(os.Args[1:], newApp(os.Stdout, os.Stderr)))
}

// app holds what the commands use from outside the program: output, clock, random numbers and
// environment variables. Tests replace them.
type app struct {
	stdout, stderr io.Writer
	now            func() time.Time
	random         io.Reader
	getenv         func(string) (string, bool)
	version        string
	// interactive is true if stderr is a terminal. Progress is then drawn on one line.
	interactive bool
	verbose     bool
}

func newApp(stdout, stderr *os.File) *app {
	info, err := stderr.Stat()
	return &app{stdout: stdout, stderr: stderr, now: func() time.Time { return time.Now().UTC() }, random: rand.Reader,
		getenv: os.LookupEnv, version: version(), interactive: err == nil && info.Mode()&os.ModeCharDevice != 0}
}

// buildVersion is the commit from which the program was built. The linker sets it.
var buildVersion string

// self returns a command that starts this program, such as /opt/labour. Messages use it in commands
// that the user can copy. It returns "labour" if the program was started under another name.
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

// unknownVersion is the version that a program reports if it was built without version information.
const unknownVersion = "dev"

func version() string {
	if buildVersion != "" {
		return buildVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return unknownVersion
}

// errSource is the error of a command that finished although a source failed. The exit status is 3.
var errSource = errors.New("a source failed")

// errRefused is the error of a command whose check found faults. The exit status is 4.
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
	if isDiskFull(err) {
		fmt.Fprintln(a.stderr, "labour: the disk is full; free some space and try again.")
	}
	return status
}

// isDiskFull reports whether a command failed because a disk is full. DuckDB reports this only in
// the text of its error.
func isDiskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) ||
		err != nil && strings.Contains(strings.ToLower(err.Error()), "no space left on device")
}

func exitStatus(err error) int {
	var refused *pipeline.RefusedError
	var usage cli.UsageError
	switch {
	case err == nil:
		return cli.ExitDone
	case errors.As(err, &refused) || errors.Is(err, errRefused):
		return cli.ExitCheckRefused
	case errors.Is(err, errSource):
		return cli.ExitSourceFailed
	case errors.As(err, &usage), errors.Is(err, access.ErrNoSuchPlanOrScope), errors.Is(err, access.ErrInvalidPartnerName):
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

func (a *app) say(format string, args ...any) error {
	_, err := fmt.Fprintf(a.stdout, format, args...)
	return err
}

// newProgress returns a display of the progress of a long command. It writes to stderr.
func (a *app) newProgress() cli.Progress { return cli.NewProgress(a.stderr, a.now, a.interactive) }

// log returns a logger that writes warnings and errors to stderr. With --verbose it also writes
// every step.
func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

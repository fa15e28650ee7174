package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"labour/pipeline"
	"labour/serve/access"
)

// app is the outside world of the commands; tests replace its parts.
type app struct {
	stdout, stderr io.Writer
	now            func() time.Time
	random         io.Reader
	getenv         func(string) (string, bool)
	version        string
	// interactive says that a person watches stderr, so that progress may be drawn.
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

// version is the commit or the module's version.
func version() string {
	if buildVersion != "" {
		return buildVersion
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "dev"
}

// The exit statuses. They are interface: scripts read them.
const (
	exitDone    = 0
	exitFailed  = 1
	exitUsage   = 2
	exitSource  = 3
	exitRefused = 4
)

const exitHelp = `Exit status:
  0  done
  1  failed
  2  wrong usage
  3  done, but a source failed; its last good extract was used
  4  refused by a check`

// errSource ends a command that did its work although a source failed.
var errSource = errors.New("a source failed")

// errRefused ends a command whose check found faults.
var errRefused = errors.New("refused by a check")

// usageError is a mistake in the call.
type usageError struct{ error }

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
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &refused) || errors.Is(err, errRefused):
		return exitRefused
	case errors.Is(err, errSource):
		return exitSource
	case errors.As(err, &usage) || errors.Is(err, access.ErrNotOffered):
		return exitUsage
	}
	return exitFailed
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "labour",
		Short:         "Publish labour market data: dated snapshots, and the interface that answers from them",
		Long:          "labour publishes labour market data.\n\n" + exitHelp,
		Version:       a.version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("unknown command %q; see labour --help", args[0])}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "log every step")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.AddCommand(newRunCmd(a), newFetchCmd(a), newBuildCmd(a), newCheckCmd(a), newPromoteCmd(a), newServeCmd(a),
		newSandboxCmd(a), newSnapshotCmd(a), newSourceCmd(a), newDatasetCmd(a), newKeyCmd(a), newPartnerCmd(a), newBenchCmd(a))
	return root
}

// exactly lets a command take n arguments.
func exactly(n int) cobra.PositionalArgs { return between(n, n) }

// between lets a command take from least to most arguments; the error shows how it is
// called.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch n := len(args); {
		case n < least:
			return usageError{fmt.Errorf("an argument is missing; it is called: %s", cmd.UseLine())}
		case n > most:
			return usageError{fmt.Errorf("unknown argument %q; it is called: %s", args[most], cmd.UseLine())}
		}
		return nil
	}
}

// required makes a flag one without which the command is not run.
func required(c *cobra.Command, flag string) {
	c.PreRunE = func(cmd *cobra.Command, _ []string) error {
		if f := cmd.Flags().Lookup(flag); !f.Changed {
			return usageError{fmt.Errorf("--%s is missing: %s", flag, f.Usage)}
		}
		return nil
	}
}

// group is a command that only holds others.
func group(use, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: use, Short: short, Args: cobra.ArbitraryArgs, RunE: func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usageError{fmt.Errorf("unknown command %q; see %s --help", args[0], cmd.CommandPath())}
		}
		return cmd.Help()
	}}
	c.AddCommand(commands...)
	return c
}

// printJSON prints for a program: one line, "<5" as it is.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// log writes for the operator: errors always, steps with --verbose.
func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

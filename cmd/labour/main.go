// Command labour publishes labour market data: a batch pipeline writes dated
// snapshots, a read-only server answers from the current one.
//
// A family of commands is a file. What they share of the outside world is here, of calling
// and ending in cmd/internal/cli. The tests run the
// whole program: scripts (testdata/script), an oracle that counts by itself what is
// published (oracle), attackers who ask everything (attacked), and kills, full disks,
// swaps and fleets of servers.
package main

import (
	"context"
	"crypto/rand"
	_ "embed"
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

	"github.com/spf13/cobra"

	"labour/cmd/internal/cli"
	"labour/pipeline"
	"labour/serve/access"
)

func main() {
	os.Exit(run(os.Args[1:], newApp(os.Stdout, os.Stderr)))
}

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

// self is how this program was called, so that commands that are printed work as printed.
func self() string {
	if called := os.Args[0]; filepath.Base(called) == "labour" {
		return called
	}
	return "labour"
}

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

// errSource ends a command that did its work although a source failed.
var errSource = errors.New("a source failed")

// errRefused ends a command whose check found faults.
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
	case errors.As(err, &usage) || errors.Is(err, access.ErrNotOffered):
		return cli.ExitUsage
	}
	return cli.ExitFailed
}

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:           "labour",
		Short:         "Publish labour market data: dated snapshots, and the API and pages that answer from them",
		Long:          "labour publishes labour market data.\n\n" + cli.ExitHelp,
		Version:       a.version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Unknown(cmd, args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.PersistentFlags().BoolVarP(&a.verbose, "verbose", "v", false, "log every step")
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(newRunCmd(a), newFetchCmd(a), newBuildCmd(a), newCheckCmd(a), newPromoteCmd(a), newServeCmd(a),
		newSandboxCmd(a), newSnapshotCmd(a), newSourceCmd(a), newDatasetCmd(a), newKeyCmd(a), newPartnerCmd(a), newCodingCmd(a), newReportCmd(a), newInitCmd(a), newFeedCmd(a), newNotifyCmd(a))
	addHelp(root)
	return root
}

// say prints for the caller.
func (a *app) say(format string, args ...any) error {
	_, err := fmt.Fprintf(a.stdout, format, args...)
	return err
}

// newProgress shows the operator how far long work is.
func (a *app) newProgress() cli.Progress { return cli.NewProgress(a.stderr, a.now, a.interactive) }

// log writes for the operator: errors always, steps with --verbose.
func (a *app) log() *slog.Logger {
	level := slog.LevelWarn
	if a.verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level}))
}

// examples are calls of every command, one a line, and helps the help of most, each after
// a line with == and its name.
//
//go:embed examples.txt
var examples string

//go:embed help.txt
var helps string

func addHelp(root *cobra.Command) {
	for line := range strings.Lines(examples) {
		line = strings.TrimSpace(line)
		c := named(root, line)
		c.Example = strings.TrimPrefix(c.Example+"\n  "+line, "\n")
	}
	for text := range strings.SplitSeq(strings.TrimPrefix(helps, "== "), "\n== ") {
		name, help, _ := strings.Cut(text, "\n")
		named(root, name).Long = strings.TrimSpace(help) + "\n\n" + cli.ExitHelp
	}
}

// named returns the command that a call names.
func named(c *cobra.Command, call string) *cobra.Command {
	for _, word := range strings.Fields(call) {
		for _, sub := range c.Commands() {
			if sub.Name() == word {
				c = sub
				break
			}
		}
	}
	return c
}

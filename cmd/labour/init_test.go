package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/cmd/internal/cli"
)

// The site that init writes, run and served as init prints it, shows figures of adverts and of people on
// its first page, and every page states that they are made up, also where the platform has a real address.
func TestInitMakesASiteWithFigures(t *testing.T) {
	site := t.TempDir()
	data := filepath.Join(site, "data")
	t.Cleanup(func() { unlock(t, site) })
	a := &app{stdout: io.Discard, stderr: io.Discard, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	for _, command := range [][]string{{"init", "--link", "https://works.london", site},
		{"feed", "check", filepath.Join(site, "feed")},
		{"run", "--config", filepath.Join(site, configName), "--data", data}} {
		if status := run(command, a); status != cli.ExitDone {
			t.Fatalf("labour %s ended with status %d", strings.Join(command, " "), status)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- a.serve(ctx, listener, serveOptions{keyOptions: keyOptions{DataFlag: cli.DataFlag{Data: data}}})
	}()
	defer func() {
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}()
	for path, want := range map[string]string{"/": "of registered residents", "/places/camden": "The most unmet skill is",
		"/skills/sql": "People turned down for it", "/docs/api": "Labour market data"} {
		page := fetchText(t, "http://"+listener.Addr().String()+path)
		if !strings.Contains(page, want) || strings.Contains(page, "No skill can be shown yet") {
			t.Errorf("%s has no %q", path, want)
		}
		if !strings.Contains(page, "Made-up data.") {
			t.Errorf("%s does not say that its data are made up", path)
		}
	}
}

// Commands that are printed work in any directory: a program that was called by its path is named by
// its whole path.
func TestPrintedCommandsWorkAnywhere(t *testing.T) {
	called := os.Args[0]
	defer func() { os.Args[0] = called }()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"bin/labour": filepath.Join(here, "bin", "labour"),
		"/opt/labour": "/opt/labour", "labour": "labour", "labour.test": "labour"} {
		os.Args[0] = name
		if got := self(); got != want {
			t.Errorf("called as %s it names itself %s, want %s", name, got, want)
		}
	}
}

// TestPrintedPathsAreOneWord: a shell reads every printed path as it is.
func TestPrintedPathsAreOneWord(t *testing.T) {
	for text, want := range map[string]string{"site/labour.yaml": "site/labour.yaml", "s ö/data": "'s ö/data'",
		"it's $HOME": `'it'\''s $HOME'`, "": "''"} {
		if got := shellWord(text); got != want {
			t.Errorf("%q is printed as %s, want %s", text, got, want)
		}
		if out, err := exec.Command("sh", "-c", "printf %s "+shellWord(text)).Output(); err != nil || string(out) != text {
			t.Errorf("a shell reads %q as %q, %v", text, out, err)
		}
	}
}

// TestInterruptedRunSaysSo: a run that was stopped says so, and that nothing is lost.
func TestInterruptedRunSaysSo(t *testing.T) {
	site := t.TempDir()
	t.Cleanup(func() { unlock(t, site) })
	a := &app{stdout: io.Discard, stderr: io.Discard, now: time.Now, random: rand.Reader,
		getenv: func(string) (string, bool) { return "", false }, version: "test"}
	if status := run([]string{"init", site}, a); status != cli.ExitDone {
		t.Fatalf("init: status %d", status)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, command := range []string{"run", "fetch"} {
		root := newRoot(a)
		root.SetArgs([]string{command, "--config", filepath.Join(site, configName), "--data", filepath.Join(site, "data")})
		err := root.ExecuteContext(ctx)
		if err == nil || !strings.HasPrefix(err.Error(), "interrupted; nothing is lost: ") ||
			exitStatus(err) != cli.ExitFailed {
			t.Errorf("%s: %v, status %d", command, err, exitStatus(err))
		}
	}
}

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"os"
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

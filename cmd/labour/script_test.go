package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"labour/cmd/internal/cli"
)

// realClock keeps the clock of a command that a test starts, as who checks the time of a
// message needs it.
const realClock = "LABOUR_TEST_REAL_CLOCK"

// fixedClock is the moment of the calls of a script, where it matters when something was fetched.
const fixedClock = "LABOUR_TEST_CLOCK"

// TestMain is the program where it is called by that name, which withProgram puts on the path.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) != "labour" {
		os.Exit(withProgram(m))
	}
	a := newApp(os.Stdout, os.Stderr)
	if os.Getenv(realClock) == "" {
		a.now = scriptClock
	}
	os.Exit(run(os.Args[1:], a))
}

// scriptClock is after the dates of the scripts, on any machine.
func scriptClock() time.Time { return time.Now().UTC().AddDate(2, 0, 0) }

// withProgram runs the tests with the program on the path, and removes what they share.
func withProgram(m *testing.M) int {
	status := 1
	dir, err := os.MkdirTemp("", "labour-program-")
	worldDirs = append(worldDirs, dir)
	self, errSelf := os.Executable()
	if err = errors.Join(err, errSelf); err == nil {
		err = errors.Join(os.Symlink(self, filepath.Join(dir, "labour")),
			os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")))
	}
	if err == nil {
		status = m.Run()
	}
	for _, dir := range worldDirs {
		err = errors.Join(err, os.RemoveAll(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return status
}

// TestScripts calls the program as the scripts say: `labour` in this process, so that the
// lists of skills and occupations are read once, and `exec labour` as a process.
func TestScripts(t *testing.T) {
	dir, err := filepath.Abs("testdata/script")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(e *testscript.Env) error {
		// Sealed snapshots are read-only; the directory is removed by its owner.
		e.Defer(func() { unlock(t, e.WorkDir) })
		return nil
	}, Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"labour": func(ts *testscript.TestScript, neg bool, args []string) {
			if got := call(ts, args); (got == cli.ExitDone) == neg {
				ts.Fatalf("it ended with status %d", got)
			}
		},
		"status": func(ts *testscript.TestScript, _ bool, args []string) { status(ts, args) },
	}})
}

// calls holds the working directory of this process, which calls of scripts change.
var calls sync.Mutex

// call runs the program in the script's directory, and gives its exit status.
func call(ts *testscript.TestScript, args []string) int {
	calls.Lock()
	defer calls.Unlock()
	home, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer func() { ts.Check(os.Chdir(home)) }()
	var stdout, stderr shared
	status := here(&stdout, &stderr, func(name string) (string, bool) { v := ts.Getenv(name); return v, v != "" }, args)
	fmt.Fprint(ts.Stdout(), stdout.String())
	fmt.Fprint(ts.Stderr(), stderr.String())
	return status
}

// here runs the program in this process, whose collector it leaves as it is.
func here(stdout, stderr io.Writer, getenv func(string) (string, bool), args []string) int {
	a := newApp(os.Stdout, os.Stderr)
	a.stdout, a.stderr, a.now, a.interactive = stdout, stderr, scriptClock, false
	if fixed, _ := getenv(fixedClock); fixed != "" {
		at, err := time.Parse(time.RFC3339, fixed)
		if err != nil {
			fmt.Fprintln(stderr, err)
			return 1
		}
		a.now = func() time.Time { return at }
	}
	a.getenv = func(name string) (string, bool) {
		if name == "GOGC" || name == "GOMEMLIMIT" {
			return "", true
		}
		return getenv(name)
	}
	return run(args, a)
}

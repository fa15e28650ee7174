package main

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// realClock keeps the clock of a command that a test starts, as who checks the time of a
// message needs it.
const realClock = "LABOUR_TEST_REAL_CLOCK"

// TestMain makes the program a command of the scripts under testdata/script.
func TestMain(m *testing.M) {
	testscript.Main(cleaned{m}, map[string]func(){
		"labour": func() {
			a := newApp(os.Stdout, os.Stderr)
			if os.Getenv(realClock) == "" {
				a.now = func() time.Time { return time.Now().UTC().AddDate(2, 0, 0) } // after the dates of the scripts, on any machine
			}
			os.Exit(run(os.Args[1:], a))
		},
	})
}

// cleaned runs the tests, and removes what they share.
type cleaned struct{ *testing.M }

func (c cleaned) Run() int {
	status := c.M.Run()
	for _, dir := range worldDirs {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	return status
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Setup: func(e *testscript.Env) error {
		// Sealed snapshots are read-only; the directory is removed by its owner.
		e.Defer(func() { unlock(t, e.WorkDir) })
		return nil
	}, Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"status": func(ts *testscript.TestScript, _ bool, args []string) { status(ts, args) },
	}})
}

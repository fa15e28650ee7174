package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the program a command of the scripts under testdata/script.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"labour": func() { os.Exit(run(os.Args[1:], newApp(os.Stdout, os.Stderr))) },
	})
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

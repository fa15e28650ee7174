package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// status calls `labour` and holds its exit status: `status 2 run --as-of x`.
func status(ts *testscript.TestScript, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := call(ts, args[1:]); got != want {
		ts.Fatalf("labour %v ended with status %d, want %d", args[1:], got, want)
	}
}

func unlock(t *testing.T, dir string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

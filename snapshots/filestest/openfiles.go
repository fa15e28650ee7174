// Package filestest shows what code under test does with files: which files and databases it leaves
// open, and which files it syncs to disk and renames. It imports no package of this project, so
// that the tests of every package may import it.
package filestest

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
)

// openFilesDir is the directory in which Linux lists the open files of the current process.
const openFilesDir = "/proc/self/fd"

// times is how often CheckFilesClosed calls each function. If every call leaves a file open, at
// least this number of files are open afterwards. Other goroutines of the test open or end
// meanwhile, but fewer than this number.
const times = 20

// CheckFilesClosed calls each function several times. The test fails if a call returns an error, or
// if the calls leave at least one file open or one goroutine running for each call. A database of
// package database/sql that is not closed leaves a goroutine. The test is skipped if the system
// cannot list the open files of a process.
func CheckFilesClosed(t *testing.T, calls map[string]func() error) {
	t.Helper()
	if _, err := os.ReadDir(openFilesDir); err != nil {
		t.Skip("this system does not list the open files of a process")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector also closes files
	for name, call := range calls {
		before, err := os.ReadDir(openFilesDir)
		goroutines := runtime.NumGoroutine()
		for range times {
			err = errors.Join(err, call())
		}
		after, err2 := os.ReadDir(openFilesDir)
		if err != nil || err2 != nil || len(after) >= len(before)+times {
			t.Errorf("%s: %d files are open, after %d; %v, %v", name, len(after), len(before), err, err2)
		}
		if left := runtime.NumGoroutine() - goroutines; left >= times {
			t.Errorf("%s: %d goroutines are left; is a database open?", name, left)
		}
	}
}

// Package filestest shows what code under test does with files: which files and databases it leaves
// open, and which files it syncs to disk and renames. It imports no package of this project, so that
// the tests of every package may import it.
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

// times is the number of times that each function is called. It is larger than the number of files
// that other goroutines may open meanwhile, and than the number of goroutines that may still end.
const times = 20

// CheckFilesClosed calls each function several times. The test fails if a call returns an error, or
// if every call seems to leave a file or a goroutine. A goroutine is left by an open database of
// package database/sql. The test is skipped if the system cannot list the open files of a process.
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

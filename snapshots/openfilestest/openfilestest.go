// Package openfilestest finds files that code under test leaves open. It imports no package of this
// project, so that the tests of every package may import it.
package openfilestest

import (
	"errors"
	"os"
	"runtime/debug"
	"testing"
)

// openFilesDir is the directory in which Linux lists the open files of the current process.
const openFilesDir = "/proc/self/fd"

// times is the number of times that each function is called. It is larger than the number of files
// that other goroutines may open meanwhile.
const times = 20

// CheckFilesClosed calls each function several times. The test fails if a call returns an error, or
// if every call seems to leave a file open. The test is skipped if the system cannot list the open
// files of a process.
func CheckFilesClosed(t *testing.T, calls map[string]func() error) {
	t.Helper()
	if _, err := os.ReadDir(openFilesDir); err != nil {
		t.Skip("this system does not list the open files of a process")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector also closes files
	for name, call := range calls {
		before, err := os.ReadDir(openFilesDir)
		for range times {
			err = errors.Join(err, call())
		}
		after, err2 := os.ReadDir(openFilesDir)
		if err != nil || err2 != nil || len(after) >= len(before)+times {
			t.Errorf("%s: %d files are open, after %d; %v, %v", name, len(after), len(before), err, err2)
		}
	}
}

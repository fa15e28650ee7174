package filestest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// dirEnv is the environment variable with the directory of the traced process.
const dirEnv = "LABOUR_TEST_TRACED_DIR"

// diskCall matches a call of fsync or rename in the output of strace, with the path of the synced
// file or the new path of the renamed one.
var diskCall = regexp.MustCompile(`fsync\(\d+<([^>]*)>|rename(?:at|at2)?\([^"]*"[^"]*",[^"]*"([^"]*)"`)

// TracedDir returns the directory in which the traced process of DiskCalls does its work. In every
// other process it returns "".
func TracedDir() string { return os.Getenv(dirEnv) }

// DiskCalls runs the test again in another process, in which TracedDir is dir. It returns the calls
// of fsync and rename of that process, in order, such as "sync snapshots". The paths are within dir.
// Without strace the test is skipped.
func DiskCalls(t *testing.T, dir string) (calls []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "calls")
	strace := []string{"-f", "-qq", "-y", "-s", "4096", "-e", "trace=fsync,/^rename", "-o", file}
	if err := exec.Command("strace", append(strace, "true")...).Run(); err != nil {
		t.Skipf("system calls cannot be traced here (strace): %v", err)
	}
	c := exec.Command("strace", append(strace, os.Args[0], "-test.run", "^"+t.Name()+"$")...)
	c.Env = append(os.Environ(), dirEnv+"="+dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range diskCall.FindAllStringSubmatch(string(text), -1) {
		what, path := "sync ", call[1]
		if path == "" {
			what, path = "rename ", call[2]
		}
		if within, err := filepath.Rel(dir, path); err == nil {
			calls = append(calls, what+within)
		}
	}
	return calls
}

package store_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"labour/snapshots/snaptest"
)

// builtEnv is the environment variable with a data directory. If it is set, the test program builds
// a snapshot there and ends.
const builtEnv = "LABOUR_TEST_BUILT_SNAPSHOT"

// diskCall matches a call of fsync or rename in the output of strace, with the path of the synced
// file or the new path of the renamed one.
var diskCall = regexp.MustCompile(`fsync\(\d+<([^>]*)>|rename(?:at|at2)?\([^"]*"[^"]*",[^"]*"([^"]*)"`)

// TestSnapshotsAreSynced: a published snapshot survives a power cut. Each file of it is synced, and
// then its directory, before the snapshot gets its name. Each directory is synced after a name in it
// has changed.
func TestSnapshotsAreSynced(t *testing.T) {
	if data := os.Getenv(builtEnv); data != "" {
		snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
		return
	}
	data := t.TempDir()
	snaptest.MakeRemovable(t, data)
	hidden, calls := map[string]int{}, []string{} // hidden has the number of the last call
	for i, call := range diskCalls(t, data) {
		if before, after, isHidden := strings.Cut(call, "/.tmp-"); isHidden {
			hidden[before+"/"+after] = i + 1
		} else {
			calls = append(calls, call)
		}
	}
	want := []string{"rename partners/2026-11-20.1", "sync partners", "sync .", "rename snapshots/2026-11-20.1",
		"sync snapshots", "sync snapshots/.index.new", "rename snapshots/index.json", "sync snapshots",
		"sync snapshots/.CURRENT.new", "rename snapshots/CURRENT", "sync snapshots", "sync snapshots/.index.new",
		"rename snapshots/index.json", "sync snapshots"}
	if !slices.Equal(calls, want) {
		t.Errorf("the calls are %q, want %q", calls, want)
	}
	for _, dir := range []string{"partners/2026-11-20.1", "snapshots/2026-11-20.1"} {
		err := fs.WalkDir(os.DirFS(data), dir, func(path string, _ fs.DirEntry, err error) error {
			last, ofDir := hidden["sync "+path], hidden["sync "+filepath.Dir(path)]
			if last == 0 || path != dir && ofDir < last {
				t.Errorf("%s or then its directory was not synced before it had this name", path)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// diskCalls builds a snapshot in another process and returns its calls of fsync and rename, in order,
// such as "sync snapshots". The paths are within the directory data.
func diskCalls(t *testing.T, data string) (calls []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "calls")
	strace := []string{"-f", "-qq", "-y", "-s", "4096", "-e", "trace=fsync,/^rename", "-o", file}
	if err := exec.Command("strace", append(strace, "true")...).Run(); err != nil {
		t.Skipf("system calls cannot be traced here (strace): %v", err)
	}
	c := exec.Command("strace", append(strace, os.Args[0], "-test.run", "^"+t.Name()+"$")...)
	c.Env = append(os.Environ(), builtEnv+"="+data)
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
		if within, err := filepath.Rel(data, path); err == nil {
			calls = append(calls, what+within)
		}
	}
	return calls
}

package archive_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"labour/sources"
	"labour/sources/archive"
)

// filledEnv is the environment variable with the directory of an archive. If it is set, the test
// program fills the archive and ends.
const filledEnv = "LABOUR_TEST_FILLED_ARCHIVE"

// syncedPath matches a call of fsync in the output of strace, with the path of the file.
var syncedPath = regexp.MustCompile(`fsync\(\d+<([^>]*)>`)

// TestArchivedDataAreSynced: a body, the directories with new files and both journals survive a power
// cut once an extract is appended. The system calls of another process show it, in their order.
func TestArchivedDataAreSynced(t *testing.T) {
	if dir := os.Getenv(filledEnv); dir != "" {
		fill(t, open(t, dir))
		return
	}
	calls, dir := filepath.Join(t.TempDir(), "calls"), t.TempDir()
	strace := []string{"-f", "-qq", "-y", "-e", "trace=fsync", "-o", calls}
	if err := exec.Command("strace", append(strace, "true")...).Run(); err != nil {
		t.Skipf("system calls cannot be traced here (strace): %v", err)
	}
	c := exec.Command("strace", append(strace, os.Args[0], "-test.run", "^TestArchivedDataAreSynced$")...)
	c.Env = append(os.Environ(), filledEnv+"="+dir)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	var synced []string
	for _, call := range syncedPath.FindAllStringSubmatch(string(text), -1) {
		path, _ := filepath.Rel(dir, call[1])
		if strings.HasPrefix(path, "tmp/s/body-") { // the rest of the name is random
			path = "tmp/s/body"
		}
		synced = append(synced, path)
	}
	want := []string{"tmp/s/body", "sha256", "sha256/23", "fetches", "fetches/s.ndjson", "extracts", "extracts/s.ndjson"}
	if !slices.Equal(synced, want) {
		t.Errorf("synced are %q, want %q", synced, want)
	}
}

// fill archives a download with one body, and an extract of it.
func fill(t *testing.T, a *archive.Archive) {
	t.Helper()
	o := put(t, a, "body")
	err := a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: o.Name, SHA256: o.SHA256, EndedAt: noon})
	x := sources.Extract{Source: "s", FetchedAt: noon, Objects: []sources.ArchivedObject{o}}
	if err := errors.Join(err, a.AppendExtract(x)); err != nil {
		t.Fatal(err)
	}
}

package archive_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"labour/snapshots/filestest"
	"labour/sources"
	"labour/sources/archive"
)

// TestArchivedDataAreSynced: a body, the directories with new files and both journals survive a power
// cut once an extract is appended. The system calls of another process show it, in their order.
func TestArchivedDataAreSynced(t *testing.T) {
	if dir := filestest.TracedDir(); dir != "" {
		fill(t, open(t, dir))
		return
	}
	var synced []string
	for _, call := range filestest.DiskCalls(t, t.TempDir()) {
		path, isSync := strings.CutPrefix(call, "sync ")
		if !isSync {
			continue
		}
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

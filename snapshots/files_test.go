package snapshots_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/filestest"
)

// write writes a file of a snapshot's directory.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestHashOfAFile holds the size and the SHA-256 of a file, as sha256sum prints it.
func TestHashOfAFile(t *testing.T) {
	path := write(t, t.TempDir(), "a", "abc")
	want := snapshots.File{Path: path, Bytes: 3,
		SHA256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
	if got, err := snapshots.HashFile(path); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, none := range []string{path + ".gone", filepath.Dir(path)} {
		if got, err := snapshots.HashFile(none); err == nil || got != (snapshots.File{}) ||
			!strings.HasPrefix(err.Error(), "hash") || !strings.Contains(err.Error(), none) {
			t.Errorf("%s, which is no file, hashes to %+v, %v", none, got, err)
		}
	}
}

// TestHashedFilesAreClosed: a snapshot has many files, and a server may open only so many.
func TestHashedFilesAreClosed(t *testing.T) {
	path := write(t, t.TempDir(), "a", "abc")
	filestest.CheckFilesClosed(t, map[string]func() error{
		"hash": func() error { _, err := snapshots.HashFile(path); return err }})
}

// TestManifestOfADirectory is returned with the hash of its bytes; a damaged one is named by its path.
func TestManifestOfADirectory(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := snapshots.ReadManifest(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory without a manifest: %v", err)
	}
	write(t, dir, snapshots.ManifestFileName, `{"format": "labour/1", "id": "2026-11-20.1", "as_of": "2026-11-20"}`)
	m, sum, err := snapshots.ReadManifest(dir)
	want, hashErr := snapshots.HashFile(filepath.Join(dir, snapshots.ManifestFileName))
	if err != nil || hashErr != nil || m.ID != "2026-11-20.1" || sum != want.SHA256 {
		t.Errorf("%+v with the hash %s, %v; want the hash %s, %v", m, sum, err, want.SHA256, hashErr)
	}
	path := write(t, dir, snapshots.ManifestFileName, "{")
	if _, sum, err := snapshots.ReadManifest(dir); err == nil || sum != "" || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged manifest: %q, %v", sum, err)
	}
}

// TestReportOfADirectory is read into the fields that are asked for.
func TestReportOfADirectory(t *testing.T) {
	type wanted struct{ Rows int }
	dir := t.TempDir()
	if _, err := snapshots.ReadReport[wanted](dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory without a report: %v", err)
	}
	write(t, dir, snapshots.ReportFileName, `{"rows": 3, "other": true}`)
	if got, err := snapshots.ReadReport[wanted](dir); err != nil || got.Rows != 3 {
		t.Errorf("%+v, %v; want 3 rows", got, err)
	}
	write(t, dir, snapshots.ReportFileName, "{")
	if _, err := snapshots.ReadReport[wanted](dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("a damaged report: %v; want an error with the directory", err)
	}
}

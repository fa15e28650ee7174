package previous

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
)

// The format is that of the current snapshot and of the index. A directory without snapshots has none.
func TestFormatOfTheCurrentSnapshot(t *testing.T) {
	data := t.TempDir()
	if err := CheckDataFormat(data); err != nil {
		t.Errorf("without a snapshot: %v", err)
	}
	id := snaptest.BuildSnapshot(t, data, day, snaptest.Content{PlatformName: "Works"})
	if err := CheckDataFormat(data); err != nil {
		t.Errorf("a snapshot of this program: %v", err)
	}
	snaptest.MakeRemovable(t, data)
	dir := filepath.Join(snapshots.SnapshotsDir(data), string(id))
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	replace := func(file, text string) (restore func()) {
		t.Helper()
		before, err := os.ReadFile(file)
		err = errors.Join(err, os.Chmod(file, 0o600), os.WriteFile(file, []byte(text), 0o600))
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			if err := os.WriteFile(file, before, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	manifest, index := filepath.Join(dir, snapshots.ManifestFileName), filepath.Join(snapshots.SnapshotsDir(data),
		snapshots.IndexFileName)
	restore := replace(manifest, `{"format": "1"}`)
	if err := CheckDataFormat(data); !errors.Is(err, snapshots.ErrUnsupportedFormat) {
		t.Errorf("a manifest of another format: %v", err)
	}
	if _, err := PublishedSnapshots(data, slog.New(slog.DiscardHandler)); !errors.Is(err, snapshots.ErrUnsupportedFormat) {
		t.Errorf("published with a manifest of another format: %v", err)
	}
	restore()
	restore = replace(index, `{"format": "1"}`)
	if err := CheckDataFormat(data); !errors.Is(err, snapshots.ErrUnsupportedFormat) {
		t.Errorf("an index of another format: %v", err)
	}
	restore()
	restore = replace(index, `{`)
	if err := CheckDataFormat(data); err != nil {
		t.Errorf("a damaged index is no other format: %v", err)
	}
	restore()
	current := filepath.Join(snapshots.SnapshotsDir(data), snapshots.CurrentFileName)
	replace(current, "no id")
	if err := CheckDataFormat(data); err == nil {
		t.Error("a current snapshot that is no id is no error")
	}
	if _, err := OpenCurrent(data); err == nil || errors.Is(err, ErrWholeRunNeeded) {
		t.Errorf("the current snapshot is %v", err)
	}
	if _, err := PublishedSnapshots(data, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("published without a current snapshot that can be read")
	}
}

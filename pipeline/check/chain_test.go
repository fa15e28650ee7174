package check

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	"labour/pipeline/check/limits"
	"labour/pipeline/previous"
	"labour/pipeline/verify"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// forgeManifest changes the tool version in the manifest of a snapshot, and makes the sums agree.
func forgeManifest(t *testing.T, folder *store.Store, id snapshots.ID) {
	t.Helper()
	dir := folder.SnapshotDir(id)
	m, before, err := snapshots.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.ToolVersion += "-forged"
	text, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	path := snapshots.JoinPath(dir, snapshots.ManifestFileName)
	if err := errors.Join(os.Remove(path), os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, after, err := snapshots.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	path = snapshots.JoinPath(dir, snapshots.SumsFileName)
	sums, err := os.ReadFile(path)
	changed := strings.Replace(string(sums), before, after, 1)
	if err := errors.Join(err, os.Remove(path), os.WriteFile(path, []byte(changed), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// TestForgedManifestIsRefused: a snapshot that is sound by itself, but is not the one that was
// sealed, is not promoted, and no run copies from it.
func TestForgedManifestIsRefused(t *testing.T) {
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
	next := snaptest.SealSnapshot(t, data, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	snaptest.MakeRemovable(t, data)
	folder, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	forgeManifest(t, folder, id)
	alone, err := verify.VerifyDir(t.Context(), folder.SnapshotDir(id), verify.Options{})
	if err != nil || !alone.HasNoFaults() {
		t.Fatalf("the forgery shows without the store: %v, %v", alone.Faults, err)
	}
	const words = "its manifest is not the one that was sealed"
	var refused *RefusedError
	_, err = CheckPromotion(t.Context(), folder, id, limits.Checks{}, slog.New(slog.DiscardHandler))
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), words) {
		t.Errorf("the check: %v", err)
	}
	advice := fmt.Sprintf("put it back from a backup, or withdraw it with labour snapshot withdraw %s", id)
	if _, err := previous.OpenCurrent(data); err == nil || !strings.Contains(err.Error(), words) ||
		!strings.Contains(err.Error(), advice) {
		t.Errorf("opened to copy from: %v", err)
	}
	if err := folder.CheckAgainstIndex(next); err != nil {
		t.Errorf("the next snapshot: %v", err)
	}
}

// TestDamagedIndexRefusesNothing: a promotion makes the index and CURRENT again.
func TestDamagedIndexRefusesNothing(t *testing.T) {
	for _, name := range []string{snapshots.IndexFileName, snapshots.CurrentFileName} {
		data := t.TempDir()
		id := snaptest.BuildSnapshot(t, data, "2026-11-20", snaptest.DefaultContent(t, "2026-11-20"))
		path := snapshots.JoinPath(snapshots.SnapshotsDir(data), name)
		if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		folder, err := store.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		faults, err := FindFaults(t.Context(), folder, id, limits.Checks{})
		if err != nil || len(faults) > 0 {
			t.Errorf("%s: %v, %v", name, faults, err)
		}
	}
}

package objects

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// TestOnlyPromotedSnapshotsArePublished: a snapshot that was never promoted stays here. An earlier
// one that was promoted is sent, but only the current one moves CURRENT.
func TestOnlyPromotedSnapshotsArePublished(t *testing.T) {
	from, first, data := publishedStore(t, "2026-11-20")
	second := snaptest.BuildSnapshot(t, data, "2026-11-21", snaptest.DefaultContent(t, "2026-11-21"))
	sealed := snaptest.SealSnapshot(t, data, "2026-11-22", snaptest.DefaultContent(t, "2026-11-22"))
	r := remote(t, "file://"+filepath.ToSlash(t.TempDir()))
	if _, err := r.Publish(t.Context(), from, sealed); !errors.Is(err, store.ErrNeverPromoted) {
		t.Errorf("never promoted: %v", err)
	}
	if there, err := r.bucket.Exists(t.Context(), key(sealed, snapshots.ManifestFileName)); there || err != nil {
		t.Errorf("never promoted, and sent: %t, %v", there, err)
	}
	if sent, err := r.Publish(t.Context(), from, second); err != nil || !sent.IsNowCurrent {
		t.Errorf("the current one: %+v, %v", sent, err)
	}
	sent, err := r.Publish(t.Context(), from, first)
	if err != nil || sent.IsNowCurrent || sent.Sent == 0 {
		t.Errorf("an earlier one: %+v, %v", sent, err)
	}
	if now, err := r.Current(t.Context()); now != second || err != nil {
		t.Errorf("current is %s, %v; want %s", now, err, second)
	}
	if err := from.Promote(t.Context(), first, second); err != nil {
		t.Fatal(err)
	}
	if sent, err := r.Publish(t.Context(), from, second); err != nil || !sent.IsNowCurrent {
		t.Errorf("the one that is still current there: %+v, %v", sent, err)
	}
	if sent, err := r.Publish(t.Context(), from, first); err != nil || !sent.IsNowCurrent {
		t.Errorf("the earlier one, promoted again: %+v, %v", sent, err)
	}
}

// TestForgedSnapshotIsNotPublished: the manifest must be the one that was sealed.
func TestForgedSnapshotIsNotPublished(t *testing.T) {
	from, id, data := publishedStore(t, "2026-11-20")
	snaptest.MakeRemovable(t, data)
	m, err := from.Manifest(id)
	if err != nil {
		t.Fatal(err)
	}
	m.ToolVersion += "-forged"
	text, err := m.Encode()
	path := snapshots.JoinPath(from.SnapshotDir(id), snapshots.ManifestFileName)
	if err := errors.Join(err, os.Remove(path), os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	r := remote(t, "file://"+filepath.ToSlash(t.TempDir()))
	_, err = r.Publish(t.Context(), from, id)
	if err == nil || !strings.Contains(err.Error(), "put it back from a backup") {
		t.Errorf("published: %v", err)
	}
}

package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
)

// TestPromotedHasChanges: nobody could see what a snapshot without changes.parquet changed.
func TestPromotedHasChanges(t *testing.T) {
	s := openStore(t, t.TempDir())
	w, err := s.Begin(asOfTest)
	if err != nil {
		t.Fatal(err)
	}
	m := fill(t, w, "a")
	if err := os.Remove(w.FilePath(snapshots.ChangesFileName)); err != nil {
		t.Fatal(err)
	}
	id, err := w.Seal(t.Context(), m, nil)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := s.Promote(t.Context(), id, ""); !errors.Is(err, ErrNoChangesFile) {
		t.Errorf("promoted: %v", err)
	}
	if _, err := s.Current(); !errors.Is(err, ErrNoCurrent) {
		t.Errorf("current: %v", err)
	}
}

// TestPromotedAgainIsNotSuperseded by itself.
func TestPromotedAgainIsNotSuperseded(t *testing.T) {
	s := openStore(t, t.TempDir())
	first := publish(t, s, "a")
	promote(t, s, first)
	if _, err := os.Stat(s.supersededFile(first)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("noted as superseded: %v", err)
	}
	second := publish(t, s, "b")
	if b, err := os.ReadFile(s.supersededFile(first)); err != nil || string(b) != string(second)+"\n" {
		t.Errorf("the note is %q, %v; want %s", b, err, second)
	}
	b, err := os.ReadFile(filepath.Join(s.root, snapshots.CurrentFileName))
	if err != nil || string(b) != string(second)+"\n" {
		t.Errorf("CURRENT is %q, %v; want %s", b, err, second)
	}
}

// TestUnreadableManifestsAreExplained: each error says what to do.
func TestUnreadableManifestsAreExplained(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := sealOne(t, s, "a")
	path := snapshots.JoinPath(s.SnapshotDir(id), snapshots.ManifestFileName)
	for _, c := range []struct {
		words  string
		change func(string) string
	}{
		{"it names 2026-11-20.2", func(text string) string { return strings.Replace(text, string(id), "2026-11-20.2", 1) }},
		{"put the snapshot back from a backup, or make another one current", func(string) string { return "{" }},
	} {
		spoil(t, path, c.change)
		if m, err := s.Manifest(id); err == nil || m.ID != "" || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s, %v; want an error with %q", m.ID, err, c.words)
		}
	}
	spoil(t, path, func(string) string { return `{"format": "labour/99"}` })
	if _, err := s.Manifest(id); !errors.Is(err, snapshots.ErrUnsupportedFormat) || strings.Contains(err.Error(),
		"backup") {
		t.Errorf("a newer format: %v; no backup helps", err)
	}
	replace(t, filepath.Join(s.root, snapshots.CurrentFileName), string(id)+"\n")
	if _, _, err := s.CurrentAndPredecessor(); !errors.Is(err, snapshots.ErrUnsupportedFormat) {
		t.Errorf("the snapshot before, in a newer format: %v", err)
	}
}

// TestStoreIsADirectory: a file in its place is refused, nothing in its place is an empty store.
func TestStoreIsADirectory(t *testing.T) {
	data := t.TempDir()
	s := openStore(t, data)
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 || s.RootDir() != snapshots.SnapshotsDir(data) {
		t.Errorf("nothing: %v, %v in %s", list, err, s.RootDir())
	}
	if _, err := os.Stat(s.root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening made the folder: %v", err)
	}
	if _, err := s.Begin(asOfTest); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"2026-11-20.7", "2026-11-20.07", "2026-11-20.8.json"} {
		replace(t, filepath.Join(s.root, name), "") // no directories of snapshots
	}
	if ids, err := s.ids(); err != nil || len(ids) != 0 {
		t.Errorf("snapshots %v, %v", ids, err)
	}
	other := t.TempDir()
	replace(t, snapshots.SnapshotsDir(other), "")
	if _, err := Open(other); err == nil || !strings.Contains(err.Error(),
		snapshots.SnapshotsDir(other)+" is not a directory") {
		t.Errorf("a file: %v", err)
	}
	for name, err := range map[string]error{
		"list": func() error { _, err := (&Store{root: snapshots.SnapshotsDir(other)}).List(t.Context()); return err }(),
		"next": func() error { _, err := (&Store{root: snapshots.SnapshotsDir(other)}).NextID(asOfTest); return err }(),
	} {
		if err == nil {
			t.Errorf("%s of a file: no error", name)
		}
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(s.root, snapshots.CurrentFileName)),
		os.Mkdir(filepath.Join(s.root, snapshots.CurrentFileName), openDir)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Current(); err == nil || errors.Is(err, ErrNoCurrent) || errors.Is(err, ErrUnreadableCurrent) {
		t.Errorf("a CURRENT that is a directory: %v", err)
	}
	if _, err := s.List(t.Context()); err == nil {
		t.Error("a list without the current one, and no error")
	}
}

// TestNextIDIsAfterEverySealed, which the folder or the index has; other days do not count.
func TestNextIDIsAfterEverySealed(t *testing.T) {
	s := openStore(t, t.TempDir())
	for _, id := range []string{"2026-11-20.2", "2026-11-20.9", "2026-11-19.12", "2026-11-20.10"} {
		if err := os.MkdirAll(filepath.Join(s.root, id), openDir); err != nil {
			t.Fatal(err)
		}
	}
	evening := time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC)
	if id, err := s.NextID(evening); err != nil || id != "2026-11-20.11" {
		t.Errorf("the next is %s, %v; want 2026-11-20.11", id, err)
	}
	if err := s.updateIndex("", func(x *Index) { x.entry("2026-11-20.15").Removed = true }); err != nil {
		t.Fatal(err)
	}
	if id, err := s.NextID(asOfTest); err != nil || id != "2026-11-20.16" {
		t.Errorf("the next is %s, %v; want 2026-11-20.16", id, err)
	}
}

// TestLastFollowedIsTheNewest that a manifest names, which can be read and was not withdrawn.
func TestLastFollowedIsTheNewest(t *testing.T) {
	s, ctx := openStore(t, t.TempDir()), context.Background()
	first, second := publish(t, s, "a"), publish(t, s, "b")
	promote(t, s, first)
	publish(t, s, "c") // follows the first
	promote(t, s, second)
	publish(t, s, "d") // follows the second
	promote(t, s, first)
	publish(t, s, "e") // follows the first
	if got, err := s.lastFollowed(); err != nil || got != second {
		t.Errorf("%s, %v; want %s", got, err, second)
	}
	if _, err := s.Withdraw(ctx, second, Withdrawal{At: asOfTest, By: "A", Reason: "wrong"}); err != nil {
		t.Fatal(err)
	}
	if got, err := s.lastFollowed(); err != nil || got != first {
		t.Errorf("%s, %v; want %s, as %s is withdrawn", got, err, first, second)
	}
	spoil(t, snapshots.JoinPath(s.SnapshotDir(first), snapshots.ManifestFileName), func(string) string { return "{" })
	if got, err := s.lastFollowed(); err != nil || got != "" {
		t.Errorf("%s, %v; want none, as %s cannot be read", got, err, first)
	}
}

// TestSnapshotBeforeNeedsTheIndex: where none can be found without it, the error says how to make it.
func TestSnapshotBeforeNeedsTheIndex(t *testing.T) {
	s := openStore(t, t.TempDir())
	publish(t, s, "a")
	replace(t, filepath.Join(s.root, snapshots.IndexFileName), "{")
	replace(t, filepath.Join(s.root, snapshots.CurrentFileName), "")
	current, before, err := s.CurrentAndPredecessor()
	if current != "" || before != "" || err == nil || !strings.Contains(err.Error(), "labour snapshot list --rebuild") {
		t.Errorf("%q, %q, %v", current, before, err)
	}
}

package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots"
)

// TestAdoptedIsSaidInTheIndex, and its files are read-only.
func TestAdoptedIsSaidInTheIndex(t *testing.T) {
	from, into := openStore(t, t.TempDir()), openStore(t, t.TempDir())
	if yes, err := into.IsFromOtherStore("2026-11-20.1"); yes || err != nil {
		t.Errorf("a store without an index: %t, %v", yes, err)
	}
	first, second := sealOne(t, from, "a"), sealOne(t, from, "b")
	adopt(t, into, from, second)
	own := sealOne(t, into, "c")
	for id, want := range map[snapshots.ID]bool{second: true, own: false, first: false} {
		if yes, err := into.IsFromOtherStore(id); yes != want || err != nil {
			t.Errorf("%s: %t, %v; want %t", id, yes, err, want)
		}
	}
	info, err := os.Stat(into.SnapshotDir(second))
	file, err2 := os.Stat(filepath.Join(into.SnapshotDir(second), snapshots.ManifestFileName))
	if err != nil || err2 != nil || info.Mode().Perm() != sealedDir || file.Mode().Perm() != sealedFile {
		t.Errorf("modes %v and %v, %v, %v", info, file, err, err2)
	}
	if err := into.AddFromOtherStore(t.Context(), "../x", nil); !errors.Is(err, snapshots.ErrInvalidID) {
		t.Errorf("no ID: %v", err)
	}
	if _, links := chain(t, into); !found(links, second, false, "not taken over: nothing is known of "+string(first)) {
		t.Errorf("%+v", links)
	}
	replace(t, filepath.Join(into.root, snapshots.IndexFileName), "{")
	if adopt(t, into, from, second) {
		t.Error("asked for again")
	}
	if b, err := os.ReadFile(filepath.Join(into.root, snapshots.IndexFileName)); err != nil || string(b) != "{" {
		t.Errorf("an index that cannot be read was replaced: %s, %v", b, err)
	}
	if yes, err := into.IsFromOtherStore(second); yes || err == nil {
		t.Errorf("an index that cannot be read: %t, %v", yes, err)
	}
}

// TestInterruptedAdoptionIsContinued: its files are still there; those of another one are removed.
func TestInterruptedAdoptionIsContinued(t *testing.T) {
	s := openStore(t, t.TempDir())
	broken := errors.New("the line was cut")
	stop := func(id snapshots.ID, want int) {
		t.Helper()
		err := s.AddFromOtherStore(t.Context(), id, func(dir string) error {
			entries, err := os.ReadDir(dir)
			if len(entries) != want {
				t.Errorf("%s has %d files, want %d", id, len(entries), want)
			}
			return errors.Join(err, os.WriteFile(filepath.Join(dir, "a"), nil, openFile), broken)
		})
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "adopt "+string(id)) {
			t.Errorf("%s: %v", id, err)
		}
	}
	stop(day1, 0)
	stop(day1, 1)
	stop(day2, 0)
	stop(day1, 0)
}

// TestStoppedAdoptionIsAnError after each of its steps.
func TestStoppedAdoptionIsAnError(t *testing.T) {
	from := openStore(t, t.TempDir())
	id := sealOne(t, from, "a")
	for n, step := range []string{"adopted files synced", "adopted", "index written"} {
		into := openStore(t, t.TempDir())
		killAt(into, n+1)
		err := into.AddFromOtherStore(t.Context(), id, func(dir string) error {
			return os.CopyFS(dir,
				os.DirFS(from.SnapshotDir(id)))
		})
		if !errors.Is(err, errKilled) {
			t.Errorf("stopped after %s: %v", step, err)
		}
		into.fault = nil
		if n == 0 {
			continue // its files are still in the folder of the adoption
		}
		adopt(t, into, from, id)
		if x, err := into.Index(); err != nil || len(x.Snapshots) != 1 || x.Snapshots[0].ManifestSHA256 == "" {
			t.Errorf("adopted again after %s: %+v, %v", step, x, err)
		}
	}
}

// TestIndexOfAnotherFormatIsNotReplaced: a newer program wrote it.
func TestIndexOfAnotherFormatIsNotReplaced(t *testing.T) {
	s := openStore(t, t.TempDir())
	sealOne(t, s, "a")
	newer := `{"format": "labour/99"}`
	path := filepath.Join(s.root, snapshots.IndexFileName)
	replace(t, path, newer)
	if err := s.RebuildIndex(t.Context()); !errors.Is(err, snapshots.ErrUnsupportedFormat) ||
		!strings.HasPrefix(err.Error(), "rebuild index.json: ") {
		t.Errorf("rebuilt: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != newer {
		t.Errorf("the index is %s, %v", b, err)
	}
	if _, _, err := s.CurrentAndPredecessor(); !errors.Is(err, snapshots.ErrUnsupportedFormat) {
		t.Errorf("the snapshot before: %v", err)
	}
	for _, bad := range []string{`{"format": "labour/1", "strange": 1}`, "[", `{"format": "labour/1", "snapshots": 1}`} {
		replace(t, path, bad)
		if _, err := s.Index(); err == nil || !strings.HasPrefix(err.Error(), "read index.json: ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// TestIndexFollowsTheDirectories: it repeats their manifests, and leaves out what has none.
func TestIndexFollowsTheDirectories(t *testing.T) {
	s := openStore(t, t.TempDir())
	first, second := publish(t, s, "a"), sealOne(t, s, "b")
	if err := errors.Join(os.Mkdir(s.SnapshotDir("2026-11-20.3"), openDir),
		os.Remove(filepath.Join(s.root, snapshots.IndexFileName)),
		s.RebuildIndex(t.Context())); err != nil {
		t.Fatal(err)
	}
	x, err := s.Index()
	if err != nil || len(x.Snapshots) != 2 || !x.Rebuilt {
		t.Fatalf("%+v, %v; want %s and %s, made again", x, err, first, second)
	}
	m, sum, err := snapshots.ReadManifest(s.SnapshotDir(second))
	e := x.Snapshots[1]
	if err != nil || e.ID != second || e.AsOf != m.AsOf || !e.CreatedAt.Equal(m.CreatedAt) || e.ManifestSHA256 != sum ||
		*e.Previous != *m.Previous || e.Removed || e.Published() || !x.Snapshots[0].Published() {
		t.Errorf("%+v, %v", e, err)
	}
	if err := s.updateIndex("", func(x *Index) { x.entry(second).Removed = true }); err != nil {
		t.Fatal(err)
	}
	if err := s.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if x, err = s.Index(); err != nil || x.Snapshots[1].Removed {
		t.Errorf("a snapshot that is there again is removed: %+v, %v", x.Snapshots, err)
	}
	fresh := openStore(t, t.TempDir())
	if err := os.MkdirAll(fresh.root, openDir); err != nil {
		t.Fatal(err)
	}
	if err := fresh.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if x, err := fresh.Index(); err != nil || x.Rebuilt || x.Snapshots == nil || x.Format != snapshots.Format {
		t.Errorf("the index of no snapshots: %+v, %v", x, err)
	}
}

// TestPublishedIsNotedOnce, at the time at which CURRENT moved, in whole seconds.
func TestPublishedIsNotedOnce(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := publish(t, s, "a")
	times := func() []time.Time {
		x, err := s.Index()
		if err != nil {
			t.Fatal(err)
		}
		e, _ := x.FindEntry(id)
		return e.PublishedAt
	}
	before := times()
	at := before[0].Add(time.Hour)
	if err := os.Chtimes(filepath.Join(s.root, snapshots.CurrentFileName), at, at.Add(5)); err != nil {
		t.Fatal(err)
	}
	if err := s.RebuildIndex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := times(); !slices.Equal(got, before) {
		t.Errorf("published at %v; an index made again adds no time to %v", got, before)
	}
	for range 2 {
		if err := s.recordPromotion(); err != nil {
			t.Fatal(err)
		}
		if got := times(); len(got) != 2 || !got[1].Equal(at) {
			t.Errorf("published at %v, want %v and %v", got, before, at)
		}
	}
}

// TestNewestPublishedIsTheLast of those that are there, can be read and were not withdrawn.
func TestNewestPublishedIsTheLast(t *testing.T) {
	s := openStore(t, t.TempDir())
	ids := []snapshots.ID{publish(t, s, "a"), publish(t, s, "b"), publish(t, s, "c"), publish(t, s, "d")}
	at := func(hour int) []time.Time { return []time.Time{asOfTest.Add(time.Duration(hour) * time.Hour)} }
	set := func(change func(x *Index)) {
		if err := s.updateIndex("", func(x *Index) {
			for i := range 4 {
				x.Snapshots[i].PublishedAt = at([]int{1, 4, 2, 2}[i])
				x.Snapshots[i].Removed, x.Snapshots[i].Withdrawn = false, nil
			}
			change(x)
		}); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(x *Index)
		want   snapshots.ID
	}{
		"all":                {func(*Index) {}, ids[1]},
		"the last withdrawn": {func(x *Index) { x.Snapshots[1].Withdrawn = &Withdrawal{Reason: "wrong"} }, ids[3]},
		"the last removed":   {func(x *Index) { x.Snapshots[1].Removed = true }, ids[3]},
		"published again":    {func(x *Index) { x.Snapshots[0].PublishedAt = append(at(9), at(8)...) }, ids[0]},
		"two at one time":    {func(x *Index) { x.Snapshots[1].PublishedAt = []time.Time{} }, ids[3]},
		"none":               {func(x *Index) { x.Snapshots = nil }, ""},
	} {
		set(c.change)
		if got, err := s.lastPublished(); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
		if err := s.RebuildIndex(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	set(func(*Index) {})
	spoil(t, snapshots.JoinPath(s.SnapshotDir(ids[1]), snapshots.ManifestFileName), func(string) string { return "{" })
	if got, err := s.lastPublished(); err != nil || got != ids[3] {
		t.Errorf("the last cannot be read: %q, %v; want %q", got, err, ids[3])
	}
}

// TestContextEndsWaits for the lock of CURRENT.
func TestContextEndsWaits(t *testing.T) {
	s := openStore(t, t.TempDir())
	id := sealOne(t, s, "a")
	l, err := tryLock(filepath.Join(s.root, currentLockName))
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if err := s.Promote(ended, id, ""); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "promote "+string(id)) {
		t.Errorf("promoted: %v", err)
	}
	if err := errors.Join(l.Close(), s.Promote(t.Context(), id, "")); err != nil {
		t.Error(err)
	}
}

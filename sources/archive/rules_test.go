package archive_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"labour/snapshots/filestest"
	"labour/sources"
	"labour/sources/archive"
)

// TestOldLayoutIsRefused: an archive with one journal for all sources, of either kind.
func TestOldLayoutIsRefused(t *testing.T) {
	for _, name := range []string{"fetches.ndjson", "extracts.ndjson"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if a, err := archive.Open(dir); a != nil || !errors.Is(err, archive.ErrUnsupportedLayout) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%s: the refused archive has %v, %v", name, entries, err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Open(file); err == nil || !strings.HasPrefix(err.Error(), "make archive: ") {
		t.Errorf("a file: %v", err)
	}
}

// TestPlacesOfBodies: by the first two letters of their hash; what is no hash has a place where
// nothing is.
func TestPlacesOfBodies(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	for sha, want := range map[string]string{"abcd": "ab/abcd.zst", "ab": "ab/ab.zst", "a": "invalid", "": "invalid"} {
		if got := a.BodyPath(sha); got != filepath.Join(dir, "sha256", filepath.FromSlash(want)) {
			t.Errorf("%q is in %s, want %s", sha, got, want)
		}
	}
	o := put(t, a, "body")
	if !a.HasBody(o.SHA256) || a.HasBody(strings.Repeat("0", 64)) {
		t.Errorf("the archive has %t and %t", a.HasBody(o.SHA256), a.HasBody(strings.Repeat("0", 64)))
	}
	if err := os.Mkdir(filepath.Join(dir, "sha256", "00"), 0o700); err != nil {
		t.Fatal(err)
	}
	loop := a.BodyPath("0000")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if b, err := a.Open(sources.ArchivedObject{Name: "n", SHA256: "0000"}); b != nil || err == nil || errors.Is(err,
		sources.ErrNotFound) {
		t.Errorf("a body that cannot be opened: %v", err)
	}
}

// TestClosedBodiesAreNotRead, and after an error the same error is returned again.
func TestClosedBodiesAreNotRead(t *testing.T) {
	a := open(t, t.TempDir())
	o := put(t, a, "body")
	b, err := a.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if n, err := b.Read(make([]byte, 9)); n != 0 || !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %d bytes, %v", n, err)
	}
	if b, err = a.Open(o); err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if all, err := io.ReadAll(b); string(all) != "body" || err != nil {
		t.Errorf("%q, %v", all, err)
	}
	if n, err := b.Read(make([]byte, 9)); n != 0 || err != io.EOF {
		t.Errorf("after the end: %d bytes, %v", n, err)
	}
	o.SHA256 = put(t, a, "other").SHA256
	if err := os.WriteFile(a.BodyPath(o.SHA256), []byte("no zstd"), 0o600); err != nil {
		t.Fatal(err)
	}
	bad, err := a.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	_, first := bad.Read(make([]byte, 9))
	if _, again := bad.Read(make([]byte, 9)); !errors.Is(first, sources.ErrDamaged) || again != first ||
		!strings.Contains(first.Error(), "read part (sha256 "+o.SHA256+")") {
		t.Errorf("damaged: %v, then %v", first, again)
	}
}

// TestLockedBeforeItIsWritten: the source, for others, until Close; other sources are free.
func TestLockedBeforeItIsWritten(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	if err := errors.Join(first.LockSource("s"), first.LockSource("s"), second.LockSource("other")); err != nil {
		t.Fatal(err)
	}
	if err := second.LockSource("s"); !errors.Is(err, archive.ErrBusy) {
		t.Errorf("locked twice: %v", err)
	}
	if _, err := first.RemoveUnneeded(func(string) bool { return true }, true); !errors.Is(err, archive.ErrBusy) {
		t.Errorf("collected by one who writes: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.LockSource("s"); err != nil {
		t.Errorf("after Close: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := first.RemoveUnneeded(func(string) bool { return true }, true); err != nil {
		t.Errorf("collected when nobody writes: %v", err)
	}
	if err := second.LockSource("s"); !errors.Is(err, archive.ErrBusy) {
		t.Errorf("locked by one while another collects: %v", err)
	}
}

// TestWhatIsKnownOfThePast: extracts from a time on, the first one, the sources, and the last body
// of each object.
func TestWhatIsKnownOfThePast(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	if at, err := a.FirstExtractTime("s"); err != nil || !at.IsZero() {
		t.Errorf("the first of none is at %s, %v", at, err)
	}
	day := func(n int) time.Time { return noon.AddDate(0, 0, n) }
	fetch := func(name, sha string, n int) error {
		return a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: name, SHA256: sha, EndedAt: day(n),
			ETag: sha})
	}
	extract := func(n int, names ...string) error {
		x := sources.Extract{Source: "s", FetchedAt: day(n)}
		for _, name := range names {
			x.Objects = append(x.Objects, sources.ArchivedObject{Name: name})
		}
		return a.AppendExtract(x)
	}
	old, kept := put(t, a, "old").SHA256, put(t, a, "kept").SHA256
	if err := errors.Join(fetch("gone", "g", 0), fetch("n", old, 0), extract(0, "gone", "n"), extract(2, "n"),
		fetch("n", kept, 1), extract(1, "n")); err != nil {
		t.Fatal(err)
	}
	if f, ok, err := a.LastFetchWithBody("s", "n"); err != nil || !ok || f.ETag != kept {
		t.Errorf("while it is written: %+v, %t, %v", f, ok, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, dir)
	if at, err := a.FirstExtractTime("s"); err != nil || !at.Equal(day(0)) {
		t.Errorf("the first is at %s, %v", at, err)
	}
	if keys, err := a.Sources(); err != nil || !slices.Equal(keys, []string{"s"}) {
		t.Errorf("sources %v, %v", keys, err)
	}
	for since, want := range map[int]int{0: 3, 1: 2, 2: 1, 3: 0} {
		all := extracts(t, a, "s", day(since))
		if len(all) != want || want > 0 && !all[0].FetchedAt.Equal(day(since)) {
			t.Errorf("since day %d: %+v, want %d in the order of their times", since, all, want)
		}
	}
	if f, ok, err := a.LastFetchWithBody("s", "n"); err != nil || !ok || f.ETag != kept {
		t.Errorf("the last body is of %+v, %t, %v", f, ok, err)
	}
	got, err := a.RemoveUnneeded(func(string) bool { return false }, false)
	if err != nil || got.Kept != 1 || got.Removed != 1 || !a.HasBody(kept) || a.HasBody(old) {
		t.Errorf("%+v, %v; want the last body of an object kept and the one before it removed", got, err)
	}
}

// TestDownloadsAreReadOnce: a run has thousands of downloads, and must not read the journal for each
// of them.
func TestDownloadsAreReadOnce(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	if err := a.AppendFetchRecord(archive.FetchRecord{Source: "s", ObjectName: "n", SHA256: "1"}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "fetches", "s.ndjson"), []byte("no record\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f, ok, err := a.LastFetchWithBody("s", "n"); err != nil || !ok || f.SHA256 != "1" {
		t.Errorf("%+v, %t, %v; want the download that was read before", f, ok, err)
	}
}

// TestArchiveClosesItsFiles: bodies that are filed and read, and locks.
func TestArchiveClosesItsFiles(t *testing.T) {
	dir := t.TempDir()
	a, other := open(t, dir), open(t, dir)
	o := put(t, a, "body")
	filestest.CheckFilesClosed(t, map[string]func() error{
		"put":    func() error { _, _, err := a.PutBody("s", strings.NewReader("body"), 9); return err },
		"verify": func() error { return a.VerifyBody(o) },
		"read":   func() error { _, err := read(a, o); return err },
		"busy": func() error {
			if err := other.LockSource("s"); !errors.Is(err, archive.ErrBusy) {
				return errors.Join(errors.New("not busy"), err)
			}
			return nil
		},
		"lock": func() error {
			b, err := archive.Open(dir)
			return errors.Join(err, b.LockSource("t"), b.AppendExtract(sources.Extract{Source: "t", FetchedAt: noon}), b.Close())
		},
	})
}

package archive_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"labour/sources"
	"labour/sources/archive"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, dir string) *archive.Archive {
	t.Helper()
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// extracts are all extracts of a source.
func extracts(t rapid.TB, a *archive.Archive, source string, since time.Time) []sources.Extract {
	t.Helper()
	all, err := a.ExtractsSince(source, since)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func put(t testing.TB, a *archive.Archive, body string) sources.ArchivedObject {
	t.Helper()
	sha, n, err := a.PutBody("s", strings.NewReader(body), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return sources.ArchivedObject{Name: "part", SHA256: sha, Bytes: n, FetchedAt: noon}
}

func read(a *archive.Archive, o sources.ArchivedObject) (string, error) {
	b, err := a.Open(o)
	if err != nil {
		return "", err
	}
	defer b.Close()
	all, err := io.ReadAll(b)
	return string(all), err
}

func TestBodiesComeBackAsTheyWere(t *testing.T) {
	a := open(t, t.TempDir())
	rapid.Check(t, func(rt *rapid.T) {
		body := strings.Repeat(rapid.String().Draw(rt, "text"), rapid.IntRange(0, 2000).Draw(rt, "times"))
		o := put(t, a, body)
		sum := sha256.Sum256([]byte(body))
		if o.SHA256 != hex.EncodeToString(sum[:]) || o.Bytes != int64(len(body)) {
			rt.Fatalf("filed as %+v", o)
		}
		got, err := read(a, o)
		if err != nil || got != body {
			rt.Fatalf("read %d bytes of %d, %v", len(got), len(body), err)
		}
	})
}

func TestPutAgainMendsADamagedFile(t *testing.T) {
	a := open(t, t.TempDir())
	o := put(t, a, "body")
	if err := os.WriteFile(a.BodyPath(o.SHA256), []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.VerifyBody(o); !errors.Is(err, sources.ErrDamaged) {
		t.Fatalf("verify: %v", err)
	}
	put(t, a, "body")
	if err := a.VerifyBody(o); err != nil {
		t.Fatal(err)
	}
}

func TestPutBoundsTheSize(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	for n, want := range map[int]bool{9: true, 10: true, 11: false, 100_000: false} {
		_, _, err := a.PutBody("s", strings.NewReader(strings.Repeat("x", n)), 10)
		if (err == nil) != want {
			t.Errorf("%d bytes under a bound of 10: %v", n, err)
		}
		if !want && (!errors.Is(err, archive.ErrTooLarge) || !strings.Contains(err.Error(), "10 bytes")) {
			t.Errorf("the error does not name the bound: %v", err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "tmp", "s")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestPutOfAFailingReaderLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	broken := errors.New("cable cut")
	_, _, err := a.PutBody("s", io.MultiReader(strings.NewReader("half"), failing{broken}), 100)
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "sha256", "*", "*"))
	temp, _ := filepath.Glob(filepath.Join(dir, "tmp", "s", "*"))
	if len(files)+len(temp) != 0 {
		t.Errorf("left behind: %v %v", files, temp)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestEveryDamageIsSeen(t *testing.T) {
	a := open(t, t.TempDir())
	body := strings.Repeat("advert and vacancy ", 5000)
	o := put(t, a, body)
	file, err := os.ReadFile(a.BodyPath(o.SHA256))
	if err != nil {
		t.Fatal(err)
	}
	damages := map[string][]byte{"empty": {}, "appended": append(bytes.Clone(file), "more"...),
		"twice": append(bytes.Clone(file), file...)}
	for i := 1; i < len(file); i += 1 + len(file)/40 {
		damages[fmt.Sprintf("cut at %d", i)] = file[:i]
		flipped := bytes.Clone(file)
		flipped[i] ^= 0x10
		damages[fmt.Sprintf("flipped at %d", i)] = flipped
	}
	for name, bad := range damages {
		if err := os.WriteFile(a.BodyPath(o.SHA256), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := read(a, o); err == nil && got == body {
			continue // a bit that zstd does not use
		} else if !errors.Is(err, sources.ErrDamaged) {
			t.Errorf("%s: read %d bytes, error %v", name, len(got), err)
		}
	}
	os.Remove(a.BodyPath(o.SHA256))
	if _, err := a.Open(o); !errors.Is(err, sources.ErrNotFound) {
		t.Errorf("missing: %v", err)
	}
	if _, err := a.Open(sources.ArchivedObject{Name: "none"}); !errors.Is(err, sources.ErrNotFound) {
		t.Errorf("no hash: %v", err)
	}
}

func TestOneWriterManyReaders(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir), open(t, dir)
	o := put(t, first, "body")
	if _, _, err := second.PutBody("s", strings.NewReader("x"), 10); !errors.Is(err, archive.ErrBusy) {
		t.Fatalf("second writer: %v", err)
	}
	if got, err := read(second, o); got != "body" || err != nil {
		t.Errorf("second reader: %q %v", got, err)
	}
	if err := first.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon}); err != nil {
		t.Fatal(err)
	}
	first.Close()
	if err := second.AppendExtract(sources.Extract{Source: "s", FetchedAt: noon.Add(time.Hour)}); err != nil {
		t.Fatalf("after the first closed: %v", err)
	}
	if n := len(extracts(t, second, "s", time.Time{})); n != 2 {
		t.Errorf("the second writer sees %d extracts, want 2: it must not write over what the first wrote", n)
	}
}

func TestDirectoryIsPrivateAndCleared(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archive")
	open(t, dir)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Fatalf("mode %v %v", info.Mode(), err)
	}
	half := filepath.Join(dir, "tmp", "s", "body-123")
	os.MkdirAll(filepath.Dir(half), 0o700)
	os.WriteFile(half, []byte("half"), 0o600)
	put(t, open(t, dir), "whole")
	if _, err := os.Stat(half); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a killed run's half body is still there: %v", err)
	}
}

func TestExtractsAndFetchesSurviveReopening(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	for day := range 5 {
		for _, source := range []string{"b", "a"} {
			at := noon.AddDate(0, 0, day)
			x := sources.Extract{Source: source, FetchedAt: at,
				Objects: []sources.ArchivedObject{{Name: "n", SHA256: fmt.Sprint(day), Carried: day == 3}}}
			f := archive.FetchRecord{Source: source, ObjectName: "n", SHA256: fmt.Sprint(day), ETag: fmt.Sprintf(`"%d"`, day),
				EndedAt: at, Outcome: archive.OutcomeFetched}
			failed := archive.FetchRecord{Source: source, ObjectName: "n", EndedAt: at, Outcome: archive.OutcomeFailed,
				Detail: "no"}
			if err := errors.Join(a.AppendFetchRecord(f), a.AppendFetchRecord(failed), a.AppendExtract(x)); err != nil {
				t.Fatal(err)
			}
		}
	}
	a.Close()
	again := open(t, dir)
	for _, one := range []*archive.Archive{a, again} {
		if x, ok, err := one.LastExtract("a"); err != nil || !ok || x.Objects[0].SHA256 != "4" {
			t.Errorf("last extract %+v %v", x, ok)
		}
		since := extracts(t, one, "a", noon.AddDate(0, 0, 2))
		if len(since) != 3 || since[0].Objects[0].SHA256 != "2" || !since[1].Objects[0].Carried {
			t.Errorf("since: %+v", since)
		}
		if f, ok, err := one.LastFetchWithBody("a", "n"); err != nil || !ok || f.ETag != `"4"` {
			t.Errorf("last fetch %+v %v: a failed one must not hide it", f, ok)
		}
		if _, ok, err := one.LastExtract("c"); ok || err != nil {
			t.Error("an extract of a source that has none")
		}
	}
	if diff := cmp.Diff(extracts(t, a, "b", time.Time{}), extracts(t, again, "b", time.Time{})); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkPut(b *testing.B) {
	benchmark(b, func(a *archive.Archive, body []byte, _ sources.ArchivedObject) error {
		_, _, err := a.PutBody("s", bytes.NewReader(body), 1<<30)
		return err
	})
}
func BenchmarkRead(b *testing.B) {
	benchmark(b, func(a *archive.Archive, _ []byte, o sources.ArchivedObject) error { return a.VerifyBody(o) })
}

func benchmark(b *testing.B, do func(*archive.Archive, []byte, sources.ArchivedObject) error) {
	a := open(b, b.TempDir())
	r := rand.New(rand.NewPCG(1, 2))
	var body bytes.Buffer
	for body.Len() < 16<<20 {
		fmt.Fprintf(&body, `{"id":"a-%d","resident":"r-%d","outcome":"turned_down","level":%d}`+"\n", r.Uint64(),
			r.IntN(1e6), r.IntN(5))
	}
	o := put(b, a, body.String())
	b.SetBytes(int64(body.Len()))
	for b.Loop() {
		if err := do(a, body.Bytes(), o); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCollectCountsWhatItKeeps holds the report of a collection: the last body of an object and what is
// needed are kept, the others removed, and a dry run counts the same and removes nothing.
func TestCollectCountsWhatItKeeps(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	kept, gone := put(t, a, "needed"), put(t, a, strings.Repeat("not needed ", 9))
	size := func(o sources.ArchivedObject) int64 {
		info, err := os.Stat(a.BodyPath(o.SHA256))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	want := archive.RemovalCounts{Kept: 1, KeptBytes: size(kept), Removed: 1, RemovedBytes: size(gone)}
	for _, dry := range []bool{true, false} {
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		a = open(t, dir) // who wrote holds the lock until then
		got, err := a.RemoveUnneeded(func(sha string) bool { return sha == kept.SHA256 }, dry)
		if err != nil || got != want {
			t.Errorf("dry %t: %+v, %v; want %+v", dry, got, err, want)
		}
		if _, err := read(a, gone); (err == nil) != dry {
			t.Errorf("dry %t: the other body: %v", dry, err)
		}
	}
	if text, err := read(a, kept); err != nil || text != "needed" {
		t.Errorf("%q, %v", text, err)
	}
}

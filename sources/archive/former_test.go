package archive_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"labour/sources"
	"labour/sources/archive"
)

// The journals of an earlier version, as it wrote them; the last line was torn by a crash.
const (
	formerFetches = `{"source":"boards","name":"a","url":"https://boards.example/a?x=1\u0026y","at":"2026-11-20T11:58:00Z","sha256":"aa","bytes":3,"received_at":"2026-11-20T11:58:00Z","outcome":"fetched"}
{"source":"platform","name":"adverts.ndjson","url":"feed/adverts.ndjson","at":"2026-11-20T11:59:00Z","sha256":"bb","bytes":5,"received_at":"2026-11-20T11:59:00Z","outcome":"fetched"}
{"source":"boards","name":"a","url":"https://boards.example/a","at":"2026-11-21T11:58:00Z","bytes":0,"outcome":"failed","detail":"status 503"}
{"source":"platform","na`
	formerExtracts = `{"source":"boards","at":"2026-11-20T12:00:00Z","objects":[{"name":"a","url":"https://boards.example/a","sha256":"aa","bytes":3,"fetched_at":"2026-11-20T11:58:00Z"}]}
{"source":"platform","at":"2026-11-20T12:00:00Z","objects":[{"name":"adverts.ndjson","url":"feed/adverts.ndjson","sha256":"bb","bytes":5,"fetched_at":"2026-11-20T11:59:00Z"}]}
{"source":"boards","at":"2026-11-21T12:00:00Z","objects":[{"name":"a","url":"https://boards.example/a","sha256":"aa","bytes":3,"fetched_at":"2026-11-20T11:58:00Z"}]}
`
)

func formerArchive(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "fetches.ndjson"), []byte(formerFetches), 0o600),
		os.WriteFile(filepath.Join(dir, "extracts.ndjson"), []byte(formerExtracts), 0o600)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// judgeFormer holds the archive against what the earlier version wrote.
func judgeFormer(t *testing.T, dir string) {
	t.Helper()
	a := open(t, dir)
	for source, want := range map[string][2]int{"boards": {2, 2}, "platform": {1, 1}} {
		fetches := 0
		for _, err := range a.Fetches(source) {
			if err != nil {
				t.Fatal(err)
			}
			fetches++
		}
		if got := [2]int{fetches, len(extracts(t, a, source, time.Time{}))}; got != want {
			t.Errorf("%s has %v fetches and extracts, want %v", source, got, want)
		}
	}
	x, _, err1 := a.LastExtract("boards")
	f, ok, err2 := a.LastFetch("boards", "a")
	if errors.Join(err1, err2) != nil || !x.At.Equal(noon.AddDate(0, 0, 1)) || len(x.Objects) != 1 || !ok || f.URL != "https://boards.example/a?x=1&y" {
		t.Errorf("last extract %+v, last fetch %+v, %v %v", x, f, err1, err2)
	}
	for name, text := range map[string]string{"fetches.ndjson": formerFetches, "extracts.ndjson": formerExtracts} {
		if b, err := os.ReadFile(filepath.Join(dir, name+archive.TakenOver)); err != nil || string(b) != text {
			t.Errorf("%s was not kept: %v", name, err)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
}

// TestAnEarlierArchiveIsTakenOver: nothing is refused and nothing lost, and who opens it
// at the same time waits.
func TestAnEarlierArchiveIsTakenOver(t *testing.T) {
	dir := formerArchive(t)
	done := make(chan error)
	for range 4 {
		go func() {
			a, err := archive.Open(dir)
			done <- errors.Join(err, a.Close())
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	judgeFormer(t, dir)
	a := open(t, dir)
	if err := a.AppendExtract(sources.Extract{Source: "boards", At: noon.AddDate(0, 0, 2)}); err != nil {
		t.Fatal(err)
	}
	if n := len(extracts(t, open(t, dir), "boards", time.Time{})); n != 3 {
		t.Errorf("%d extracts after another one", n)
	}
}

// TestWhoWaitsForATakingOverDisturbsNobody: it leaves the lock alone that those take who
// write meanwhile.
func TestWhoWaitsForATakingOverDisturbsNobody(t *testing.T) {
	dir := formerArchive(t)
	former := []string{filepath.Join(dir, "fetches.ndjson"), filepath.Join(dir, "extracts.ndjson")}
	var held []*os.File
	for name, how := range map[string]int{former[0]: unix.LOCK_EX, former[1]: unix.LOCK_EX, filepath.Join(dir, "lock"): unix.LOCK_SH} {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
		if err == nil {
			err = unix.Flock(int(f.Fd()), how)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		held = append(held, f)
	}
	opened := make(chan error)
	go func() {
		_, err := archive.Open(dir)
		opened <- err
	}()
	time.Sleep(50 * time.Millisecond) // it may wait or not
	for i, name := range former {
		if err := os.Rename(name, name+archive.TakenOver); err != nil {
			t.Fatal(i, err)
		}
	}
	for _, f := range held {
		if !strings.HasSuffix(f.Name(), "lock") {
			f.Close()
		}
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
}

// TestTakingOverGoesOnAfterACrash: what was filed before a process died, at any byte, is
// not filed again.
func TestTakingOverGoesOnAfterACrash(t *testing.T) {
	whole := formerArchive(t)
	open(t, whole).Close()
	for _, source := range []string{"boards", "platform"} {
		for _, folder := range []string{"fetches", "extracts"} {
			b, err := os.ReadFile(filepath.Join(whole, folder, source+".ndjson"))
			if err != nil {
				t.Fatal(err)
			}
			for end := 0; end <= len(b); end += 20 {
				dir := formerArchive(t)
				if err := errors.Join(os.Mkdir(filepath.Join(dir, folder), 0o700),
					os.WriteFile(filepath.Join(dir, folder, source+".ndjson"), b[:end], 0o600)); err != nil {
					t.Fatal(err)
				}
				judgeFormer(t, dir)
				if again, err := os.ReadFile(filepath.Join(dir, folder, source+".ndjson")); err != nil || !bytes.Equal(b, again) {
					t.Fatalf("%s of %s after a crash at byte %d: %s, %v", folder, source, end, again, err)
				}
			}
		}
	}
}

// TestADamagedEarlierArchiveIsAnError names the file and the record.
func TestADamagedEarlierArchiveIsAnError(t *testing.T) {
	dir := formerArchive(t)
	file := filepath.Join(dir, "extracts.ndjson")
	if err := os.WriteFile(file, []byte("not json\n"+formerExtracts), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := archive.Open(dir); !errors.Is(err, sources.ErrDamaged) || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "not json") {
		t.Error(err)
	}
	if b, err := os.ReadFile(file); err != nil || len(b) != len("not json\n")+len(formerExtracts) {
		t.Errorf("it was changed: %v", err)
	}
}

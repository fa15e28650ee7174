package objects

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"labour/snapshots"
	"labour/snapshots/objects/objectstest"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// verified hashes the files of a directory, as `labour snapshot verify` does among other things.
func verified(testing.TB) func(dir string) error {
	return func(dir string) error {
		m, _, err := snapshots.ReadManifest(dir)
		for _, t := range m.Tables {
			if f, hashErr := snapshots.HashFile(
				snapshots.JoinPath(dir, snapshots.TableFileName(t.Name))); hashErr != nil || f.SHA256 != t.SHA256 {
				err = errors.Join(err, hashErr, errors.New(t.Name+".parquet is another"))
			}
		}
		return err
	}
}

// publishedStore makes a store with a promoted snapshot.
func publishedStore(t *testing.T, asOf string) (*store.Store, snapshots.ID, string) {
	t.Helper()
	data := t.TempDir()
	id := snaptest.BuildSnapshot(t, data, asOf, snaptest.DefaultContent(t, asOf))
	return open(t, data), id, data
}

func open(t *testing.T, data string) *store.Store {
	t.Helper()
	s, err := store.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// empty is a store without snapshots.
func empty(t *testing.T) (*store.Store, string) {
	t.Helper()
	data := t.TempDir()
	t.Cleanup(func() { snaptest.MakeRemovable(t, data) })
	return open(t, data), data
}

func remote(t *testing.T, address string) *RemoteSnapshots {
	t.Helper()
	r, err := Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// services runs a test on a folder and on an S3 server.
func services(t *testing.T, run func(t *testing.T, address string)) {
	t.Run("file", func(t *testing.T) { run(t, "file://"+filepath.ToSlash(t.TempDir())) })
	t.Run("s3", func(t *testing.T) { run(t, objectstest.StartS3Server(t)) })
}

// TestPublishAndPull carries a snapshot from one store to another by way of the
// object storage: every byte, and nothing twice.
func TestPublishAndPull(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		from, id, _ := publishedStore(t, "2026-11-20")
		r := remote(t, address)
		if _, err := r.Pull(t.Context(), from, verified(t)); !errors.Is(err, store.ErrNoCurrent) {
			t.Fatalf("a pull from nothing: %v", err)
		}
		sent, err := r.Publish(t.Context(), from, id)
		if err != nil || !sent.IsNowCurrent || sent.Sent < 20 || sent.AlreadyThere != 0 {
			t.Fatalf("%+v, %v", sent, err)
		}
		again, err := r.Publish(t.Context(), from, id)
		if err != nil || again.Sent != 0 || again.AlreadyThere != sent.Sent {
			t.Fatalf("a second publication: %+v, %v", again, err)
		}
		to, _ := empty(t)
		got, err := r.Pull(t.Context(), to, verified(t))
		if err != nil || got.ID != id || got.Got != sent.Sent || got.Bytes != sent.Bytes || !got.IsNew {
			t.Fatalf("%+v, %v", got, err)
		}
		equalTrees(t, from.SnapshotDir(id), to.SnapshotDir(id))
		if got, err := r.Pull(t.Context(), to, verified(t)); err != nil || got.IsNew || got.Got != 0 {
			t.Errorf("a second pull: %+v, %v", got, err)
		}
		if err := to.Promote(t.Context(), id, ""); err != nil {
			t.Error(err)
		}
	})
}

func equalTrees(t *testing.T, a, b string) {
	t.Helper()
	files := map[string]string{}
	for _, dir := range []string{a, b} {
		err := filepath.WalkDir(dir, func(p string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			rel, _ := filepath.Rel(dir, p)
			f, err := snapshots.HashFile(p)
			if info, _ := e.Info(); info.Mode().Perm() != 0o444 {
				t.Errorf("%s can be written: %v", p, info.Mode())
			}
			if other, there := files[rel]; dir == b && (!there || other != f.SHA256) {
				t.Errorf("%s differs", rel)
			}
			files[rel] = f.SHA256
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestOneOfTwoPublishersWins: both saw the same pointer, one moves it.
func TestOneOfTwoPublishersWins(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		first, id, _ := publishedStore(t, "2026-11-19")
		r := remote(t, address)
		if _, err := r.Publish(t.Context(), first, id); err != nil {
			t.Fatal(err)
		}
		_, version, err := r.current(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var won, conflicts int
		var done sync.Mutex
		var all sync.WaitGroup
		for _, text := range []string{"2026-11-20.1\n", "2026-11-20.2\n", "2026-11-20.3\n"} {
			all.Go(func() {
				err := r.writeCurrent(context.Background(), []byte(text), version)
				done.Lock()
				defer done.Unlock()
				switch {
				case err == nil:
					won++
				case errors.Is(err, store.ErrCurrentChanged):
					conflicts++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won != 1 || conflicts != 2 {
			t.Errorf("%d won and %d were refused", won, conflicts)
		}
		if err := r.writeCurrent(t.Context(), []byte("2026-11-21.1\n"), ""); !errors.Is(err, store.ErrCurrentChanged) {
			t.Errorf("a first pointer where there is one: %v", err)
		}
	})
}

// TestInterruptedPublicationIsResumed stops after some files: the pointer has not
// moved, and the next publication sends only the others.
func TestInterruptedPublicationIsResumed(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		from, id, _ := publishedStore(t, "2026-11-20")
		r := remote(t, address)
		m, err := from.Manifest(id)
		if err != nil {
			t.Fatal(err)
		}
		var partly PublishResult
		for _, name := range m.FileNames(false)[:7] {
			if err := r.send(t.Context(), from.SnapshotDir(id), m, name, &partly); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := r.Current(t.Context()); !errors.Is(err, store.ErrNoCurrent) {
			t.Errorf("half a snapshot is current: %v", err)
		}
		sent, err := r.Publish(t.Context(), from, id)
		if err != nil || sent.AlreadyThere != 7 || sent.Sent != len(m.FileNames(false))-7 {
			t.Errorf("%+v, %v", sent, err)
		}
	})
}

// TestPullTakesNothingThatIsWrong: a byte that changed, or a file that is missing, at
// the address leaves the store as it was, and when it is mended the pull goes on.
func TestPullTakesNothingThatIsWrong(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		from, id, _ := publishedStore(t, "2026-11-20")
		r := remote(t, address)
		if _, err := r.Publish(t.Context(), from, id); err != nil {
			t.Fatal(err)
		}
		to, _ := empty(t)
		name := key(id, snapshots.TableFileName("skills"))
		whole, err := r.bucket.ReadAll(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		spoilt := append([]byte{}, whole...)
		spoilt[len(spoilt)/2] ^= 1
		for what, spoil := range map[string]func() error{
			"a changed byte": func() error { return r.bucket.WriteAll(t.Context(), name, spoilt, nil) },
			"a missing file": func() error { return r.bucket.Delete(t.Context(), name) },
		} {
			if err := spoil(); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Pull(t.Context(), to, verified(t)); err == nil ||
				!strings.Contains(err.Error(), "skills.parquet") {
				t.Errorf("%s: %v", what, err)
			}
			if list, err := to.List(t.Context()); err != nil || len(list) != 0 {
				t.Fatalf("%s: the store has %v, %v", what, list, err)
			}
		}
		if err := r.bucket.WriteAll(t.Context(), name, whole, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Pull(t.Context(), to, verified(t)); err != nil || got.AlreadyThere == 0 {
			t.Errorf("the pull did not go on: %+v, %v", got, err)
		}
	})
}

// TestOtherBytesUnderTheName are refused both ways.
func TestOtherBytesUnderTheName(t *testing.T) {
	address := "file://" + filepath.ToSlash(t.TempDir())
	one, id, _ := publishedStore(t, "2026-11-20")
	r := remote(t, address)
	if _, err := r.Publish(t.Context(), one, id); err != nil {
		t.Fatal(err)
	}
	data := t.TempDir()
	content := snaptest.DefaultContent(t, "2026-11-20")
	content.PlatformName = "Another"
	snaptest.BuildSnapshot(t, data, "2026-11-20", content)
	other := open(t, data)
	if _, err := r.Publish(t.Context(), other, id); !errors.Is(err, store.ErrSealedManifestDiffers) {
		t.Errorf("publish: %v", err)
	}
	if _, err := r.Pull(t.Context(), other, verified(t)); !errors.Is(err, store.ErrSealedManifestDiffers) {
		t.Errorf("pull: %v", err)
	}
}

// TestSpoiltSnapshotIsNotPublished: what the disk has changed stays here.
func TestSpoiltSnapshotIsNotPublished(t *testing.T) {
	from, id, data := publishedStore(t, "2026-11-20")
	snaptest.MakeRemovable(t, data)
	file := snapshots.JoinPath(from.SnapshotDir(id), snapshots.TableFileName("skills"))
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/2] ^= 1
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	r := remote(t, "file://"+filepath.ToSlash(t.TempDir()))
	if _, err := r.Publish(t.Context(), from, id); err == nil || !strings.Contains(err.Error(), "skills.parquet") {
		t.Errorf("published: %v", err)
	}
	if _, err := r.Current(t.Context()); !errors.Is(err, store.ErrNoCurrent) {
		t.Errorf("it is current: %v", err)
	}
}

func TestOpenRefusesOtherAddresses(t *testing.T) {
	for _, address := range []string{"", "snapshots", "https://bucket.example/x", "mem://", "://"} {
		if _, err := Open(t.Context(), address); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
}

// TestErrorsOfAddressesHaveNoKeys: keys belong in the environment, and an address with some is refused
// without repeating them.
func TestErrorsOfAddressesHaveNoKeys(t *testing.T) {
	for _, address := range []string{"s3://AK:geheim@bucket/p", "s3://AK:gehe#im@bucket", "s3://AK:geheim",
		"s3://bucket/p?secret=geheim", "s3://bucket?endpoint=http://u:geheim@127.0.0.1:1&secret=1"} {
		if _, err := Open(t.Context(), address); err == nil || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestReadingMakesNoFolder: an address that nobody published to, such as a share that is not mounted, is
// an error, and no folder is made there.
func TestReadingMakesNoFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "share")
	if _, err := OpenForReading(t.Context(), "file://"+folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %v", err, fs.ErrNotExist)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s after reading: %v", folder, err)
	}
}

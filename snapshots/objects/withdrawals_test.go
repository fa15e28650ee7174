package objects

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"labour/snapshots"
	"labour/snapshots/objects/objectstest"
	"labour/snapshots/store"
)

// TestPullStopsAtTheStatedBytes: what is longer than the manifest states is not written to the disk.
func TestPullStopsAtTheStatedBytes(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		from, id, _ := publishedStore(t, "2026-11-20")
		r := remote(t, address)
		if _, err := r.Publish(t.Context(), from, id); err != nil {
			t.Fatal(err)
		}
		m, err := from.Manifest(id)
		if err != nil {
			t.Fatal(err)
		}
		name := snapshots.TableFileName("skills")
		stated, _ := m.FileSum(name)
		if err := r.bucket.WriteAll(t.Context(), key(id, name), make([]byte, stated.Bytes+5<<20), nil); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := r.fetch(t.Context(), dir, m, name, &PullResult{}); err == nil {
			t.Error("it is taken")
		}
		if info, err := os.Stat(filepath.Join(dir, partName)); err != nil || info.Size() > stated.Bytes+1 {
			t.Errorf("%v, %v of %d bytes are on the disk", info, err, stated.Bytes)
		}
	})
}

// TestEveryPullIsJudged: also when the snapshot is there already.
func TestEveryPullIsJudged(t *testing.T) {
	from, id, _ := publishedStore(t, "2026-11-20")
	r := remote(t, "file://"+filepath.ToSlash(t.TempDir()))
	if _, err := r.Publish(t.Context(), from, id); err != nil {
		t.Fatal(err)
	}
	to, _ := empty(t)
	if _, err := r.Pull(t.Context(), to, verified(t)); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("not signed")
	if _, err := r.Pull(t.Context(), to, func(string) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("the second pull: %v", err)
	}
}

// TestWithdrawalsReachReplicas: what is withdrawn in the store and published is withdrawn where it
// was pulled, also when nothing took its place.
func TestWithdrawalsReachReplicas(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		from, id, _ := publishedStore(t, "2026-11-20")
		r := remote(t, address)
		if _, err := r.Publish(t.Context(), from, id); err != nil {
			t.Fatal(err)
		}
		to, _ := empty(t)
		if _, err := r.Pull(t.Context(), to, verified(t)); err != nil {
			t.Fatal(err)
		}
		if err := to.Promote(t.Context(), id, ""); err != nil {
			t.Fatal(err)
		}
		note := store.Withdrawal{At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC), By: "data board",
			Reason: "a source was read wrongly"}
		if _, err := from.Withdraw(t.Context(), id, note); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Publish(t.Context(), from, id); !errors.Is(err, store.ErrWithdrawn) {
			t.Errorf("published: %v", err)
		}
		got, err := r.Pull(t.Context(), to, verified(t))
		if !errors.Is(err, store.ErrNoCurrent) || len(got.Withdrawn) != 1 {
			t.Errorf("%+v, %v", got, err)
		}
		if current, err := to.Current(); !errors.Is(err, store.ErrNoCurrent) {
			t.Errorf("current is %s, %v", current, err)
		}
		want, err := from.Withdrawals()
		if err != nil || want[id].Reason != note.Reason {
			t.Fatalf("withdrawn in the store: %v, %v", want, err)
		}
		if all, err := to.Withdrawals(); err != nil || !cmp.Equal(all[id], want[id]) {
			t.Errorf("withdrawn: %v, %v", all, err)
		}
		if err := r.writeCurrent(t.Context(), []byte(string(id)+"\n"), ""); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Pull(t.Context(), to, verified(t)); !errors.Is(err, store.ErrWithdrawn) {
			t.Errorf("a second pull, where it is current again: %v", err)
		}
	})
}

// TestWithdrawnSnapshotIsNotCurrentThere: where nothing takes its place, CURRENT is removed. Publish
// names the snapshot until the operator has deleted its files.
func TestWithdrawnSnapshotIsNotCurrentThere(t *testing.T) {
	services(t, func(t *testing.T, address string) {
		from, id, _ := publishedStore(t, "2026-11-20")
		r := remote(t, address)
		if _, err := r.Publish(t.Context(), from, id); err != nil {
			t.Fatal(err)
		}
		note := store.Withdrawal{At: time.Unix(1e9, 0), By: "A", Reason: "wrong"}
		if _, err := from.Withdraw(t.Context(), id, note); err != nil {
			t.Fatal(err)
		}
		sent, err := r.Publish(t.Context(), from, "")
		if err != nil || sent.RemovedCurrent != id || !slices.Equal(sent.NotDeleted, []snapshots.ID{id}) {
			t.Errorf("%+v, %v", sent, err)
		}
		if now, err := r.Current(t.Context()); !errors.Is(err, store.ErrNoCurrent) {
			t.Errorf("current is %s, %v", now, err)
		}
		m, err := from.Manifest(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range m.FileNames(false) {
			if err := r.bucket.Delete(t.Context(), key(id, name)); err != nil {
				t.Fatal(err)
			}
		}
		again, err := r.Publish(t.Context(), from, "")
		if err != nil || again.RemovedCurrent != "" || len(again.NotDeleted) > 0 {
			t.Errorf("after the files were deleted: %+v, %v", again, err)
		}
	})
}

// TestPathIsAFolder: two services in one bucket do not share CURRENT.
func TestPathIsAFolder(t *testing.T) {
	address := objectstest.StartS3Server(t)
	from, id, _ := publishedStore(t, "2026-11-20")
	north := strings.Replace(address, "s3://labour?", "s3://labour/north/works?", 1)
	if _, err := remote(t, north).Publish(t.Context(), from, id); err != nil {
		t.Fatal(err)
	}
	for _, empty := range []string{address, strings.Replace(address, "s3://labour?", "s3://labour/south?", 1)} {
		if _, err := remote(t, empty).Current(t.Context()); !errors.Is(err, store.ErrNoCurrent) {
			t.Errorf("%s: %v", empty, err)
		}
	}
	for _, there := range []string{north, address + "&prefix=north/works/"} {
		if got, err := remote(t, there).Current(t.Context()); err != nil || got != id {
			t.Errorf("%s: %s, %v", there, got, err)
		}
	}
	if _, err := Open(t.Context(), north+"&prefix=x/"); err == nil {
		t.Error("a path and a prefix are taken")
	}
}

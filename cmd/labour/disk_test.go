package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"labour/cmd/internal/cli"
	"labour/snapshots"
)

// diskMoments is how many failures of the disk are tried, of each kind; the
// environment that asks for more kills asks for more of these, too.
const diskMoments = 2

func moments(t *testing.T, usually int) int {
	t.Helper()
	if testing.Short() {
		t.Skip("runs the program many times, which takes a minute")
	}
	if n, err := strconv.Atoi(os.Getenv(crashMomentsEnv)); err == nil && n > 0 {
		return n
	}
	return usually
}

// TestFailingDiskLeavesAWholeStore makes the disk refuse what it is asked, from some
// moment of a run on: syncing, writing, renaming. A run that fails leaves the store
// as it was, one that says it is done left a whole snapshot, and the next succeeds.
func TestFailingDiskLeavesAWholeStore(t *testing.T) {
	longOnly(t)
	n := moments(t, diskMoments)
	if err := exec.Command("strace", "-qq", "-o", os.DevNull, "-e", "trace=fsync", "true").Run(); err != nil {
		t.Skipf("system calls cannot be made to fail here (strace): %v", err)
	}
	for _, refuse := range []struct {
		call, err string
		calls     int // the first that fails is drawn from this many
	}{{"fsync", "EIO", 60}, {"write,pwrite64,writev", "ENOSPC", 400}, {"renameat,renameat2,rename", "EIO", 12}} {
		t.Run(refuse.call, func(t *testing.T) {
			c := newCrash(t)
			c.feed(0)
			c.must("snapshot", "keygen", "--key", c.key)
			c.must(c.runArgs(0)...)
			failed := 0
			for i := 1; i <= n; i++ {
				c.feed(i)
				// From the first that fails on, all fail, or it alone.
				from := fmt.Sprint(1+c.random.IntN(refuse.calls), map[bool]string{true: "+"}[i%2 == 0])
				args := append([]string{"-f", "-qq", "--seccomp-bpf", "-o", os.DevNull, "-e", "trace=" + refuse.call,
					"-e", "inject=" + refuse.call + ":error=" + refuse.err + ":when=" + from, "labour"},
					c.runArgs(i)...)
				if err := exec.Command("strace", args...).Run(); err != nil {
					failed++
				}
				c.inspect()
				c.must(c.runArgs(i)...)
				if now := c.inspect(); now.Date().Format(time.DateOnly) != c.day(i) {
					t.Errorf("after %s the next run left %s current", from, now)
				}
			}
			t.Logf("%d of %d runs failed", failed, n)
			if failed == 0 {
				t.Errorf("no run failed: less was tried than meant")
			}
		})
	}
}

// TestFullDiskLeavesAWholeStore gives the data directory a file system of its own
// that is too small, by less and less, until a run fits.
func TestFullDiskLeavesAWholeStore(t *testing.T) {
	n := moments(t, diskMoments)
	c := newCrash(t)
	if err := os.MkdirAll(c.data, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("tmpfs", c.data, "tmpfs", 0, "size=256m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(c.data, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	c.feed(0)
	c.must("snapshot", "keygen", "--key", c.key)
	c.must(c.runArgs(0)...)
	before := used(t, c.data)
	c.must(c.runArgs(1)...)
	run := used(t, c.data) - before // what a run leaves; while it runs it needs more
	failed := 0
	for i := range n {
		c.feed(i + 2)
		room := run * int64(i+1) / int64(n+1)
		resize(t, c.data, used(t, c.data)+room)
		if err := exec.Command("labour", c.runArgs(i+2)...).Run(); err != nil {
			failed++
		}
		c.inspect()
		resize(t, c.data, 256<<20)
		c.must(c.runArgs(i + 2)...)
		c.inspect()
	}
	t.Logf("%d of %d runs failed; a run leaves %d KiB", failed, n, run>>10)
	if failed == 0 {
		t.Error("no run failed: the disk was never full")
	}
}

func used(t *testing.T, dir string) int64 {
	t.Helper()
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		t.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

func resize(t *testing.T, dir string, bytes int64) {
	t.Helper()
	if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_REMOUNT, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Fatal(err)
	}
}

// TestFlippedBitIsFound changes one bit of every file of a snapshot, one after the
// other: each is found, and the whole one is sound again. The short form changes every
// eighth of the tables and datasets, and all other files.
func TestFlippedBitIsFound(t *testing.T) {
	c := newCrash(t)
	c.feed(0)
	c.must("snapshot", "keygen", "--key", c.key)
	c.must(c.runArgs(0)...)
	id := c.inspect()
	dir := filepath.Join(snapshots.SnapshotsDir(c.data), string(id))
	unlock(t, c.data)
	files := 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if files++; !longForms() && filepath.Ext(path) == ".parquet" && files%8 != 0 {
			return nil
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		spoilt := append([]byte{}, whole...)
		spoilt[c.random.IntN(len(spoilt))] ^= 1 << c.random.IntN(8)
		if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, spoilt, 0o600)); err != nil {
			return err
		}
		if err := verifyQuietly(t, c, id); !errors.Is(err, errRefused) {
			t.Errorf("a changed bit in %s: %v", path, err)
		}
		return os.WriteFile(path, whole, 0o600)
	})
	if err != nil || files < 30 {
		t.Fatalf("%d files: %v", files, err)
	}
	if err := verifyQuietly(t, c, id); err != nil {
		t.Error(err)
	}
}

func verifyQuietly(t *testing.T, c *crash, id snapshots.ID) error {
	var out shared
	a := &app{stdout: &out, stderr: &out, now: time.Now, getenv: os.LookupEnv}
	return a.verifySnapshot(t.Context(), &verifyOptions{PublicKey: c.key + ".pub", DataFlag: cli.DataFlag{Data: c.data}},
		[]string{string(id)})
}

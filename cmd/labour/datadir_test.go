package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"labour/cmd/internal/cli"
	"labour/snapshots/store"
)

// TestADataDirectoryOfAnotherUser: the error tells what to do, and is one of use.
func TestADataDirectoryOfAnotherUser(t *testing.T) {
	denied := &fs.PathError{Op: "stat", Path: "data/snapshots", Err: syscall.EACCES}
	err := ofAnotherUser("data", denied)
	if err == nil || exitStatus(err) != cli.ExitUsage || !strings.Contains(err.Error(), "chown -R") ||
		!strings.Contains(err.Error(), " data") {
		t.Errorf("%v", err)
	}
	if _, err := openData(filepath.Join(t.TempDir())); err != nil {
		t.Errorf("a new data directory: %v", err)
	}
}

// TestAnUnreadableSnapshotIsNotWithdrawn: a directory that cannot be examined is an error, and a record
// without a date names none.
func TestAnUnreadableSnapshotIsNotWithdrawn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(file, "2026-11-20.1")
	if dir, err := snapshotDir("data", name); dir == "" || !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("%q, %v", dir, err)
	}
	if got := describeWithdrawal(store.DecodeWithdrawal(nil)); got != "withdrawn: the reason cannot be read" {
		t.Errorf("a record that cannot be decoded: %s", got)
	}
}

// TestNoEmptyFileIsLeftOnAFullDisk: a second attempt would refuse to overwrite it.
func TestNoEmptyFileIsLeftOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=4k"); err != nil {
		t.Skipf("no small disk can be made here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	key := filepath.Join(dir, "key")
	if err := writeNew(key, make([]byte, 64<<10), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a full disk: %v", err)
	}
	if err := writeNew(key, []byte("k"), 0o600); err != nil {
		t.Errorf("the second attempt: %v", err)
	}
	if err := writeNew(key, []byte("k"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that exists: %v", err)
	}
}

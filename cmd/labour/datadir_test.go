package main

import (
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"labour/cmd/internal/cli"
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

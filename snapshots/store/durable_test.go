package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"labour/snapshots/filestest"
)

// TestDurableFilesAreReplaced: the file has its new text, its name before has none, and no more of
// an older and longer text is left.
func TestDurableFilesAreReplaced(t *testing.T) {
	dir := t.TempDir()
	temporary, to := filepath.Join(dir, "new"), filepath.Join(dir, "name")
	for _, text := range []string{"a long text", "short"} {
		if err := writeDurable(temporary, []byte("what a killed process left, and longer")); err != nil {
			t.Fatal(err)
		}
		if err := replaceDurable(temporary, to, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(to); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
		if _, err := os.Stat(temporary); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the temporary file is left: %v", err)
		}
	}
	if err := os.Mkdir(temporary, openDir); err != nil {
		t.Fatal(err)
	}
	if err := replaceDurable(temporary, to, []byte("x")); err == nil {
		t.Error("a file was written where a directory is")
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "short" {
		t.Errorf("after a failure the file is %q, %v", got, err)
	}
	if err := renameDurable(filepath.Join(dir, "none"), to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a rename of what is not there: %v", err)
	}
	if err := renameDurable(to, filepath.Join(dir, "none", "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a rename into what is not there: %v", err)
	}
}

// TestSyncsReportWhatIsMissing: what cannot be synced is not said to survive a power cut.
func TestSyncsReportWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none")
	for name, err := range map[string]error{"a path": syncPath(none), "a tree": syncTree(none),
		"modes": chmodTree(none, openFile, openDir)} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	sub := filepath.Join(dir, "sub")
	if err := errors.Join(os.Mkdir(sub, openDir), os.Symlink(none, filepath.Join(sub, "link"))); err != nil {
		t.Fatal(err)
	}
	if err := syncTree(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a link to nothing, in a directory below: %v", err)
	}
	if err := chmodTree(dir, openFile, openDir); err != nil {
		t.Errorf("the mode of a link is not set: %v", err)
	}
}

// TestTreesAreRemoved even where they are read-only, and without a change of the files, which may be
// linked elsewhere.
func TestTreesAreRemoved(t *testing.T) {
	root := t.TempDir()
	dir, kept := filepath.Join(root, "dir"), filepath.Join(root, "kept")
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "sub"), openDir),
		os.WriteFile(filepath.Join(dir, "sub", "file"), nil, openFile), os.Link(filepath.Join(dir, "sub", "file"), kept),
		chmodTree(dir, sealedFile, sealedDir), removeTree(dir)); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(kept); err != nil || info.Mode().Perm() != sealedFile {
		t.Errorf("the file has another mode elsewhere: %v, %v", info, err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory is left: %v", err)
	}
	if err := removeTree(dir); err != nil {
		t.Errorf("what is not there need not be removed: %v", err)
	}
}

// TestLockIsOneHolders: a second holder gets an error or waits until its context ends, and can lock
// afterwards.
func TestLockIsOneHolders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	l, err := tryLock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tryLock(path); !errors.Is(err, errLocked) {
		t.Errorf("a second holder: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := lock(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("waited without a context: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
	if _, err := lock(t.Context(), filepath.Join(path, "x")); err == nil || errors.Is(err, errLocked) {
		t.Errorf("a lock where no file can be: %v", err)
	}
}

// TestStoreClosesItsFiles: what is written, synced, renamed, copied or tried is closed.
func TestStoreClosesItsFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	held, err := tryLock(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	filestest.CheckFilesClosed(t, map[string]func() error{
		"write": func() error { return writeDurable(a, []byte("x")) }, "sync": func() error { return syncPath(dir) },
		"rename": func() error { return errors.Join(os.WriteFile(a, nil, openFile), renameDurable(a, b)) },
		"copy":   func() error { return errors.Join(os.RemoveAll(b), os.WriteFile(a, nil, openFile), copyFile(a, b)) },
		"lock": func() error {
			if _, err := tryLock(held.Name()); !errors.Is(err, errLocked) {
				return err
			}
			return nil
		},
	})
}

// TestCopiesReplaceNothing: a copy has the bytes, and is refused where a file is.
func TestCopiesReplaceNothing(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := errors.Join(os.WriteFile(from, []byte("abc"), openFile), copyFile(from, to)); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(to); err != nil || string(got) != "abc" {
		t.Errorf("%q, %v", got, err)
	}
	if err := copyFile(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a copy over a file: %v", err)
	}
	if err := copyFile(filepath.Join(dir, "none"), filepath.Join(dir, "other")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy of nothing: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "other")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a copy of nothing left a file: %v", err)
	}
	if err := copyFile(dir, filepath.Join(dir, "third")); err == nil {
		t.Error("a directory was copied as a file")
	}
}

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// This is the only file that renames, syncs or locks. A change survives a power cut once its
// function has returned without an error: the bytes of a file are synced before its name, and a
// name is synced by syncing its directory.

const (
	sealedFile fs.FileMode = 0o444
	sealedDir  fs.FileMode = 0o555
	openDir    fs.FileMode = 0o755
	openFile   fs.FileMode = 0o644
)

// writeDurable creates or replaces a file, and syncs it to the disk. The caller must also sync the
// directory.
func writeDurable(path string, b []byte) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, openFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(b); err != nil {
		return err
	}
	return f.Sync()
}

// syncPath syncs a file or a directory to the disk.
func syncPath(path string) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", path, err)
	}
	return nil
}

// syncTree syncs dir, and every file and directory in it, to the disk. It syncs the deepest first.
func syncTree(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		if e.IsDir() {
			err = syncTree(p)
		} else {
			err = syncPath(p)
		}
		if err != nil {
			return err
		}
	}
	return syncPath(dir)
}

// chmodTree sets the file modes of dir, and of all directories and files in it.
func chmodTree(dir string, file, directory fs.FileMode) error {
	return filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			return os.Chmod(p, directory)
		case e.Type().IsRegular():
			return os.Chmod(p, file)
		}
		return nil
	})
}

// renameDurable renames a file or directory within its directory, and syncs that directory to the
// disk. The caller must have synced the file. If the directory cannot be opened, nothing is
// renamed.
func renameDurable(from, to string) (err error) {
	parent, err := os.Open(filepath.Dir(to))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, parent.Close()) }()
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return parent.Sync()
}

// replaceDurable writes a file to the path temporary, and then renames it to the path to. Thus the
// path to never has an incomplete file.
func replaceDurable(temporary, to string, b []byte) error {
	if err := writeDurable(temporary, b); err != nil {
		return err
	}
	return renameDurable(temporary, to)
}

// removeTree removes a directory, even a read-only one. It does not change the modes of files,
// because a file may also be linked into another snapshot.
func removeTree(dir string) error {
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() {
			err = os.Chmod(p, openDir)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(dir)
}

var errLocked = errors.New("locked by another")

// tryLock takes an advisory lock on the file at path. If another process has the lock, it returns
// errLocked at once. The lock ends when the returned file is closed or the process ends.
func tryLock(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, openFile)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		closeErr := f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = errLocked
		}
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), closeErr)
	}
	return f, nil
}

// lock waits for an advisory lock on the file at path, and takes it. It returns an error if the
// context ends first.
func lock(ctx context.Context, path string) (*os.File, error) {
	const pause = 5 * time.Millisecond
	for {
		l, err := tryLock(path)
		if !errors.Is(err, errLocked) {
			return l, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for %s: %w", path, ctx.Err())
		case <-time.After(pause):
		}
	}
}

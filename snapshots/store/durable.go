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

// writeDurable writes a file, or replaces an existing one, and syncs it to the disk. The caller
// must sync the directory.
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

// syncTree syncs every file and directory under dir to the disk, the deepest first.
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

// renameDurable renames a synced file or directory within its directory, and syncs that directory.
// It opens the directory before the rename, so that a failure to open it changes nothing.
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

// replaceDurable writes a file at the path temporary and renames it to the path to, so that the
// path to never has an incomplete file.
func replaceDurable(temporary, to string, b []byte) error {
	if err := writeDurable(temporary, b); err != nil {
		return err
	}
	return renameDurable(temporary, to)
}

// removeTree removes a directory, even a read-only one. It does not change the modes of files,
// since a file may be linked into another snapshot.
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

// tryLock takes an advisory lock. The lock ends when the file is closed, or with the process. If
// another process has the lock, tryLock returns errLocked at once.
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

// lock waits until it has taken an advisory lock. It returns an error if the context ends first.
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

// wrap adds a description of the work to *err, unless *err is nil. Functions defer a call of wrap.
func wrap(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
	}
}

// Package archive stores every downloaded body unchanged, under its SHA-256. It also records each
// download and each extract (the result of one fetch of a source).
//
//	<dir>/sha256/ab/abcdef….zst   one body, compressed with zstd
//	<dir>/fetches/<source>.ndjson   one FetchRecord per download
//	<dir>/extracts/<source>.ndjson  one sources.Extract per successful fetch of the source
//	<dir>/locks/<source>            locked by the one process that writes for the source
//	<dir>/lock                      shared lock of the writers; exclusive lock of RemoveUnneeded
//
// A body is written to a temporary file, synced and renamed. Records are appended to journals
// (files of JSON lines) and never changed. Only RemoveUnneeded removes bodies. A run reads the journals
// from their ends, so a long history does not slow it down.
package archive

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"labour/sources/journal"
)

// ErrBusy means that another process is writing data of the same source to the archive, or is
// removing downloaded files from the archive.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrTooLarge is the error for a body that exceeds the size limit passed to PutBody.
var ErrTooLarge = errors.New("body is too large")

// ErrUnsupportedLayout is the error for an archive in an old layout, which had one journal for all
// sources.
var ErrUnsupportedLayout = errors.New(
	"this archive is laid out in a way that is not read; start a new data directory and fetch again")

// Archive is a directory of downloaded data. It is safe for concurrent use. Many processes may read
// it, but only one may write for each source. The first write for a source locks it, and Close
// unlocks it.
type Archive struct {
	dir      string
	mu       sync.Mutex
	locks    map[string]*os.File            // held locks, by source; "" = lock of the whole archive
	journals map[[2]string]*journal.Journal // journals written in this run, by folder and source
	// newest download that has a body, by source and object name
	last map[string]map[string]FetchRecord
}

// Open opens the archive in dir and creates the directory if necessary. Only the owner can read it
// (mode 0700), because archived data may be personal.
func Open(dir string) (*Archive, error) {
	if err := checkLayout(dir); err != nil {
		return nil, err
	}
	for _, sub := range []string{"sha256", fetches, extracts, "locks"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return nil, fmt.Errorf("make archive: %w", err)
		}
	}
	return &Archive{dir: dir, locks: map[string]*os.File{}, journals: map[[2]string]*journal.Journal{},
		last: map[string]map[string]FetchRecord{}}, nil
}

// checkLayout returns ErrUnsupportedLayout if dir has the old layout: one journal for all sources.
func checkLayout(dir string) error {
	for _, kind := range []string{fetches, extracts} {
		file := filepath.Join(dir, kind+suffix)
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s: %w", file, ErrUnsupportedLayout)
		}
	}
	return nil
}

// Close releases all locks and closes the journals. The archive can still be read afterwards.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	var err error
	for _, j := range a.journals {
		err = errors.Join(err, j.Close())
	}
	for _, lock := range a.locks {
		err = errors.Join(err, lock.Close())
	}
	clear(a.locks)
	return err
}

// beginWrite locks a source for writing and deletes temporary files that a killed run left. It does
// nothing if this archive already holds the source's lock. Callers must hold a.mu.
func (a *Archive) beginWrite(source string) error {
	if a.locks[source] != nil {
		return nil
	}
	if err := a.lock("", "lock", unix.LOCK_SH); err != nil {
		return err
	}
	if err := a.lock(source, filepath.Join("locks", source), unix.LOCK_EX); err != nil {
		return err
	}
	delete(a.last, source) // another process may have written since
	if err := os.RemoveAll(a.tempDir(source)); err != nil {
		return fmt.Errorf("clear half written bodies: %w", err)
	}
	return os.MkdirAll(a.tempDir(source), 0o700)
}

// LockSource locks a source for writing until Close. It returns ErrBusy if another process holds
// the lock or runs RemoveUnneeded.
func (a *Archive) LockSource(source string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.beginWrite(source)
}

// lock locks a file and stores it in a.locks under name. operation is unix.LOCK_SH for a shared
// lock or unix.LOCK_EX for an exclusive one. If another process holds a conflicting lock, lock
// returns ErrBusy at once.
func (a *Archive) lock(name, file string, operation int) error {
	if a.locks[name] != nil {
		return nil
	}
	f, err := lockFile(filepath.Join(a.dir, file), os.O_CREATE|os.O_RDWR, operation|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock archive %s: %w", a.dir, err)
	}
	a.locks[name] = f
	return nil
}

// lockFile opens and locks a file. flag is the flag of os.OpenFile, and how is the operation of
// unix.Flock. Closing the file unlocks it.
func lockFile(path string, flag, how int) (*os.File, error) {
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), how); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (a *Archive) tempDir(source string) string { return filepath.Join(a.dir, "tmp", source) }

// BodyPath returns the path of the file for the body with a given SHA-256, in lower-case hex. The
// file may not exist.
func (a *Archive) BodyPath(sha string) string {
	if len(sha) < 2 {
		return filepath.Join(a.dir, "sha256", "invalid")
	}
	return filepath.Join(a.dir, "sha256", sha[:2], sha+".zst")
}

// RemovalCounts is the result of RemoveUnneeded: the number and size of the bodies that it kept and
// removed.
type RemovalCounts struct {
	Kept, Removed           int   // numbers of archived bodies kept and removed
	KeptBytes, RemovedBytes int64 // sizes on disk (compressed) of these bodies, in bytes
}

// RemoveUnneeded removes the archived bodies for which isNeeded returns false. isNeeded receives
// the SHA-256 of a body. If dry is true, RemoveUnneeded only counts.
//
// It always keeps the newest body of each object in the last extract of its source, because the
// publisher may answer the next request with "not modified". It also keeps the newest body of each
// object downloaded after that extract. It returns ErrBusy while a run writes to the archive.
func (a *Archive) RemoveUnneeded(isNeeded func(sha string) bool, dry bool) (RemovalCounts, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var c RemovalCounts
	if a.locks[""] != nil {
		return c, fmt.Errorf("collect archived bodies: %w", ErrBusy)
	}
	if err := a.lock("", "lock", unix.LOCK_EX); err != nil {
		return c, err
	}
	last, err := a.lastBodies()
	if err == nil {
		err = filepath.WalkDir(filepath.Join(a.dir, "sha256"), func(path string, e fs.DirEntry, err error) error {
			sha, isBody := strings.CutSuffix(filepath.Base(path), ".zst")
			if err != nil || e.IsDir() || !isBody {
				return err
			}
			info, err := e.Info()
			switch {
			case err != nil:
				return err
			case last[sha] || isNeeded(sha):
				c.Kept, c.KeptBytes = c.Kept+1, c.KeptBytes+info.Size()
				return nil
			}
			c.Removed, c.RemovedBytes = c.Removed+1, c.RemovedBytes+info.Size()
			if dry {
				return nil
			}
			return os.Remove(path)
		})
	}
	if err != nil {
		return c, fmt.Errorf("collect archived bodies: %w", err)
	}
	return c, nil
}

// lastBodies returns the SHA-256 of each body that RemoveUnneeded must keep: the newest body of
// each object in the last extract of its source, and of each object downloaded later.
func (a *Archive) lastBodies() (map[string]bool, error) {
	keys, err := a.Sources()
	bodies := map[string]bool{}
	for _, source := range keys {
		last, err := a.lastDownloads(source)
		if err != nil {
			return nil, err
		}
		for _, f := range last {
			bodies[f.SHA256] = true
		}
	}
	return bodies, err
}

// Sources returns the sorted keys of all sources that were fetched successfully at least once.
func (a *Archive) Sources() ([]string, error) {
	files, err := os.ReadDir(filepath.Join(a.dir, extracts))
	if err != nil {
		return nil, fmt.Errorf("list the sources of the archive: %w", err)
	}
	var keys []string
	for _, f := range files {
		if key, ok := strings.CutSuffix(f.Name(), suffix); ok {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

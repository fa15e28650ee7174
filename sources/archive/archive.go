// Package archive keeps every downloaded body as it was received, under its SHA-256, with a record
// of each download and of each extract, so that a snapshot can be built again long after a
// publisher has changed its site.
//
//	<dir>/sha256/ab/abcdef….zst   one body, compressed with zstd
//	<dir>/fetches/<source>.ndjson   one Fetch per download
//	<dir>/extracts/<source>.ndjson  one sources.Extract per successful fetch of the source
//	<dir>/locks/<source>            locked by the one process that writes for the source
//	<dir>/lock                      shared lock of the writers; exclusive lock of Collect
//
// A body is written to a temporary file, synced and renamed; a record is one line of a journal
// (package journal). Nothing is ever changed, and only Collect removes bodies. A run reads the past
// records that it needs from the end of the journals, so that it does not become slower with every
// run.
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

// ErrBusy means that another process is writing records of the same source, or removing bodies.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrTooLarge means that a body is larger than the bound given to Put.
var ErrTooLarge = errors.New("body is too large")

// ErrLayout means that the archive has one journal for all sources, which no released program wrote.
var ErrLayout = errors.New(
	"this archive is laid out in a way that is not read; start a new data directory and fetch again")

// Archive is the archive under one directory. It is safe for concurrent use. Any number of
// processes may read while others write, each for other sources: the first write for a source takes
// its lock, and Close releases all locks.
type Archive struct {
	dir      string
	mu       sync.Mutex
	locks    map[string]*os.File            // by source; "" is the lock of the archive itself
	journals map[[2]string]*journal.Journal // journals written in this run, by folder and source
	last     map[string]map[string]Fetch    // newest fetch with a body, by source and object
}

// Open opens the archive under dir. It makes the directory if there is none, with mode 0700 because
// the archive is in the protected zone. The first write repairs the effects of a crash. An archive
// of another layout gives ErrLayout.
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
		last: map[string]map[string]Fetch{}}, nil
}

// checkLayout returns ErrLayout if there is one journal for all sources.
func checkLayout(dir string) error {
	for _, kind := range []string{fetches, extracts} {
		file := filepath.Join(dir, kind+suffix)
		if _, err := os.Lstat(file); err == nil {
			return fmt.Errorf("%s: %w", file, ErrLayout)
		}
	}
	return nil
}

// Close releases the lock. A closed archive can still be read.
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

// beginWrite takes the lock of a source, once, and removes the incomplete bodies that a killed run
// left. Callers hold a.mu.
func (a *Archive) beginWrite(source string) error {
	if a.locks[source] != nil {
		return nil
	}
	if err := a.take("", "lock", unix.LOCK_SH); err != nil {
		return err
	}
	if err := a.take(source, filepath.Join("locks", source), unix.LOCK_EX); err != nil {
		return err
	}
	delete(a.last, source) // another process may have written since
	if err := os.RemoveAll(a.tempDir(source)); err != nil {
		return fmt.Errorf("clear half written bodies: %w", err)
	}
	return os.MkdirAll(a.tempDir(source), 0o700)
}

// Lock takes the lock of a source early; otherwise the first write takes it. ErrBusy means that
// another process writes for the source, or removes bodies. Close releases the lock.
func (a *Archive) Lock(source string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.beginWrite(source)
}

// take takes a lock and stores it under a name. It does not wait.
func (a *Archive) take(name, file string, how int) error {
	if a.locks[name] != nil {
		return nil
	}
	f, err := lockFile(filepath.Join(a.dir, file), os.O_CREATE|os.O_RDWR, how|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = ErrBusy
	}
	if err != nil {
		return fmt.Errorf("lock archive %s: %w", a.dir, err)
	}
	a.locks[name] = f
	return nil
}

// lockFile opens a file and locks it; closing it releases the lock.
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

// Path returns the path of the body with that SHA-256 (lower-case hex).
func (a *Archive) Path(sha string) string {
	if len(sha) < 2 {
		return filepath.Join(a.dir, "sha256", "invalid")
	}
	return filepath.Join(a.dir, "sha256", sha[:2], sha+".zst")
}

// CollectResult counts the bodies that Collect kept and removed, and their bytes.
type CollectResult struct {
	Kept, Removed           int   // bodies
	KeptBytes, RemovedBytes int64 // on disk, compressed
}

// Collect removes the bodies for which needed returns false, and nothing else: the records of their
// downloads stay. It always keeps the last body of every object, since a publisher that responds
// "not modified" refers to it. With dry set it removes nothing. No other function removes bodies.
// The error is ErrBusy while a run writes to the archive.
func (a *Archive) Collect(needed func(sha string) bool, dry bool) (CollectResult, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var c CollectResult
	if a.locks[""] != nil {
		return c, fmt.Errorf("collect archived bodies: %w", ErrBusy)
	}
	if err := a.take("", "lock", unix.LOCK_EX); err != nil {
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
			case last[sha] || needed(sha):
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

// lastBodies returns the bodies that a "not modified" response would refer to.
func (a *Archive) lastBodies() (map[string]bool, error) {
	keys, err := a.Sources()
	bodies := map[string]bool{}
	for _, source := range keys {
		last, err := a.lastOf(source)
		if err != nil {
			return nil, err
		}
		for _, f := range last {
			bodies[f.SHA256] = true
		}
	}
	return bodies, err
}

// Sources returns the keys of the sources that have an extract, sorted.
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

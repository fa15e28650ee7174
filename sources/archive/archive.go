// Package archive keeps every downloaded body as it was received, under its
// SHA-256, with a record of each download and of each extract, so that a
// snapshot can be built again long after a publisher has changed its site.
//
//	<dir>/sha256/ab/abcdef….zst   one body, compressed with zstd
//	<dir>/fetches.ndjson          one Fetch per download
//	<dir>/extracts.ndjson         one sources.Extract per successful fetch of a source
//	<dir>/lock                    held by the one process that writes
//
// A body is written to a temporary file, synced and renamed; a record is one
// line, and a line that was torn by a crash never happened. Nothing is ever
// changed, and only Collect removes bodies.
package archive

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sys/unix"
)

// ErrBusy says that another process is writing to the archive.
var ErrBusy = errors.New("another run is writing to the archive")

// ErrTooLarge says that a body is larger than the bound given to Put.
var ErrTooLarge = errors.New("body is too large")

// Archive is the archive under one directory. It is safe for concurrent use.
// Any number of processes may read while one writes; the first write takes the
// lock, Close gives it back.
type Archive struct {
	dir      string
	mu       sync.Mutex
	lock     *os.File
	fetches  journal
	extracts journal
	last     map[part]Fetch // last fetch of each part that left an object
	index    []entry        // where each extract stands, oldest first
	// encoders and decoders are those of bodies that were closed.
	encoders, decoders sync.Pool
}

// part is one object name of one source.
type part struct{ source, name string }

// Open opens the archive under dir, and makes the directory (mode 0700: the
// archive is in the protected zone) when there is none. It reads both journals
// but changes nothing; what a crash left is healed by the first write.
func Open(dir string) (*Archive, error) {
	if err := os.MkdirAll(filepath.Join(dir, "sha256"), 0o700); err != nil {
		return nil, fmt.Errorf("make archive: %w", err)
	}
	a := &Archive{
		dir:      dir,
		fetches:  journal{path: filepath.Join(dir, "fetches.ndjson")},
		extracts: journal{path: filepath.Join(dir, "extracts.ndjson")},
		last:     map[part]Fetch{},
	}
	if err := a.loadFetches(); err != nil {
		return nil, err
	}
	if err := a.loadExtracts(); err != nil {
		return nil, err
	}
	return a, nil
}

// Close gives the lock back. A closed archive can still be read.
func (a *Archive) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := errors.Join(a.fetches.close(), a.extracts.close())
	if a.lock != nil {
		err = errors.Join(err, a.lock.Close())
		a.lock = nil
	}
	return err
}

// beginWrite takes the lock, once, reads what others wrote since Open, and clears
// away what a killed run left: half written bodies and a torn last line. Callers
// hold a.mu.
func (a *Archive) beginWrite() error {
	if a.lock != nil {
		return nil
	}
	f, err := os.OpenFile(filepath.Join(a.dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("lock archive: %w", err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return fmt.Errorf("lock archive %s: %w", a.dir, ErrBusy)
		}
		return fmt.Errorf("lock archive %s: %w", a.dir, err)
	}
	a.lock = f
	if err := errors.Join(a.loadFetches(), a.loadExtracts()); err != nil {
		return err
	}
	if err := os.RemoveAll(a.tempDir()); err != nil {
		return fmt.Errorf("clear half written bodies: %w", err)
	}
	return os.MkdirAll(a.tempDir(), 0o700)
}

func (a *Archive) tempDir() string { return filepath.Join(a.dir, "tmp") }

// Path is the file that holds the body with that SHA-256 (lower-case hex).
func (a *Archive) Path(sha string) string {
	if len(sha) < 2 {
		return filepath.Join(a.dir, "sha256", "invalid")
	}
	return filepath.Join(a.dir, "sha256", sha[:2], sha+".zst")
}

// syncDir makes the names in dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync directory: %w", err)
	}
	defer d.Close()
	if err := d.Sync(); err != nil {
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	return nil
}

// Package store manages the snapshots of a data directory: it seals, promotes (publishes), lists,
// withdraws and removes them. It also adds copies of snapshots from other stores. It keeps an index
// of every snapshot that was ever sealed. Package snapshots defines the format of a snapshot.
package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"labour/snapshots"
)

// The errors of this package that callers distinguish.
var (
	// ErrNoCurrent is the error if a store has no current snapshot.
	ErrNoCurrent = errors.New("no snapshot has been promoted")
	// ErrUnreadableCurrent is the error if the file CURRENT does not contain a valid snapshot ID.
	// Promoting a snapshot replaces the file.
	ErrUnreadableCurrent = errors.New("it names no snapshot; labour snapshot list shows the others, and " +
		"labour promote ID makes one current")
	// ErrNoPredecessor is the error if snapshots were published but none of them can be read.
	ErrNoPredecessor = errors.New("no snapshot that was published can be read, so no other one can be checked " +
		"against it; put the snapshots back from a backup, or remove CURRENT to publish without that check")
	// ErrCurrentChanged is the error of a promotion or a publication if another snapshot became
	// current meanwhile.
	ErrCurrentChanged = errors.New("another snapshot was promoted meanwhile")
	// ErrSealedManifestDiffers is the error if a sealed snapshot with the same ID has a different
	// manifest.
	ErrSealedManifestDiffers = errors.New("a snapshot with this ID and other bytes is sealed already")
	// ErrWriterActive is the error of Store.Begin if another writer is active in the store.
	ErrWriterActive = errors.New("another run is writing a snapshot")
	// ErrNoChangesFile is the error of Store.Promote for a snapshot without the file
	// changes.parquet.
	ErrNoChangesFile = errors.New(
		"it has no " + snapshots.ChangesFileName + ", so nobody could see what changed since the previous snapshot")
	// ErrNeverPromoted is the error of Store.CheckPromoted for a snapshot that was never current.
	ErrNeverPromoted = errors.New("no promotion of it is recorded here, so it is not published; " +
		"labour promote ID checks and promotes it")
	// ErrIsCurrent is the error of Store.Remove for the current snapshot.
	ErrIsCurrent = errors.New("the snapshot is the current one")
)

// Store manages the snapshots in one data directory. Several goroutines and processes may use them
// at once, because the store locks files.
type Store struct {
	root string // path of the folder of snapshots, <data>/snapshots
	// fault is called after each step of sealing and promoting. In tests, it returns an error to
	// stop at that step, as a kill would.
	fault func(step string) error
}

// ListedSnapshot is a sealed snapshot, as Store.List returns it.
type ListedSnapshot struct {
	ID       snapshots.ID
	Current  bool
	Manifest snapshots.Manifest
	// ManifestErr is the reason why the snapshot's manifest cannot be read, such as damage. The
	// snapshot is still listed, so that it does not vanish silently.
	ManifestErr error
}

// Open returns the store of a data directory. Its snapshots are in <data>/snapshots, which need not
// exist yet. Open writes nothing.
func Open(data string) (*Store, error) {
	root, err := filepath.Abs(snapshots.SnapshotsDir(data))
	if err != nil {
		return nil, fmt.Errorf("open snapshots of %s: %w", data, err)
	}
	if info, err := os.Stat(root); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("open snapshots: %s is not a directory", root)
	}
	return &Store{root: root}, nil
}

// RootDir returns the path of the folder that contains the snapshots.
func (s *Store) RootDir() string { return s.root }

// SnapshotDir returns the path of a snapshot's directory, whether or not it exists.
func (s *Store) SnapshotDir(id snapshots.ID) string { return filepath.Join(s.root, string(id)) }

// List returns the sealed snapshots, oldest first. It leaves out snapshots that are not sealed yet.
// If CURRENT cannot be read, no entry is marked as current.
func (s *Store) List(ctx context.Context) ([]ListedSnapshot, error) {
	ids, err := s.ids()
	if err != nil {
		return nil, err
	}
	current, err := s.replaceable()
	if err != nil {
		return nil, err
	}
	entries := make([]ListedSnapshot, 0, len(ids))
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m, err := s.Manifest(id)
		entries = append(entries, ListedSnapshot{ID: id, Current: id == current, Manifest: m, ManifestErr: err})
	}
	return entries, nil
}

// ids returns the IDs of the sealed snapshots, oldest first.
func (s *Store) ids() ([]snapshots.ID, error) {
	names, err := os.ReadDir(s.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list snapshots: %w", err)
	}
	var ids []snapshots.ID
	for _, e := range names {
		if id, err := snapshots.ParseID(e.Name()); err == nil && e.IsDir() {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, snapshots.ID.Compare)
	return ids, nil
}

// Current returns the current (last promoted) snapshot. The error is ErrNoCurrent if there is none,
// or if CURRENT names a withdrawn snapshot because a withdrawal was interrupted. The error is
// ErrUnreadableCurrent if CURRENT has no valid snapshot ID.
func (s *Store) Current() (snapshots.ID, error) {
	id, err := s.currentID()
	if err == nil && s.IsWithdrawn(id) {
		return "", ErrNoCurrent
	}
	return id, err
}

// replaceable returns the ID of the snapshot that a promotion replaces. It returns "" if no
// snapshot is current, or if CURRENT has no valid ID. Thus a promotion can replace a damaged
// CURRENT.
func (s *Store) replaceable() (snapshots.ID, error) {
	id, err := s.Current()
	if errors.Is(err, ErrNoCurrent) || errors.Is(err, ErrUnreadableCurrent) {
		return "", nil
	}
	return id, err
}

// currentID returns the ID of the snapshot that the file CURRENT names, even if it was withdrawn.
func (s *Store) currentID() (snapshots.ID, error) {
	b, err := os.ReadFile(filepath.Join(s.root, snapshots.CurrentFileName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNoCurrent
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", snapshots.CurrentFileName, err)
	}
	id, err := snapshots.ParseID(strings.TrimSuffix(string(b), "\n"))
	if err != nil {
		return "", fmt.Errorf("read %s, which is %.40q: %w", filepath.Join(s.root, snapshots.CurrentFileName), b,
			ErrUnreadableCurrent)
	}
	return id, nil
}

// Manifest reads the manifest of a snapshot. The error is fs.ErrNotExist if there is none, and
// snapshots.ErrUnsupportedFormat if it has another format version.
func (s *Store) Manifest(id snapshots.ID) (snapshots.Manifest, error) {
	m, _, err := s.manifest(id)
	return m, err
}

// manifest returns the manifest of a snapshot, and the SHA-256 of its bytes in hexadecimal.
func (s *Store) manifest(id snapshots.ID) (m snapshots.Manifest, sum string, err error) {
	m, sum, err = snapshots.ReadManifest(s.SnapshotDir(id))
	if err == nil && m.ID != id {
		err = fmt.Errorf("it names %s", m.ID)
	}
	switch {
	case err == nil:
		return m, sum, nil
	case errors.Is(err, snapshots.ErrUnsupportedFormat):
		return snapshots.Manifest{}, "", err
	}
	if _, absent := os.Lstat(s.SnapshotDir(id)); errors.Is(absent, fs.ErrNotExist) {
		return snapshots.Manifest{}, "", s.explainMissing(id, err)
	}
	return snapshots.Manifest{}, "", fmt.Errorf("the manifest of snapshot %s cannot be read; "+
		"put the snapshot back from a backup, or make another one current with labour promote ID: %w", id, err)
}

// explainMissing returns the error for a snapshot without a directory: it was removed, or never
// existed. cause is the error that showed this, and is wrapped.
func (s *Store) explainMissing(id snapshots.ID, cause error) error {
	return fmt.Errorf("there is no snapshot %s in %s; labour snapshot list shows the others: %w", id, s.root, cause)
}

// afterStep is called after each step of sealing or promoting. err is the result of the step, and
// afterStep returns it. Tests set the store's field fault to a function. afterStep calls this
// function after a successful step; it can return an error or stop the process, as a crash would.
func (s *Store) afterStep(step string, err error) error {
	if err == nil && s.fault != nil {
		return s.fault(step)
	}
	return err
}

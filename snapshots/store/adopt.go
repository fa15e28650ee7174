package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"labour/snapshots"
)

// AddFromOtherStore adds a sealed snapshot from another store to this one, but does not promote it.
// It calls fill, which must write the complete snapshot to dir and verify it, or return an error.
// After an interrupted call, dir may already have some of the files. fill is not called if the
// store has the snapshot.
func (s *Store) AddFromOtherStore(ctx context.Context, id snapshots.ID, fill func(dir string) error) (err error) {
	defer snapshots.WrapError(&err, "adopt %s", id)
	if _, err := snapshots.ParseID(string(id)); err != nil {
		return err
	}
	if err := os.MkdirAll(s.root, openDir); err != nil {
		return err
	}
	l, err := lock(ctx, filepath.Join(s.root, writerLockName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if _, err := os.Lstat(s.SnapshotDir(id)); err == nil {
		return s.completeIndexEntry(ctx, id)
	}
	dir := filepath.Join(s.root, copyPrefix+string(id))
	if err := s.sweep(copyPrefix, dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, openDir); err != nil {
		return err
	}
	if err := fill(dir); err != nil {
		return err
	}
	if err := s.nameAdopted(dir, id); err != nil {
		return err
	}
	return s.enterAdopted(ctx, id)
}

// completeIndexEntry adds a snapshot of the store to the index if it is missing there. It may be missing
// because an earlier call of AddFromOtherStore was interrupted. If the index is damaged,
// completeIndexEntry does nothing.
func (s *Store) completeIndexEntry(ctx context.Context, id snapshots.ID) error {
	x, err := s.Index()
	if _, known := x.FindEntry(id); known || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // CheckChain reports an unreadable index
	}
	return s.enterAdopted(ctx, id)
}

// nameAdopted completes a snapshot from another store in dir. It syncs the directory to the disk,
// makes it read-only and gives it its final name.
func (s *Store) nameAdopted(dir string, id snapshots.ID) error {
	if err := s.afterStep("adopted files synced", syncTree(dir)); err != nil {
		return err
	}
	if err := chmodTree(dir, sealedFile, sealedDir); err != nil {
		return err
	}
	return s.afterStep("adopted", renameDurable(dir, s.SnapshotDir(id)))
}

package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"labour/snapshots"
)

// AddFromOtherStore adds a sealed snapshot from another store. It calls fill with a directory. If
// an earlier call was interrupted, the directory may have files of that call. The function fill
// must write and verify the complete snapshot, or return an error. AddFromOtherStore then makes the
// snapshot visible, but does not promote it. If the store already has the snapshot, fill is not
// called.
func (s *Store) AddFromOtherStore(ctx context.Context, id snapshots.ID, fill func(dir string) error) (err error) {
	defer wrap(&err, "adopt %s", id)
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
		return s.enterStopped(ctx, id)
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

// enterStopped adds an existing snapshot to the index if the index does not list it. The index does
// not list it if a call of AddFromOtherStore was interrupted before it wrote the index. If the
// index is damaged, enterStopped does nothing.
func (s *Store) enterStopped(ctx context.Context, id snapshots.ID) error {
	x, err := s.Index()
	if _, known := x.FindEntry(id); known || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // the list of the snapshots reports an unreadable index
	}
	return s.enterAdopted(ctx, id)
}

// nameAdopted syncs the directory of a snapshot from another store to the disk, makes it read-only
// and gives it its final name.
func (s *Store) nameAdopted(dir string, id snapshots.ID) error {
	if err := s.afterStep("adopted files synced", syncTree(dir)); err != nil {
		return err
	}
	if err := chmodTree(dir, sealedFile, sealedDir); err != nil {
		return err
	}
	return s.afterStep("adopted", renameDurable(dir, s.SnapshotDir(id)))
}

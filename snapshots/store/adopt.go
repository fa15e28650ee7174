package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"labour/snapshots"
)

// Adopt adds a sealed snapshot that comes from another store. It calls fill with a directory, which
// may have files of an interrupted adoption. When fill returns nil, the snapshot must be complete
// and verified; Adopt then makes it visible. If the store already has the snapshot, Adopt does
// nothing. It does not promote.
func (s *Store) Adopt(ctx context.Context, id snapshots.ID, fill func(dir string) error) (err error) {
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
	if _, err := os.Lstat(s.Dir(id)); err == nil {
		return s.enterStopped(ctx, id)
	}
	dir := filepath.Join(s.root, adoptPrefix+string(id))
	if err := s.sweep(adoptPrefix, dir); err != nil {
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

// enterStopped adds a snapshot to the index if its adoption was interrupted after the directory got
// its name.
func (s *Store) enterStopped(ctx context.Context, id snapshots.ID) error {
	x, err := s.Index()
	if _, known := x.Entry(id); known || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // the list of the snapshots reports an unreadable index
	}
	return s.enterAdopted(ctx, id)
}

func (s *Store) nameAdopted(dir string, id snapshots.ID) error {
	if err := s.after("adopted files synced", syncTree(dir)); err != nil {
		return err
	}
	if err := chmodTree(dir, sealedFile, sealedDir); err != nil {
		return err
	}
	return s.after("adopted", renameDurable(dir, s.Dir(id)))
}

package snapshots

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// adoptPrefix is the directory of a snapshot that is being taken over. It outlives
// a stop, so that what was copied need not be copied again, and it is in no list.
const adoptPrefix = ".adopt-"

// Adopt takes over a sealed snapshot of another store. fill is given a directory, which may hold
// what an adoption that was stopped had copied, and must return only when all of the snapshot is
// there and is right; only then, and with everything synced, it gets its name. A snapshot of that
// name that is there already is left as it is, and fill is not called. Adopt does not promote.
func (s *Store) Adopt(ctx context.Context, id ID, fill func(dir string) error) error {
	if _, err := ParseID(string(id)); err != nil {
		return fmt.Errorf("adopt: %w", err)
	}
	if err := s.adopt(ctx, id, fill); err != nil {
		return fmt.Errorf("adopt %s: %w", id, err)
	}
	return nil
}

func (s *Store) adopt(ctx context.Context, id ID, fill func(dir string) error) (err error) {
	if err := os.MkdirAll(s.root, openDir); err != nil {
		return err
	}
	l, err := lock(ctx, filepath.Join(s.root, writerLockName))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.release()) }()
	if _, err := os.Lstat(s.Dir(id)); err == nil {
		return nil
	}
	dir := filepath.Join(s.root, adoptPrefix+string(id))
	if err := s.sweepAdoptions(dir); err != nil {
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
	return s.enter(ctx, id)
}

// sweepAdoptions removes the directories of other adoptions; the writer's lock is held.
func (s *Store) sweepAdoptions(but string) error {
	entries, err := os.ReadDir(s.root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if p := filepath.Join(s.root, e.Name()); strings.HasPrefix(e.Name(), adoptPrefix) && p != but {
			if err := removeTree(p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Store) nameAdopted(dir string, id ID) error {
	if err := syncTree(dir); err != nil {
		return err
	}
	if err := s.step("adopted files synced"); err != nil {
		return err
	}
	if err := chmodTree(dir, sealedFile, sealedDir); err != nil {
		return err
	}
	if err := renameDurable(dir, s.Dir(id)); err != nil {
		return err
	}
	return s.step("adopted")
}

// Names are the paths of all files of a snapshot, with forward slashes: data first, the manifest,
// which makes a directory a snapshot, last. signed says whether it holds a signature.
func (m Manifest) Names(signed bool) []string {
	var names []string
	for _, t := range m.Tables {
		names = append(names, TableFileName(t.Name))
	}
	for _, f := range m.Files {
		names = append(names, f.Path)
	}
	names = append(names, SumsName)
	if signed {
		names = append(names, SignatureName)
	}
	return append(names, ManifestName)
}

// Sum is the SHA-256 that the manifest states of a file; ok is false for the
// manifest itself, SHA256SUMS and its signature, which it cannot state.
func (m Manifest) Sum(name string) (f File, ok bool) {
	for _, t := range m.Tables {
		if TableFileName(t.Name) == name {
			return File{Path: name, SHA256: t.SHA256, Bytes: t.Bytes}, true
		}
	}
	for _, f := range m.Files {
		if f.Path == name {
			return f, true
		}
	}
	return File{}, false
}

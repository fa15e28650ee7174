package snapshots

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Adopt takes over a sealed snapshot of another store. fill is given a directory, which may hold
// what an adoption that was stopped had copied, and must return only when all of the snapshot is
// there and is right; only then, and with everything synced, it gets its name. A snapshot of that
// name that is there already is left as it is, and fill is not called. Adopt does not promote.
func (s *Store) Adopt(ctx context.Context, id ID, fill func(dir string) error) (err error) {
	defer wrap(&err, "adopt %s", id)
	if _, err := ParseID(string(id)); err != nil {
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

// enterStopped enters a snapshot whose adoption was stopped between its name and the index.
func (s *Store) enterStopped(ctx context.Context, id ID) error {
	x, err := s.Index()
	if _, known := x.Entry(id); known || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil // the list of the snapshots shows an index that cannot be read
	}
	return s.enterAdopted(ctx, id)
}

func (s *Store) nameAdopted(dir string, id ID) error {
	if err := s.after("adopted files synced", syncTree(dir)); err != nil {
		return err
	}
	if err := chmodTree(dir, sealedFile, sealedDir); err != nil {
		return err
	}
	return s.after("adopted", renameDurable(dir, s.Dir(id)))
}

// Names returns the paths of all files of a snapshot, with forward slashes: data first, the
// manifest, which makes a directory a snapshot, last. signed is true when it holds a signature.
func (m Manifest) Names(signed bool) []string {
	var names []string
	for _, f := range m.stated() {
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
	return find(m.stated(), func(f File) bool { return f.Path == name })
}

// stated lists the files whose sums the manifest states, tables first.
func (m Manifest) stated() []File {
	var files []File
	for _, t := range m.Tables {
		files = append(files, File{Path: TableFileName(t.Name), SHA256: t.SHA256, Bytes: t.Bytes})
	}
	return append(files, m.Files...)
}

package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"labour/snapshots"
)

// Writer writes one snapshot in a hidden directory, until Seal makes it visible. A store has at
// most one active Writer. Call its methods from one goroutine; several goroutines may write the
// files.
type Writer struct {
	// SignSums returns the signature for the content of SHA256SUMS, which has the hash of every other
	// file. It is written to SHA256SUMS.minisig. If SignSums is nil, there is no signature.
	SignSums func(sums []byte) ([]byte, error)
	// Sources are the rows of the snapshot's table sources. datapackage.json repeats their
	// licences and statements for standard tools.
	Sources []snapshots.SourcesRow
	// Credits maps each table to the keys of the sources that its rows name. The caller sets it before
	// Seal, which writes it to datapackage.json.
	Credits map[string]snapshots.CreditedSourceKeys
	// ManifestKey is the operator's secret key for hashes. Seal needs it for the list of partners'
	// events.
	ManifestKey snapshots.ManifestKey

	store    *Store
	id       snapshots.ID
	dir      string
	lock     *os.File // file that is locked until Close; nil after Close
	sealed   bool
	partners []PartnerFile
}

// Begin begins the next snapshot for a date. First it removes the files of writers that were
// killed. The error is ErrWriterActive if another writer is active. The caller must close the
// Writer.
func (s *Store) Begin(asOf time.Time) (*Writer, error) { return s.begin("", asOf) }

// BeginAs begins a snapshot with the given ID. It is used to rebuild a snapshot of another store.
func (s *Store) BeginAs(id snapshots.ID) (*Writer, error) {
	if _, err := snapshots.ParseID(string(id)); err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	return s.begin(id, time.Time{})
}

// begin begins the snapshot id or, if id is "", the next one for asOf. It chooses the ID after it
// has taken the lock, so that no two writers choose the same ID.
func (s *Store) begin(id snapshots.ID, asOf time.Time) (w *Writer, err error) {
	defer snapshots.WrapError(&err, "begin a snapshot")
	l, err := s.lockWriter()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, l.Close())
		}
	}()
	if id == "" {
		if id, err = s.NextID(asOf); err != nil {
			return nil, err
		}
	}
	dir := filepath.Join(s.root, hiddenPrefix+string(id))
	for _, sub := range []string{snapshots.TablesDirName, snapshots.EmbargoedDirName} {
		if err := os.MkdirAll(filepath.Join(dir, sub), openDir); err != nil {
			return nil, err
		}
	}
	return &Writer{store: s, id: id, dir: dir, lock: l}, nil
}

// lockWriter takes the writer's lock and removes the files of writers that were killed. The error is
// ErrWriterActive if another writer is active.
func (s *Store) lockWriter() (*os.File, error) {
	if err := os.MkdirAll(s.root, openDir); err != nil {
		return nil, err
	}
	l, err := tryLock(filepath.Join(s.root, writerLockName))
	if errors.Is(err, errLocked) {
		err = ErrWriterActive
	}
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.afterStep("writer's lock taken", nil), s.sweep(hiddenPrefix, ""),
		s.sweepPartners()); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// WithWriterLock removes the files of writers that were killed, and calls fn while no other writer
// is active. The error is ErrWriterActive if another writer is active.
func (s *Store) WithWriterLock(fn func() error) error {
	l, err := s.lockWriter()
	if err != nil {
		return fmt.Errorf("lock the snapshots: %w", err)
	}
	return errors.Join(fn(), l.Close())
}

// NextID returns the ID of the next snapshot for a date. Its run number follows the highest run
// number ever sealed for that date. Removed snapshots count too, unless the index cannot be read.
func (s *Store) NextID(asOf time.Time) (snapshots.ID, error) {
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	if x, err := s.Index(); err == nil {
		for _, e := range x.Snapshots {
			ids = append(ids, e.ID)
		}
	}
	date, run := snapshots.DateOf(asOf), 0
	for _, id := range ids {
		if id.Date().Equal(date.Time) {
			run = max(run, id.Run())
		}
	}
	return snapshots.NewID(date.Time, run+1), nil
}

// sweep removes the directories whose names start with prefix, but keeps the directory at the path
// keptDir. The caller holds the writer's lock, so no active writer uses these directories.
func (s *Store) sweep(prefix, keptDir string) error {
	entries, err := os.ReadDir(s.root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if dir := filepath.Join(s.root, e.Name()); strings.HasPrefix(e.Name(), prefix) && dir != keptDir {
			if err := removeTree(dir); err != nil {
				return fmt.Errorf("sweep %s: %w", e.Name(), err)
			}
		}
	}
	return nil
}

// ID returns the ID of the snapshot that is being written.
func (w *Writer) ID() snapshots.ID { return w.id }

// Dir returns the hidden directory of the snapshot that is being written.
func (w *Writer) Dir() string { return w.dir }

// TablePath returns the path at which the caller must write the file of a table.
func (w *Writer) TablePath(table string) string { return snapshots.TablePath(w.dir, table) }

// FilePath returns the path at which the caller must write a file that is not a table. name is the
// path in the snapshot, with forward slashes, such as changes.parquet.
func (w *Writer) FilePath(name string) string { return snapshots.JoinPath(w.dir, name) }

// Close releases the writer's lock. It removes the snapshot if it was not sealed.
func (w *Writer) Close() error {
	if w.lock == nil {
		return nil
	}
	var err error
	if !w.sealed {
		err = errors.Join(removeTree(w.dir), os.RemoveAll(w.partnersDir()))
	}
	err = errors.Join(err, w.lock.Close())
	w.lock = nil
	return err
}

// CopyFile adds a copy of a file from a sealed snapshot, which may be in another store. file is the
// path of that file. name is the path of the copy in the new snapshot, with forward slashes. The
// copy is a hard link if the file system supports that.
func (w *Writer) CopyFile(file, name string) error {
	if os.Link(file, w.FilePath(name)) == nil {
		return nil
	}
	if err := copyFile(file, w.FilePath(name)); err != nil {
		return fmt.Errorf("reuse %s: %w", name, err)
	}
	return nil
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // opened for reading only
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, openFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/store"
)

// ErrInconsistentTables means that the tables of a snapshot contradict each other. For example, a
// figure names a source that is not in the table of sources.
var ErrInconsistentTables = errors.New("the tables of the snapshot do not fit together")

// Mount loads the snapshot in the directory dir into DuckDB for queries. The directory is not
// needed after Mount returns. The caller must close the snapshot.
func Mount(ctx context.Context, dir string, o Options) (*Snapshot, error) {
	if o.library == nil {
		o.library = newLibrary()
	}
	if o.VerifyDirectory != nil {
		if err := o.VerifyDirectory(ctx, dir); err != nil {
			return nil, fmt.Errorf("verify %s: %w", dir, err)
		}
	}
	manifest, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if manifest.CodingErrors == nil || !manifest.CodingErrors.IsValid() {
		return nil, fmt.Errorf("mount %s: %w: the manifest has no errors of coding, which margins need; "+
			"make a new snapshot with labour run", manifest.ID, ErrInconsistentTables)
	}
	s := &Snapshot{manifest: manifest, library: o.library, parts: map[string]*part{}}
	s.describePeople()
	err = s.openParts(ctx, dir, o)
	if err == nil {
		err = s.readVocabularies(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("mount %s: %w", manifest.ID, err), s.Close())
	}
	s.digests = s.digestsOf(manifest)
	return s, nil
}

// openParts opens the DuckDB files of the snapshot. It shares a file with another open snapshot if
// their tables are equal. If tables contradict each other, the error wraps ErrInconsistentTables
// and lists all faults.
func (s *Snapshot) openParts(ctx context.Context, dir string, o Options) error {
	events, err := eventfiles.FindFiles(dir, s.manifest)
	// Without the files of partners, only the events without a partner are served.
	if s.withoutPartners = errors.Is(err, store.ErrNoPartnerFiles); err != nil && !s.withoutPartners {
		return err
	}
	work, err := os.MkdirTemp(o.TempDir, "labour-mount-")
	if err != nil {
		return err
	}
	// Removed even while the files in it are open: mounted files need no name.
	defer os.RemoveAll(work)
	var unfit error
	for _, spec := range partsOf(s.manifest, events) {
		p, err := o.library.open(spec.key(s.manifest),
			func() (*part, error) { return openPart(ctx, spec, dir, work, s.manifest) })
		if p != nil {
			s.parts[spec.name] = p
		}
		if errors.Is(err, ErrInconsistentTables) {
			unfit = errors.Join(unfit, err)
		} else if err != nil {
			return err
		}
	}
	return unfit
}

// Options configures Mount. The zero value is usable.
type Options struct {
	// VerifyDirectory checks a snapshot's directory before it is read. If it returns an error, the
	// snapshot is not mounted. Nil = the caller has verified the directory.
	VerifyDirectory func(ctx context.Context, dir string) error
	// TempDir is the directory for the mounted copy of the tables; empty = the system's default. A
	// snapshot of 1 million adverts needs about ten megabytes there.
	TempDir string
	library *library // cache of DuckDB files that snapshots share; nil = a new cache
}

// Close closes the snapshot's DuckDB files that no other snapshot shares. No query may be running.
func (s *Snapshot) Close() error {
	if err := s.library.release(s.parts); err != nil {
		return fmt.Errorf("close snapshot %s: %w", s.ID(), err)
	}
	return nil
}

// library is a cache of open DuckDB files. Snapshots with equal tables share a file. A library is
// safe for concurrent use.
type library struct {
	mu    sync.Mutex
	parts map[string]*part // open parts by partSpec.key, a digest of their content
}

func newLibrary() *library { return &library{parts: map[string]*part{}} }

// open returns the open DuckDB file with the given key and counts one more user of it. If the file
// is not open, open calls load to open it.
func (l *library) open(key string, load func() (*part, error)) (*part, error) {
	if p := l.use(key, nil); p != nil {
		return p, nil
	}
	loaded, err := load()
	if err != nil {
		return nil, err
	}
	p := l.use(key, loaded)
	if p != loaded { // another snapshot was faster
		err = loaded.db.Close()
	}
	return p, err
}

// use returns the open DuckDB file with the given key and counts one more user of it. If the cache
// has no such file, use adds loaded to the cache and returns it. It returns nil if loaded is nil too.
func (l *library) use(key string, loaded *part) *part {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := cmp.Or(l.parts[key], loaded)
	if p != nil {
		l.parts[key] = p
		p.key, p.users = key, p.users+1
	}
	return p
}

// release ends one use of each DuckDB file in parts. It closes a file that is no longer used.
func (l *library) release(parts map[string]*part) error {
	var errs []error
	for _, p := range parts {
		l.mu.Lock()
		p.users--
		unused := p.users == 0
		if unused {
			delete(l.parts, p.key)
		}
		l.mu.Unlock()
		if unused {
			errs = append(errs, p.db.Close())
		}
	}
	return errors.Join(errs...)
}

package web

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"labour/snapshots"
	"labour/snapshots/store"
)

// downloadableTables returns the names of the tables that anyone may download in full. It leaves
// out counts of adverts and people, and adverts, events, pathways and section 106 records. It also
// leaves out the tables corrections and freshness.
func downloadableTables() []string {
	return []string{"course_demand", "evidence", "levels", "occupations", "outlines", "place_members", "places",
		"regions", "sectors", "skills", "skills_gaps", "sources"}
}

// papers returns the names of a snapshot's downloadable files that are not tables. They describe
// the tables and prove their origin, such as the manifest and the signature.
func papers() []string {
	return []string{snapshots.ManifestFileName, snapshots.SumsFileName, snapshots.SignatureFileName,
		snapshots.DataPackageFileName}
}

// snapshotEntry is a snapshot that was once published and is still stored.
type snapshotEntry struct {
	ID        snapshots.ID
	Current   bool
	Manifest  snapshots.Manifest
	Withdrawn *store.Withdrawal // why and when the snapshot was withdrawn; nil = it was not
	Signed    bool
}

// NoPeople reports whether the snapshot shows no figures about people: it has none yet, or all of
// them were withdrawn.
func (e snapshotEntry) NoPeople() bool {
	return e.Manifest.PeopleAsOf == nil || snapshots.AllPeopleWithdrawn(e.Manifest.PeopleWithdrawn)
}

// catalogue caches the index of all snapshots. The time and size of the index file show whether the
// file has changed.
type catalogue struct {
	mu         sync.Mutex
	changeTime time.Time
	bytes      int64
	index      store.Index
}

// index returns the index of all snapshots. It reads the index file only if the file has changed.
// If there is no file, the index is empty.
func (s *Site) index() (store.Index, error) {
	info, err := os.Stat(filepath.Join(s.Store.RootDir(), snapshots.IndexFileName))
	if errors.Is(err, fs.ErrNotExist) {
		return store.Index{}, nil
	}
	if err != nil {
		return store.Index{}, fmt.Errorf("index of the snapshots: %w", err)
	}
	c := &s.catalogue
	c.mu.Lock()
	defer c.mu.Unlock()
	if !info.ModTime().Equal(c.changeTime) || info.Size() != c.bytes {
		index, err := s.Store.Index()
		if err != nil {
			return index, err
		}
		c.changeTime = info.ModTime()
		c.bytes = info.Size()
		c.index = index
	}
	return c.index, nil
}

// publishedIDs returns the IDs of the stored snapshots that were current at some time, the newest
// first. A snapshot that never became current, for example because a check failed, is left out.
func (s *Site) publishedIDs() (ids []snapshots.ID, err error) {
	ids, err = s.everPublishedIDs()
	if err != nil {
		return nil, err
	}
	index, err := s.index()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(ids, func(id snapshots.ID) bool {
		e, _ := index.FindEntry(id)
		return e.Removed
	}), nil
}

// everPublishedIDs returns the IDs of the snapshots that were current at some time, the newest first.
// The files of some may be removed.
func (s *Site) everPublishedIDs() (ids []snapshots.ID, err error) {
	index, err := s.index()
	current, noCurrent := s.current()
	if err := errors.Join(err, noCurrent); err != nil {
		return nil, err
	}
	for _, e := range index.Snapshots {
		if e.ID == current || e.Published() {
			ids = append(ids, e.ID)
		}
	}
	if current != "" && !slices.Contains(ids, current) {
		ids = append(ids, current)
	}
	slices.SortFunc(ids, func(a, b snapshots.ID) int { return b.Compare(a) })
	return ids, nil
}

// current returns the ID of the current snapshot, or "" if there is none.
func (s *Site) current() (snapshots.ID, error) {
	id, err := s.Store.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		err = nil
	}
	return id, err
}

// entry reads the manifest of a snapshot and whether the snapshot was withdrawn. ok is false if its
// files were removed or cannot be read.
func (s *Site) entry(id snapshots.ID) (e snapshotEntry, ok bool, err error) {
	current, err := s.current()
	if err != nil {
		return e, false, err
	}
	_, unsigned := os.Stat(snapshots.JoinPath(s.Store.SnapshotDir(id), snapshots.SignatureFileName))
	e = snapshotEntry{ID: id, Current: id == current, Signed: unsigned == nil}
	if e.Manifest, err = s.Store.Manifest(id); err != nil {
		return e, false, nil // removed, or unreadable
	}
	if s.Store.IsWithdrawn(id) {
		e.Withdrawn = &store.Withdrawal{Reason: "the note on why cannot be read"}
		index, err := s.index()
		if err != nil {
			return e, false, err
		}
		if known, _ := index.FindEntry(id); known.Withdrawn != nil {
			e.Withdrawn = known.Withdrawn
		}
	}
	return e, true, nil
}

// find returns the published snapshot whose ID is name. ok is false if there is none.
func (s *Site) find(name string) (e snapshotEntry, ok bool, err error) {
	ids, err := s.publishedIDs()
	if err != nil || !slices.Contains(ids, snapshots.ID(name)) {
		return e, false, err
	}
	return s.entry(snapshots.ID(name))
}

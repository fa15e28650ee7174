package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"labour/snapshots"
)

// Index is the content of index.json. It lists every snapshot that was ever sealed in the store,
// even removed and withdrawn ones. It also has the times at which each snapshot was published and
// withdrawn. If the index differs from a manifest, the manifest is authoritative.
type Index struct {
	Format string `json:"format"` // version of the snapshot format, as in snapshots.Format
	// Rebuilt is true if the index was once lost or damaged, and made again from the directories
	// of the snapshots. Snapshots that were removed before are then missing.
	Rebuilt   bool         `json:"rebuilt"`
	Snapshots []IndexEntry `json:"snapshots"` // entries of all snapshots, sorted by ID
}

// IndexEntry is the index's entry for one snapshot.
type IndexEntry struct {
	ID             snapshots.ID   `json:"id"`
	AsOf           snapshots.Date `json:"as_of"`
	CreatedAt      time.Time      `json:"created_at"`
	ManifestSHA256 string         `json:"manifest_sha256"`
	// predecessor, as in the snapshot's manifest; null for the first
	Previous *snapshots.PreviousSnapshot `json:"previous"`
	// times at which the snapshot became current, in UTC and whole seconds; empty = never
	PublishedAt []time.Time `json:"published_at"`
	// true if the snapshot's directory was removed on purpose
	Removed bool `json:"removed"`
	// FromOtherStore is true if the snapshot was sealed in another store and then added to this
	// one.
	FromOtherStore bool `json:"adopted,omitempty"`
	// when and why the snapshot was withdrawn; null = not withdrawn
	Withdrawn *Withdrawal `json:"withdrawn"`
}

// Published reports whether the snapshot was ever the current one in this store.
func (e IndexEntry) Published() bool { return len(e.PublishedAt) > 0 }

// PublishedAnywhere reports whether the snapshot was ever the current one, in this store or in the
// store where it was sealed. Stores pass on only published snapshots.
func (e IndexEntry) PublishedAnywhere() bool { return e.Published() || e.FromOtherStore }

// lastPublished returns the last time at which the snapshot became current. It panics if the
// snapshot was never current.
func (e IndexEntry) lastPublished() time.Time { return e.PublishedAt[len(e.PublishedAt)-1] }

// FindEntry returns the index's entry for a snapshot, and reports whether there is one.
func (x Index) FindEntry(id snapshots.ID) (IndexEntry, bool) {
	if i, ok := x.find(id); ok {
		return x.Snapshots[i], true
	}
	return IndexEntry{}, false
}

// find returns the position of a snapshot's entry in the index, and reports whether there is one.
// If there is none, it returns the position at which to insert the entry.
func (x Index) find(id snapshots.ID) (int, bool) {
	return slices.BinarySearchFunc(x.Snapshots, id, func(e IndexEntry, id snapshots.ID) int { return e.ID.Compare(id) })
}

// entry returns a pointer to the index's entry for a snapshot. It adds an entry if there is none.
func (x *Index) entry(id snapshots.ID) *IndexEntry {
	i, ok := x.find(id)
	if !ok {
		x.Snapshots = slices.Insert(x.Snapshots, i, IndexEntry{ID: id, PublishedAt: []time.Time{}})
	}
	return &x.Snapshots[i]
}

// Index reads the store's index from index.json. The error is fs.ErrNotExist if there is no such
// file.
func (s *Store) Index() (Index, error) {
	b, err := os.ReadFile(filepath.Join(s.root, snapshots.IndexFileName))
	if err != nil {
		return Index{}, fmt.Errorf("read %s: %w", snapshots.IndexFileName, err)
	}
	if err := snapshots.CheckFormat(b); err != nil {
		return Index{}, fmt.Errorf("read %s: %w", snapshots.IndexFileName, err)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	var x Index
	if err := d.Decode(&x); err != nil {
		return Index{}, fmt.Errorf("read %s: %w", snapshots.IndexFileName, err)
	}
	if !x.inOrder() {
		return Index{}, fmt.Errorf("read %s: its snapshots are not in order, or one is there twice", snapshots.IndexFileName)
	}
	return x, nil
}

// inOrder reports whether the entries of the index are sorted by ID, without duplicates.
func (x *Index) inOrder() bool {
	for i := 1; i < len(x.Snapshots); i++ {
		if x.Snapshots[i-1].ID.Compare(x.Snapshots[i].ID) >= 0 {
			return false
		}
	}
	return true
}

// enter adds a newly sealed snapshot to the store's index.
func (s *Store) enter(ctx context.Context, id snapshots.ID) error {
	return s.withLock(ctx, fmt.Sprintf("enter %s into %s", id, snapshots.IndexFileName),
		func() error { return s.updateIndex(id, func(*Index) {}) })
}

// enterAdopted adds a snapshot to this store's index, and records that it came from another store.
func (s *Store) enterAdopted(ctx context.Context, id snapshots.ID) error {
	return s.withLock(ctx, fmt.Sprintf("enter %s into %s", id, snapshots.IndexFileName), func() error {
		return s.updateIndex(id, func(x *Index) { x.entry(id).FromOtherStore = true })
	})
}

// IsFromOtherStore reports whether a snapshot was sealed in another store and then added to this
// one.
func (s *Store) IsFromOtherStore(id snapshots.ID) (bool, error) {
	x, err := s.Index()
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	e, _ := x.FindEntry(id)
	return e.FromOtherStore, err
}

// RebuildIndex updates the index from the directories of the snapshots, and replaces a damaged
// index. If the old index can be read, RebuildIndex keeps its entries for removed snapshots and its
// times of publishing. If the old index has another format version, RebuildIndex keeps it and
// returns an error.
func (s *Store) RebuildIndex(ctx context.Context) error {
	return s.withLock(ctx, "rebuild "+snapshots.IndexFileName, func() error { return s.updateIndex("", func(*Index) {}) })
}

// withLock calls fn while it holds the lock for CURRENT and the index. action describes fn, and
// error messages begin with it.
func (s *Store) withLock(ctx context.Context, action string, fn func() error) error {
	l, err := lock(ctx, filepath.Join(s.root, currentLockName))
	if err == nil {
		err = errors.Join(fn(), l.Close())
	}
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	return nil
}

// updateIndex reads the index, calls change and writes the index. The caller holds the lock for
// CURRENT. newID is the snapshot that is being added, or "". Before the call of change, updateIndex
// adds entries that are missing because a process was killed.
//
// A damaged index must not prevent the publication of a snapshot, so updateIndex replaces it and
// sets Rebuilt. The error is snapshots.ErrUnsupportedFormat if the index has another format
// version.
func (s *Store) updateIndex(newID snapshots.ID, change func(*Index)) error {
	x, err := s.Index()
	if errors.Is(err, snapshots.ErrUnsupportedFormat) {
		return err
	}
	if err != nil {
		others, idsErr := s.ids()
		if idsErr != nil {
			return idsErr
		}
		others = slices.DeleteFunc(others, func(id snapshots.ID) bool { return id == newID })
		x = Index{Format: snapshots.Format, Rebuilt: !errors.Is(err, fs.ErrNotExist) || len(others) > 0}
	}
	isNew := err != nil
	if err := s.reconcile(&x); err != nil {
		return fmt.Errorf("update %s: %w", snapshots.IndexFileName, err)
	}
	if isNew {
		x.restorePublished()
	}
	change(&x)
	if x.Snapshots == nil {
		x.Snapshots = []IndexEntry{}
	}
	b, err := snapshots.EncodeDocument(x)
	if err != nil {
		return fmt.Errorf("encode %s: %w", snapshots.IndexFileName, err)
	}
	to := filepath.Join(s.root, snapshots.IndexFileName)
	if err := replaceDurable(filepath.Join(s.root, indexNewName), to, b); err != nil {
		return fmt.Errorf("update %s: %w", snapshots.IndexFileName, err)
	}
	return s.afterStep("index written", nil)
}

// reconcile updates the index x from three sources: the directories of the snapshots, the file
// CURRENT, and the records of withdrawals.
func (s *Store) reconcile(x *Index) error {
	ids, err := s.ids()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if e, known := x.FindEntry(id); known && !e.Removed {
			continue
		}
		m, sum, err := snapshots.ReadManifest(s.SnapshotDir(id))
		if err != nil {
			continue // List reports it as unreadable
		}
		e := x.entry(id)
		e.AsOf = m.AsOf
		e.CreatedAt = m.CreatedAt.UTC()
		e.ManifestSHA256 = sum
		e.Previous = m.Previous
		e.Removed = false
	}
	withdrawn, err := s.Withdrawals()
	if err != nil {
		return err
	}
	for id, w := range withdrawn {
		if _, known := x.find(id); known {
			x.entry(id).Withdrawn = &w
		}
	}
	return s.notePublished(x, func(e IndexEntry, _ time.Time) bool { return !e.Published() })
}

// restorePublished records in a rebuilt index which snapshots were published: those that another
// snapshot names as its predecessor. The times of publication are not known, and the times of
// creation stand for them.
func (x *Index) restorePublished() {
	for _, follower := range x.Snapshots {
		if follower.Previous == nil {
			continue
		}
		i, known := x.find(follower.Previous.ID)
		if known && !x.Snapshots[i].Published() {
			x.Snapshots[i].PublishedAt = []time.Time{x.Snapshots[i].CreatedAt.Truncate(time.Second)}
		}
	}
}

// recordInterrupted records in the index that the current snapshot was published, if its promotion
// was killed before that. It is called before another snapshot becomes the current one, because
// nothing states afterwards that this one was published.
func (s *Store) recordInterrupted(current snapshots.ID) error {
	x, err := s.Index()
	if e, _ := x.FindEntry(current); err == nil && e.Published() {
		return nil
	}
	return s.updateIndex("", func(*Index) {})
}

// recordPromotion records in the index that the current snapshot, which the file CURRENT names, was
// published.
func (s *Store) recordPromotion() error {
	var noted error
	err := s.updateIndex("", func(x *Index) {
		noted = s.notePublished(x, func(e IndexEntry, at time.Time) bool { return e.lastPublished().Before(at) })
	})
	return errors.Join(noted, err)
}

// notePublished records in the index x when the current snapshot was published. This is the time of
// the last change of the file CURRENT. notePublished calls isNew with the snapshot's entry and this
// time, and records the time only if isNew returns true.
func (s *Store) notePublished(x *Index, isNew func(e IndexEntry, at time.Time) bool) error {
	id, err := s.replaceable()
	if err != nil || id == "" {
		return err
	}
	info, err := os.Stat(filepath.Join(s.root, snapshots.CurrentFileName))
	if err != nil {
		return err
	}
	if _, known := x.find(id); !known {
		return nil
	}
	e, at := x.entry(id), info.ModTime().UTC().Truncate(time.Second)
	if isNew(*e, at) {
		e.PublishedAt = append(e.PublishedAt, at)
	}
	return nil
}

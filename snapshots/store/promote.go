package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"labour/snapshots"
)

// Promote makes a sealed snapshot the current one, atomically. The promoted snapshot may be older
// than the current one. expectedID is the ID of the snapshot that must be current now, or "" for
// none. If another one is current, the error is ErrCurrentChanged.
//
// The error is ErrNoChangesFile for a snapshot without changes.parquet, and ErrWithdrawn for a
// withdrawn one.
func (s *Store) Promote(ctx context.Context, id, expectedID snapshots.ID) error {
	if err := s.promotable(id); err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	return s.withLock(ctx, fmt.Sprintf("promote %s", id), func() error {
		current, err := s.replaceable()
		if err != nil {
			return err
		}
		if current != expectedID {
			return fmt.Errorf("expected %q to be current, found %q: %w", expectedID, current, ErrCurrentChanged)
		}
		if current != "" && current != id {
			if err := s.recordInterrupted(current); err != nil {
				return err
			}
			if err := s.noteSuperseded(current, id); err != nil {
				return err
			}
		}
		if err := s.moveCurrent(id); err != nil {
			return err
		}
		return s.recordPromotion()
	})
}

// promotable returns an error if a snapshot must not become the current one. That is so if it
// cannot be read, was withdrawn or has no changes.parquet.
func (s *Store) promotable(id snapshots.ID) error {
	m, err := s.Manifest(id)
	switch {
	case err != nil:
		return err
	case s.IsWithdrawn(id):
		return ErrWithdrawn
	case !m.HasFile(snapshots.ChangesFileName):
		return ErrNoChangesFile
	}
	return nil
}

// CheckPromoted returns an error if a snapshot was never the current one, or if it contradicts the
// store's index (CheckAgainstIndex). The error is ErrNeverPromoted if it was never current.
func (s *Store) CheckPromoted(id snapshots.ID) error {
	if _, err := s.Manifest(id); err != nil {
		return err
	}
	current, err := s.replaceable()
	if err != nil {
		return err
	}
	if id != current {
		x, err := s.Index()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w; labour snapshot list --rebuild rebuilds the index", err)
		}
		if e, _ := x.FindEntry(id); !e.Published() {
			return ErrNeverPromoted
		}
	}
	return s.CheckAgainstIndex(id)
}

// moveCurrent writes a snapshot's ID to the file CURRENT, atomically.
func (s *Store) moveCurrent(id snapshots.ID) error {
	temporary := filepath.Join(s.root, currentNewName)
	if err := s.afterStep("CURRENT.new written", writeDurable(temporary, []byte(string(id)+"\n"))); err != nil {
		return err
	}
	return s.afterStep("CURRENT renamed", renameDurable(temporary, filepath.Join(s.root, snapshots.CurrentFileName)))
}

// Remove deletes a sealed snapshot permanently. The error is ErrIsCurrent for the current snapshot.
// The caller must make sure that no server needs the snapshot, and no cursor of a paged response.
func (s *Store) Remove(ctx context.Context, id snapshots.ID) error {
	return s.withLock(ctx, fmt.Sprintf("remove %s", id), func() error {
		current, err := s.Current()
		if err != nil && !errors.Is(err, ErrNoCurrent) {
			return err
		}
		if current == id {
			return ErrIsCurrent
		}
		err = s.updateIndex("", func(x *Index) { x.entry(id).Removed = true })
		if err := s.afterStep("removal noted", err); err != nil {
			return err
		}
		hidden := filepath.Join(s.root, hiddenPrefix+"removed-"+string(id))
		if err := s.afterStep("hidden for removal", renameDurable(s.SnapshotDir(id), hidden)); err != nil {
			return err
		}
		if err := s.removePartners(id); err != nil {
			return err
		}
		if err := removeTree(hidden); err != nil {
			return err
		}
		return os.RemoveAll(s.supersededFile(id))
	})
}

// noteSuperseded records that the snapshot newID replaces the current one, id. It writes a file
// whose modification time is the time of the replacement. It is called before CURRENT changes. If
// CURRENT then does not change, SupersededTimes ignores the file.
func (s *Store) noteSuperseded(id, newID snapshots.ID) error {
	return s.afterStep("superseded noted", writeDurable(s.supersededFile(id), []byte(string(newID)+"\n")))
}

func (s *Store) supersededFile(id snapshots.ID) string {
	return filepath.Join(s.root, supersededPrefix+string(id))
}

// SupersededTimes returns, for each snapshot, when another one last replaced it as the current
// snapshot. It leaves out the current snapshot and withdrawn ones. If the time was not recorded, it
// is estimated from the creation of the next snapshot and the last change of CURRENT.
func (s *Store) SupersededTimes(ctx context.Context) (map[snapshots.ID]time.Time, error) {
	entries, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	moved := time.Time{}
	if info, err := os.Stat(filepath.Join(s.root, snapshots.CurrentFileName)); err == nil {
		moved = info.ModTime()
	}
	at := map[snapshots.ID]time.Time{}
	for _, e := range entries {
		if e.ManifestErr != nil || e.Manifest.Previous == nil {
			continue
		}
		before, made := e.Manifest.Previous.ID, e.Manifest.CreatedAt
		if e.Current && moved.After(made) {
			made = moved
		}
		if made.After(at[before]) {
			at[before] = made
		}
	}
	out := map[snapshots.ID]time.Time{}
	for _, e := range entries {
		info, err := os.Stat(s.supersededFile(e.ID))
		switch {
		case e.Current || s.IsWithdrawn(e.ID): // a cursor must not name a withdrawn snapshot
		case err == nil:
			out[e.ID] = info.ModTime()
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("when %s was superseded: %w", e.ID, err)
		default:
			if t, ok := at[e.ID]; ok {
				out[e.ID] = t
			}
		}
	}
	return out, nil
}

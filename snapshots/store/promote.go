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

// Promote makes a sealed snapshot the current one, atomically. expect is the ID that must be
// current now, or "" if none is. Otherwise the error is ErrConflict. Promoting an older snapshot
// goes back to it. A snapshot without changes.parquet (ErrNoChanges) and a withdrawn one
// (ErrWithdrawn) are refused.
func (s *Store) Promote(ctx context.Context, id, expect snapshots.ID) error {
	if err := s.promotable(id); err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	return s.locked(ctx, fmt.Sprintf("promote %s", id), func() error {
		current, err := s.replaceable()
		if err != nil {
			return err
		}
		if current != expect {
			return fmt.Errorf("expected %q to be current, found %q: %w", expect, current, ErrConflict)
		}
		if current != "" && current != id {
			if err := s.noteSuperseded(current, id); err != nil {
				return err
			}
		}
		if err := s.moveCurrent(id); err != nil {
			return err
		}
		return s.promoted()
	})
}

// promotable returns an error if a snapshot can never be promoted.
func (s *Store) promotable(id snapshots.ID) error {
	m, err := s.Manifest(id)
	switch {
	case err != nil:
		return err
	case s.Withdrawn(id):
		return ErrWithdrawn
	case !m.HasFile(snapshots.ChangesName):
		return ErrNoChanges
	}
	return nil
}

func (s *Store) moveCurrent(id snapshots.ID) error {
	beside := filepath.Join(s.root, currentNewName)
	if err := s.after("CURRENT written beside", writeDurable(beside, []byte(string(id)+"\n"))); err != nil {
		return err
	}
	return s.after("CURRENT renamed", renameDurable(beside, filepath.Join(s.root, snapshots.CurrentName)))
}

// Remove deletes a sealed snapshot for good, but not the current one (ErrInUse). After an
// interruption it can be repeated. The caller must know that no server and no cursor needs the
// snapshot.
func (s *Store) Remove(ctx context.Context, id snapshots.ID) error {
	return s.locked(ctx, fmt.Sprintf("remove %s", id), func() error {
		current, err := s.Current()
		if err != nil && !errors.Is(err, ErrNoCurrent) {
			return err
		}
		if current == id {
			return ErrInUse
		}
		err = s.updateIndex("", func(x *Index) { x.entry(id).Removed = true })
		if err := s.after("removal noted", err); err != nil {
			return err
		}
		hidden := filepath.Join(s.root, hiddenPrefix+"removed-"+string(id))
		if err := s.after("hidden for removal", renameDurable(s.Dir(id), hidden)); err != nil {
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

// noteSuperseded records, before CURRENT moves, when id was superseded, since nothing else records
// it after a return to an older snapshot. A note on a snapshot that is still current (after a kill)
// is harmless: it is overwritten when that snapshot is superseded.
func (s *Store) noteSuperseded(id, by snapshots.ID) error {
	return s.after("superseded noted", writeDurable(s.supersededFile(id), []byte(string(by)+"\n")))
}

func (s *Store) supersededFile(id snapshots.ID) string {
	return filepath.Join(s.root, supersededPrefix+string(id))
}

// SupersededTimes returns when each formerly current snapshot was last replaced. Withdrawn
// snapshots are left out. If the time was not recorded, it is estimated from the next snapshot or
// the last change of CURRENT.
func (s *Store) SupersededTimes(ctx context.Context) (map[snapshots.ID]time.Time, error) {
	entries, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	moved := time.Time{}
	if info, err := os.Stat(filepath.Join(s.root, snapshots.CurrentName)); err == nil {
		moved = info.ModTime()
	}
	at := map[snapshots.ID]time.Time{}
	for _, e := range entries {
		if e.Err != nil || e.Manifest.Previous == nil {
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
		case e.Current || s.Withdrawn(e.ID): // a cursor must not name a withdrawn snapshot
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

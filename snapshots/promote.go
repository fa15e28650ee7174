package snapshots

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// Promote makes a sealed snapshot the current one, if CURRENT still is expect
// (empty when nothing was promoted yet), else ErrConflict. Going back is
// promoting an older one. Readers see the old or the new ID, never a part: the
// file is written beside, synced and renamed. A snapshot that does not say what
// changed since the one before (ErrNoChanges), or was withdrawn (ErrWithdrawn), is
// refused.
func (s *Store) Promote(ctx context.Context, id, expect ID) error {
	if err := s.promotable(id); err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	return s.locked(ctx, fmt.Sprintf("promote %s", id), func() error {
		current, err := s.Current()
		if err != nil && !errors.Is(err, ErrNoCurrent) {
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

// promotable returns why a snapshot is never promoted.
func (s *Store) promotable(id ID) error {
	m, err := s.Manifest(id)
	switch {
	case err != nil:
		return err
	case s.Withdrawn(id):
		return ErrWithdrawn
	case !m.HasFile(ChangesName):
		return ErrNoChanges
	}
	return nil
}

func (s *Store) moveCurrent(id ID) error {
	beside := filepath.Join(s.root, currentNewName)
	if err := writeDurable(beside, []byte(string(id)+"\n")); err != nil {
		return err
	}
	if err := s.step("CURRENT written beside"); err != nil {
		return err
	}
	if err := renameDurable(beside, filepath.Join(s.root, CurrentName)); err != nil {
		return err
	}
	return s.step("CURRENT renamed")
}

// Remove removes a sealed snapshot for ever. The current one is refused
// (ErrInUse). The index says first that it was removed; then it is hidden by one
// rename, so that a removal that stops half way leaves nothing half in sight, and
// can be asked for again. The caller must know that no server and no cursor still
// needs it.
func (s *Store) Remove(ctx context.Context, id ID) error {
	return s.locked(ctx, fmt.Sprintf("remove %s", id), func() error {
		current, err := s.Current()
		if err != nil && !errors.Is(err, ErrNoCurrent) {
			return err
		}
		if current == id {
			return ErrInUse
		}
		if err := s.updateIndex("", func(x *Index) { x.entry(id).Removed = true }); err != nil {
			return err
		}
		if err := s.step("removal noted"); err != nil {
			return err
		}
		hidden := filepath.Join(s.root, hiddenPrefix+"removed-"+string(id))
		if err := renameDurable(s.Dir(id), hidden); err != nil {
			return err
		}
		if err := s.step("hidden for removal"); err != nil {
			return err
		}
		if err := s.removePartners(id); err != nil {
			return err
		}
		if err := removeTree(hidden); err != nil {
			return err
		}
		return s.forgetSuperseded(id)
	})
}

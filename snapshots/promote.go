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
func (s *Store) Promote(ctx context.Context, id, expect ID) (err error) {
	m, err := s.Manifest(id)
	if err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	if s.Withdrawn(id) {
		return fmt.Errorf("promote %s: %w", id, ErrWithdrawn)
	}
	if !m.HasFile(ChangesName) {
		return fmt.Errorf("promote %s: %w", id, ErrNoChanges)
	}
	l, err := lock(ctx, filepath.Join(s.root, currentLockName))
	if err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, l.release()) }()
	current, err := s.Current()
	if err != nil && !errors.Is(err, ErrNoCurrent) {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	if current != expect {
		return fmt.Errorf("promote %s: expected %q to be current, found %q: %w", id, expect, current, ErrConflict)
	}
	if current != "" && current != id {
		if err := s.noteSuperseded(current, id); err != nil {
			return fmt.Errorf("promote %s: %w", id, err)
		}
	}
	if err := s.moveCurrent(id); err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
	}
	if err := s.promoted(); err != nil {
		return fmt.Errorf("promote %s: %w", id, err)
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
func (s *Store) Remove(ctx context.Context, id ID) (err error) {
	l, err := lock(ctx, filepath.Join(s.root, currentLockName))
	if err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, l.release()) }()
	current, err := s.Current()
	if err != nil && !errors.Is(err, ErrNoCurrent) {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	if current == id {
		return fmt.Errorf("remove %s: %w", id, ErrInUse)
	}
	if err := s.updateIndex("", func(x *Index) { x.entry(id).Removed = true }); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	if err := s.step("removal noted"); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	hidden := filepath.Join(s.root, hiddenPrefix+"removed-"+string(id))
	if err := renameDurable(s.Dir(id), hidden); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	if err := s.step("hidden for removal"); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	if err := s.removePartners(id); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	if err := removeTree(hidden); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	return s.forgetSuperseded(id)
}

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"labour/snapshots"
)

// Withdraw records permanently that a snapshot must not be served, and deletes its partners'
// events. w must state who withdrew it, why and when. If the snapshot is current, the last
// published snapshot that may be served becomes current. Withdraw returns the current snapshot, or
// "" if there is none.
//
// The error is fs.ErrNotExist if the snapshot was removed or never existed.
//
// If the snapshot is already withdrawn, the error is ErrWithdrawn. But if CURRENT still names it,
// an earlier withdrawal was interrupted. Withdraw then completes it and returns no error.
func (s *Store) Withdraw(ctx context.Context, id snapshots.ID, w Withdrawal) (current snapshots.ID, err error) {
	if strings.TrimSpace(w.Reason) == "" || strings.TrimSpace(w.By) == "" || w.At.IsZero() {
		return "", fmt.Errorf("withdraw %s: who, why and when must be given", id)
	}
	if err := s.withLock(ctx, fmt.Sprintf("withdraw %s", id), func() error { return s.withdraw(id, w) }); err != nil {
		return "", err
	}
	current, err = s.Current()
	if errors.Is(err, ErrNoCurrent) {
		return "", nil
	}
	return current, err
}

// withdraw does the work of Withdraw. It also completes a withdrawal that was interrupted before
// CURRENT changed.
func (s *Store) withdraw(id snapshots.ID, w Withdrawal) error {
	_, err := os.Stat(s.SnapshotDir(id))
	if errors.Is(err, fs.ErrNotExist) {
		return s.explainMissing(id, fs.ErrNotExist)
	}
	if err != nil {
		return err
	}
	named, err := s.currentID()
	if err != nil && !errors.Is(err, ErrNoCurrent) {
		return err
	}
	if !s.IsWithdrawn(id) {
		if err := s.beginWithdrawal(id, named == id, w); err != nil {
			return err
		}
	} else if named != id { // otherwise an earlier call was killed before CURRENT changed
		return ErrWithdrawn
	}
	if err := s.removePartners(id); err != nil {
		return err
	}
	if err := s.updateIndex("", func(*Index) {}); err != nil || named != id {
		return err
	}
	return s.goBack()
}

// beginWithdrawal records the withdrawal of a snapshot, with the quarter for which the snapshot made
// counts of people.
func (s *Store) beginWithdrawal(id snapshots.ID, isCurrent bool, w Withdrawal) error {
	if isCurrent {
		if err := s.recordInterrupted(id); err != nil {
			return err
		}
	}
	if w.PeopleTo == nil { // a replica gets it with the record
		w.PeopleTo = s.quarterMadeBy(id)
	}
	return s.noteWithdrawn(id, w)
}

// quarterMadeBy returns the last day of the quarter for which a snapshot made counts of people. It
// returns nil if the snapshot made none, or if its manifest cannot be read.
func (s *Store) quarterMadeBy(id snapshots.ID) *snapshots.Date {
	m, err := s.Manifest(id)
	if err != nil || m.People == nil || m.People.FirstSnapshot != id {
		return nil
	}
	return &m.People.To
}

// noteWithdrawn writes the file that records the withdrawal of a snapshot.
func (s *Store) noteWithdrawn(id snapshots.ID, w Withdrawal) error {
	b, err := w.Encode()
	if err != nil {
		return err
	}
	return s.afterStep("withdrawal noted",
		replaceDurable(filepath.Join(s.root, withdrawingPrefix+string(id)), s.withdrawnFile(id), b))
}

// goBack makes the last published snapshot that may be served the current one. If there is none, it
// removes the file CURRENT.
func (s *Store) goBack() error {
	to, err := s.lastPublished()
	if err != nil {
		return err
	}
	if to == "" {
		if err := os.Remove(filepath.Join(s.root, snapshots.CurrentFileName)); err != nil {
			return err
		}
		return syncPath(s.root)
	}
	if err := s.moveCurrent(to); err != nil {
		return err
	}
	return s.recordPromotion()
}

// lastPublished returns the snapshot that most recently became current. It ignores snapshots that
// were removed or withdrawn, or whose manifest cannot be read. It returns "" if there is none.
func (s *Store) lastPublished() (snapshots.ID, error) {
	x, err := s.Index()
	if err != nil {
		return "", err
	}
	var last IndexEntry
	for _, e := range x.Snapshots {
		if !e.Published() || e.Removed {
			continue
		}
		if e.Withdrawn != nil || s.IsWithdrawn(e.ID) {
			continue
		}
		if _, err := s.Manifest(e.ID); err != nil {
			continue
		}
		if last.ID == "" || !e.lastPublished().Before(last.lastPublished()) {
			last = e
		}
	}
	return last.ID, nil
}

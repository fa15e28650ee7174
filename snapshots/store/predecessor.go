package store

import (
	"errors"
	"fmt"
	"io/fs"

	"labour/snapshots"
)

// CurrentAndPredecessor returns the current snapshot, and the predecessor with which to compare a
// new snapshot. The predecessor is the current snapshot or, if that cannot be read, the last
// published snapshot that can be read. A result is "" if there is no such snapshot. The error is
// ErrNoPredecessor if a snapshot was published but none can be read.
func (s *Store) CurrentAndPredecessor() (current, predecessor snapshots.ID, err error) {
	current, err = s.Current()
	if err == nil {
		if _, err = s.Manifest(current); err == nil {
			return current, current, nil
		}
	}
	damage := err
	if errors.Is(damage, snapshots.ErrUnsupportedFormat) {
		return "", "", damage
	}
	predecessor, err = s.lastKnown()
	switch {
	case err != nil:
		return "", "", err
	case predecessor == "" && !errors.Is(damage, ErrNoCurrent):
		return "", "", fmt.Errorf("%w (%w)", ErrNoPredecessor, damage)
	}
	return current, predecessor, nil
}

// lastKnown returns the last published snapshot that can be read and was not withdrawn. It searches
// the index first, and then the manifests. It returns "" if there is none.
func (s *Store) lastKnown() (snapshots.ID, error) {
	last, err := s.lastPublished()
	switch {
	case last != "":
		return last, nil
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return s.lastFollowed()
	case errors.Is(err, snapshots.ErrUnsupportedFormat):
		return "", err
	}
	return "", fmt.Errorf("find the snapshot that was published last: %w; labour snapshot list --rebuild rebuilds the "+
		"index", err)
}

// lastFollowed returns the newest snapshot that a manifest names as predecessor. It ignores
// snapshots that cannot be read or were withdrawn. It returns "" if there is none.
func (s *Store) lastFollowed() (last snapshots.ID, err error) {
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		m, err := s.Manifest(id)
		if err != nil || m.Previous == nil || s.IsWithdrawn(m.Previous.ID) {
			continue
		}
		before := m.Previous.ID
		if _, err := s.Manifest(before); err == nil && (last == "" || before.Compare(last) > 0) {
			last = before
		}
	}
	return last, nil
}

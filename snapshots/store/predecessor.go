package store

import (
	"errors"
	"fmt"
	"io/fs"

	"labour/snapshots"
)

// Predecessor returns the current snapshot, which a promotion replaces, and the snapshot to check
// the promoted one against. They differ if the current one cannot be read; before is then the last
// published one that can. Both are "" if none was published. The error is ErrNoPredecessor if no
// published snapshot can be read.
func (s *Store) Predecessor() (current, before snapshots.ID, err error) {
	current, err = s.Current()
	if err == nil {
		if _, err = s.Manifest(current); err == nil {
			return current, current, nil
		}
	}
	damage := err
	if errors.Is(damage, snapshots.ErrFormat) {
		return "", "", damage
	}
	before, err = s.lastKnown()
	switch {
	case err != nil:
		return "", "", err
	case before == "" && !errors.Is(damage, ErrNoCurrent):
		return "", "", fmt.Errorf("%w (%w)", ErrNoPredecessor, damage)
	}
	return current, before, nil
}

// lastKnown returns the last published snapshot that can be read and was not withdrawn. It looks in
// the index or, if that has none, in the manifests of later snapshots. It returns "" if there is
// none.
func (s *Store) lastKnown() (snapshots.ID, error) {
	last, err := s.lastPublished()
	switch {
	case last != "":
		return last, nil
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return s.lastFollowed()
	case errors.Is(err, snapshots.ErrFormat):
		return "", err
	}
	return "", fmt.Errorf("find the snapshot that was published last: %w; labour snapshot list --rebuild makes the "+
		"index again", err)
}

// lastFollowed returns the newest snapshot that was current when another one was sealed.
func (s *Store) lastFollowed() (last snapshots.ID, err error) {
	ids, err := s.ids()
	if err != nil {
		return "", err
	}
	for _, id := range ids {
		m, err := s.Manifest(id)
		if err != nil || m.Previous == nil || s.Withdrawn(m.Previous.ID) {
			continue
		}
		before := m.Previous.ID
		if _, err := s.Manifest(before); err == nil && (last == "" || before.Compare(last) > 0) {
			last = before
		}
	}
	return last, nil
}

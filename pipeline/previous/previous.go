// Package previous reads published snapshots, from which a run copies the tables that it does not
// build again. The package writes nothing.
package previous

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"labour/pipeline/servedplaces"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Snapshot is an earlier snapshot from which a run may copy tables.
type Snapshot struct {
	snapshots.Manifest
	Dir string
}

// ErrWholeRunNeeded means that a light snapshot, which updates only the platform's data, cannot be
// made. A whole run is needed first, for example because there is no snapshot from which to copy
// the other tables.
var ErrWholeRunNeeded = errors.New("a whole run is needed")

// OpenCurrent opens the current snapshot of a data directory. The error wraps ErrWholeRunNeeded if
// there is none. A current snapshot that contradicts the store's index is refused, so that no run
// copies forged tables.
func OpenCurrent(data string) (*Snapshot, error) {
	folder, err := store.Open(data)
	if err != nil {
		return nil, err
	}
	id, err := folder.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return nil, fmt.Errorf("there is no snapshot yet: %w", ErrWholeRunNeeded)
	}
	if err == nil {
		err = folder.CheckAgainstIndex(id)
	}
	if err != nil {
		return nil, err
	}
	return Open(folder, id)
}

// Open opens a snapshot in the store and reads its manifest.
func Open(folder *store.Store, id snapshots.ID) (*Snapshot, error) {
	m, err := folder.Manifest(id)
	return &Snapshot{Manifest: m, Dir: folder.SnapshotDir(id)}, err
}

// TablePath returns the path of a table's Parquet file in the snapshot.
func (s *Snapshot) TablePath(name string) string { return snapshots.TablePath(s.Dir, name) }

// CheckFile returns an error if a file of the snapshot does not match its hash in the manifest. A
// run must not copy such a damaged file, because the next snapshot would state a valid hash for it.
func (s *Snapshot) CheckFile(file string) error {
	sealed, ok := s.FileSum(file)
	if !ok {
		return fmt.Errorf("the manifest of snapshot %s has no checksum of %s", s.ID, file)
	}
	found, err := snapshots.HashFile(snapshots.JoinPath(s.Dir, file))
	if err != nil {
		return err
	}
	if found.SHA256 != sealed.SHA256 {
		return fmt.Errorf("%s of snapshot %s is damaged: it is not the file that was sealed; "+
			"put snapshot %[2]s back from a backup, and see labour snapshot verify %[2]s", file, s.ID)
	}
	return nil
}

// Places returns the places that the snapshot covers, and the boroughs of each area.
func (s *Snapshot) Places() (places servedplaces.Places, err error) {
	if places.PlaceRows, err = parquetio.ReadAll[snapshots.PlacesRow](s.TablePath("places")); err == nil {
		places.MemberRows, err = parquetio.ReadAll[snapshots.PlaceMembersRow](s.TablePath("place_members"))
	}
	if err != nil {
		return places, fmt.Errorf("read the places of snapshot %s: %w", s.ID, err)
	}
	return places, nil
}

// CheckIsCurrent returns an error if another snapshot has become the current one.
func (s *Snapshot) CheckIsCurrent(folder *store.Store) error {
	now, err := folder.Current()
	if err == nil && now == s.ID {
		return nil
	}
	return errors.Join(fmt.Errorf("another snapshot was promoted after %s; run again", s.ID), err)
}

// PublishedSnapshots returns the published snapshots that still exist. The current one is first,
// and the others follow, newest first.
func PublishedSnapshots(data string, log *slog.Logger) (published []*Snapshot, err error) {
	folder, err := store.Open(data)
	if err != nil {
		return nil, err
	}
	ids, err := publishedIDs(folder, log)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Backward(ids) {
		s, err := Open(folder, id)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read which figures of people are printed: %w", err)
		}
		published = append(published, s)
	}
	return published, nil
}

// ReadEarlyQuarters returns the quarters whose counts of people were published too early: before
// the quarter had ended, by a snapshot that was withdrawn. data is the data directory.
func ReadEarlyQuarters(data string) (store.EarlyQuarters, error) {
	folder, err := store.Open(data)
	if err != nil {
		return nil, err
	}
	return folder.EarlyQuarters()
}

// publishedIDs returns the IDs of the snapshots that still exist and were published, here or in
// another store. They are sorted by age, oldest first, but the current one is last. If the index
// cannot be read, it returns only the current one.
func publishedIDs(folder *store.Store, log *slog.Logger) (ids []snapshots.ID, err error) {
	index, err := folder.Index()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Warn("the index cannot be read, so only the current snapshot is known to be published",
			"error", err)
	}
	for _, e := range index.Snapshots {
		if e.PublishedAnywhere() && !e.Removed {
			ids = append(ids, e.ID)
		}
	}
	current, err := folder.Current()
	if err == nil {
		ids = append(slices.DeleteFunc(ids, func(id snapshots.ID) bool { return id == current }), current)
	} else if !errors.Is(err, store.ErrNoCurrent) {
		return nil, err
	}
	return ids, nil
}

// CheckDataFormat returns an error that wraps snapshots.ErrUnsupportedFormat if this program cannot read
// the format version of the current snapshot in the directory data.
func CheckDataFormat(data string) error {
	folder, err := store.Open(data)
	if err != nil {
		return err
	}
	if _, err := folder.Index(); errors.Is(err, snapshots.ErrUnsupportedFormat) {
		return err
	}
	id, err := folder.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return nil
	}
	if err == nil {
		_, err = folder.Manifest(id)
	}
	return err
}

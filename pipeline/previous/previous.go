// Package previous reads the published snapshots of a data directory. A run takes every output that
// is not due again from one of them. The package writes nothing.
package previous

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"

	"labour/pipeline/places"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Snapshot is a sealed snapshot from which tables may be carried forward.
type Snapshot struct {
	snapshots.Manifest
	Dir string
}

// ErrWholeRun is returned if a light snapshot cannot be made, because something changed that other
// tables depend on.
var ErrWholeRun = errors.New("a whole run is due")

// Current returns the current snapshot of a data directory. The error is ErrWholeRun if there is
// none.
func Current(data string) (*Snapshot, error) {
	folder, err := store.Open(data)
	if err != nil {
		return nil, err
	}
	id, err := folder.Current()
	if errors.Is(err, store.ErrNoCurrent) {
		return nil, fmt.Errorf("there is no snapshot yet: %w", ErrWholeRun)
	}
	if err != nil {
		return nil, err
	}
	return Of(folder, id)
}

// Of returns a snapshot of a store.
func Of(folder *store.Store, id snapshots.ID) (*Snapshot, error) {
	m, err := folder.Manifest(id)
	return &Snapshot{m, folder.Dir(id)}, err
}

// TablePath returns the file of a table.
func (s *Snapshot) TablePath(name string) string { return snapshots.TablePath(s.Dir, name) }

// Sound returns an error if a file of the snapshot differs from its sealed form. A damaged file
// that is carried forward would get a valid checksum in the next snapshot, and the damage would
// never be found.
func (s *Snapshot) Sound(file string) error {
	sealed, ok := s.Sum(file)
	if !ok {
		return fmt.Errorf("the manifest of snapshot %s states no sum of %s", s.ID, file)
	}
	found, err := snapshots.HashFile(snapshots.Within(s.Dir, file))
	if err != nil {
		return err
	}
	if found.SHA256 != sealed.SHA256 {
		return fmt.Errorf("%s of snapshot %s is damaged: it is not the file that was sealed; "+
			"put snapshot %[2]s back from a backup, and see labour snapshot verify %[2]s", file, s.ID)
	}
	return nil
}

// Places returns the places of the snapshot, with the councils of its areas.
func (s *Snapshot) Places() (served places.Served, err error) {
	if served.Rows, err = parquetio.ReadAll[snapshots.PlacesRow](s.TablePath("places")); err == nil {
		served.Members, err = parquetio.ReadAll[snapshots.PlaceMembersRow](s.TablePath("place_members"))
	}
	if err != nil {
		return served, fmt.Errorf("read the places of snapshot %s: %w", s.ID, err)
	}
	return served, nil
}

// Published returns the published snapshots that are still in a data directory: the current one, then
// the others, the newest first.
func Published(data string, log *slog.Logger) (published []*Snapshot, err error) {
	folder, err := store.Open(data)
	if err != nil {
		return nil, err
	}
	ids, err := publishedIDs(folder, log)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Backward(ids) {
		s, err := Of(folder, id)
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

// publishedIDs lists the snapshots that were published and still exist, each once: the oldest first,
// and the current one last. If the index cannot be read, it lists the current snapshot only: the next
// promotion writes the index again, so this must not stop the build.
func publishedIDs(folder *store.Store, log *slog.Logger) (ids []snapshots.ID, err error) {
	index, err := folder.Index()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Warn("the index cannot be read: of the current snapshot only it is known that it was published",
			"error", err)
	}
	for _, e := range index.Snapshots {
		if e.Published() && !e.Removed {
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

// CheckFormat returns snapshots.ErrFormat if the current snapshot of a data directory has another
// format: then nothing is fetched and nothing is written.
func CheckFormat(data string) error {
	folder, err := store.Open(data)
	if err != nil {
		return err
	}
	if _, err := folder.Index(); errors.Is(err, snapshots.ErrFormat) {
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

package snapshots

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// noteSuperseded notes, before CURRENT moves, when id was superseded, since nothing
// else says so after going back to an older one. A note on what still is current
// (after a kill) is harmless: it is written anew when that is superseded.
func (s *Store) noteSuperseded(id, by ID) error {
	if err := writeDurable(s.supersededFile(id), []byte(string(by)+"\n")); err != nil {
		return err
	}
	return s.step("superseded noted")
}

func (s *Store) forgetSuperseded(id ID) error {
	if err := os.Remove(s.supersededFile(id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove the note on %s: %w", id, err)
	}
	return nil
}

func (s *Store) supersededFile(id ID) string {
	return filepath.Join(s.root, supersededPrefix+string(id))
}

// Superseded says of every sealed snapshot that was current once, and is neither
// that now nor withdrawn,
// when another took its place (the last time, if it was current more than once).
// For one that was superseded before notes were kept, that is when the snapshot
// after it was made, or when CURRENT moved last if it may have moved from it.
func (s *Store) Superseded(ctx context.Context) (map[ID]time.Time, error) {
	entries, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	moved := time.Time{}
	if info, err := os.Stat(filepath.Join(s.root, CurrentName)); err == nil {
		moved = info.ModTime()
	}
	at := map[ID]time.Time{}
	late := func(id ID, t time.Time) {
		if t.After(at[id]) {
			at[id] = t
		}
	}
	for _, e := range entries {
		if e.Err != nil || e.Manifest.Previous == nil {
			continue
		}
		late(e.Manifest.Previous.ID, e.Manifest.CreatedAt)
		if e.Current {
			late(e.Manifest.Previous.ID, moved)
		}
	}
	out := map[ID]time.Time{}
	for _, e := range entries {
		info, err := os.Stat(s.supersededFile(e.ID))
		switch {
		case e.Current || s.Withdrawn(e.ID): // no cursor may name what was withdrawn
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

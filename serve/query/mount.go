package query

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"time"

	"labour/snapshots"
	"labour/snapshots/eventfiles"
)

//go:embed sql
var sqlFiles embed.FS

// rowGroup is the number of rows that DuckDB skips or reads together. Small
// groups let a question read little more than its own rows: lists, whose rows are wide
// and whose pages are short, take the smallest that there are.
func (p partSpec) rowGroup() int {
	if p.name == figures {
		return 32768
	}
	return 2048
}

// ErrUnfit is returned for a snapshot whose tables name what other tables of it
// do not list.
var ErrUnfit = errors.New("the tables of the snapshot do not fit together")

// Mount makes the sealed snapshot in dir ready for questions. It reads dir only
// while it runs; ctx stops it. The caller must Close the snapshot.
func Mount(ctx context.Context, dir string, o Options) (*Snapshot, error) {
	o = o.withDefaults()
	if o.Verify != nil {
		if err := o.Verify(ctx, dir); err != nil {
			return nil, fmt.Errorf("verify %s: %w", dir, err)
		}
	}
	manifest, _, err := snapshots.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{manifest: manifest, library: o.library, parts: map[string]*sharedPart{}}
	err = s.openParts(ctx, dir, o)
	if err == nil {
		err = s.readVocabularies(ctx)
	}
	if err == nil {
		err = s.readOutlines(ctx)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("mount %s: %w", manifest.ID, err), s.Close())
	}
	return s, nil
}

// openParts opens every part, from the library where another snapshot has it open. The
// faults of all of them are in one error.
func (s *Snapshot) openParts(ctx context.Context, dir string, o Options) error {
	specs, err := s.partsIn(dir)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp(o.TempDir, "labour-mount-")
	if err != nil {
		return err
	}
	// Removed even while the files in it are open: what is mounted needs no name.
	defer os.RemoveAll(work)
	var unfit error
	for _, spec := range specs {
		key, err := spec.key(s.manifest)
		if err != nil {
			return err
		}
		p, err := o.library.open(ctx, key, func(ctx context.Context) (*part, error) {
			return openPart(ctx, spec, dir, work, s.manifest, o)
		})
		if p != nil {
			s.parts[spec.name] = p
		}
		if errors.Is(err, ErrUnfit) {
			unfit = errors.Join(unfit, err)
		} else if err != nil {
			return err
		}
	}
	return unfit
}

// partsIn lists the parts of the snapshot with the files of events. Without those of
// partners only everybody's are shown.
func (s *Snapshot) partsIn(dir string) ([]partSpec, error) {
	specs, err := partsOf(s.manifest)
	if err != nil {
		return nil, err
	}
	events, err := eventfiles.Files(dir, s.manifest)
	if s.withoutPartners = errors.Is(err, snapshots.ErrNoPartnerFiles); err != nil && !s.withoutPartners {
		return nil, err
	}
	for i := range specs {
		if specs[i].name == platform {
			specs[i].events = events
		}
	}
	return specs, nil
}

// monthOf is the first day of a day's month.
func monthOf(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
}

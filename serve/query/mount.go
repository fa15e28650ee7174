package query

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/rollups"
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
		p, err := o.library.open(ctx, spec.key(s.manifest), func(ctx context.Context) (*part, error) {
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
	specs := partsOf(s.manifest)
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

// Options says how a snapshot is mounted. The zero value is usable.
type Options struct {
	// Verify checks a snapshot's directory before it is read; an error refuses
	// it. Nil = the caller has verified it.
	Verify func(ctx context.Context, dir string) error
	// TempDir is where the mounted copy of what DuckDB answers is written; empty =
	// the system's. A snapshot of 1 million adverts takes some ten megabytes there.
	TempDir string
	// MemoryLimit is the most memory that DuckDB may use for one part of a snapshot, as
	// DuckDB writes it; empty = 1GB.
	MemoryLimit string
	// Threads is how many cores one question may use, LoadThreads how many mounting may.
	// 0 = 1, and all where there are many rows: a question is so short that sharing it out
	// costs more than it saves.
	Threads, LoadThreads int
	// Connections is how many questions may run at once; others wait for their
	// turn or their deadline. 0 = twice the number of cores.
	Connections int

	library *library // of the parts that snapshots share; nil = one of its own
}

func (o Options) withDefaults() Options {
	o.MemoryLimit = cmp.Or(o.MemoryLimit, "1GB")
	o.Threads = rollups.Threads(cmp.Or(o.Threads, 1))
	o.Connections = cmp.Or(o.Connections, 2*runtime.GOMAXPROCS(0))
	if o.library == nil {
		o.library = newLibrary()
	}
	return o
}

// Snapshot is one mounted snapshot. It is safe for concurrent use.
type Snapshot struct {
	manifest snapshots.Manifest
	library  *library
	parts    map[string]*sharedPart // by name
	outlines api.Page[api.Outline]
	vocabularies
	// withoutPartners says that the events of partners are not in the data directory.
	withoutPartners bool
}

var _ api.Snapshot = (*Snapshot)(nil)

// ID is the snapshot's id.
func (s *Snapshot) ID() string { return string(s.manifest.ID) }

// AsOf is the date the data describes: midnight UTC.
func (s *Snapshot) AsOf() time.Time { return s.manifest.AsOf.Time }

// PeopleAsOf is the month end that counts of people describe: midnight UTC. It
// is the zero time for a snapshot without people.
func (s *Snapshot) PeopleAsOf() time.Time {
	if s.manifest.PeopleAsOf == nil {
		return time.Time{}
	}
	return s.manifest.PeopleAsOf.Time
}

// PlatformName is the name in `Source: <platform_name>.`
func (s *Snapshot) PlatformName() string { return s.manifest.PlatformName }

// Close gives everything back. No question may be running.
func (s *Snapshot) Close() error {
	if err := s.library.release(s.parts); err != nil {
		return fmt.Errorf("close snapshot %s: %w", s.ID(), err)
	}
	return nil
}

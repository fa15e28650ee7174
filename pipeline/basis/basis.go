// Package basis gives a build its inputs, and the decisions of the operator that apply to it. A run
// takes them from the data directory; a rebuild takes them from the manifest of a sealed snapshot.
package basis

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/corrections"
	"labour/pipeline/disclosure"
	"labour/pipeline/ingest"
	"labour/pipeline/options"
	"labour/pipeline/people"
	"labour/pipeline/places"
	"labour/pipeline/previous"
	"labour/pipeline/release"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
)

// Basis holds the inputs of a snapshot and the decisions that apply to it. A run takes them from
// the data directory, a rebuild from the manifest of a sealed snapshot. "Rebuilding is a run whose
// inputs are those that the manifest names; it is compared instead of sealed."
type Basis interface {
	// Archive returns the directory of the archive, and the key with which manifests name the
	// platform's files.
	Archive() (dir string, key snapshots.Key, err error)
	// Begin begins the snapshot, unless another run writes one.
	Begin(folder *store.Store) (*store.Writer, error)
	// Known reports whether an extract existed at the time of the run.
	Known(x sources.Extract) bool
	// Extracts returns the extracts of a source to read, the newest first, and the faults of
	// damaged ones. For a listing, none is older than since.
	Extracts(a *archive.Archive, info sources.Info, since time.Time) ([]sources.Extract, []sources.Fault, error)
	// Withdrawn returns the withdrawn figures of people.
	Withdrawn() ([]snapshots.PeopleWithdrawal, error)
	// Corrections returns the corrections to apply.
	Corrections() ([]corrections.Correction, error)
	// Unlike returns the error for a light snapshot if the tables that it carries forward differ
	// from those that the program would make with this configuration.
	Unlike(reason string) error
	// States returns which embargoed datasets are open.
	States() ([]snapshots.EmbargoedState, error)
	// Secret returns the secret of people.
	Secret() (disclosure.Secret, error)
	// Quarter returns the quarter that the figures of people describe.
	Quarter(a *archive.Archive) (calendar.Period, error)
	// Published returns the published snapshots, the newest first; none for a rebuild.
	Published() ([]*previous.Snapshot, error)
	// Printed returns a published snapshot with the figures of people of a quarter; nil if they
	// have to be made.
	Printed(secret disclosure.Secret, quarter calendar.Period, served places.Served) (*previous.Snapshot, error)
	// Lasting reports whether the run may keep results for the next run.
	Lasting() bool
}

// Present is the basis of a run: the current state of the data directory.
type Present struct {
	Options   *options.Options
	published func() ([]*previous.Snapshot, error)
}

// NewPresent returns the basis of a run. It reads the published snapshots once, when they are first
// needed.
func NewPresent(o *options.Options) Present {
	return Present{Options: o, published: sync.OnceValues(func() ([]*previous.Snapshot, error) {
		return previous.Published(o.Data, o.Log)
	})}
}

func (p Present) Archive() (string, snapshots.Key, error) {
	key, err := secrets.EnsureManifestKey(p.Options.Data, p.Options.Secrets)
	return options.ArchiveDir(p.Options.Data), key, err
}

// Begin begins a snapshot with the date of the data. A light snapshot has the date of the current
// snapshot, which may have changed while the run waited for its lock.
func (p Present) Begin(folder *store.Store) (*store.Writer, error) {
	if p.Options.Whole() {
		return folder.Begin(p.Options.AsOf.Time())
	}
	now, err := previous.Current(p.Options.Data)
	if err != nil {
		return nil, err
	}
	w, err := folder.Begin(now.AsOf.Time)
	if err != nil {
		return nil, err
	}
	if then, err := folder.Current(); err != nil || then != now.ID {
		return nil, errors.Join(err, w.Close(), store.ErrWriterActive) // another snapshot was promoted in the meantime
	}
	return w, nil
}

func (p Present) Known(x sources.Extract) bool { return p.Options.Known(x) }

func (p Present) Extracts(a *archive.Archive, info sources.Info,
	since time.Time) ([]sources.Extract, []sources.Fault, error) {
	return ingest.Extracts{Archive: a, Known: p.Known, Reads: p.Options.Reads}.Of(info, since)
}

func (p Present) Withdrawn() ([]snapshots.PeopleWithdrawal, error) {
	return release.PeopleWithdrawn(p.Options.Data)
}

func (p Present) Corrections() ([]corrections.Correction, error) {
	return p.Options.Config.Corrections, nil
}

func (p Present) Unlike(reason string) error {
	return fmt.Errorf("%s: %w", reason, previous.ErrWholeRun)
}

func (p Present) States() ([]snapshots.EmbargoedState, error) {
	journal, err := release.Read(p.Options.Data)
	if err != nil {
		return nil, err
	}
	return journal.States(), nil
}

// Secret returns the secret of the data directory. The first run creates it.
func (p Present) Secret() (disclosure.Secret, error) {
	return secrets.EnsurePeople(p.Options.Data, p.Options.Secrets)
}

// Quarter returns the newest quarter whose figures can be published. A light run keeps the current
// one.
func (p Present) Quarter(a *archive.Archive) (calendar.Period, error) {
	if p.Options.Whole() {
		return people.NewestQuarter(a, p.Known, p.published, p.Options.AsOf)
	}
	now, err := previous.Current(p.Options.Data)
	if err != nil || now.People == nil {
		return people.QuarterDue(p.Options.AsOf), err
	}
	return people.QuarterOf(now.People), nil
}

func (p Present) Published() ([]*previous.Snapshot, error) { return p.published() }

func (p Present) Printed(_ disclosure.Secret, quarter calendar.Period,
	served places.Served) (*previous.Snapshot, error) {
	withdrawn, err := p.Withdrawn()
	if err != nil {
		return nil, err
	}
	published, err := p.published()
	if err != nil {
		return nil, err
	}
	return people.SnapshotToCarry(published, quarter.To, served, withdrawn)
}

func (p Present) Lasting() bool { return true }

package pipeline

import (
	"errors"
	"fmt"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/corrections"
	"labour/pipeline/disclosure"
	"labour/pipeline/ingest"
	"labour/pipeline/people"
	"labour/pipeline/places"
	"labour/pipeline/previous"
	"labour/pipeline/release"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
)

// basis holds the inputs of a snapshot and the decisions that apply to it. A run takes them from
// the data directory, a rebuild from the manifest of a sealed snapshot. "Rebuilding is a run whose
// inputs are those that the manifest names; it is compared instead of sealed."
type basis interface {
	// Archive returns the directory of the archive, and the key under which manifests name the
	// platform's files.
	Archive() (dir string, key snapshots.Key, err error)
	// Begin begins the snapshot, unless another run writes one.
	Begin(store *snapshots.Store) (*snapshots.Writer, error)
	// Known reports whether an extract was there.
	Known(x sources.Extract) bool
	// Extracts returns those of a source that are read, the newest first, with the faults of damaged
	// ones. Of a listing none is older than since.
	Extracts(a *archive.Archive, info sources.Info, since time.Time) ([]sources.Extract, []sources.Fault, error)
	// Withdrawn returns the figures of people that are not shown.
	Withdrawn() ([]snapshots.PeopleWithdrawal, error)
	// Corrections returns the corrections that are applied.
	Corrections() ([]corrections.Correction, error)
	// Unlike returns the error where the tables that a light snapshot takes over are not those that the
	// program would make with this configuration.
	Unlike(reason string) error
	// States returns which embargoed datasets are open.
	States() ([]snapshots.EmbargoedState, error)
	// Secret returns the secret of people.
	Secret() (disclosure.Secret, error)
	// Quarter returns the quarter that the figures of people describe.
	Quarter(a *archive.Archive) (calendar.Period, error)
	// Printed returns a snapshot that prints the figures of people of a quarter; nil where
	// they are to be made.
	Printed(secret disclosure.Secret, quarter calendar.Period, served places.Served) (*previous.Snapshot, error)
	// Lasting reports whether what is found on the way is kept for the next run.
	Lasting() bool
}

// present is the basis of a run: the current state of the data directory.
type present struct{ o *Options }

func (p present) Archive() (string, snapshots.Key, error) {
	key, err := secrets.EnsureManifestKey(p.o.Data, p.o.Secrets)
	return ArchiveDir(p.o.Data), key, err
}

// Begin begins a snapshot of the date of the data. A light snapshot has the date of the current
// snapshot, which may have changed while the run waited for its lock.
func (p present) Begin(store *snapshots.Store) (*snapshots.Writer, error) {
	if calendar.Day.DueAt(p.o.level()) {
		return store.Begin(day(p.o.AsOf))
	}
	now, err := previous.Current(p.o.Data)
	if err != nil {
		return nil, err
	}
	p.o.AsOf = sources.DateOf(now.AsOf.Time)
	w, err := store.Begin(now.AsOf.Time)
	if err != nil {
		return nil, err
	}
	if then, err := store.Current(); err != nil || then != now.ID {
		return nil, errors.Join(err, w.Close(), snapshots.ErrWriterActive) // promoted a moment ago
	}
	return w, nil
}

func (p present) Known(x sources.Extract) bool { return p.o.fetchedBy()(x) }

func (p present) Extracts(a *archive.Archive, info sources.Info,
	since time.Time) ([]sources.Extract, []sources.Fault, error) {
	return ingest.Extracts{Archive: a, Known: p.Known, Reads: p.o.reads}.Of(info, since)
}

func (p present) Withdrawn() ([]snapshots.PeopleWithdrawal, error) {
	return release.PeopleWithdrawn(p.o.Data)
}

func (p present) Corrections() ([]corrections.Correction, error) {
	return p.o.Config.Corrections, nil
}

func (p present) Unlike(reason string) error {
	return fmt.Errorf("%s: %w", reason, previous.ErrWholeRun)
}

func (p present) States() ([]snapshots.EmbargoedState, error) {
	journal, err := release.Read(p.o.Data)
	if err != nil {
		return nil, err
	}
	return journal.States(), nil
}

// Secret returns the secret of the data directory. The first run creates it.
func (p present) Secret() (disclosure.Secret, error) {
	return secrets.EnsurePeople(p.o.Data, p.o.Secrets)
}

// Quarter returns the newest quarter whose figures can be published. A light run keeps the current
// one.
func (p present) Quarter(a *archive.Archive) (calendar.Period, error) {
	if calendar.Day.DueAt(p.o.level()) {
		return people.NewestQuarter(a, p.Known, previous.Published(p.o.Data, p.o.Log), p.o.AsOf)
	}
	now, err := previous.Current(p.o.Data)
	if err != nil || now.People == nil {
		return people.QuarterDue(p.o.AsOf), err
	}
	return people.QuarterOf(now.People), nil
}

func (p present) Printed(_ disclosure.Secret, quarter calendar.Period,
	served places.Served) (*previous.Snapshot, error) {
	withdrawn, err := p.Withdrawn()
	if err != nil {
		return nil, err
	}
	return people.PrintedBy(previous.Published(p.o.Data, p.o.Log), quarter.To, served, withdrawn)
}

func (p present) Lasting() bool { return true }

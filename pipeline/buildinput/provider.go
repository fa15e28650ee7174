// Package buildinput provides the inputs of a build of a snapshot: the archived data to read, and
// the operator's decisions that apply. For a run, both come from the data directory. For a rebuild
// (package rebuild), both come from the manifest of a sealed snapshot.
package buildinput

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/corrections"
	"labour/pipeline/decisions"
	"labour/pipeline/disclosure"
	"labour/pipeline/ingest"
	"labour/pipeline/options"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/protected"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
)

// Provider provides the inputs of a build of a snapshot, and the operator's decisions that apply to
// it. RunInputs implements Provider for a run, and rebuild.SealedInputs for a rebuild.
type Provider interface {
	// Archive returns the directory of the archive, and a secret key. Manifests name the platform's
	// files by hashes that are made with this key.
	Archive() (dir string, key snapshots.ManifestKey, err error)
	// BeginSnapshot begins a new snapshot. It also returns the current snapshot, or nil if there is
	// none. It returns an error if another run is writing a snapshot.
	BeginSnapshot(folder *store.Store) (w *store.Writer, current *previous.Snapshot, err error)
	// MayRead reports whether the build may read x, which is one fetch of a source. A rebuild may
	// read only fetches that the original run could read.
	MayRead(x sources.Extract) bool
	// Extracts returns the fetches of a source to read, newest first, and the faults of damaged
	// ones. For a source that lists only live adverts, it leaves out fetches before since.
	Extracts(a *archive.Archive, src sources.Source, since time.Time) ([]sources.Extract, []sources.Fault, error)
	// WithdrawnPeople returns the operator's withdrawals of counts of people. ofQuarter are the
	// published snapshots that have the quarter's counts.
	WithdrawnPeople(ofQuarter []*previous.Snapshot) ([]snapshots.PeopleWithdrawal, error)
	// Corrections returns the operator's corrections of publishers' records that apply to the
	// build.
	Corrections() ([]corrections.Correction, error)
	// RulesDifferError returns the error of a light run that cannot copy the other tables, for
	// the given reason. For example, the corrections have changed.
	RulesDifferError(reason string) error
	// EmbargoedStates returns, for each embargoed dataset, whether it may be published. Embargoed
	// datasets are published only when a condition is met.
	EmbargoedStates() ([]snapshots.EmbargoedState, error)
	// RoundingSecret returns the secret that determines how counts of people are randomly rounded.
	RoundingSecret() (disclosure.RoundingSecret, error)
	// PeopleCountsPeriod returns the twelve months that a whole run's counts of people describe.
	// They end with a quarter. It returns the zero Period if there are no counts of people.
	PeopleCountsPeriod(a *archive.Archive) (calendar.Period, error)
	// PublishedPeople returns the published snapshots that have counts of people, of any quarter,
	// newest first.
	PublishedPeople() ([]*previous.Snapshot, error)
	// IsNewBuild reports whether this is a run and not a rebuild. Only a run keeps caches and
	// coding notes for the next run, and adds remarks on counts of people to its report.
	IsNewBuild() bool
}

// RunInputs provides the inputs of a run. It takes them from the current content of the data
// directory.
type RunInputs struct {
	Options            *options.Options
	publishedSnapshots func() ([]*previous.Snapshot, error)
}

// NewRunInputs returns the inputs of a run with the given options. It reads the list of published
// snapshots at most once, when the list is first needed.
func NewRunInputs(o *options.Options) RunInputs {
	return RunInputs{Options: o, publishedSnapshots: sync.OnceValues(func() ([]*previous.Snapshot, error) {
		return previous.PublishedSnapshots(o.DataDir, o.Log)
	})}
}

// Archive returns the directory of the archive, and a secret key. Manifests name the platform's
// files by hashes that are made with this key. Archive creates the key if there is none.
func (p RunInputs) Archive() (string, snapshots.ManifestKey, error) {
	key, err := secrets.EnsureManifestKey(p.Options.DataDir, p.Options.LookupSecret)
	return protected.ArchiveDir(p.Options.DataDir), key, err
}

// BeginSnapshot begins a new snapshot with the date in the options. A run of only the platform's
// feed keeps the date of the current snapshot. BeginSnapshot also returns the current snapshot, or
// nil if there is none. The error is store.ErrWriterActive if another run is writing or promoting a
// snapshot.
func (p RunInputs) BeginSnapshot(folder *store.Store) (*store.Writer, *previous.Snapshot, error) {
	current, err := previous.OpenCurrent(p.Options.DataDir)
	isFirst := errors.Is(err, previous.ErrWholeRunNeeded) && p.Options.IsWhole()
	if err != nil && !isFirst {
		return nil, nil, err
	}
	asOf := p.Options.AsOf.Time()
	if !p.Options.IsWhole() {
		asOf = current.AsOf.Time
	}
	w, err := folder.Begin(asOf)
	if err != nil {
		return nil, nil, err
	}
	if err := checkStillCurrent(folder, current); err != nil {
		return nil, nil, errors.Join(err, w.Close())
	}
	return w, current, nil
}

// checkStillCurrent returns store.ErrWriterActive if current is no longer the current snapshot,
// because another run has promoted a new one. current is nil if there was no current snapshot.
func checkStillCurrent(folder *store.Store, current *previous.Snapshot) error {
	id, err := folder.Current()
	if current == nil && errors.Is(err, store.ErrNoCurrent) {
		return nil
	}
	if err != nil || current == nil || id != current.ID {
		return errors.Join(err, store.ErrWriterActive)
	}
	return nil
}

// MayRead reports whether the run may read x, which is one fetch of a source. A backdated run may
// not read later fetches.
func (p RunInputs) MayRead(x sources.Extract) bool { return p.Options.MayRead(x) }

// Extracts returns the fetches of a source that the run must read, and a fault for each damaged
// file. For a source that lists only live adverts, it leaves out fetches before since.
func (p RunInputs) Extracts(a *archive.Archive, src sources.Source,
	since time.Time) ([]sources.Extract, []sources.Fault, error) {
	return ingest.ExtractSelector{Archive: a, MayRead: p.MayRead}.Select(src, since)
}

// WithdrawnPeople returns the withdrawals of a quarter's counts of people: those that the operator
// has recorded in the data directory, and those in the snapshots ofQuarter. These are the published
// snapshots with the quarter's counts.
func (p RunInputs) WithdrawnPeople(ofQuarter []*previous.Snapshot) ([]snapshots.PeopleWithdrawal, error) {
	recorded, err := decisions.ReadPeopleWithdrawals(p.Options.DataDir)
	return people.WithdrawnFromQuarter(ofQuarter, recorded), err
}

// Corrections returns the corrections of publishers' records from the configuration.
func (p RunInputs) Corrections() ([]corrections.Correction, error) {
	return p.Options.Config.Corrections, nil
}

// RulesDifferError returns the error of a light run that would have to be a whole run. The error has
// the given reason and wraps previous.ErrWholeRunNeeded.
func (p RunInputs) RulesDifferError(reason string) error {
	return fmt.Errorf("%s: %w", reason, previous.ErrWholeRunNeeded)
}

// EmbargoedStates returns, for each embargoed dataset, whether it may be published. The operator's
// latest recorded decision determines that.
func (p RunInputs) EmbargoedStates() ([]snapshots.EmbargoedState, error) {
	journal, err := decisions.ReadDatasetJournal(p.Options.DataDir)
	if err != nil {
		return nil, err
	}
	return journal.EmbargoedStates(), nil
}

// RoundingSecret returns the secret from which the random rounding of counts of people is derived.
// It creates the secret if there is none.
func (p RunInputs) RoundingSecret() (disclosure.RoundingSecret, error) {
	return secrets.EnsureRoundingSecret(p.Options.DataDir, p.Options.LookupSecret)
}

// PeopleCountsPeriod returns the twelve months that the counts of people describe. They end with
// the newest quarter whose counts can be published. The period is zero if there is no such quarter
// yet.
func (p RunInputs) PeopleCountsPeriod(a *archive.Archive) (calendar.Period, error) {
	early, err := previous.ReadEarlyQuarters(p.Options.DataDir)
	if err != nil {
		return calendar.Period{}, err
	}
	return people.NewestPeriod(a, p.MayRead, p.publishedSnapshots, early, p.Options.AsOf)
}

// PublishedPeople returns the published snapshots that have counts of people: first the current
// one, then the others, newest first.
func (p RunInputs) PublishedPeople() (withPeople []*previous.Snapshot, err error) {
	published, err := p.publishedSnapshots()
	for _, s := range published {
		if s.People != nil {
			withPeople = append(withPeople, s)
		}
	}
	return withPeople, err
}

// IsNewBuild returns true, because this is a run and not a rebuild. A run keeps files for the next
// run: caches, and notes on adverts that could not be coded.
func (p RunInputs) IsNewBuild() bool { return true }

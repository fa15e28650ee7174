package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/corrections"
	"labour/pipeline/disclosure"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/release"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/sources"
)

// basis holds the inputs of a snapshot and the decisions that apply to it. A run takes them from
// the data directory, a rebuild from the manifest of a sealed snapshot. "Rebuilding is a run whose
// inputs are those that the manifest names; it is compared instead of sealed."
type basis interface {
	// archive returns the directory of the archive, and the key under which manifests name the
	// platform's files.
	archive() (dir string, key snapshots.Key, err error)
	// begin begins the snapshot, unless another run writes one.
	begin(b *build, store *snapshots.Store) (*snapshots.Writer, error)
	// known reports whether an extract was there.
	known(x sources.Extract) bool
	// extracts returns those of a source that are read, the newest first. Of a listing none is
	// older than since.
	extracts(b *build, info sources.Info, since time.Time) ([]sources.Extract, error)
	// withdrawn returns the figures of people that are not shown.
	withdrawn() ([]snapshots.PeopleWithdrawal, error)
	// corrections returns the corrections that are applied.
	corrections() ([]corrections.Correction, error)
	// unlike returns the error where the tables that a light snapshot takes over are not those that the
	// program would make with this configuration.
	unlike(reason string) error
	// states returns which embargoed datasets are open.
	states() ([]snapshots.EmbargoedState, error)
	// secret returns the secret of people.
	secret() (disclosure.Secret, error)
	// quarter returns the quarter that the figures of people describe.
	quarter(b *build) (calendar.Period, error)
	// printed returns a snapshot that prints the figures of people of the build's quarter; nil where
	// they are to be made.
	printed(b *build, secret disclosure.Secret) (*previous.Snapshot, error)
	// lasting reports whether what is found on the way is kept for the next run.
	lasting() bool
	// end ends the snapshot that was written.
	end(ctx context.Context, t *tables) error
}

// present is the basis of a run: the current state of the data directory.
type present struct{ o *Options }

func (p present) archive() (string, snapshots.Key, error) {
	key, err := secrets.EnsureManifestKey(p.o.Data, p.o.Secrets)
	return ArchiveDir(p.o.Data), key, err
}

// begin begins a snapshot of the date of the data. A light snapshot has the date of the current
// snapshot, which may have changed while the run waited for its lock.
func (p present) begin(b *build, store *snapshots.Store) (*snapshots.Writer, error) {
	if calendar.Day.DueAt(p.o.level()) {
		return store.Begin(day(p.o.AsOf))
	}
	now, err := p.o.current()
	if err != nil {
		return nil, err
	}
	p.o.AsOf = sources.DateOf(now.AsOf.Time)
	b.report.AsOf = p.o.AsOf
	w, err := store.Begin(now.AsOf.Time)
	if err != nil {
		return nil, err
	}
	if then, err := store.Current(); err != nil || then != now.ID {
		return nil, errors.Join(err, w.Close(), snapshots.ErrWriterActive) // promoted a moment ago
	}
	return w, nil
}

func (p present) known(x sources.Extract) bool { return p.o.fetchedBy()(x) }

// extracts returns, for a listing, all extracts of the window, since each shows what was live on
// its day; damage in one affects only that one. Every other source publishes all its records in
// each extract, so the newest undamaged one is returned: counts of a part would be wrong.
func (p present) extracts(b *build, info sources.Info, since time.Time) ([]sources.Extract, error) {
	if info.Listing {
		newestFirst, err := b.archive.Extracts(info.Key, since)
		slices.Reverse(newestFirst)
		return slices.DeleteFunc(newestFirst, func(x sources.Extract) bool { return !p.known(x) }), err
	}
	for x, err := range b.archive.NewestFirst(info.Key) {
		if err != nil {
			return nil, err
		}
		if p.known(x) && b.whole(x) {
			return []sources.Extract{x}, nil
		}
	}
	return nil, nil
}

func (p present) withdrawn() ([]snapshots.PeopleWithdrawal, error) {
	return release.PeopleWithdrawn(p.o.Data)
}

func (p present) corrections() ([]corrections.Correction, error) {
	return p.o.Config.Corrections, nil
}

func (p present) unlike(reason string) error { return fmt.Errorf("%s: %w", reason, ErrWholeRun) }

func (p present) states() ([]snapshots.EmbargoedState, error) {
	journal, err := release.Read(p.o.Data)
	if err != nil {
		return nil, err
	}
	return journal.States(), nil
}

// secret returns the secret of the data directory. The first run creates it.
func (p present) secret() (disclosure.Secret, error) {
	return secrets.EnsurePeople(p.o.Data, p.o.Secrets)
}

// quarter returns the newest quarter that can be printed. A light run takes over the current one.
func (p present) quarter(b *build) (calendar.Period, error) {
	if calendar.Day.DueAt(p.o.level()) {
		return people.NewestQuarter(b.archive, p.known, previous.Published(p.o.Data, p.o.Log), p.o.AsOf)
	}
	now, err := p.o.current()
	if err != nil || now.People == nil {
		return people.QuarterDue(p.o.AsOf), err
	}
	return people.QuarterOf(now.People), nil
}

func (p present) printed(b *build, secret disclosure.Secret) (*previous.Snapshot, error) {
	found, err := people.PrintedBy(previous.Published(p.o.Data, p.o.Log), b.quarter.To, b.served(), b.withdrawn)
	if err == nil && found != nil && found.People.SecretSHA256 != secret.SHA256() {
		p.o.Log.Warn("the secret of people is not the one under which the figures of this quarter were rounded; "+
			"they are carried unchanged, and the next quarter is drawn anew", "to", found.People.To, "secret",
			secrets.PeopleFile(p.o.Data))
	}
	return found, err
}

func (p present) lasting() bool { return true }

// end compares the snapshot with the current one and seals it.
func (p present) end(ctx context.Context, t *tables) error {
	if err := t.compare(ctx); err != nil {
		return err
	}
	return t.seal(ctx)
}

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/corrections"
	"labour/pipeline/disclosure"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/report"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/archive"
)

// archived is the basis of a rebuild: a sealed snapshot with its archived inputs.
type archived struct {
	manifest snapshots.Manifest
	dir      string            // of the archive
	sealed   string            // of the snapshot
	people   disclosure.Secret // their secret; zero where it is not here
	key      snapshots.Key     // the operator's
	partners []snapshots.PartnerFile
	found    map[string][]sources.Extract
	tables   []Rebuilt

	configured []corrections.Correction // that the configuration has now
}

// Rebuild makes the tables of a sealed snapshot again, outside the store, from the archived objects
// that its manifest names and no others, and compares their bytes. It neither changes nor promotes
// anything. It needs the archive and the snapshot itself; the configuration and the program must be
// those of the time. Tables of people that were carried forward, or were made under a secret that
// is not available, are only compared by hash. A missing or damaged object is an error.
func Rebuild(ctx context.Context, o Options, id snapshots.ID) (tables []Rebuilt, err error) {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return nil, err
	}
	from := &archived{dir: ArchiveDir(o.Data), sealed: store.Dir(id), configured: o.Config.Corrections}
	if from.manifest, err = store.Manifest(id); err != nil {
		return nil, fmt.Errorf("rebuild: %w", err)
	}
	if err := from.rebuild(ctx, o, store); err != nil {
		return nil, fmt.Errorf("rebuild %s: %w", id, err)
	}
	return from.tables, nil
}

func (f *archived) rebuild(ctx context.Context, o Options, store *snapshots.Store) (err error) {
	if err := f.identify(store, &o); err != nil {
		return err
	}
	o.AsOf = sources.DateOf(f.manifest.AsOf.Time)
	made, err := report.Read(store.Dir(f.manifest.ID))
	if err != nil {
		return err
	}
	o.Only = made.Only
	if err := f.find(&o); err != nil {
		return err
	}
	if err := os.MkdirAll(o.protected(), 0o700); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(o.protected(), "rebuild-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	if err := f.restore(store, scratch); err != nil {
		return err
	}
	o.Data, o.Sign = scratch, nil
	if o, err = o.resolved(); err != nil {
		return err
	}
	built, err := o.build(ctx, nil, f)
	if err != nil {
		return err
	}
	return built.writer.Close()
}

// identify finds the key that the snapshot used to name the platform's files, and the events of
// partners if they are kept.
func (f *archived) identify(store *snapshots.Store, o *Options) (err error) {
	if f.key, err = secrets.ManifestKey(o.Data, o.Secrets); err != nil {
		return err
	}
	if f.people, err = secrets.People(o.Data, o.Secrets); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if f.key == nil {
		return fmt.Errorf("the platform's files are named under a key; set %s, or put it back at %s",
			secrets.ManifestKeyName, secrets.ManifestKeyFile(o.Data))
	}
	f.partners, err = snapshots.PartnerFiles(store.Dir(f.manifest.ID), f.manifest)
	if errors.Is(err, snapshots.ErrNoPartnerFiles) {
		return nil
	}
	return err
}

// find looks up the extracts that the manifest names, and verifies every object.
func (f *archived) find(o *Options) error {
	list, err := o.list()
	if err != nil {
		return err
	}
	a, err := archive.Open(f.dir)
	if err != nil {
		return err
	}
	defer a.Close() // only read
	f.found = map[string][]sources.Extract{}
	for _, in := range f.manifest.Inputs {
		if !slices.ContainsFunc(list, func(s sources.Source) bool { return s.Info().Key == in.Source }) {
			return fmt.Errorf("it was built from source %s, which the configuration does not have", in.Source)
		}
		if f.found[in.Source] == nil {
			if f.found[in.Source], err = f.extractsOf(a, in.Source); err != nil {
				return err
			}
		}
	}
	return nil
}

// extractsOf finds the extracts of a source that the manifest names, newest first, as a build reads
// them. The manifest has whole seconds only, and several extracts may have the same second.
func (f *archived) extractsOf(a *archive.Archive, source string) (found []sources.Extract, err error) {
	wanted := slices.DeleteFunc(slices.Clone(f.manifest.Inputs),
		func(in snapshots.Input) bool { return in.Source != source })
	for x, err := range a.NewestFirst(source) {
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(wanted,
			func(in snapshots.Input) bool { return sameFetch(in, inputOf(x, f.key, f.manifest.ID)) })
		if at < 0 {
			continue
		}
		for _, object := range x.Objects {
			if err := a.Verify(object); err != nil {
				return nil, fmt.Errorf("source %s: %w", source, err)
			}
		}
		found, wanted = append(found, x), slices.Delete(wanted, at, at+1)
		if len(wanted) == 0 {
			slices.SortStableFunc(found, func(x, y sources.Extract) int { return y.At.Compare(x.At) })
			return found, nil
		}
	}
	return nil, fmt.Errorf("the fetch of %s at %s is not in the archive, or is named under another key", source,
		wanted[0].At.Format(time.RFC3339))
}

// archive, begin, known and the following methods implement basis for a rebuild, from the
// snapshot's manifest.
func (f *archived) archive() (string, snapshots.Key, error) { return f.dir, f.key, nil }

func (f *archived) begin(_ *build, store *snapshots.Store) (*snapshots.Writer, error) {
	return store.BeginAs(f.manifest.ID)
}

// known reports whether an extract existed when the snapshot was built: its inputs, and everything
// fetched up to the time in its manifest.
func (f *archived) known(x sources.Extract) bool {
	taken := func(y sources.Extract) bool { return y.At.Equal(x.At) && slices.Equal(x.Objects, y.Objects) }
	return slices.ContainsFunc(f.found[x.Source], taken) || x.At.Before(f.manifest.KnownUntil())
}

// extracts returns the newest extract of a source that is not a listing. The others in the manifest
// of a light snapshot are the inputs of carried tables.
func (f *archived) extracts(_ *build, info sources.Info, _ time.Time) ([]sources.Extract, error) {
	newestFirst := f.found[info.Key]
	if !info.Listing && len(newestFirst) > 1 {
		return newestFirst[:1], nil
	}
	return newestFirst, nil
}

func (f *archived) withdrawn() ([]snapshots.PeopleWithdrawal, error) {
	return f.manifest.PeopleWithdrawn, nil
}

// corrections returns the corrections of the time: "A rebuild needs the archive and the snapshot
// itself". The values of a source that may not be shown are not in the snapshot; the configuration
// must have them.
func (f *archived) corrections() (list []corrections.Correction, err error) {
	rows, err := parquetio.ReadAll[snapshots.CorrectionsRow](snapshots.TablePath(f.sealed, "corrections"))
	if err != nil {
		return nil, fmt.Errorf("read the corrections of the time: %w", err)
	}
	for _, row := range rows {
		c := corrections.Correction{Source: row.SourceKey, Kind: row.Kind, Record: row.Record, Field: row.Field,
			Reason: row.Reason, By: row.DecidedBy, Day: row.DecidedOn.Format(time.DateOnly)}
		if row.Old == nil || row.New == nil {
			if c, err = f.notShown(c); err != nil {
				return nil, err
			}
		} else {
			c.Old, c.New = *row.Old, *row.New
		}
		list = append(list, c)
	}
	return list, nil
}

// notShown returns a correction whose values the snapshot does not show, with the values from the
// configuration.
func (f *archived) notShown(c corrections.Correction) (corrections.Correction, error) {
	for _, known := range f.configured {
		values := known
		values.Old, values.New = "", ""
		if values == c {
			return known, nil
		}
	}
	return c, fmt.Errorf("it was built under a correction of the %s of %s %s of source %s, whose values the snapshot "+
		"does not show; put the correction of %s back into the file of corrections", c.Field, c.Kind, c.Record, c.Source,
		c.Day)
}

func (f *archived) unlike(reason string) error {
	return fmt.Errorf("%s; a rebuild needs the configuration and the program of its time", reason)
}

func (f *archived) states() ([]snapshots.EmbargoedState, error) {
	return slices.Clone(f.manifest.Embargoed), nil
}

// secret returns the secret of the data directory; the zero Secret if there is none.
func (f *archived) secret() (disclosure.Secret, error) { return f.people, nil }

func (f *archived) quarter(b *build) (calendar.Period, error) {
	if f.manifest.People != nil {
		return people.QuarterOf(f.manifest.People), nil
	}
	return people.QuarterDue(b.o.AsOf), nil
}

// printed returns the snapshot itself, unless it made its figures of people under the available
// secret.
func (f *archived) printed(_ *build, secret disclosure.Secret) (*previous.Snapshot, error) {
	of := f.manifest.People
	if of == nil || of.MadeBy == f.manifest.ID && of.SecretSHA256 == secret.SHA256() {
		return nil, nil
	}
	return &previous.Snapshot{Manifest: f.manifest, Dir: f.sealed}, nil
}

func (f *archived) lasting() bool { return false }

// end compares the written tables with the snapshot.
func (f *archived) end(_ context.Context, t *tables) error { return f.compare(t) }

// sameFetch reports whether both inputs of one manifest can be the same fetch: the same objects, at
// the same second.
func sameFetch(x, y snapshots.Input) bool {
	objects := func(in snapshots.Input) []string {
		var all []string
		for _, o := range in.Objects {
			all = append(all, o.Name+"\x00"+o.Named())
		}
		slices.Sort(all)
		return all
	}
	return x.Source == y.Source && x.At.Equal(y.At) && slices.Equal(objects(x), objects(y))
}

// restore copies the snapshot into a data directory in place of its predecessor, which may have
// been removed. The rebuild needs it: its jobs record when each was first seen, and a light
// snapshot has the tables that it carried.
func (f *archived) restore(store *snapshots.Store, scratch string) error {
	root, id := snapshots.Root(scratch), string(f.manifest.ID)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	if err := os.Symlink(store.Dir(f.manifest.ID), filepath.Join(root, id)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, snapshots.CurrentName), []byte(id+"\n"), 0o600)
}

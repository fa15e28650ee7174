// Package rebuild finds the inputs of a sealed snapshot, so that it can be built again from the
// archive, and compares the result with the sealed files.
package rebuild

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/corrections"
	"labour/pipeline/disclosure"
	"labour/pipeline/ingest"
	"labour/pipeline/manifestinputs"
	"labour/pipeline/options"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/report"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// SealedInputs provides the inputs of a sealed snapshot, and the operator's decisions that applied
// to it. It implements buildinput.Provider.
type SealedInputs struct {
	IsLight bool // true if a light run built the snapshot

	manifest  snapshots.Manifest
	dir       string // path of the archive directory
	sealedDir string // directory of the sealed snapshot
	// secret with which counts of people are rounded; zero if it is not available
	people disclosure.RoundingSecret
	// secret key of the hashes by which manifests name the platform's files
	key      snapshots.ManifestKey
	partners []store.PartnerFile
	extracts map[string][]sources.Extract
	// corrections of publishers' records in the current configuration
	configCorrections []corrections.Correction
}

// FindInputs returns the inputs of a sealed snapshot, so that it can be built again. A missing or
// damaged archived file is an error.
func FindInputs(o *options.Options, folder *store.Store, id snapshots.ID) (*SealedInputs, error) {
	list, err := o.ConfiguredSources()
	if err != nil {
		return nil, err
	}
	f := &SealedInputs{dir: options.ArchiveDir(o.DataDir), sealedDir: folder.SnapshotDir(id),
		configCorrections: o.Config.Corrections}
	if f.manifest, err = folder.Manifest(id); err != nil {
		return nil, err
	}
	if err := f.readSecrets(o); err != nil {
		return nil, err
	}
	made, err := report.Read(f.sealedDir)
	if err != nil {
		return nil, err
	}
	f.IsLight = made.OnlySource != ""
	for i, src := range list {
		if src.Info().Kind == sources.KindPlatform {
			withPeople := !f.IsLight && !f.copiesPeople()
			list[i] = platform.New(o.FeedConfig(withPeople))
		}
	}
	return f, f.findExtracts(list)
}

// AsOf returns the date that the sealed snapshot describes.
func (f *SealedInputs) AsOf() sources.Date { return sources.DateOf(f.manifest.AsOf.Time) }

// readSecrets sets f.key, the key for the hashes of the platform's files, and f.people, the secret
// for rounding. It also sets f.partners if the data directory has the events of partners. It
// returns an error if the key is missing; the rounding secret may be missing.
func (f *SealedInputs) readSecrets(from *options.Options) (err error) {
	if f.key, err = secrets.ManifestKey(from.DataDir, from.LookupSecret); err != nil {
		return err
	}
	if f.people, err = secrets.RoundingSecret(from.DataDir, from.LookupSecret); err != nil &&
		!errors.Is(err, os.ErrNotExist) {
		return err
	}
	if f.key == nil {
		return fmt.Errorf("the hashes of the platform's files need a key; set %s, or put the key back at %s",
			secrets.ManifestKeyName, secrets.ManifestKeyFile(from.DataDir))
	}
	f.partners, err = store.PartnerFiles(f.sealedDir, f.manifest)
	if errors.Is(err, store.ErrNoPartnerFiles) {
		return nil
	}
	return err
}

// findExtracts looks up in the archive the extracts (fetches) that the manifest lists. It verifies
// each of their files that the rebuild reads.
func (f *SealedInputs) findExtracts(list []sources.Source) error {
	a, err := archive.Open(f.dir)
	if err != nil {
		return err
	}
	defer a.Close() // opened for reading only
	f.extracts = map[string][]sources.Extract{}
	for _, in := range f.manifest.Inputs {
		at := slices.IndexFunc(list, func(s sources.Source) bool { return s.Info().Key == in.Source })
		if at < 0 {
			return fmt.Errorf("it was built from source %s, which the configuration does not have", in.Source)
		}
		if f.extracts[in.Source] == nil {
			if f.extracts[in.Source], err = f.extractsOf(a, list[at]); err != nil {
				return err
			}
		}
	}
	return nil
}

// extractsOf finds the extracts (fetches) of a source that the manifest lists, newest first, in
// the order of a build. The manifest has whole seconds only, and several extracts may have the
// same second.
func (f *SealedInputs) extractsOf(a *archive.Archive, src sources.Source) (found []sources.Extract, err error) {
	source := src.Info().Key
	wanted := slices.DeleteFunc(slices.Clone(f.manifest.Inputs),
		func(in snapshots.ArchivedFetch) bool { return in.Source != source })
	for x, err := range a.ExtractsNewestFirst(source) {
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(wanted,
			func(in snapshots.ArchivedFetch) bool {
				return manifestinputs.CanBeSameFetch(in, manifestinputs.InputFromExtract(x, f.key, f.manifest.ID))
			})
		if at < 0 {
			continue
		}
		for _, object := range x.Objects {
			if !ingest.ReadsFile(src, object.Name) {
				continue
			}
			if err := a.VerifyBody(object); err != nil {
				return nil, fmt.Errorf("source %s: %w", source, err)
			}
		}
		found, wanted = append(found, x), slices.Delete(wanted, at, at+1)
		if len(wanted) == 0 {
			slices.SortStableFunc(found, func(x, y sources.Extract) int { return y.FetchedAt.Compare(x.FetchedAt) })
			return found, nil
		}
	}
	return nil, fmt.Errorf("the fetch of %s at %s is not in the archive, or is named under another key", source,
		wanted[0].FetchedAt.Format(time.RFC3339))
}

// Archive returns the directory of the archive, and the secret key of the hashes by which
// manifests name the platform's files.
func (f *SealedInputs) Archive() (string, snapshots.ManifestKey, error) { return f.dir, f.key, nil }

// BeginSnapshot begins a new snapshot with the ID of the sealed one. The sealed one is returned as
// the current snapshot: it takes the place of its predecessor, which may have been removed. The
// rebuild reads from it when each job was first seen and, for a light snapshot, the copied tables.
func (f *SealedInputs) BeginSnapshot(store *store.Store) (*store.Writer, *previous.Snapshot, error) {
	w, err := store.BeginAs(f.manifest.ID)
	return w, f.sealedSnapshot(), err
}

func (f *SealedInputs) sealedSnapshot() *previous.Snapshot {
	return &previous.Snapshot{Manifest: f.manifest, Dir: f.sealedDir}
}

// MayRead reports whether an extract (one fetch of a source) is an input of the sealed snapshot or
// was fetched before its cutoff time.
func (f *SealedInputs) MayRead(x sources.Extract) bool {
	taken := func(y sources.Extract) bool {
		return y.FetchedAt.Equal(x.FetchedAt) && slices.Equal(x.Objects, y.Objects)
	}
	return slices.ContainsFunc(f.extracts[x.Source], taken) || x.FetchedAt.Before(f.manifest.FetchCutoff())
}

// Extracts returns the extracts (fetches) of a source that the sealed snapshot was built from. For
// a source that is not a listing it returns only the newest: the others are inputs of copied
// tables.
func (f *SealedInputs) Extracts(_ *archive.Archive, src sources.Source, _ time.Time) ([]sources.Extract,
	[]sources.Fault, error) {
	info := src.Info()
	newestFirst := f.extracts[info.Key]
	if !info.ListsLiveOnly && len(newestFirst) > 1 {
		newestFirst = newestFirst[:1]
	}
	return newestFirst, nil, nil
}

// WithdrawnPeople returns the counts of people that were withdrawn from publication when the
// snapshot was built.
func (f *SealedInputs) WithdrawnPeople([]*previous.Snapshot) ([]snapshots.PeopleWithdrawal, error) {
	return f.manifest.PeopleWithdrawn, nil
}

// Corrections returns the corrections in effect when the snapshot was built. If the snapshot does
// not contain the values of a correction, because it must not publish them, they are taken from the
// configuration.
func (f *SealedInputs) Corrections() (list []corrections.Correction, err error) {
	rows, err := parquetio.ReadAll[snapshots.CorrectionsRow](snapshots.TablePath(f.sealedDir, "corrections"))
	if err != nil {
		return nil, fmt.Errorf("read the corrections of the time: %w", err)
	}
	for _, row := range rows {
		c := corrections.Correction{Source: row.SourceKey, Kind: row.Kind, Record: row.Record, Field: row.Field,
			Reason: row.Reason, DecidedBy: row.DecidedBy, DecidedDay: row.DecidedOn.Format(time.DateOnly)}
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

// notShown returns the correction in the configuration that matches c, because the snapshot does
// not contain the values of c. It returns an error if no correction matches.
func (f *SealedInputs) notShown(c corrections.Correction) (corrections.Correction, error) {
	for _, known := range f.configCorrections {
		values := known
		values.Old, values.New = "", ""
		if values == c {
			return known, nil
		}
	}
	return c, fmt.Errorf("it was built with a correction of the %s of %s %s of source %s, whose values the snapshot "+
		"does not show; put the correction of %s back into the file of corrections", c.Field, c.Kind, c.Record, c.Source,
		c.DecidedDay)
}

// RulesDifferError returns the error for a sealed snapshot that was made with another configuration
// or another version of the program. reason states what differs.
func (f *SealedInputs) RulesDifferError(reason string) error {
	return fmt.Errorf("%s; a rebuild needs the configuration and the program of its time", reason)
}

// EmbargoedStates returns the states of the embargoed datasets in the sealed snapshot, such as open
// or closed.
func (f *SealedInputs) EmbargoedStates() ([]snapshots.EmbargoedState, error) {
	return slices.Clone(f.manifest.Embargoed), nil
}

// RoundingSecret returns the data directory's secret for rounding counts of people. It returns the
// zero RoundingSecret if there is none.
func (f *SealedInputs) RoundingSecret() (disclosure.RoundingSecret, error) { return f.people, nil }

// PeopleCountsPeriod returns the twelve months that the sealed snapshot's counts of people
// describe. It returns the zero Period if the snapshot has no such counts, so that a rebuild makes
// none.
func (f *SealedInputs) PeopleCountsPeriod(*archive.Archive) (calendar.Period, error) {
	return people.PeriodOf(f.manifest.People), nil
}

// PublishedPeople returns the sealed snapshot if its counts of people must be copied from it, and
// otherwise nothing.
func (f *SealedInputs) PublishedPeople() ([]*previous.Snapshot, error) {
	if !f.copiesPeople() {
		return nil, nil
	}
	return []*previous.Snapshot{f.sealedSnapshot()}, nil
}

// copiesPeople reports whether the sealed snapshot's counts of people must be copied, because they
// cannot be made again. They can be made again if the sealed snapshot was the first with these
// counts and its secret is available.
func (f *SealedInputs) copiesPeople() bool {
	of := f.manifest.People
	if of == nil {
		return false
	}
	return of.FirstSnapshot != f.manifest.ID || of.SecretSHA256 != f.people.SHA256()
}

// IsNewBuild returns false: a rebuild keeps nothing for the next run, and adds no remarks on
// counts of people to its report.
func (f *SealedInputs) IsNewBuild() bool { return false }

// MakeScratchDir makes a temporary data directory for the rebuild. It returns the options of the
// rebuild, and a function that removes the directory.
func (f *SealedInputs) MakeScratchDir(o options.Options) (_ options.Options, remove func() error, err error) {
	if err := os.MkdirAll(o.ProtectedPath(), 0o700); err != nil {
		return o, nil, err
	}
	scratch, err := os.MkdirTemp(o.ProtectedPath(), "rebuild-")
	if err != nil {
		return o, nil, err
	}
	remove = func() error { return os.RemoveAll(scratch) }
	if err = f.restore(scratch); err == nil {
		o.AsOf = f.AsOf()
		o.IsLight = f.IsLight
		o.DataDir = scratch
		o.SignSums = nil
		err = o.Validate()
	}
	if err != nil {
		return o, nil, errors.Join(err, remove())
	}
	return o, remove, nil
}

// restore links the sealed snapshot into the temporary data directory of the rebuild, and makes it
// the current snapshot there, which the options of a light run require.
func (f *SealedInputs) restore(scratch string) error {
	root, id := snapshots.SnapshotsDir(scratch), string(f.manifest.ID)
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	if err := os.Symlink(f.sealedDir, filepath.Join(root, id)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, snapshots.CurrentFileName), []byte(id+"\n"), 0o600)
}

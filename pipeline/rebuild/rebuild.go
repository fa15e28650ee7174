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
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/pipeline/secrets"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// SealedInputs provides the inputs of a sealed snapshot, and the operator's decisions at that time.
// With them, the snapshot can be built again. It implements buildinput.Provider.
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

// FindInputs finds the inputs of a sealed snapshot, so that it can be built again. It returns an
// error if an archived file is missing or damaged.
func FindInputs(o *options.Options, folder *store.Store, id snapshots.ID) (*SealedInputs, error) {
	list, err := o.ConfiguredSources()
	if err != nil {
		return nil, err
	}
	f := &SealedInputs{dir: protected.ArchiveDir(o.DataDir), sealedDir: folder.SnapshotDir(id),
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

// readSecrets reads the key for the hashes of the platform's files, which must exist, and the
// secret for rounding, which may be missing. It also finds the files with partners' events.
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
			secrets.ManifestKeyName, protected.ManifestKeyFile(from.DataDir))
	}
	f.partners, err = store.PartnerFiles(f.sealedDir, f.manifest)
	if errors.Is(err, store.ErrNoPartnerFiles) {
		return nil
	}
	return err
}

// findExtracts finds the extracts (fetches) of the manifest in the archive. It verifies the files
// that the rebuild reads.
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

// extractsOf returns the extracts (fetches) of a source that the manifest lists, newest first. The
// manifest has times in whole seconds, so several extracts may have the same time.
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
				return manifestinputs.IsInput(in, x, f.key, f.manifest.ID)
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

// Archive returns the directory of the archive. It also returns the secret key for the hashes of
// the platform's files in manifests.
func (f *SealedInputs) Archive() (string, snapshots.ManifestKey, error) { return f.dir, f.key, nil }

// BeginSnapshot begins a snapshot with the ID of the sealed one. It returns the sealed one as the
// current snapshot, because the previous one may have been removed. The rebuild takes two things
// from it: the time at which each job was first seen, and the tables that are not built again.
func (f *SealedInputs) BeginSnapshot(store *store.Store) (*store.Writer, *previous.Snapshot, error) {
	w, err := store.BeginAs(f.manifest.ID)
	return w, f.sealedSnapshot(), err
}

func (f *SealedInputs) sealedSnapshot() *previous.Snapshot {
	return &previous.Snapshot{Manifest: f.manifest, Dir: f.sealedDir}
}

// MayRead reports whether a rebuild may read an extract (one fetch of a source). It may read the
// inputs of the sealed snapshot, and extracts that were fetched before its cutoff time.
func (f *SealedInputs) MayRead(x sources.Extract) bool {
	taken := func(y sources.Extract) bool {
		return y.FetchedAt.Equal(x.FetchedAt) && slices.Equal(x.Objects, y.Objects)
	}
	return slices.ContainsFunc(f.extracts[x.Source], taken) || x.FetchedAt.Before(f.manifest.FetchCutoff())
}

// Extracts returns the extracts (fetches) of a source from which the sealed snapshot was built. If
// each extract of the source has all records, it returns only the newest. Older ones are inputs of
// copied tables.
func (f *SealedInputs) Extracts(_ *archive.Archive, src sources.Source, _ time.Time) ([]sources.Extract,
	[]sources.Fault, error) {
	info := src.Info()
	newestFirst := f.extracts[info.Key]
	if !info.ListsLiveOnly && len(newestFirst) > 1 {
		newestFirst = newestFirst[:1]
	}
	return newestFirst, nil, nil
}

// WithdrawnPeople returns the counts of people that were withdrawn when the snapshot was built.
func (f *SealedInputs) WithdrawnPeople([]*previous.Snapshot) ([]snapshots.PeopleWithdrawal, error) {
	return f.manifest.PeopleWithdrawn, nil
}

// Corrections returns the corrections that applied when the snapshot was built. Some values are not
// in the snapshot, because they must not be published. They are taken from the configuration.
func (f *SealedInputs) Corrections() (list []corrections.Correction, err error) {
	rows, err := parquetio.ReadAll[snapshots.CorrectionsRow](snapshots.TablePath(f.sealedDir, "corrections"))
	if err != nil {
		return nil, fmt.Errorf("read the corrections of the time: %w", err)
	}
	for _, row := range rows {
		c := corrections.Correction{Source: row.SourceKey, Kind: row.Kind, Record: row.Record, Field: row.Field,
			Reason: row.Reason, DecidedBy: row.DecidedBy, DecidedDay: row.DecidedOn.Format(time.DateOnly)}
		if row.Old == nil || row.New == nil {
			if c, err = f.withValues(c); err != nil {
				return nil, err
			}
		} else {
			c.Old, c.New = *row.Old, *row.New
		}
		list = append(list, c)
	}
	return list, nil
}

// withValues returns the correction in the configuration that is equal to c except for its values.
// c has no values, because they must not be published. If there is no such correction, withValues
// returns an error.
func (f *SealedInputs) withValues(c corrections.Correction) (corrections.Correction, error) {
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

// RulesDifferError returns the error for a rebuild after the configuration or the program has
// changed. reason states the difference.
func (f *SealedInputs) RulesDifferError(reason string) error {
	return fmt.Errorf("%s; a rebuild needs the configuration and the program of its time", reason)
}

// EmbargoedStates returns the states of the embargoed datasets in the sealed snapshot. A state is
// open or closed.
func (f *SealedInputs) EmbargoedStates() ([]snapshots.EmbargoedState, error) {
	return slices.Clone(f.manifest.Embargoed), nil
}

// RoundingSecret returns the secret for rounding counts of people. It returns the zero value if the
// data directory has none.
func (f *SealedInputs) RoundingSecret() (disclosure.RoundingSecret, error) { return f.people, nil }

// PeopleCountsPeriod returns the twelve months of the sealed snapshot's counts of people. If the
// snapshot has none, it returns the zero Period, and the rebuild makes none.
func (f *SealedInputs) PeopleCountsPeriod(*archive.Archive) (calendar.Period, error) {
	return people.PeriodOf(f.manifest.People), nil
}

// PublishedPeople returns the sealed snapshot if its counts of people must be copied. If it returns
// nothing, they are computed again.
func (f *SealedInputs) PublishedPeople() ([]*previous.Snapshot, error) {
	if !f.copiesPeople() {
		return nil, nil
	}
	return []*previous.Snapshot{f.sealedSnapshot()}, nil
}

// copiesPeople reports whether the sealed snapshot's counts of people must be copied. They can be
// computed again only if this snapshot was the first to have them and its secret is available.
func (f *SealedInputs) copiesPeople() bool {
	of := f.manifest.People
	if of == nil {
		return false
	}
	return of.FirstSnapshot != f.manifest.ID || of.SecretSHA256 != f.people.SHA256()
}

// IsNewBuild returns false. A rebuild stores nothing for the next run, and adds no remarks on
// counts of people.
func (f *SealedInputs) IsNewBuild() bool { return false }

// MakeScratchDir creates a temporary data directory for a rebuild. It returns the options of the
// rebuild, and a function that removes the directory.
func (f *SealedInputs) MakeScratchDir(o options.Options) (_ options.Options, remove func() error, err error) {
	scratch, remove, err := o.MakeRebuildDir()
	if err != nil {
		return o, nil, err
	}
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

// restore links the sealed snapshot into the temporary data directory scratch, and makes it the
// current snapshot there. A run that reads only the platform needs a current snapshot.
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

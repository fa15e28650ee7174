package pipeline

import (
	"context"

	"labour/pipeline/buildinput"
	"labour/pipeline/coding"
	"labour/pipeline/corrections"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
)

// inputs holds what a build reads: options, sources, registers, corrections and the archive. Only
// beginSnapshot changes it later; it sets current and asOf.
type inputs struct {
	options           *Options
	provider          buildinput.Provider
	sources           []sources.Source // configured sources
	infos             []sources.Info   // descriptions of the configured sources
	ownRegisters      coding.Registers // before official names and titles are added; later steps use staged.Registers
	corrections       *corrections.Set // corrections of records of the configured sources
	correctionRemarks []string         // on corrections of sources that are not configured
	archive           *archive.Archive
	key               snapshots.ManifestKey // key of the hashes by which manifests name the platform's files
	current           *previous.Snapshot    // current snapshot when the build began; nil = there was none
	asOf              sources.Date          // date of the new snapshot; in a light run, the current snapshot's date
}

// openInputs opens the archive. It also loads the operator's corrections and the registers of
// skills, occupations and sectors.
func openInputs(o *Options, provider buildinput.Provider) (*inputs, error) {
	in := &inputs{options: o, provider: provider}
	var err error
	if in.sources, err = o.ConfiguredSources(); err != nil {
		return nil, err
	}
	in.infos = sources.InfosOf(in.sources)
	corrected, err := provider.Corrections()
	if err != nil {
		return nil, err
	}
	corrected, in.correctionRemarks = corrections.SplitBySource(corrected, in.infos)
	in.corrections = corrections.NewSet(corrected)
	if in.ownRegisters, err = coding.LoadRegisters(o.Config.Skills); err != nil {
		return nil, err
	}
	dir, key, err := provider.Archive()
	if err != nil {
		return nil, err
	}
	in.key = key
	in.archive, err = archive.Open(dir)
	return in, err
}

// beginSnapshot opens a writer for a new snapshot. It takes a lock until the writer is closed, so
// that no other build changes the intermediate files. It also sets in.current and in.asOf.
func beginSnapshot(ctx context.Context, in *inputs) (w *store.Writer, err error) {
	folder, err := store.Open(in.options.DataDir)
	if err != nil {
		return nil, err
	}
	err = in.options.NewWaiter().Wait(ctx, "the lock of the snapshots", func() (err error) {
		w, in.current, err = in.provider.BeginSnapshot(folder)
		return err
	})
	if err != nil {
		return nil, err
	}
	in.asOf = sources.DateOf(w.ID().Date())
	w.ManifestKey = in.key
	if sign := in.options.SignSums; sign != nil {
		w.SignSums = func(sums []byte) ([]byte, error) { return sign(w.ID(), sums) }
	}
	return w, nil
}

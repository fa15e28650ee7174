package pipeline

import (
	"context"
	"errors"

	"labour/pipeline/buildinput"
	"labour/pipeline/fetch"
	"labour/pipeline/options"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/store"
)

// BuiltSnapshot is a newly sealed snapshot with the report of the run that built it.
type BuiltSnapshot struct {
	ID     snapshots.ID
	Report *report.Report
	writer *store.Writer // keeps the write lock of the data directory until it is closed
}

// lastStep is the last step of a build. In a run it seals the draft snapshot. In a rebuild it
// compares the draft with the sealed snapshot.
type lastStep func(ctx context.Context, d *draft) error

// Build builds and seals a snapshot from the archive, without the network. It does not promote the
// snapshot. It ignores data that was fetched after the day o.AsOf. It returns an error if the
// archive has no usable fetch of the platform, or no usable fetch of any source.
func Build(ctx context.Context, o Options) (BuiltSnapshot, error) {
	if err := o.Validate(); err != nil {
		return BuiltSnapshot{}, err
	}
	o.OnlyFetchedByDate = true
	if err := fetch.CheckEnoughArchived(&o); err != nil {
		return BuiltSnapshot{}, err
	}
	built, err := buildFrom(ctx, &o, nil, buildinput.NewRunInputs(&o), seal)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	return built, built.writer.Close()
}

// buildFrom builds a snapshot from the inputs that provider returns. fetched holds the results of
// this run's fetches, for the report. finish is called last: it seals the snapshot, or compares it
// with an existing one. If the error is nil, the caller must close the writer.
func buildFrom(ctx context.Context, o *Options, fetched []report.FetchResult, provider buildinput.Provider,
	finish lastStep) (BuiltSnapshot, error) {
	in, err := openInputs(o, provider)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	defer in.archive.Close() // opened for reading only
	w, err := beginSnapshot(ctx, in)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	r := report.New(in.asOf)
	r.Exceptions = o.ValidExceptions(in.asOf)
	if !o.IsWhole() {
		r.OnlySource = options.OnlyPlatform
	}
	r.SetFetchResults(fetched)
	remark(in, r, in.correctionRemarks...)
	d, err := makeDraft(ctx, in, w, r)
	err = errors.Join(err, o.RemoveUnrounded())
	if err == nil {
		err = finish(ctx, d)
	}
	if err != nil {
		return BuiltSnapshot{}, errors.Join(err, w.Close())
	}
	return BuiltSnapshot{ID: w.ID(), Report: r, writer: w}, nil
}

// makeDraft runs all steps of a build up to and including the writing of the tables. It leaves
// intermediate files and unrounded counts of people in the protected zone, the private directory of
// the pipeline. The caller must remove them.
func makeDraft(ctx context.Context, in *inputs, w *store.Writer, r *report.Report) (*draft, error) {
	if err := in.options.RemoveLeftovers(ctx); err != nil {
		return nil, err
	}
	counts, err := findPeopleCounts(in, r)
	if err != nil {
		return nil, err
	}
	read, err := readSources(ctx, in, counts.AreCopied(), r)
	if err != nil {
		return nil, err
	}
	if err := keepNotes(in, read); err != nil {
		return nil, err
	}
	plan, err := planOutputs(in, read, counts, r)
	if err != nil {
		return nil, err
	}
	d := &draft{in: in, read: read, plan: plan, writer: w, report: r, copiedTables: map[string]bool{}}
	return d, makeTables(ctx, d)
}

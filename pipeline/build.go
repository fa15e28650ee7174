package pipeline

import (
	"context"
	"errors"

	"labour/pipeline/buildinput"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources"
)

// BuiltSnapshot is a newly sealed snapshot with the report of the run that built it.
type BuiltSnapshot struct {
	ID     snapshots.ID
	Report *report.Report
	writer *store.Writer // holds the write lock of the data directory until it is closed
}

// lastStep is the last step of a build. It seals the draft of a run, or compares the draft of a
// rebuild with the sealed snapshot.
type lastStep func(ctx context.Context, d *draft) error

// Build builds and seals a snapshot from the archive, without using the network. It does not
// promote the snapshot. fetched has the results of this run's fetches, for the report. If fetched
// is nil, Build reads only what had been fetched by the end of the day o.AsOf.
func Build(ctx context.Context, o Options, fetched []report.FetchResult) (BuiltSnapshot, error) {
	o, err := o.Resolved()
	if err != nil {
		return BuiltSnapshot{}, err
	}
	o.OnlyFetchedByDate = fetched == nil
	built, err := buildFrom(ctx, &o, fetched, buildinput.NewRunInputs(&o), seal)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	return built, built.writer.Close()
}

// buildFrom builds a snapshot from the inputs of the provider. Its last step, end, seals the snapshot
// or compares it with an existing one. If the error is nil, the caller must close the writer.
func buildFrom(ctx context.Context, o *Options, fetched []report.FetchResult, of buildinput.Provider,
	end lastStep) (BuiltSnapshot, error) {
	in, err := openInputs(o, of)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	defer in.archive.Close() // opened for reading only
	w, err := beginSnapshot(ctx, in)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	o.AsOf = sources.DateOf(w.ID().Date()) // of a light snapshot, whose date may have changed during the wait
	r := report.New(o.AsOf)
	r.PeopleWithdrawn, r.OnlySource, r.Exceptions = in.withdrawn, o.OnlySource, o.ValidExceptions()
	r.AddFetchResults(fetched)
	if err := buildSnapshot(ctx, in, w, r, end); err != nil {
		return BuiltSnapshot{}, errors.Join(err, w.Close())
	}
	return BuiltSnapshot{ID: w.ID(), Report: r, writer: w}, nil
}

// buildSnapshot runs the steps of a build in order. Staged rows and unrounded counts do not remain,
// whether or not it succeeds.
func buildSnapshot(ctx context.Context, in *inputs, w *store.Writer, r *report.Report, end lastStep) (err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, in.options.RemoveUnrounded())
		}
	}()
	if err := in.options.RemoveLeftovers(ctx); err != nil {
		return err
	}
	read, err := readSources(ctx, in, r)
	if err != nil {
		return err
	}
	if err := keepNotes(in, read); err != nil {
		return err
	}
	plan, err := planOutputs(in, read, r)
	if err != nil {
		return err
	}
	d := &draft{in: in, read: read, plan: plan, writer: w, report: r, carried: map[string]bool{}}
	if err := makeTables(ctx, d); err != nil {
		return err
	}
	if err := in.options.RemoveUnrounded(); err != nil {
		return err
	}
	return end(ctx, d)
}

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"labour/pipeline/buildinput"
	"labour/pipeline/calendar"
	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/corrections"
	"labour/pipeline/ingest"
	"labour/pipeline/manifestinputs"
	"labour/pipeline/people"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/diff"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
)

// build holds the inputs of one build of a snapshot, and its results so far.
type build struct {
	o           *Options
	sources     []sources.Source // sources whose archived records this build reads
	registers   coding.Registers
	archive     *archive.Archive
	infos       []sources.Info
	corrections *corrections.Set
	report      *report.Report
	provider    buildinput.Provider
	withdrawn   []snapshots.PeopleWithdrawal // counts of people that the operator has withdrawn
	key         snapshots.ManifestKey        // key of the hashes by which manifests name the platform's files
	quarter     calendar.Period              // quarter that the counts of people describe
	extracts    []sources.Extract            // fetches that were read from the archive, for the manifest
	staged      ingest.Staged
}

// BuiltSnapshot is a newly sealed snapshot with the report of the run that built it.
type BuiltSnapshot struct {
	ID     snapshots.ID
	Report *report.Report
	writer *store.Writer // holds the write lock of the data directory until it is closed
}

// Build builds and seals a snapshot from the archive, without using the network. It does not
// promote the snapshot. fetched has the results of this run's fetches, for the report. If fetched
// is nil, Build reads only what had been fetched by the end of the day o.AsOf.
func Build(ctx context.Context, o Options, fetched []report.FetchResult) (BuiltSnapshot, error) {
	o, err := o.Resolved()
	if err != nil {
		return BuiltSnapshot{}, err
	}
	o.OnlyFetchedByDate = fetched == nil
	built, err := buildFrom(ctx, &o, fetched, buildinput.NewRunInputs(&o), (*tables).seal)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	return built, built.writer.Close()
}

// buildFrom builds a snapshot from the inputs of the provider. Its last step, end, seals the snapshot
// or compares it with an existing one. If the error is nil, the caller must close the writer.
func buildFrom(ctx context.Context, o *Options, fetched []report.FetchResult, of buildinput.Provider,
	end func(*tables, context.Context) error) (BuiltSnapshot, error) {
	b, err := newBuild(o, fetched, of)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	defer b.archive.Close() // opened for reading only
	w, err := b.openWriter(ctx)
	if err != nil {
		return BuiltSnapshot{}, err
	}
	if err := b.buildSnapshot(ctx, &tables{build: b, writer: w, carried: map[string]bool{},
		hidden: people.HiddenCounts{Withdrawn: b.withdrawn}}, end); err != nil {
		return BuiltSnapshot{}, errors.Join(err, w.Close())
	}
	return BuiltSnapshot{ID: w.ID(), Report: b.report, writer: w}, nil
}

// newBuild returns a build with its sources and its registers of skills, occupations and sectors.
func newBuild(o *Options, fetched []report.FetchResult, of buildinput.Provider) (b *build, err error) {
	b = &build{o: o, report: report.New(o.AsOf), provider: of}
	if b.withdrawn, err = of.WithdrawnPeople(); err != nil {
		return nil, err
	}
	b.report.PeopleWithdrawn = b.withdrawn
	list, err := o.ConfiguredSources()
	if err != nil {
		return nil, err
	}
	b.sources = o.FilterSources(list)
	b.report.AddFetchResults(fetched)
	b.report.OnlySource, b.report.Exceptions = o.OnlySource, o.ValidExceptions()
	for _, s := range list {
		b.infos = append(b.infos, s.Info())
	}
	corrected, err := of.Corrections()
	if err != nil {
		return nil, err
	}
	b.corrections = corrections.NewSet(corrected)
	if b.registers, err = coding.LoadRegisters(o.Config.Skills); err != nil {
		return nil, err
	}
	dir, key, err := of.Archive()
	if err != nil {
		return nil, err
	}
	b.key = key
	b.archive, err = archive.Open(dir)
	return b, err
}

// openWriter begins the snapshot. It takes a lock that it keeps until the snapshot is promoted, so
// that no other build uses the staged rows.
func (b *build) openWriter(ctx context.Context) (w *store.Writer, err error) {
	store, err := store.Open(b.o.DataDir)
	if err != nil {
		return nil, err
	}
	err = b.o.NewWaiter().Wait(ctx, "the lock of the snapshots", func() (err error) {
		w, err = b.provider.BeginSnapshot(store)
		return err
	})
	if err != nil {
		return nil, err
	}
	b.o.AsOf = sources.DateOf(w.ID().Date()) // of a light snapshot, whose date may have changed during the wait
	w.ManifestKey, b.report.AsOf = b.key, b.o.AsOf
	if b.o.SignSums != nil {
		w.SignSums = func(sums []byte) ([]byte, error) { return b.o.SignSums(w.ID(), sums) }
	}
	return w, nil
}

// buildSnapshot runs the steps of a build in order. The last step, end, seals or compares it.
func (b *build) buildSnapshot(ctx context.Context, t *tables, end func(*tables, context.Context) error) (err error) {
	defer func() {
		if err = errors.Join(err, t.closeTables()); err != nil {
			err = errors.Join(err, b.clear(ctx))
		}
	}()
	steps := []func(context.Context) error{
		b.clearLeft,
		b.read,
		b.keepNotes,
		b.findQuarter,
		t.findLevel,
		t.openTables,
		t.openCells,
		t.makeOutputs,
		t.finish,
		b.clear,
		func(ctx context.Context) error { return end(t, ctx) },
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// openCells makes the staged rows available to the SQL queries that count adverts and people.
func (t *tables) openCells(ctx context.Context) (err error) {
	b := t.build
	debug.FreeOSMemory() // frees memory used for reading; the engine has its own limit
	served := b.served()
	in := cells.QueryInputs{AsOf: b.o.AsOf.Time(), PeopleFirstDay: b.quarter.From.Time(),
		PeopleLastDay: b.quarter.To.Time(), Boroughs: served.Boroughs(),
		PlaceMembers: served.MemberRows, Sources: t.out.Sources}
	faults, err := served.CheckAreas()
	if err != nil {
		return err
	}
	b.report.AddFaults(faults)
	for _, s := range b.staged.Registers.Skills.Skills() {
		in.Skills = append(in.Skills, cells.Skill{Slug: s.Slug, DefaultLevel: int8(s.Level)})
	}
	limits := b.o.EngineLimits(b.staged.Adverts + b.staged.Residents + b.staged.Outcomes)
	cluster, err := b.o.ConnectCluster(ctx)
	if err != nil {
		return err
	}
	t.out.QueryRunner, err = cells.OpenQueryRunner(ctx, b.staged.StagingDir, in, limits, cluster)
	return err
}

// compare writes changes.parquet, the rows that differ between the current snapshot and the new
// one. A snapshot without this file cannot be promoted.
func (t *tables) compare(ctx context.Context) error {
	t.build.o.ReportStep("compare with the current snapshot")
	store, err := store.Open(t.build.o.DataDir)
	if err != nil {
		return err
	}
	t.manifest = t.build.manifest(t)
	if !calendar.EveryDay.IsDueAt(t.level) {
		if err := t.keepLight(store); err != nil {
			return err
		}
	}
	totals, err := diff.WriteChanges(ctx, store, t.writer, t.manifest, t.out.Sources)
	if err != nil {
		return fmt.Errorf("build %s: %w", t.manifest.ID, err)
	}
	t.build.report.AddChanges(totals)
	return nil
}

// keepLight prepares the manifest of a light snapshot (one that updates only the platform's data).
// It takes the platform's name, the error rates of coding and the inputs of copied tables from the
// current snapshot. It returns an error if another snapshot was promoted meanwhile.
func (t *tables) keepLight(store *store.Store) (err error) {
	if now, err := store.Current(); err != nil || now != t.previous.ID {
		return errors.Join(fmt.Errorf("another snapshot than %s was promoted meanwhile; run again", t.previous.ID), err)
	}
	m := &t.manifest
	m.PlatformName, m.CodingErrors = t.previous.PlatformName, t.previous.CodingErrors
	m.Inputs, err = manifestinputs.LightInputs(t.build.archive, t.build.key, t.previous, m.ID, m.Inputs)
	return err
}

// seal writes the differences from the current snapshot, and makes all files read-only.
func (t *tables) seal(ctx context.Context) error {
	if err := t.compare(ctx); err != nil {
		return err
	}
	t.build.o.ReportStep("seal " + string(t.writer.ID()))
	report, err := t.build.report.Encode()
	if err != nil {
		return err
	}
	t.writer.Sources = t.out.Sources
	if t.writer.Credits, err = t.out.Credits(); err != nil {
		return err
	}
	_, err = t.writer.Seal(ctx, t.manifest, report)
	return err
}

// clearLeft removes what a killed run has left in the data directory and on a Spark cluster.
func (b *build) clearLeft(ctx context.Context) error {
	cluster, err := b.o.Cluster()
	if err != nil {
		return err
	}
	return errors.Join(cluster.RemoveKilledSession(ctx), b.clear(ctx))
}

func (b *build) clear(context.Context) error { return b.o.RemoveUnrounded() }

// manifest returns the manifest of the snapshot that is being built, with its tables and inputs.
func (b *build) manifest(t *tables) snapshots.Manifest {
	m := snapshots.Manifest{CodingErrors: coding.ErrorRates(), Format: snapshots.Format, ID: t.writer.ID(),
		AsOf:         snapshots.DateOf(b.o.AsOf.Time()),
		PlatformName: b.o.Config.Platform.Name, ToolVersion: b.o.ToolVersion, CreatedAt: b.o.Now(),
		FetchedUntil: t.fetchedUntil, Tables: t.out.Files(), PeopleWithdrawn: b.withdrawn, Embargoed: t.states,
		Exceptions: b.report.Exceptions}
	if t.quarter != nil {
		m.PeopleAsOf, m.People = &t.quarter.To, t.quarter
	}
	for _, in := range b.extracts {
		m.Inputs = append(m.Inputs, manifestinputs.InputFromExtract(in, b.key, m.ID))
	}
	return m
}

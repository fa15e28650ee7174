package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/corrections"
	"labour/pipeline/counting"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// Built is a sealed snapshot with what became of its records.
type Built struct {
	ID     snapshots.ID
	Report *Report
}

// Build makes a snapshot from archived bytes alone: it never touches the network.
// The snapshot is sealed and not yet promoted.
func Build(ctx context.Context, o Options, fetched []Fetched) (built Built, err error) {
	return buildFrom(ctx, o, fetched, nil)
}

// buildFrom is Build and, when from is given, the rebuilding of its snapshot.
func buildFrom(ctx context.Context, o Options, fetched []Fetched, from *archived) (built Built, err error) {
	if err := o.check(); err != nil {
		return Built{}, err
	}
	list, err := o.list()
	if err != nil {
		return Built{}, err
	}
	b := &build{o: &o, report: newReport(o.AsOf), from: from}
	b.corrections = corrections.NewSet(o.Config.Corrections)
	b.report.Fetched, b.report.Only, b.report.Exceptions = fetched, o.Only, o.standing()
	for _, s := range list {
		b.infos = append(b.infos, s.Info())
		if o.Only == "" {
			b.report.source(s.Info().Key)
		}
	}
	if b.registers, err = coding.LoadRegisters(); err != nil {
		return Built{}, err
	}
	dir := ArchiveDir(o.Data)
	if from != nil {
		dir = from.dir
	}
	if b.archive, err = archive.Open(dir); err != nil {
		return Built{}, err
	}
	defer b.archive.Close() // only read from here on
	id, err := b.publish(ctx, list)
	if err != nil {
		return Built{}, err
	}
	return Built{ID: id, Report: b.report}, nil
}

// readAndCount stages every record and the verdict on every advert.
func (b *build) readAndCount(ctx context.Context, list []sources.Source) (err error) {
	if b.stage, err = staging.Create(b.o.protected("staging")); err != nil {
		return err
	}
	policy := counting.Policy{AsOf: b.o.AsOf}
	for _, info := range b.infos {
		if info.Adverts && info.Terms.Count {
			policy.Precedence = append(policy.Precedence, info.Key)
		}
	}
	b.ledger = counting.NewLedger(policy)
	if err := b.readAll(ctx, list); err != nil {
		return errors.Join(err, b.stage.Close())
	}
	b.o.step("apply the counting rules")
	ordinal := int32(0)
	for source, v := range b.ledger.Verdicts() {
		b.report.verdict(source, v)
		if err := b.stage.Verdicts.Append(staging.Verdict{Ordinal: ordinal, CountedAs: int32(v.CountedAs)}); err != nil {
			return errors.Join(err, b.stage.Close())
		}
		ordinal++
	}
	b.ledger = nil
	return b.stage.Close()
}

// engine opens the staged rows for counting cells.
func (b *build) engine(ctx context.Context) (*cells.Engine, error) {
	debug.FreeOSMemory() // what reading took, for the engine, which has a bound of its own
	in := cells.Inputs{AsOf: day(b.o.AsOf), PeopleAsOf: day(PeopleAsOf(b.o.AsOf))}
	for _, p := range b.places() {
		if p.AreaKind == snapshots.AreaBorough {
			in.Boroughs = append(in.Boroughs, cells.Borough{Place: p.Place, Code: p.Code})
		}
	}
	b.noteUnserved(in.Boroughs)
	for _, m := range b.placeMembers() {
		in.Members = append(in.Members, cells.Member{Area: m.Area, Borough: m.Borough})
	}
	for _, s := range b.registers.Skills.Skills() {
		in.Skills = append(in.Skills, cells.Skill{Skill: s.Slug, ReferenceLevel: int(s.Level)})
	}
	for _, i := range b.infos {
		in.Sources = append(in.Sources, cells.Source{Key: i.Key, Licence: i.Licence, Link: i.Link})
	}
	return cells.Open(ctx, b.stage.Dir, in, cells.Limits{MemoryMB: b.o.MemoryMB, Threads: b.o.Threads, TempDir: b.o.protected("spill")})
}

// publish stages the records, counts the cells, protects the counts of people, and
// seals. It holds the writer's lock throughout, so that two builds never share the
// staged rows.
func (b *build) publish(ctx context.Context, list []sources.Source) (id snapshots.ID, err error) {
	store, err := snapshots.Open(b.o.Data)
	if err != nil {
		return "", err
	}
	w, err := b.begin(store)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Abort())
		}
	}()
	if b.o.Sign != nil {
		w.Sign = func(sums []byte) ([]byte, error) { return b.o.Sign(w.ID(), sums) }
	}
	t := &tables{build: b, writer: w}
	make := b.fill
	if b.o.Only != "" {
		make = b.fillLight
	}
	if err := make(ctx, list, t); err != nil {
		return "", err
	}
	if b.from != nil {
		return w.ID(), errors.Join(b.from.compare(w), w.Abort())
	}
	m := b.manifest(t)
	if b.base != nil {
		if m, err = b.lightManifest(store, m); err != nil {
			return "", err
		}
	}
	if err := t.changes(ctx, store, m); err != nil {
		return "", err
	}
	b.o.step("seal " + string(w.ID()))
	report, err := b.report.Encode()
	if err != nil {
		return "", err
	}
	w.Sources = t.listed
	return w.Seal(ctx, m, report)
}

func (b *build) begin(store *snapshots.Store) (*snapshots.Writer, error) {
	if b.from != nil {
		return store.BeginAs(b.from.manifest.ID)
	}
	return store.Begin(day(b.o.AsOf))
}

// fill stages the records and writes the tables from them. Coded rows and true
// counts are needed no longer then, and what is not kept cannot leak.
func (b *build) fill(ctx context.Context, list []sources.Source, t *tables) error {
	if err := b.readAndCount(ctx, list); err != nil {
		return err
	}
	if err := t.writeAll(ctx); err != nil {
		return err
	}
	return b.clear()
}

// clear removes the staged rows and the true counts.
func (b *build) clear() error {
	if err := errors.Join(os.RemoveAll(b.o.protected("staging")), os.RemoveAll(b.o.protected("truth"))); err != nil {
		return fmt.Errorf("clear staging: %w", err)
	}
	return nil
}

// manifest says what the snapshot holds and where that came from. Sealing chains it
// to the current snapshot.
func (b *build) manifest(t *tables) snapshots.Manifest {
	m := snapshots.Manifest{FormatVersion: snapshots.FormatVersion, ID: t.writer.ID(), AsOf: snapshots.DateOf(day(b.o.AsOf)),
		PlatformName: b.o.Config.Platform.Name, ToolVersion: b.o.ToolVersion, CreatedAt: b.o.Now(), Tables: t.files}
	if b.hasPeople() {
		asOf := snapshots.DateOf(day(PeopleAsOf(b.o.AsOf)))
		m.PeopleAsOf = &asOf
	}
	for _, in := range b.inputs {
		m.Inputs = append(m.Inputs, inputOf(in))
	}
	m.Held, m.Exceptions = t.held, b.report.Exceptions
	return m
}

// inputOf is an extract as the manifest names it. The sizes of the platform's files
// stay out: from one day to the next they tell how many people applied.
func inputOf(x sources.Extract) snapshots.Input {
	input := snapshots.Input{Source: x.Source, At: x.At.UTC().Truncate(time.Second)}
	for _, o := range x.Objects {
		object := snapshots.Object{Name: o.Name, SHA256: o.SHA256, Bytes: o.Bytes}
		if x.Source == platform.Key {
			object.Bytes = 0
		}
		input.Objects = append(input.Objects, object)
	}
	return input
}

// hasPeople says whether the platform's feed delivered anything about people.
func (b *build) hasPeople() bool { return len(b.boroughs) > 0 && !b.o.WithoutPeople }

package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"labour/pipeline/cells"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// OnlyPlatform asks for a light snapshot: only the platform's feed is fetched, what
// rests on it alone is made anew (events, the platform's jobs, pathways, s106 and
// the freshness of the feed), and every other table is taken over from the current
// snapshot, byte by byte. It is cheap enough to be made every minute.
//
// A light snapshot describes the date of the current one, since the tables it takes
// over do; what happened since the end of that date waits for a whole run. Counts of
// people stay as printed ("carried unchanged into the daily/weekly snapshots in
// between"). Jobs of other sources stay as they are: a vacancy that the platform has
// begun to show since, and another source showed before, is shown once again at the
// next whole run.
const OnlyPlatform = platform.Key

// ErrWholeRun is returned where a light snapshot cannot be made, since something
// changed that other tables rest on.
var ErrWholeRun = errors.New("a whole run is due")

// base is the current snapshot, from which a light one takes most tables.
type base struct {
	snapshots.Manifest
	dir string
}

// lighten takes the date from the current snapshot.
func (o *Options) lighten() error {
	if o.Only != OnlyPlatform {
		return fmt.Errorf("only %q can be read alone, not %q", OnlyPlatform, o.Only)
	}
	now, err := o.current()
	if err != nil {
		return err
	}
	o.AsOf = sources.DateOf(now.AsOf.Time)
	return nil
}

func (o *Options) current() (*base, error) {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return nil, err
	}
	id, err := store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return nil, fmt.Errorf("there is no snapshot yet: %w", ErrWholeRun)
	}
	if err != nil {
		return nil, err
	}
	m, err := store.Manifest(id)
	return &base{m, store.Dir(id)}, err
}

// made are the tables that a light snapshot makes anew.
func made() []string {
	return []string{"events", "jobs", "pathways", "pathway_standards", "pathway_steps", "s106", "sources"}
}

// fillLight is fill for a light snapshot.
func (b *build) fillLight(ctx context.Context, list []sources.Source, t *tables) (err error) {
	if b.base, err = b.o.current(); err != nil {
		return err
	}
	if err := b.sameRules(); err != nil {
		return err
	}
	if err := b.readPlatform(ctx, list); err != nil {
		return err
	}
	before, err := ReadReport(b.base.dir)
	if err != nil {
		return err
	}
	b.report.takeOver(before)
	if t.listed, err = b.lightSources(); err != nil {
		return err
	}
	if t.engine, err = b.engine(ctx); err != nil {
		return err
	}
	err = t.writeLight(ctx)
	if err := errors.Join(err, t.engine.Close()); err != nil {
		return err
	}
	return b.clear()
}

// readPlatform stages what the light tables are made of. What adverts are
// coded against is read from the archive.
func (b *build) readPlatform(ctx context.Context, list []sources.Source) error {
	var few []sources.Source
	for _, s := range list {
		switch info := s.Info(); {
		case info.Reference:
			few = append(few, s)
		case info.Kind == sources.KindPlatform:
			p := b.o.Config.Platform
			few = append(few, platform.New(platform.Config{Feed: p.Feed, PlatformName: p.Name, Link: p.Link,
				Kinds: []platform.Kind{platform.Boroughs, platform.Adverts, platform.Events, platform.Pathways, platform.S106}}))
		}
	}
	if err := b.readAndCount(ctx, few); err != nil {
		return err
	}
	before, err := parquetio.ReadAll[snapshots.PlacesRow](b.base.table("places"))
	if err != nil {
		return err
	}
	if !slices.Equal(b.places(), before) {
		return fmt.Errorf("the boroughs or served areas are not those of snapshot %s: %w", b.base.ID, ErrWholeRun)
	}
	return nil
}

// sameRules says whether the tables of the base are what this program would make
// with this configuration: of its format, and under the same corrections.
func (b *build) sameRules() error {
	for _, t := range snapshots.Tables() {
		if _, ok := b.base.Table(t.Name); !ok || b.base.FormatVersion != snapshots.FormatVersion {
			return fmt.Errorf("snapshot %s is of an older format: %w", b.base.ID, ErrWholeRun)
		}
	}
	before, err := parquetio.ReadAll[snapshots.CorrectionsRow](b.base.table("corrections"))
	if err != nil {
		return err
	}
	same := slices.EqualFunc(b.correctionRows(), before, func(x, y snapshots.CorrectionsRow) bool {
		x.Outcome = y.Outcome // it is known only after every source was read
		same := x.DecidedOn.Equal(y.DecidedOn)
		x.DecidedOn = y.DecidedOn
		return same && reflect.DeepEqual(x, y)
	})
	if !same {
		return fmt.Errorf("the corrections are not those of snapshot %s: %w", b.base.ID, ErrWholeRun)
	}
	return nil
}

func (b *base) table(name string) string {
	return snapshots.Within(b.dir, snapshots.TableFileName(name))
}

// lightSources are the sources as the base lists them, the platform with its new
// freshness. Its rows are those of the last whole run.
func (b *build) lightSources() ([]snapshots.SourcesRow, error) {
	rows, err := parquetio.ReadAll[snapshots.SourcesRow](b.base.table("sources"))
	for i := range rows {
		if rows[i].Key == platform.Key {
			rows[i].LastSuccessAt = b.lastSuccess(platform.Key)
		}
	}
	return rows, err
}

func (t *tables) writeLight(ctx context.Context) error {
	t.o.step("write the platform's records")
	jobs, err := t.lightJobs(ctx)
	if err != nil {
		return err
	}
	err = errors.Join(write(t, "jobs", jobs), t.events(ctx), t.writePathways(), t.lightS106(ctx), write(t, "sources", t.listed))
	if err != nil {
		return err
	}
	for _, f := range t.base.Tables {
		if slices.Contains(made(), f.Name) {
			continue
		}
		if err := t.writer.Reuse(t.base.ID, snapshots.TableFileName(f.Name)); err != nil {
			return err
		}
		t.note(f.Name, f.Rows)
	}
	for _, h := range t.base.Held {
		if h.Rows != nil {
			t.report.Held[h.Name] = *h.Rows
		}
	}
	for _, f := range t.base.Files {
		if path.Dir(f.Path) == snapshots.HeldName {
			if err := t.writer.Reuse(t.base.ID, f.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// lightJobs are the platform's jobs of now and those of other sources as they were.
func (t *tables) lightJobs(ctx context.Context) ([]snapshots.JobsRow, error) {
	file, err := t.ask(ctx, cells.Jobs)
	if err != nil {
		return nil, err
	}
	rows, err := parquetio.ReadAll[snapshots.JobsRow](file)
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	err = parquetio.Read(t.base.table("jobs"), func(r snapshots.JobsRow) error {
		if !strings.HasPrefix(r.ID, platform.Key+":") {
			rows = append(rows, r)
		}
		return nil
	})
	slices.SortFunc(rows, func(x, y snapshots.JobsRow) int {
		return cmp.Or(x.PostedAt.Compare(y.PostedAt), strings.Compare(x.ID, y.ID))
	})
	return rows, err
}

// lightS106 counts the sites anew; people stay as printed.
func (t *tables) lightS106(ctx context.Context) error {
	var before printedBefore
	if err := before.readEmployed(t.base.table("s106")); err != nil {
		return err
	}
	if before.employed == nil { // the snapshot has no people
		return write(t, "s106", []snapshots.S106Row(nil))
	}
	return t.s106(ctx, before)
}

// lightManifest is the base's manifest with what is new. Of the platform it names
// the extract that the base's tables rest on, and the one that the new ones do.
func (b *build) lightManifest(store *snapshots.Store, m snapshots.Manifest) (snapshots.Manifest, error) {
	if now, err := store.Current(); err != nil || now != b.base.ID {
		return m, errors.Join(fmt.Errorf("another snapshot than %s was promoted meanwhile; run again", b.base.ID), err)
	}
	m.PeopleAsOf, m.PlatformName = b.base.PeopleAsOf, b.base.PlatformName
	var err error
	if m.Held, err = b.lightHeld(b.base.Held); err != nil {
		return m, err
	}
	var inputs []snapshots.Input
	var first *snapshots.Input // of the platform
	for _, in := range b.base.Inputs {
		switch {
		case in.Source != platform.Key:
			inputs = append(inputs, in)
		case first == nil || in.At.Before(first.At):
			first = &in
		}
	}
	if first != nil {
		inputs = append(inputs, *first)
	}
	for _, in := range m.Inputs {
		if in.Source == platform.Key && (first == nil || !sameFetch(in, *first)) {
			inputs = append(inputs, in)
		}
	}
	m.Inputs = inputs
	return m, nil
}

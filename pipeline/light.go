package pipeline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"labour/pipeline/cells"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// OnlyPlatform asks for a light snapshot: only the platform's feed is fetched, what
// rests on it alone is made anew (events, the platform's jobs, pathways, s106 and
// the freshness of all sources), and every other table is taken over from the current
// snapshot, byte by byte. It is cheap enough to be made every minute.
//
// A light snapshot describes the date of the current one, since the tables it takes over do. Its
// events and jobs are of the day on which it fetches, so that they flow while no whole run is
// promoted, because a check refuses it for example. Figures of people stay as printed. Jobs of other
// sources stay as
// they are: a vacancy that the platform has begun to show since, and another source showed before,
// is shown once again at the next whole run.
const OnlyPlatform = platform.Key

// ErrWholeRun is returned where a light snapshot cannot be made, since something
// changed that other tables rest on.
var ErrWholeRun = errors.New("a whole run is due")

// base is the current snapshot, from which a light one takes most tables.
type base struct {
	snapshots.Manifest
	dir string
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
	return []string{"events", "freshness", "jobs", "pathways", "pathway_standards", "pathway_steps", "s106"}
}

// openPrevious finds the current snapshot, from which a light one takes what it does not
// make, and leaves the sources that its own tables rest on: what adverts are coded against
// is read from the archive.
func (b *build) openPrevious(context.Context) (err error) {
	if b.base, err = b.o.current(); err != nil {
		return err
	}
	if err := b.sameRules(); err != nil {
		return err
	}
	var few []sources.Source
	for _, s := range b.sources {
		switch info := s.Info(); {
		case info.Reference:
			few = append(few, s)
		case info.Kind == sources.KindPlatform:
			few = append(few, platform.New(b.o.lightFeed()))
		}
	}
	b.sources = few
	return nil
}

// samePlaces returns ErrWholeRun where the places are not those of the current snapshot.
func (b *build) samePlaces(context.Context) error {
	before, err := parquetio.ReadAll[snapshots.PlacesRow](b.base.table("places"))
	if err != nil {
		return err
	}
	members, err := parquetio.ReadAll[snapshots.PlaceMembersRow](b.base.table("place_members"))
	if err != nil {
		return err
	}
	if !slices.Equal(b.places(), before) || !slices.Equal(b.placeMembers(), members) {
		return fmt.Errorf("the boroughs or served areas are not those of snapshot %s: %w", b.base.ID, ErrWholeRun)
	}
	return nil
}

// takeOverSources takes over what the current snapshot says of the sources that a light one
// does not read.
func (t *tables) takeOverSources(context.Context) error {
	before, err := ReadReport(t.build.base.dir)
	if err != nil {
		return err
	}
	t.build.report.takeOver(before)
	t.listed, err = parquetio.ReadAll[snapshots.SourcesRow](t.build.base.table("sources"))
	return err
}

// lightFeed is the feed without what a light snapshot does not rest on.
func (o *Options) lightFeed() platform.Config {
	p := o.Config.Platform
	p.Kinds = []platform.Kind{platform.Boroughs, platform.Adverts, platform.Events, platform.Pathways, platform.S106}
	return p
}

// sameRules says whether the tables of the base are what this program would make
// with this configuration: with all of its tables, and under the same corrections.
func (b *build) sameRules() error {
	for _, t := range snapshots.Tables() {
		if _, ok := b.base.Table(t.Name); !ok {
			return fmt.Errorf("snapshot %s has no table %s: %w", b.base.ID, t.Name, ErrWholeRun)
		}
	}
	if !slices.Equal(b.withdrawn, b.base.PeopleWithdrawn) {
		return fmt.Errorf("other figures of people are withdrawn than in snapshot %s: %w", b.base.ID, ErrWholeRun)
	}
	before, err := parquetio.ReadAll[snapshots.CorrectionsRow](b.base.table("corrections"))
	if err != nil {
		return err
	}
	same := slices.EqualFunc(b.correctionRows(), before, func(x, y snapshots.CorrectionsRow) bool {
		x.Outcome = y.Outcome // it is known only after every source was read
		return reflect.DeepEqual(x, y)
	})
	if !same {
		return fmt.Errorf("the corrections are not those of snapshot %s: %w", b.base.ID, ErrWholeRun)
	}
	return nil
}

func (b *base) table(name string) string {
	return snapshots.TablePath(b.dir, name)
}

// light writes the tables that a light snapshot makes, and takes the others over.
func (t *tables) light(ctx context.Context) error {
	t.build.o.step("write the platform's records")
	jobs, err := t.lightJobs(ctx)
	if err != nil {
		return err
	}
	err = errors.Join(write(t, "jobs", jobs), t.events(ctx), t.writePathways(), t.s106(), t.freshness(ctx))
	if err != nil {
		return err
	}
	for _, f := range t.build.base.Tables {
		if slices.Contains(made(), f.Name) {
			continue
		}
		if err := t.writer.Reuse(t.build.base.ID, snapshots.TableFileName(f.Name)); err != nil {
			return err
		}
		t.addTable(f.Name, f.Rows)
	}
	for _, h := range t.build.base.Embargoed {
		if h.Rows == nil {
			continue
		}
		t.build.report.Embargoed[h.Name] = *h.Rows
		if err := t.writer.Reuse(t.build.base.ID, snapshots.EmbargoedFileName(h.Name)); err != nil {
			return err
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
	err = parquetio.Read(t.build.base.table("jobs"), func(r snapshots.JobsRow) error {
		if !strings.HasPrefix(r.ID, platform.Key+":") {
			rows = append(rows, r)
		}
		return nil
	})
	return rows, err
}

// lightManifest is the base's manifest with what is new. Of the platform it names
// the extract that the base's tables rest on, and the one that the new ones do.
func (b *build) lightManifest(store *snapshots.Store, m snapshots.Manifest) (snapshots.Manifest, error) {
	if now, err := store.Current(); err != nil || now != b.base.ID {
		return m, errors.Join(fmt.Errorf("another snapshot than %s was promoted meanwhile; run again", b.base.ID), err)
	}
	m.PeopleAsOf, m.People, m.PlatformName, m.Margin = b.base.PeopleAsOf, b.base.People, b.base.PlatformName, b.base.Margin
	var err error
	if m.Embargoed, err = b.lightEmbargoed(b.base.Embargoed); err != nil {
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
		if *first, err = b.namedAgain(*first, m.ID); err != nil {
			return m, err
		}
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

// namedAgain returns a fetch of the platform, which the base's manifest names, as the manifest of id
// names it. One that the archive does not hold cannot be named.
func (b *build) namedAgain(in snapshots.Input, id snapshots.ID) (snapshots.Input, error) {
	if !slices.ContainsFunc(in.Objects, func(o snapshots.Object) bool { return o.HMACSHA256 != "" }) {
		return in, nil
	}
	for x, err := range b.archive.NewestFirst(in.Source) {
		if err != nil {
			return in, err
		}
		if sameFetch(in, inputOf(x, b.key, b.base.ID)) {
			return inputOf(x, b.key, id), nil
		}
	}
	return in, fmt.Errorf("the fetch of %s at %s, which snapshot %s rests on, is not in the archive, or is named under another key: %w",
		in.Source, in.At.Format(time.RFC3339), b.base.ID, ErrWholeRun)
}

package pipeline

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"labour/pipeline/places"
	"labour/pipeline/report"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources/platform"
)

// OnlyPlatform asks for a light snapshot: only the platform's feed is fetched. The tables that rest
// on it only are made again (events, the platform's jobs, pathways, s106 and the freshness of all
// sources), and every other table is taken over from the current snapshot, byte by byte. It is
// cheap enough to be made every minute.
//
// A light snapshot describes the date of the current one, since the tables it takes over do. Its
// events and jobs are of the day on which it fetches, so that they flow while no whole run is
// promoted, because a check refuses it for example. Figures of people stay as printed. Jobs of
// other sources stay as they are. A vacancy that another source showed before and the platform has
// begun to show since is listed twice. The next whole run lists it once.
const OnlyPlatform = platform.Key

// ErrWholeRun is returned where a light snapshot cannot be made, since something
// changed that other tables rest on.
var ErrWholeRun = errors.New("a whole run is due")

// previous is a snapshot from which outputs that are not due are carried forward.
type previous struct {
	snapshots.Manifest
	dir string
}

// current returns the current snapshot; ErrWholeRun where there is none.
func (o *Options) current() (*previous, error) {
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
	return &previous{m, store.Dir(id)}, err
}

// sound returns an error if a file of the snapshot differs from its sealed form. A damaged file
// that is carried forward would get a valid checksum in the next snapshot, and the damage would
// never be found.
func (p *previous) sound(file string) error {
	sealed, ok := p.Sum(file)
	if !ok {
		return fmt.Errorf("the manifest of snapshot %s states no sum of %s", p.ID, file)
	}
	found, err := snapshots.HashFile(snapshots.Within(p.dir, file))
	if err != nil {
		return err
	}
	if found.SHA256 != sealed.SHA256 {
		return fmt.Errorf("%s of snapshot %s is damaged: it is not the file that was sealed; "+
			"put snapshot %[2]s back from a backup, and see labour snapshot verify %[2]s", file, p.ID)
	}
	return nil
}

// otherPlaces returns how the places differ from those of the previous snapshot; empty if they do
// not.
func (t *tables) otherPlaces() (reason string, err error) {
	before, err := t.previous.places()
	if err != nil {
		return "", err
	}
	if !t.build.served().Equal(before) {
		return fmt.Sprintf("the boroughs or served areas are not those of snapshot %s", t.previous.ID), nil
	}
	return "", nil
}

// places returns the places of the snapshot, with the councils of its areas.
func (p *previous) places() (served places.Served, err error) {
	if served.Rows, err = parquetio.ReadAll[snapshots.PlacesRow](p.table("places")); err == nil {
		served.Members, err = parquetio.ReadAll[snapshots.PlaceMembersRow](p.table("place_members"))
	}
	if err != nil {
		return served, fmt.Errorf("read the places of snapshot %s: %w", p.ID, err)
	}
	return served, nil
}

// carrySources carries forward the previous snapshot's entries on the sources that are not read.
func (t *tables) carrySources() error {
	before, err := report.Read(t.previous.dir)
	if err != nil {
		return err
	}
	t.build.report.TakeOver(before)
	return nil
}

// sameRules returns an error if the previous snapshot's tables are not those that this program
// would make with this configuration: the same tables, for the same places, and under the same
// corrections.
func (t *tables) sameRules() error {
	for _, differs := range []func() (reason string, err error){t.otherTables, t.otherCorrections, t.otherPlaces} {
		reason, err := differs()
		if err != nil {
			return err
		}
		if reason != "" {
			return t.build.basis.unlike(reason)
		}
	}
	return nil
}

// otherTables returns how the list of tables differs from that of the previous snapshot; empty if
// it does not.
func (t *tables) otherTables() (reason string, err error) {
	for _, table := range snapshots.Tables() {
		if _, ok := t.previous.Table(table.Name); !ok {
			return fmt.Sprintf("snapshot %s has no table %s", t.previous.ID, table.Name), nil
		}
	}
	if !slices.Equal(t.build.withdrawn, t.previous.PeopleWithdrawn) {
		return fmt.Sprintf("other figures of people are withdrawn than in snapshot %s", t.previous.ID), nil
	}
	return "", nil
}

// otherCorrections returns how the corrections differ from those of the previous snapshot; empty if
// they do not.
func (t *tables) otherCorrections() (reason string, err error) {
	before, err := parquetio.ReadAll[snapshots.CorrectionsRow](t.previous.table("corrections"))
	if err != nil {
		return "", err
	}
	same := slices.EqualFunc(t.build.correctionRows(), before, func(x, y snapshots.CorrectionsRow) bool {
		x.Outcome = y.Outcome // it is known only after every source was read
		return reflect.DeepEqual(x, y)
	})
	if !same {
		return fmt.Sprintf("the corrections are not those of snapshot %s", t.previous.ID), nil
	}
	return "", nil
}

func (p *previous) table(name string) string {
	return snapshots.TablePath(p.dir, name)
}

// lightManifest returns the previous manifest with the updates of a light run. For the platform it
// lists the extract behind the carried tables and the extract behind the new ones.
func (t *tables) lightManifest(store *snapshots.Store, m snapshots.Manifest) (snapshots.Manifest, error) {
	if now, err := store.Current(); err != nil || now != t.previous.ID {
		return m, errors.Join(fmt.Errorf("another snapshot than %s was promoted meanwhile; run again", t.previous.ID),
			err)
	}
	m.PlatformName, m.Margin = t.previous.PlatformName, t.previous.Margin
	var inputs []snapshots.Input
	var first *snapshots.Input // of the platform
	for _, in := range t.previous.Inputs {
		switch {
		case in.Source != platform.Key:
			inputs = append(inputs, in)
		case first == nil || in.At.Before(first.At):
			first = &in
		}
	}
	if first != nil {
		again, err := t.namedAgain(*first, m.ID)
		if err != nil {
			return m, err
		}
		inputs = append(inputs, again)
		first = &again
	}
	for _, in := range m.Inputs {
		if in.Source == platform.Key && (first == nil || !sameFetch(in, *first)) {
			inputs = append(inputs, in)
		}
	}
	m.Inputs = inputs
	return m, nil
}

// namedAgain converts a fetch of the platform from the form of the previous manifest to the form of
// the manifest of id. A fetch that is not in the archive cannot be converted.
func (t *tables) namedAgain(in snapshots.Input, id snapshots.ID) (snapshots.Input, error) {
	if !slices.ContainsFunc(in.Objects, func(o snapshots.Object) bool { return o.HMACSHA256 != "" }) {
		return in, nil
	}
	for x, err := range t.build.archive.NewestFirst(in.Source) {
		if err != nil {
			return in, err
		}
		if sameFetch(in, inputOf(x, t.build.key, t.previous.ID)) {
			return inputOf(x, t.build.key, id), nil
		}
	}
	return in, fmt.Errorf(
		"the fetch of %s at %s, which snapshot %s rests on, is not in the archive, or is named under another key: %w",
		in.Source, in.At.Format(time.RFC3339), t.previous.ID, ErrWholeRun)
}

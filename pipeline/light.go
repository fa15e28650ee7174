package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/pipeline/lists"
	"labour/pipeline/previous"
	"labour/pipeline/report"
	"labour/snapshots"
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

// current returns the current snapshot; ErrWholeRun where there is none.
func (o *Options) current() (*previous.Snapshot, error) {
	now, err := previous.Current(o.Data)
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return nil, fmt.Errorf("there is no snapshot yet: %w", ErrWholeRun)
	}
	return now, err
}

// carrySources carries forward the previous snapshot's entries on the sources that are not read.
func (t *tables) carrySources() error {
	before, err := report.Read(t.previous.Dir)
	if err != nil {
		return err
	}
	t.build.report.TakeOver(before)
	return nil
}

// sameRules returns an error where the tables of the snapshot before are not what this program would
// make with this configuration.
func (t *tables) sameRules() error {
	b := t.build
	reason, err := t.previous.MadeUnderOther(previous.Rules{Served: b.served(),
		Corrections: lists.Corrections(b.corrections, b.infos), Withdrawn: b.withdrawn})
	if err == nil && reason != "" {
		err = b.basis.unlike(reason)
	}
	return err
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

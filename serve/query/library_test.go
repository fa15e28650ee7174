package query

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/snaptest"
	"labour/snapshots/store"
)

// lighter publishes a snapshot of the same date with other jobs, which takes every other
// table over from the one before.
func (w *world) lighter(from snapshots.ID, jobs int) snapshots.ID {
	w.t.Helper()
	return w.with(from, "jobs", func(c *snaptest.Content) { c.Jobs = c.Jobs[:jobs] })
}

// with publishes a snapshot of the same date in which one table is changed, and which takes
// every other one over from the one before.
func (w *world) with(from snapshots.ID, table string, change func(*snaptest.Content)) snapshots.ID {
	w.t.Helper()
	c := snaptest.DefaultContent(w.t, "2026-11-20")
	change(&c)
	previous := filepath.Join(snapshots.SnapshotsDir(w.data), string(from))
	c.BeforeSeal = func(out *store.Writer) error {
		var errs []error
		for _, t := range snapshots.Tables() {
			if t.Name != table {
				file := snapshots.TablePath(previous, t.Name)
				errs = append(errs, os.Remove(out.TablePath(t.Name)), out.CopyFile(file, snapshots.TableFileName(t.Name)))
			}
		}
		return errors.Join(errs...)
	}
	return snaptest.BuildSnapshot(w.t, w.data, "2026-11-20", c)
}

// TestSharedTablesAreLoadedOnce: what a light snapshot takes over is not in memory twice,
// and stays while any snapshot needs it.
func TestSharedTablesAreLoadedOnce(t *testing.T) {
	w := newWorld(t)
	first := w.promote("2026-11-20")
	w.reload(w.live)
	second := w.lighter(first, 3)
	w.reload(w.live)
	older, release, err := w.live.AcquireByID(context.Background(), string(first), false)
	if err != nil {
		t.Fatal(err)
	}
	newer, releaseNewer, err := w.live.Acquire()
	if err != nil || newer.ID() != string(second) {
		t.Fatalf("%v answers, %v", newer, err)
	}
	a, b := older.(*Snapshot), newer.(*Snapshot)
	for name, shared := range map[string]bool{figures: true, published: true, platform: false} {
		if (a.parts[name] == b.parts[name]) != shared {
			t.Errorf("%s: shared is not %v", name, shared)
		}
	}
	ofOld, err1 := older.Jobs(context.Background(), api.JobsQuery{Limit: 100})
	ofNew, err2 := newer.Jobs(context.Background(), api.JobsQuery{Limit: 100})
	if err1 != nil || err2 != nil || len(ofNew.Rows) != 3 || len(ofOld.Rows) <= 3 {
		t.Errorf("%d and %d jobs, %v, %v", len(ofOld.Rows), len(ofNew.Rows), err1, err2)
	}
	release()
	w.clock = w.clock.Add(keepFor)
	releaseNewer() // the older one closes
	if page, err := newer.SkillsUnmet(context.Background(), api.SkillsUnmetQuery{Window: 24, Limit: 1}); err != nil ||
		len(page.Rows) != 1 {
		t.Errorf("once the older one is closed: %d rows, %v", len(page.Rows), err)
	}
	if err := w.live.Close(); err != nil {
		t.Error(err)
	}
	if n := len(w.live.options.library.parts); n != 0 {
		t.Errorf("%d parts are open once every snapshot is closed", n)
	}
}

// TestPartsWithoutEventsOfPartners: the hash of the list of partners' events, which differs in each
// snapshot, tells two parts apart only if there are such events.
func TestPartsWithoutEventsOfPartners(t *testing.T) {
	one, other := snapshots.Manifest{PartnersSHA256: "1"}, snapshots.Manifest{PartnersSHA256: "2"}
	for _, c := range []struct {
		events []string
		shared bool
	}{{nil, true}, {[]string{"events.parquet"}, true}, {[]string{"events.parquet", "a.parquet"}, false}} {
		p := partSpec{name: platform, events: c.events}
		if shared := p.key(one) == p.key(other); shared != c.shared {
			t.Errorf("with the files %v the part is shared: %v, want %v", c.events, shared, c.shared)
		}
	}
}

// TestPartsOfTwoDaysAreNotShared, even if the tables are equal: the months of the figures are counted from the day.
func TestPartsOfTwoDaysAreNotShared(t *testing.T) {
	one := snapshots.Manifest{AsOf: snapshots.DateOf(time.Date(2026, 10, 31, 0, 0, 0, 0, time.UTC))}
	next := snapshots.Manifest{AsOf: snapshots.DateOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))}
	for _, name := range []string{figures, published, platform} {
		if p := partOf(name, one); p.key(one) == p.key(next) {
			t.Errorf("the part %s is shared by two days", name)
		}
	}
}

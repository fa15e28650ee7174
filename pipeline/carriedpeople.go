package pipeline

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"

	"labour/pipeline/places"
	"labour/pipeline/report"
	tablefiles "labour/pipeline/tables"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// printedQuarter returns the snapshot from which the figures of people of the build's quarter are
// carried forward, withdrawn or not; nil if no snapshot has them. It prefers the newest published
// snapshot with the same places and withdrawals, whose files can be copied unchanged. Without one,
// it returns the snapshot with the most rows of people, so that a place that was missing for a day
// gets its figures back.
func (b *build) printedQuarter() (most *previous, err error) {
	for one, err := range b.o.published() {
		if err != nil {
			return nil, err
		}
		if one.People == nil || !one.People.To.Equal(day(b.quarter.To)) {
			continue
		}
		if same, err := b.showsTheSame(one); same || err != nil {
			return one, err
		}
		if most == nil || peopleRows(most.Manifest) < peopleRows(one.Manifest) {
			most = one
		}
	}
	return most, nil
}

// showsTheSame reports whether a snapshot of the quarter publishes the same figures of people as
// this build: its places are made of the same councils, and the same figures are withdrawn.
func (b *build) showsTheSame(one *previous) (bool, error) {
	before, err := one.places()
	if err != nil {
		return false, err
	}
	return places.SameCouncils(before, b.served()) && slices.Equal(one.PeopleWithdrawn, b.withdrawn), nil
}

// peopleRows returns how many rows a snapshot has in its tables of people.
func peopleRows(m snapshots.Manifest) (rows int64) {
	for _, table := range m.Tables {
		if snapshots.IsPeopleTable(table.Name) {
			rows += table.Rows
		}
	}
	return rows
}

// published returns the published snapshots that still exist, the newest first.
func (o *Options) published() iter.Seq2[*previous, error] {
	return func(yield func(*previous, error) bool) {
		store, err := snapshots.Open(o.Data)
		if err != nil {
			yield(nil, err)
			return
		}
		ids, err := o.publishedSnapshots(store)
		if err != nil {
			yield(nil, err)
			return
		}
		for _, id := range slices.Backward(ids) {
			m, err := store.Manifest(id)
			if errors.Is(err, os.ErrNotExist) {
				continue
			}
			if err != nil {
				err = fmt.Errorf("read which figures of people are printed: %w", err)
			}
			if !yield(&previous{m, store.Dir(id)}, err) {
				return
			}
		}
	}
}

// publishedSnapshots lists the snapshots that were published and still exist, the oldest first. If
// the index cannot be read, it lists the current snapshot only: the next promotion writes the index
// again, so this must not stop the build.
func (o *Options) publishedSnapshots(store *snapshots.Store) (ids []snapshots.ID, err error) {
	index, err := store.Index()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		o.Log.Warn("the index cannot be read: of the current snapshot only it is known that it was published", "error",
			err)
	}
	for _, e := range index.Snapshots {
		if e.Published() && !e.Removed {
			ids = append(ids, e.ID)
		}
	}
	current, err := store.Current()
	if err == nil {
		ids = append(ids, current)
	} else if !errors.Is(err, snapshots.ErrNoCurrent) {
		return nil, err
	}
	return ids, nil
}

// carryPeople carries forward the entries of the report and the manifest on figures of people, and
// finds the figures that can no longer be shown: those of places that are now made of other
// councils.
func (t *tables) carryPeople() (err error) {
	b := t.build
	b.o.step("take over people of " + t.previous.ID.String())
	t.quarter, b.report.Quarter = t.previous.People, t.previous.People
	before, err := report.Read(t.previous.dir)
	if err != nil {
		return fmt.Errorf("take over the totals of people: %w", err)
	}
	maps.Copy(b.report.People, before.People)
	maps.Copy(b.report.Withheld, before.Withheld)
	if t.other, err = b.differing(t.previous); err != nil || t.quarter == nil || !b.basis.lasting() {
		return err
	}
	return b.remarkNotShown(t.previous)
}

// remarkNotShown adds a remark that names the places whose figures of people are no longer shown.
// It compares with the snapshot that made the figures, if that still exists: a place with a wrong
// code loses its figures until the code is right.
func (b *build) remarkNotShown(from *previous) error {
	store, err := snapshots.Open(b.o.Data)
	if err != nil {
		return err
	}
	if maker, err := store.Manifest(from.People.MadeBy); err == nil {
		from = &previous{maker, store.Dir(maker.ID)}
	}
	lost, err := b.differing(from)
	if err == nil && len(lost) > 0 {
		b.report.Remarks = append(b.report.Remarks, "figures of people are not shown of "+
			strings.Join(slices.Sorted(maps.Keys(lost)), ", ")+": not served any more, or made of other councils than when "+
			"the figures of the quarter were made; if that is a mistake in the feed's boroughs or the served areas, mend it, "+
			"and the next whole run shows them again")
	}
	return err
}

// withoutHidden writes a table of people without the rows that may no longer be shown, and reports
// whether it did. Those are the rows of a place that is now made of other councils, which "has null
// until then", and withdrawn rows. If there are none, it writes nothing.
func (t *tables) withoutHidden(name string) (written bool, err error) {
	b, all := t.build, t.build.hidden("")
	if len(t.other) == 0 && len(b.withdrawn) == 0 {
		return false, nil
	}
	switch name {
	case "people":
		return writeShown(t, name, func(r *snapshots.PeopleRow) bool { return t.other[r.Place] || b.hides(r) })
	case "residents":
		return writeShown(t, name,
			func(r *snapshots.ResidentsRow) bool { return t.other[r.Place] || b.hidden(r.Skill) })
	case "candidates":
		return writeShown(t, name, func(r *snapshots.CandidatesRow) bool { return all || t.other[candidatesPlace(r)] })
	case "s106_people":
		return writeShown(t, name, func(r *snapshots.S106PeopleRow) bool { return all || t.other[r.Place] })
	}
	return false, nil
}

// writeShown writes a table of the previous snapshot without its hidden rows, and reports whether
// there were any.
func writeShown[Row any](t *tables, name string, hidden func(*Row) bool) (written bool, err error) {
	rows, err := parquetio.ReadAll[Row](t.previous.table(name))
	if err != nil {
		return false, err
	}
	shown := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return hidden(&r) })
	if len(shown) == len(rows) {
		return false, nil
	}
	return true, tablefiles.Write(t.out, name, shown)
}

// candidatesPlace returns the borough of a row of the table candidates; "" if it has none.
func candidatesPlace(r *snapshots.CandidatesRow) string {
	if r.Dimension == snapshots.CandidatesBorough {
		return r.Value
	}
	return ""
}

// differing returns the places of the snapshot that are no longer served, or are now made of other
// councils.
func (b *build) differing(from *previous) (map[string]bool, error) {
	before, err := from.places()
	if err != nil {
		return nil, err
	}
	return places.Changed(before, b.served()), nil
}

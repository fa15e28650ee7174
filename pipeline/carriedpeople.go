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

// printedQuarter returns the snapshot from which the figures of people of the build's quarter are taken
// over, withdrawn or not; nil where none prints them. It is the newest published one of the same places
// and under the same withdrawals, whose files are right as they are. Where there is none, it is the one
// that shows the most, so that a place that was missing for a day has its figures when it is back.
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

// showsTheSame reports whether the figures of people of a snapshot of the quarter are those that are
// shown now: its places are made of the same councils, and the same figures are withdrawn.
func (b *build) showsTheSame(one *previous) (bool, error) {
	before, err := one.places()
	if err != nil {
		return false, err
	}
	return places.SameCouncils(before, b.served()) && slices.Equal(one.PeopleWithdrawn, b.withdrawn), nil
}

// peopleRows returns how many rows of people a snapshot shows.
func peopleRows(m snapshots.Manifest) (rows int64) {
	for _, table := range m.Tables {
		if snapshots.IsPeopleTable(table.Name) {
			rows += table.Rows
		}
	}
	return rows
}

// published returns the published snapshots that are still here, the newest first.
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

// publishedSnapshots lists the snapshots that were published and are still here, the oldest first.
// An index that cannot be read must not keep the next snapshot from being made, which makes the index
// again: then it is known of the current snapshot only.
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

// carryPeople takes over the entries of the report and the manifest on figures of people, and finds
// what is not shown of them any more: places that are made of other councils by now.
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

// remarkNotShown remarks which places have lost the figures of people that the snapshot had which made
// them, as far as it is still here: one with a wrong code loses them until the code is right.
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

// withoutHidden writes a table of people without the rows that are not shown any more, and reports
// whether it did: those of a place that is another by now, which "has null until then", and those that
// are withdrawn. Where there are none, and of every other table, it writes nothing.
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

// writeShown writes a table of the previous snapshot without the rows that are hidden, and reports
// whether there were any.
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

// candidatesPlace returns the borough of a row of the table candidates; empty for none.
func candidatesPlace(r *snapshots.CandidatesRow) string {
	if r.Dimension == snapshots.CandidatesBorough {
		return r.Value
	}
	return ""
}

// differing returns the places of the snapshot that are not served any more, or are made of other
// councils by now.
func (b *build) differing(from *previous) (map[string]bool, error) {
	before, err := from.places()
	if err != nil {
		return nil, err
	}
	return places.Changed(before, b.served()), nil
}

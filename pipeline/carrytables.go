package pipeline

import (
	"errors"
	"fmt"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// printedPeople says what the current snapshot prints of people: nothing, figures
// of another quarter end, or figures of this one, which are in dir. "People
// figures are rebuilt at quarter ends and carried unchanged into the daily/weekly
// snapshots in between", since the difference of two days is a handful of people.
func (t *tables) printedPeople() (published bool, dir string, err error) {
	store, err := snapshots.Open(t.o.Data)
	if err != nil {
		return false, "", err
	}
	id, err := store.Current()
	if errors.Is(err, snapshots.ErrNoCurrent) {
		return false, "", nil
	}
	if err != nil {
		return false, "", err
	}
	m, err := store.Manifest(id)
	if err != nil {
		return false, "", fmt.Errorf("read what was printed before: %w", err)
	}
	if m.PeopleAsOf == nil {
		return false, "", nil
	}
	if m.PeopleAsOf.Equal(day(PeopleAsOf(t.o.AsOf))) {
		dir = store.Dir(id)
	}
	return true, dir, nil
}

// carry writes a table of people as the snapshot in dir has it; each, if any, is
// told of every row.
func carry[T any](t *tables, name, dir string, each func(T)) error {
	table, ok := snapshots.TableNamed(name)
	if !ok {
		return fmt.Errorf("no table %q in the format", name)
	}
	w, err := parquetio.CreateTable[T](t.writer.TablePath(name), table, t.metadata(table), t.asOf())
	if err != nil {
		return fmt.Errorf("carry table %s: %w", name, err)
	}
	err = parquetio.Read(snapshots.Within(dir, snapshots.TableFileName(name)), func(row T) error {
		if each != nil {
			each(row)
		}
		return w.Append(row)
	})
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("carry table %s: %w", name, err)
	}
	t.note(name, w.Rows())
	return nil
}

// carryPeople carries both tables of people.
func (t *tables) carryPeople(dir string) error {
	t.o.step("carry people of " + PeopleAsOf(t.o.AsOf).String())
	if err := t.carryReport(dir); err != nil {
		return err
	}
	return errors.Join(carry(t, "people", dir, func(r snapshots.PeopleRow) {
		t.report.People[reportStatus(r.PeopleTurnedDownStatus)]++
	}), carry[snapshots.ResidentsRow](t, "residents", dir, nil))
}

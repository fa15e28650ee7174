package pipeline

import (
	"errors"
	"fmt"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// publishedPeople returns the directory of the snapshot from which the month's figures of
// people are carried; empty where they are to be built. "After a withdrawal, or a second
// run in the same month, the month's printed figures are carried, not built anew, unless a
// rebuild is asked for with a reason" (P11).
func (t *tables) publishedPeople() (dir string, err error) {
	if t.build.o.RebuildPeople != "" {
		return "", nil
	}
	month := peopleMonth(t.build.o.AsOf)
	published, err := publishedPeople(t.build.o.Data, month)
	return published[month], err
}

// carry writes a table of people as the snapshot in dir has it.
func carry[T any](t *tables, name, dir string) error {
	table, ok := snapshots.TableNamed(name)
	if !ok {
		return fmt.Errorf("no table %q in the format", name)
	}
	w, err := parquetio.CreateTable[T](t.writer.TablePath(name), table, t.metadata(table), t.asOf())
	if err != nil {
		return fmt.Errorf("carry table %s: %w", name, err)
	}
	err = parquetio.Read(snapshots.Within(dir, snapshots.TableFileName(name)), w.Append)
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("carry table %s: %w", name, err)
	}
	t.addTable(name, w.Rows())
	return nil
}

// carryPeople carries both tables of people, with what the report says of them.
func (t *tables) carryPeople(dir string) error {
	t.build.o.step("carry people of " + PeopleAsOf(t.build.o.AsOf).String())
	return errors.Join(t.build.report.carryPeople(dir), carry[snapshots.PeopleRow](t, "people", dir), carry[snapshots.ResidentsRow](t, "residents", dir))
}

package people

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/disclosure"
	"labour/pipeline/places"
	"labour/pipeline/previous"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources"
)

// PrintedBy returns the snapshot from which the figures of people of a quarter are carried forward,
// withdrawn or not; nil if no published snapshot has them: "A quarter's figures are made once, …
// and carried byte by byte until the next". It prefers the newest one with the same places and
// withdrawals, whose files can be copied unchanged. Otherwise it returns the one with the most
// rows, so that a place that was missing for a day gets its figures back.
func PrintedBy(published []*previous.Snapshot, to sources.Date, served places.Served,
	withdrawn []snapshots.PeopleWithdrawal) (most *previous.Snapshot, err error) {
	for _, one := range published {
		if one.People == nil || !one.People.To.Equal(to.Time()) {
			continue
		}
		before, err := one.Places()
		if err != nil {
			return nil, err
		}
		if places.SameCouncils(before, served) && slices.Equal(one.PeopleWithdrawn, withdrawn) {
			return one, nil
		}
		if most == nil || rowsOfPeople(most.Manifest) < rowsOfPeople(one.Manifest) {
			most = one
		}
	}
	return most, nil
}

// rowsOfPeople returns how many rows a snapshot has in its tables of people.
func rowsOfPeople(m snapshots.Manifest) (rows int64) {
	for _, table := range m.Tables {
		if snapshots.IsPeopleTable(table.Name) {
			rows += table.Rows
		}
	}
	return rows
}

// ChangedPlaces returns the places of a snapshot that are no longer served, or now consist of other
// councils.
func ChangedPlaces(from *previous.Snapshot, served places.Served) (map[string]bool, error) {
	before, err := from.Places()
	if err != nil {
		return nil, err
	}
	return places.Changed(before, served), nil
}

// RemarkNotShown returns a remark about the places that have lost figures of people which the
// snapshot that made them had, if that is still in the store. A place with a wrong code loses them
// until the code is right. It returns "" if there are none.
func RemarkNotShown(data string, from *previous.Snapshot, served places.Served) (string, error) {
	folder, err := store.Open(data)
	if err != nil {
		return "", err
	}
	if maker, err := previous.Of(folder, from.People.MadeBy); err == nil {
		from = maker
	}
	lost, err := ChangedPlaces(from, served)
	if err != nil || len(lost) == 0 {
		return "", err
	}
	return fmt.Sprintf("figures of people are not shown of %s: not served any more, or made of other councils than "+
		"when the figures of the quarter were made; if that is a mistake in the feed's boroughs or the served areas, "+
		"mend it, and the next whole run shows them again", strings.Join(slices.Sorted(maps.Keys(lost)), ", ")), nil
}

// WriteShown writes a table of people of an earlier snapshot without its hidden rows, and reports
// whether it did. If no row is hidden, or the table is not one of people, it writes nothing, and
// the file can be copied. The tally counts the withdrawn rows of the table people.
func WriteShown(w *tablewriter.Writer, from *previous.Snapshot, table string,
	hidden Hidden) (written bool, withdrawn disclosure.Tally, err error) {
	if hidden.nothing() {
		return false, withdrawn, nil
	}
	switch table {
	case "people":
		written, err = writeShown(w, from, table, hidden.peopleInto(&withdrawn))
	case "residents":
		written, err = writeShown(w, from, table, hidden.residents)
	case "candidates":
		written, err = writeShown(w, from, table, hidden.candidates)
	case "s106_people":
		written, err = writeShown(w, from, table, hidden.s106)
	}
	return written, withdrawn, err
}

func writeShown[Row any](w *tablewriter.Writer, from *previous.Snapshot, table string,
	hidden func(*Row) bool) (written bool, err error) {
	rows, err := parquetio.ReadAll[Row](from.TablePath(table))
	if err != nil {
		return false, err
	}
	shown := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return hidden(&r) })
	if len(shown) == len(rows) {
		return false, nil
	}
	return true, tablewriter.Write(w, table, shown)
}

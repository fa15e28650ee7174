package people

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/pipeline/calendar"
	"labour/pipeline/disclosure"
	"labour/pipeline/previous"
	"labour/pipeline/servedplaces"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
)

// Counts states which counts of people a snapshot has, and whether they are copied. This is known
// before the sources are read.
type Counts struct {
	// twelve months that the counts describe; zero = there are none yet
	Period calendar.Period
	// snapshots with published counts of any quarter; not set in a light run
	Published []*previous.Snapshot
	// snapshots that have the counts of the period; one of them is copied from
	ToCopy []*previous.Snapshot
	// counts that are withdrawn from publication
	Withdrawn []snapshots.PeopleWithdrawal
}

// AreCopied reports whether the counts of people are copied, and not made from the platform's feed.
func (c Counts) AreCopied() bool { return len(c.ToCopy) > 0 }

// WithQuarter returns those of the published snapshots that have counts of people of the quarter,
// in the same order.
func WithQuarter(published []*previous.Snapshot, quarter calendar.Period) (found []*previous.Snapshot) {
	for _, one := range published {
		if one.People != nil && one.People.To.Equal(quarter.To.Time()) {
			found = append(found, one)
		}
	}
	return found
}

// WithdrawnFromQuarter returns the withdrawals that apply to a quarter's counts of people: those of
// the published snapshots with these counts, and those that are recorded in the data directory. If
// a recorded withdrawal ends, the withdrawn counts of the quarter do not return.
func WithdrawnFromQuarter(published []*previous.Snapshot,
	recorded []snapshots.PeopleWithdrawal) (all []snapshots.PeopleWithdrawal) {
	add := func(list []snapshots.PeopleWithdrawal) {
		for _, w := range list {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	for _, s := range published {
		add(s.PeopleWithdrawn)
	}
	add(recorded)
	return all
}

// SnapshotToCopy returns the published snapshot from which a quarter's counts of people are copied.
// A quarter's counts are calculated only once. list has the published snapshots with these counts,
// newest first; if it is empty, the result is nil. The newest snapshot with the same places and
// withdrawals is preferred. Otherwise the snapshot with the most rows is returned, so that a place
// that was missing for a day gets its counts back.
func SnapshotToCopy(list []*previous.Snapshot, places servedplaces.Places,
	withdrawals []snapshots.PeopleWithdrawal) (fullest *previous.Snapshot, err error) {
	for _, one := range list {
		before, err := one.Places()
		if err != nil {
			return nil, err
		}
		if servedplaces.HaveSameCouncils(before, places) && slices.Equal(one.PeopleWithdrawn, withdrawals) {
			return one, nil
		}
		if fullest == nil || rowsOfPeople(fullest.Manifest) < rowsOfPeople(one.Manifest) {
			fullest = one
		}
	}
	return fullest, nil
}

// rowsOfPeople returns the total number of rows in a snapshot's tables with counts of people.
func rowsOfPeople(m snapshots.Manifest) (rows int64) {
	for _, table := range m.Tables {
		if snapshots.IsPeopleTable(table.Name) {
			rows += table.Rows
		}
	}
	return rows
}

// ChangedPlaces returns the slugs of the snapshot's places that are no longer served, or that now
// consist of other councils.
func ChangedPlaces(from *previous.Snapshot, places servedplaces.Places) (map[string]bool, error) {
	before, err := from.Places()
	if err != nil {
		return nil, err
	}
	return servedplaces.ChangedPlaces(before, places), nil
}

// PlacesNotShownRemark returns a remark for the run's report that lists the places whose counts of
// people are no longer shown, because a place is no longer served or consists of other councils.
// It returns "" if there is no such place. It compares with the snapshot that made the counts, or
// with from if that snapshot was removed.
func PlacesNotShownRemark(data string, from *previous.Snapshot, places servedplaces.Places) (string, error) {
	folder, err := store.Open(data)
	if err != nil {
		return "", err
	}
	if maker, err := previous.Open(folder, from.People.FirstSnapshot); err == nil {
		from = maker
	}
	lost, err := ChangedPlaces(from, places)
	if err != nil || len(lost) == 0 {
		return "", err
	}
	return fmt.Sprintf("figures of people are not shown for %s: no longer served, or consisting of other councils "+
		"than when the figures of the quarter were made; if that is a mistake in the feed's boroughs or the served areas, "+
		"correct it, and the next whole run shows them again", strings.Join(slices.Sorted(maps.Keys(lost)), ", ")), nil
}

// RemarksOnCopied returns remarks for the run's report on counts of people that are copied from an
// earlier snapshot. They state that a changed people.protection has no effect on these counts, and
// list the places for which the counts are not shown. An empty remark means that there is nothing
// to report.
func RemarksOnCopied(data string, from *previous.Snapshot, places servedplaces.Places, setting disclosure.Protection,
	withdrawals []snapshots.PeopleWithdrawal) ([]string, error) {
	if from.People == nil {
		return nil, nil
	}
	notShown, err := PlacesNotShownRemark(data, from, places)
	return []string{ProtectionChangedRemark(from.People, setting, withdrawals), notShown}, err
}

// RewriteWithoutHidden writes an earlier snapshot's table of people again, without the hidden rows.
// If there is nothing to hide, it writes nothing and returns false, and the caller can copy the
// file. For the table people, tally counts the withdrawn rows that were left out.
func RewriteWithoutHidden(w *tablewriter.Writer, from *previous.Snapshot, table string,
	hidden HiddenCounts) (written bool, tally disclosure.ValueTally, err error) {
	if hidden.nothing() {
		return false, tally, nil
	}
	switch table {
	case "people":
		written, err = writeShown(w, from, table, hidden.peopleInto(&tally))
	case "residents":
		written, err = writeShown(w, from, table, hidden.residents)
	case "candidates":
		written, err = writeShown(w, from, table, hidden.candidates)
	case "s106_people":
		written, err = writeShown(w, from, table, hidden.s106)
	}
	return written, tally, err
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
	return true, tablewriter.WriteRows(w, table, shown)
}

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

// Counts describes the counts of people of a snapshot: their period, and whether they are copied
// from an earlier snapshot. It is determined before the sources are read.
type Counts struct {
	// twelve months that the counts describe; zero = there are none yet
	Period calendar.Period
	// snapshots with published counts of any quarter; not set in a light run
	Published []*previous.Snapshot
	// snapshots that have the counts of the period; the counts are copied from one of them
	ToCopy []*previous.Snapshot
	// counts that are withdrawn from publication
	Withdrawn []snapshots.PeopleWithdrawal
}

// AreCopied reports whether the counts of people are copied from an earlier snapshot. If it returns
// false, they are made from the platform's feed.
func (c Counts) AreCopied() bool { return len(c.ToCopy) > 0 }

// WithPeriod returns the snapshots in published whose counts of people describe the given period.
// It keeps their order.
func WithPeriod(published []*previous.Snapshot, period calendar.Period) (found []*previous.Snapshot) {
	for _, one := range published {
		if one.People != nil && one.People.To.Equal(period.To.Time()) {
			found = append(found, one)
		}
	}
	return found
}

// WithdrawnFromQuarter returns the withdrawals of a quarter's counts of people. published are the
// snapshots with these counts; their withdrawals stay valid even if they are no longer recorded.
// recorded are the withdrawals that the operator has recorded.
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
// The snapshots in list have these counts, newest first. SnapshotToCopy returns the newest one that
// has the given places and withdrawals. If there is none, it returns the one with the most rows,
// which also has places that were missing for a day. It returns nil if list is empty.
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

// ChangedPlaces returns the slugs of places that have changed since an earlier snapshot, from. A
// place of that snapshot has changed if it is not in places, the places that are served now, or if
// it consists of other councils there.
func ChangedPlaces(from *previous.Snapshot, places servedplaces.Places) (map[string]bool, error) {
	before, err := from.Places()
	if err != nil {
		return nil, err
	}
	return servedplaces.ChangedPlaces(before, places), nil
}

// PlacesNotShownRemark returns a remark for the run's report that lists places whose counts of
// people are not shown, or "" if there are none. data is the data directory. A place is listed if
// from, the snapshot from which the counts are copied, has no counts for it. It is also listed if
// it is no longer served, or consists of other councils than in the snapshot that made the counts.
// If that snapshot was removed, the places are compared with those in from.
func PlacesNotShownRemark(data string, from *previous.Snapshot, places servedplaces.Places) (string, error) {
	folder, err := store.Open(data)
	if err != nil {
		return "", err
	}
	maker, err := previous.Open(folder, from.People.FirstSnapshot)
	if err != nil {
		maker = from
	}
	lost, err := ChangedPlaces(maker, places)
	if err != nil {
		return "", err
	}
	uncounted, err := uncountedPlaces(from, places)
	if err != nil {
		return "", err
	}
	var texts []string
	if len(lost) > 0 {
		texts = append(texts, fmt.Sprintf("figures of people are not shown for %s: no longer served, or consisting of "+
			"other councils than when the figures of the quarter were made; if that is a mistake in the feed's boroughs or "+
			"the served areas, correct it, and the next whole run shows them again",
			strings.Join(slices.Sorted(maps.Keys(lost)), ", ")))
	}
	added := slices.DeleteFunc(uncounted, func(place string) bool { return lost[place] })
	if len(added) > 0 {
		texts = append(texts, fmt.Sprintf("figures of people are not shown for %s before the next quarter: added or "+
			"changed after the figures of the quarter were made", strings.Join(added, ", ")))
	}
	return strings.Join(texts, "; "), nil
}

// uncountedPlaces returns the sorted slugs of the places for which an earlier snapshot, from, has
// no counts of people. They have no row in its table s106_people, which has a row for every other
// place. If all counts are withdrawn, the table is empty and the result is nil.
func uncountedPlaces(from *previous.Snapshot, places servedplaces.Places) (slugs []string, err error) {
	rows, err := parquetio.ReadAll[snapshots.S106PeopleRow](from.TablePath("s106_people"))
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	isCounted := func(place string) bool {
		return slices.ContainsFunc(rows, func(r snapshots.S106PeopleRow) bool { return r.Place == place })
	}
	return slices.DeleteFunc(places.SlugsWithCouncils(), isCounted), nil
}

// RemarksOnCopied returns remarks for the run's report on copied counts of people. from is the
// snapshot from which they were copied. One remark is for a changed setting people.protection,
// which has no effect on copied counts. The other lists places whose counts are not shown. An empty
// remark means that there is nothing to report. data is the data directory.
func RemarksOnCopied(data string, from *previous.Snapshot, places servedplaces.Places, setting disclosure.Protection,
	withdrawals []snapshots.PeopleWithdrawal) ([]string, error) {
	if from.People == nil {
		return nil, nil
	}
	notShown, err := PlacesNotShownRemark(data, from, places)
	return []string{ProtectionChangedRemark(from.People, setting, withdrawals), notShown}, err
}

// RewriteWithoutHidden writes a table of an earlier snapshot again, without the hidden counts of
// people. written is false if no row is hidden. Nothing is written then, and the caller can copy
// the file. tally counts the withdrawn values of the table people.
func RewriteWithoutHidden(w *tablewriter.Writer, from *previous.Snapshot, table string,
	hidden HiddenCounts) (written bool, tally disclosure.ValueTally, err error) {
	if hidden.isEmpty() {
		return false, tally, nil
	}
	switch table {
	case "people":
		written, err = writeShown(w, from, table, hidden.hidesPeople(&tally))
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

package check

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"labour/pipeline/cells/engine"
	"labour/pipeline/cells/engine/duckdb"
	"labour/pipeline/check/limits"
	"labour/snapshots"
	"labour/snapshots/store"
	"labour/sources/platform"
)

// printedSQL is the SQL query that adds up the published counts of people. A large fall of a total
// suggests that the feed has lost records about people.
//
//go:embed sql/printed.sql
var printedSQL string

// printedTotals names the totals that the query sql/printed.sql returns, in the order of its
// columns.
var printedTotals = [...]string{
	"printed counts of residents",
	"printed counts of residents with a skill on record",
	"printed counts of residents whose highest level is 1",
	"printed counts of residents whose highest level is 2",
	"printed counts of residents whose highest level is 3",
	"printed counts of residents whose highest level is 4",
	"printed counts of residents whose highest level is 5",
	"shares of residents below a level",
	"printed counts of people turned down for a skill",
	"shares of hired applicants",
	"shares of turned-down applicants",
}

// peopleChanges compares the published figures about people in two snapshots. It returns a fault
// for each total and each percentage that changed too much. It compares nothing unless both
// snapshots have counts of people and those of the next snapshot were newly calculated. It skips
// skills whose counts are withdrawn in at least one of the snapshots.
func peopleChanges(ctx context.Context, previousDir, nextDir string, previous, next snapshots.Manifest,
	l limits.Checks) ([]Fault, error) {
	if !newPeople(previous, next) {
		return nil, nil
	}
	withdrawn := withdrawnSkills(previous, next)
	before, err := readPrinted(ctx, previousDir, withdrawn)
	now, nowErr := readPrinted(ctx, nextDir, withdrawn)
	j := deliveryChecker{source: platform.Key}
	for i, name := range printedTotals {
		j.change(limits.CheckPeopleCounts, name, before[i], now[i], l.PerSource[platform.Key].WithDefaults())
	}
	shares, sharesErr := shareChanges(ctx, previousDir, nextDir)
	return append(j.faults, shares...), errors.Join(err, nowErr, sharesErr)
}

// newPeople reports whether both snapshots have counts of people, and those of the next snapshot
// were newly calculated, not carried forward.
func newPeople(previous, next snapshots.Manifest) bool {
	if !hasPeople(previous) || !hasPeople(next) {
		return false
	}
	return !previous.People.To.Equal(next.People.To.Time) || previous.People.Protection != next.People.Protection
}

// quarterMadeAgain returns a fault if the snapshot with the manifest m made new counts of people
// for a quarter, although another snapshot has published counts for this quarter. Two roundings of
// the same counts would disclose more than one. Withdrawn snapshots count as published, but not
// snapshots in which all counts of people are withdrawn. predecessor is the snapshot before this
// one.
func quarterMadeAgain(s *store.Store, predecessor snapshots.ID, m snapshots.Manifest) []Fault {
	published := everPublished(s, predecessor, m.ID)
	if !hasPeople(m) || m.People.FirstSnapshot != m.ID || slices.Contains(published, m.ID) {
		return nil
	}
	for _, id := range published {
		other, err := s.Manifest(id)
		if err != nil || !hasPeople(other) {
			continue // a snapshot that was removed or cannot be read, or one without figures of people
		}
		isSameQuarter := other.People.To.Equal(m.People.To.Time)
		if isSameQuarter && other.People.FirstSnapshot != m.ID {
			return []Fault{{Check: limits.CheckQuarterMadeAgain, Text: fmt.Sprintf(
				"it has made figures of people of the quarter to %s, and %s has published others; promote a snapshot that "+
					"has those, or run again: labour run", m.People.To, id)}}
		}
	}
	return nil
}

// everPublished returns the snapshots that were ever published, here or in another store. The snapshot
// with the ID checked counts only if it was published here. If the store's index cannot be read,
// everPublished returns only predecessor, the snapshot before the checked one. It is not an error,
// because the next promotion repairs the index.
func everPublished(s *store.Store, predecessor, checked snapshots.ID) (published []snapshots.ID) {
	index, err := s.Index()
	if err != nil {
		return []snapshots.ID{predecessor}
	}
	for _, e := range index.Snapshots {
		isOther := e.ID != checked
		if e.Published() || isOther && e.PublishedAnywhere() {
			published = append(published, e.ID)
		}
	}
	return published
}

// readPrinted returns the totals of the published counts of people in a snapshot. It leaves out the
// skills whose slugs are in without.
func readPrinted(ctx context.Context, dir string, without []string) (totals [len(printedTotals)]int64, err error) {
	db, err := duckdb.Open(ctx, engine.Limits{})
	if err != nil {
		return totals, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, table := range []string{"candidates", "people", "residents"} {
		if err := db.ReadWithRowNumbers(ctx, table, snapshots.TablePath(dir, table), false); err != nil {
			return totals, fmt.Errorf("add up the published counts of people: %w", err)
		}
	}
	if err := db.SetVariable(ctx, "withdrawn_skills", strings.Join(without, " ")); err != nil {
		return totals, fmt.Errorf("add up the published counts of people: %w", err)
	}
	var columns []any
	for i := range totals {
		columns = append(columns, &totals[i])
	}
	if err := db.QueryRow(ctx, printedSQL, columns...); err != nil {
		return totals, fmt.Errorf("add up the published counts of people: %w", err)
	}
	return totals, nil
}

// hasPeople reports whether a snapshot has figures about people that are not all withdrawn.
func hasPeople(m snapshots.Manifest) bool {
	return m.People != nil && m.PeopleAsOf != nil && !snapshots.AllPeopleWithdrawn(m.PeopleWithdrawn)
}

// withdrawnSkills returns the skills whose counts of people are withdrawn in either snapshot.
func withdrawnSkills(previous, next snapshots.Manifest) (slugs []string) {
	for _, w := range slices.Concat(previous.PeopleWithdrawn, next.PeopleWithdrawn) {
		slugs = append(slugs, w.Skill)
	}
	return slugs
}

// mayShrinkByWithdrawal reports whether a table may have lost rows because the operator withdrew
// counts of people. Only the tables people and residents have rows for a single skill.
func mayShrinkByWithdrawal(table string, previous, next snapshots.Manifest) bool {
	if snapshots.AllPeopleWithdrawn(next.PeopleWithdrawn) {
		return true
	}
	hasSkills := table == "people" || table == "residents"
	return hasSkills && !slices.Equal(previous.PeopleWithdrawn, next.PeopleWithdrawn)
}

package previous

import (
	"fmt"
	"reflect"
	"slices"

	"labour/pipeline/servedplaces"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// TableRules holds what the tables of a snapshot depend on in addition to fetched data: places,
// corrections, and withdrawals of counts of people.
type TableRules struct {
	Served      servedplaces.Places
	Sources     []sources.Info               // configured sources
	Corrections []snapshots.CorrectionsRow   // rows of the table corrections, with any outcome
	Withdrawn   []snapshots.PeopleWithdrawal // counts of people that the operator has withdrawn
}

// DescribeRuleDifference describes the first difference between the snapshot and the given rules,
// for the operator. The snapshot may lack a table, or have other withdrawals, corrections or
// places. It returns "" if there is no difference. The snapshot may have corrections of sources that
// are no longer configured.
func (s *Snapshot) DescribeRuleDifference(rules TableRules) (reason string, err error) {
	for _, table := range snapshots.Tables() {
		if _, ok := s.Table(table.Name); !ok {
			return fmt.Sprintf("snapshot %s has no table %s", s.ID, table.Name), nil
		}
	}
	if !slices.Equal(rules.Withdrawn, s.PeopleWithdrawn) {
		return fmt.Sprintf("other figures of people are withdrawn than in snapshot %s", s.ID), nil
	}
	before, err := parquetio.ReadAll[snapshots.CorrectionsRow](s.TablePath("corrections"))
	if err != nil {
		return "", err
	}
	before = slices.DeleteFunc(before, func(c snapshots.CorrectionsRow) bool { return !rules.hasSource(c.SourceKey) })
	if !slices.EqualFunc(rules.Corrections, before, sameCorrection) {
		return fmt.Sprintf("the corrections are not those of snapshot %s", s.ID), nil
	}
	served, err := s.Places()
	if err != nil {
		return "", err
	}
	if !rules.Served.Equal(served) {
		return fmt.Sprintf("the boroughs or served areas are not those of snapshot %s", s.ID), nil
	}
	return "", nil
}

// hasSource reports whether the source with the given key is configured.
func (r TableRules) hasSource(key string) bool {
	return slices.ContainsFunc(r.Sources, func(s sources.Info) bool { return s.Key == key })
}

// sameCorrection reports whether two corrections are equal. It ignores their outcomes, which are
// not known until all sources have been read.
func sameCorrection(x, y snapshots.CorrectionsRow) bool {
	x.Outcome = y.Outcome
	return reflect.DeepEqual(x, y)
}

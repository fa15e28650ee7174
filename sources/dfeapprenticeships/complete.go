package dfeapprenticeships

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"labour/sources"
	"labour/sources/sheets"
)

// periodLevel is a period and a geographic level of the file, as sheets.CleanText returns them.
type periodLevel struct{ period, level string }

// faultyRow records that the row read last cannot be used. level is its geographic level, or "" if the
// row is broken. A file with more than maxFaults faults is rejected. If a level has no column for its
// code, none of its rows is faulty: the file lacks the column.
func (t *table) faultyRow(level string, err error) {
	t.fault(fmt.Sprintf("line %d", t.at), err)
	switch sources.FaultCodeOf(err) {
	case sources.FaultColumnMissing:
	case sources.FaultBrokenRow:
		t.brokenRows++
	default:
		t.faultyRows++
		t.faultyOfLevel[level]++
	}
	if len(t.faults) > maxFaults && !t.isRejected {
		t.refuse("", sources.CodedErrorf(sources.FaultSchema, "the file has more than %d faults and is not used", maxFaults))
	}
}

// checkComplete rejects the data file if it has fewer rows than the publisher announces. announced
// is the number of rows that the publisher announces.
func (t *table) checkComplete(announced int) {
	if !t.isRejected && t.rowCount < announced {
		t.refuse("", sources.CodedErrorf(sources.FaultIncomplete, "the publisher announces %d rows and the file has %d; "+
			"it is cut off and is not used: fetch it again", announced, t.rowCount))
	}
}

// boundFaultyRows rejects the file if more than 5 per cent of its rows are faulty. The rows that the
// filters let through are also measured alone, because most rows of a large file are never used:
// such a file could otherwise lose all its figures by faults in few of its rows. For the same reason,
// a file is rejected if most rows of one level are faulty, such as the few rows of the nation.
func (t *table) boundFaultyRows() {
	t.boundShare(t.brokenRows+t.faultyRows, t.rowCount, "rows")
	used := len(t.rows) + t.skipCounts[skippedAsRepeated]
	t.boundShare(t.faultyRows, used+t.faultyRows, "rows that are asked for")
	usedOfKind := map[string]int{}
	for _, r := range t.rows {
		usedOfKind[r.RegionKind]++
	}
	for _, level := range slices.Sorted(maps.Keys(t.faultyOfLevel)) {
		place, known := columns.PlaceKinds[level]
		if faulty := t.faultyOfLevel[level]; known && !t.isRejected && faulty > usedOfKind[place.Kind] {
			t.refuse("", sources.CodedErrorf(sources.FaultSchema, "%d of %d rows with the level %q cannot be read, more than "+
				"half; the file is not used", faulty, faulty+usedOfKind[place.Kind], level))
		}
	}
}

// boundShare rejects the file if more than 5 per cent of some of its rows are faulty. all is the
// number of these rows, and rows describes them.
func (t *table) boundShare(faulty, all int, rows string) {
	if !t.isRejected && 100*faulty > sheets.MaxUnreadablePercent*all {
		t.refuse("", sources.CodedErrorf(sources.FaultSchema,
			"%d of %d %s cannot be read, more than %d %%; the file is not used", faulty, all, rows,
			sheets.MaxUnreadablePercent))
	}
}

// checkTotals rejects the file if no row is a figure. It reports a fault for each period and level
// that has only rows for a part of the learners. The publisher may then have another word for the
// total in them.
func (t *table) checkTotals() {
	if len(t.rows)+len(t.faults) == 0 {
		var all []string
		for _, reason := range slices.Sorted(maps.Keys(t.skipCounts)) {
			all = append(all, fmt.Sprintf("%d %s", t.skipCounts[reason], reason))
		}
		t.refuse("", sources.CodedErrorf(sources.FaultSuddenlyEmpty, "of %d rows none is a figure that is asked for: %s; "+
			"the file is not used", t.rowCount, strings.Join(all, ", ")))
		return
	}
	inOrder := func(a, b periodLevel) int {
		return cmp.Or(strings.Compare(a.period, b.period), strings.Compare(a.level, b.level))
	}
	for _, at := range slices.SortedFunc(maps.Keys(t.breakdowns), inOrder) {
		if _, used := columns.PlaceKinds[at.level]; used && t.totals[at] == 0 {
			t.fault("", sources.CodedErrorf(sources.FaultSuddenlyEmpty, "all %d rows of %.40q with the level %q are %s; "+
				"if the publisher has a new word for the total, this program must learn it", t.breakdowns[at], at.period,
				at.level, skippedAsBreakdown))
		}
	}
}

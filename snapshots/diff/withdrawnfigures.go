package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// statistic identifies a published statistic by the key of its source, and by its metric, area,
// period and subject area.
type statistic struct {
	source string
	record snapshots.FigureRecord
}

// withdrawnFigures is the set of published statistics that are withdrawn in the newer snapshot. A
// comparison must not print the values that the older snapshot has for them.
type withdrawnFigures map[statistic]bool

// readWithdrawnFigures reads the withdrawn statistics from the table corrections of the snapshot in
// dir. A correction has the publisher's code of a region, but other tables have its current code.
// The result has an entry for both codes.
func readWithdrawnFigures(dir string) (withdrawnFigures, error) {
	rows, err := tableOf[snapshots.CorrectionsRow](dir, "corrections")
	if err != nil {
		return nil, err
	}
	withdrawals := slices.DeleteFunc(rows, func(r snapshots.CorrectionsRow) bool { return !r.WithdrawsFigure() })
	if len(withdrawals) == 0 {
		return nil, nil
	}
	regions, err := tableOf[snapshots.RegionsRow](dir, "regions")
	if err != nil {
		return nil, err
	}
	codes, withdrawn := snapshots.NewCurrentCodes(regions), withdrawnFigures{}
	for _, r := range withdrawals {
		withdrawn.add(r.SourceKey, r.Record)
		for _, recoded := range codes.RecodedRecords(r.Record) {
			withdrawn.add(r.SourceKey, recoded)
		}
	}
	return withdrawn, nil
}

// add adds the statistic that record identifies to the set. record is a value of the column record
// in the table corrections.
func (w withdrawnFigures) add(source, record string) {
	if r, ok := snapshots.ParseFigureRecord(record); ok {
		w[statistic{source, r}] = true
	}
}

// tableOf returns the rows of a table of the snapshot in dir. It returns nil if the snapshot does
// not have the table.
func tableOf[R any](dir, table string) ([]R, error) {
	rows, err := parquetio.ReadAll[R](snapshots.TablePath(dir, table))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", table, err)
	}
	return rows, nil
}

// mustHide reports whether a comparison must leave out the old values of a row. That is so if they
// contain a withdrawn statistic that the new values do not contain. Only the tables corrections,
// course_demand and evidence have such rows. old is nil for an added row, and fresh for a removed
// one.
func (w withdrawnFigures) mustHide(c *comparison, old, fresh []parquetio.Value) bool {
	if len(w) == 0 || old == nil {
		return false
	}
	switch c.table.Name {
	case "corrections":
		// The statistic may have been corrected before it was withdrawn.
		return fresh != nil && fresh[c.layout.at("field")].Text == "value" && fresh[c.layout.at("new")].Text == "null"
	case "course_demand":
		return w.mustHideCourse(c.layout, old, fresh)
	case "evidence":
		return fresh == nil && w.mustHideEvidence(old[c.layout.at("id")].Text)
	}
	return false
}

// mustHideCourse does the work of mustHide for a row of the table course_demand. The row contains
// two statistics: the value of its period, and the value of the year before.
func (w withdrawnFigures) mustHideCourse(l layout, old, fresh []parquetio.Value) bool {
	text := func(column string) string { return old[l.at(column)].Text }
	end := parquetio.DecodeDay(old[l.at("period_end")].Int)
	for years, column := range []string{"value_status", "previous_value_status"} {
		s := statistic{text("source_key"), snapshots.FigureRecord{Metric: text("metric"),
			RegionCode: text("region_code"), PeriodEnd: end.AddDate(-years, 0, 0).Format(time.DateOnly),
			SubjectArea: text("subject_area")}}
		isGone := fresh == nil || fresh[l.at(column)].Text == ""
		if w[s] && text(column) != "" && isGone {
			return true
		}
	}
	return false
}

// mustHideEvidence reports whether a removed row of the table evidence states a withdrawn
// statistic. id is the id of the row.
func (w withdrawnFigures) mustHideEvidence(id string) bool {
	for s := range w {
		if s.record.IsStatedIn(id, s.source) {
			return true
		}
	}
	return false
}

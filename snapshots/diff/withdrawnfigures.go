package diff

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// statistic identifies a published statistic, as a correction and a row of course_demand do.
type statistic struct {
	source, metric, region string
	period                 string // last day of the period, YYYY-MM-DD
	subject                string
}

// withdrawnFigures holds the published statistics that the operator withdrew in the newer snapshot.
// What the older snapshot printed of them must not be published again.
type withdrawnFigures map[statistic]bool

// readWithdrawnFigures reads the withdrawn statistics from the table corrections of the snapshot in
// dir. A correction names the region by the publisher's code, and the other tables by today's. The
// result has both.
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

// add adds the statistic that a record of a correction identifies.
func (w withdrawnFigures) add(source, record string) {
	if r, ok := snapshots.ParseFigureRecord(record); ok {
		w[statistic{source, r.Metric, r.RegionCode, r.PeriodEnd, r.SubjectArea}] = true
	}
}

// tableOf returns the rows of a table of the snapshot in dir; none if it has no such table.
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

// mustHide reports whether the old values of a row must be left out because they contain a
// withdrawn statistic. It returns true only for rows of corrections, course_demand and evidence,
// and only if the new values do not contain the statistic. old or fresh is nil if the row was added
// or removed.
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

// mustHideCourse is mustHide for a row of course_demand. Such a row has the statistic of its period
// and that of the year before.
func (w withdrawnFigures) mustHideCourse(l layout, old, fresh []parquetio.Value) bool {
	text := func(column string) string { return old[l.at(column)].Text }
	end := time.Unix(old[l.at("period_end")].Int*24*60*60, 0).UTC()
	for years, column := range []string{"value_status", "previous_value_status"} {
		s := statistic{text("source_key"), text("metric"), text("region_code"),
			end.AddDate(-years, 0, 0).Format(time.DateOnly), text("subject_area")}
		isGone := fresh == nil || fresh[l.at(column)].Text == ""
		if w[s] && text(column) != "" && isGone {
			return true
		}
	}
	return false
}

// notInID matches the characters that a hyphen replaces in the id of a row of evidence. The query
// evidence.sql of package cells makes these ids.
var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// mustHideEvidence reports whether a removed row of evidence, given its id, is the statement of a
// withdrawn statistic. Such an id is made of the source, metric, region, subject, series and period.
// If the ids of two statements differ only in the hash at the end, both are hidden, since a
// correction does not name the series that the hash is made of.
func (w withdrawnFigures) mustHideEvidence(id string) bool {
	for s := range w {
		subject := notInID.ReplaceAllString(strings.ToLower(s.subject), "-")
		rest, ok := strings.CutPrefix(id, strings.Join([]string{s.source, s.metric, s.region, subject, ""}, ":"))
		if ok && strings.Contains(rest, ":"+s.period) {
			return true
		}
	}
	return false
}

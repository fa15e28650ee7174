package pipeline

import (
	"context"
	"fmt"

	"labour/pipeline/calendar"
	"labour/sources"
	"labour/sources/platform"
)

// findQuarter determines the quarter that the figures of people describe.
func (b *build) findQuarter(context.Context) (err error) {
	if b.quarter, err = b.basis.quarter(b); err == nil && b.basis.lasting() {
		b.remarkOverdue()
	}
	return err
}

// peopleExtract returns the newest extract of the feed that received its files of people in its own
// fetch. A light run does not fetch them, and after a failed fetch an extract has older ones.
func (b *build) peopleExtract() (x sources.Extract, found bool, err error) {
	known := b.basis.known
	for x, err := range b.archive.NewestFirst(platform.Key) {
		if err != nil {
			return x, false, err
		}
		if known(x) && platform.FilesOfPeople(x) {
			return x, true, nil
		}
	}
	return x, false, nil
}

// newestPrinted returns the newest quarter that has published figures and is closed on the date of
// the data; the zero Period if there is none. A build of a past day leaves out figures made from
// later fetches, since nobody knew them on that day.
func (b *build) newestPrinted() (newest calendar.Period, err error) {
	for m, err := range b.o.published() {
		if err != nil {
			return newest, err
		}
		if m.People == nil || !b.basis.known(sources.Extract{At: m.People.ExtractAt}) {
			continue
		}
		to := sources.DateOf(m.People.To.Time)
		if newest.To.Before(to) && to.Before(b.o.AsOf) {
			newest = calendar.Period{From: sources.DateOf(m.People.From.Time), To: to}
		}
	}
	return newest, nil
}

// remarkOverdue adds a remark if the figures of a later quarter should be published by now: "A
// quarter overdue by more than three days is a remark in the report and on `/status`".
func (b *build) remarkOverdue() {
	if !calendar.QuarterOverdue(b.o.AsOf, b.quarter.To) {
		return
	}
	_, due := calendar.PeopleQuarter(b.o.AsOf)
	remark := fmt.Sprintf(
		"figures of people still describe the time to %s: no extract of the feed is known to hold everything to %s; "+
			"see that the feed can be fetched and that its complete_until is right", b.quarter.To, due)
	b.report.Remarks = append(b.report.Remarks, remark)
	if calendar.Day.DueAt(b.o.level()) { // light runs are of every minute
		b.o.Log.Warn(remark)
	}
}

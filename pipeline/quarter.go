package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"

	"labour/pipeline/calendar"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// findQuarter decides which quarter the figures of people describe: the newest one that is closed and
// that the platform's feed is known to hold whole, and never an earlier one than is printed already.
// "Until then the quarter before goes on being carried". What is rebuilt has its own.
func (b *build) findQuarter(context.Context) error {
	from, to := calendar.PeopleQuarter(b.o.AsOf)
	b.quarter = calendar.Period{From: from, To: to}
	if b.from != nil {
		if of := b.from.manifest.People; of != nil {
			b.quarter = calendar.Period{From: sources.DateOf(of.From.Time), To: sources.DateOf(of.To.Time)}
		}
		return nil
	}
	if !calendar.Day.DueAt(b.o.level()) {
		return b.carriedQuarter()
	}
	x, found, err := b.peopleExtract()
	if err != nil || !found {
		return err
	}
	until, err := platform.CompleteUntil(b.archive, x)
	if code := sources.CodeOf(err); err != nil && code != sources.FaultValue && code != sources.FaultNotJSON {
		return err // faults of the feed are named where it is read
	}
	printed, err := b.newestPrinted()
	if err != nil {
		return err
	}
	from, to = calendar.QuarterHeld(b.o.AsOf, until, x.At)
	if to.Before(printed.To) {
		from, to = printed.From, printed.To
	}
	b.quarter = calendar.Period{From: from, To: to}
	b.remarkOverdue()
	return nil
}

// carriedQuarter finds the quarter of the current snapshot, whose figures of people a light run takes over.
func (b *build) carriedQuarter() error {
	now, err := b.o.current()
	if err != nil || now.People == nil {
		return err
	}
	b.quarter = calendar.Period{From: sources.DateOf(now.People.From.Time), To: sources.DateOf(now.People.To.Time)}
	b.remarkOverdue()
	return nil
}

// peopleExtract returns the newest extract of the feed whose files of people were received by the
// fetch that made it. A light run does not ask for them, and of a fetch that failed older ones stand in.
func (b *build) peopleExtract() (x sources.Extract, found bool, err error) {
	known := b.knownExtract()
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

// newestPrinted returns the newest quarter of which figures are published and that is closed on the
// date of the data; the zero Period for none.
func (b *build) newestPrinted() (newest calendar.Period, err error) {
	store, err := snapshots.Open(b.o.Data)
	if err != nil {
		return newest, err
	}
	published, err := b.o.publishedSnapshots(store)
	if err != nil {
		return newest, err
	}
	for _, id := range published {
		m, err := store.Manifest(id)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return newest, fmt.Errorf("read which figures of people are printed: %w", err)
		}
		if m.People == nil {
			continue
		}
		to := sources.DateOf(m.People.To.Time)
		if newest.To.Before(to) && to.Before(b.o.AsOf) {
			newest = calendar.Period{From: sources.DateOf(m.People.From.Time), To: to}
		}
	}
	return newest, nil
}

// remarkOverdue remarks that a later quarter should be printed by now.
func (b *build) remarkOverdue() {
	if !calendar.QuarterOverdue(b.o.AsOf, b.quarter.To) {
		return
	}
	_, due := calendar.PeopleQuarter(b.o.AsOf)
	remark := fmt.Sprintf("figures of people still describe the time to %s: no extract of the feed is known to hold everything to %s; "+
		"see that the feed can be fetched and that its complete_until is right", b.quarter.To, due)
	b.report.Remarks = append(b.report.Remarks, remark)
	if calendar.Day.DueAt(b.o.level()) { // light runs are of every minute
		b.o.Log.Warn(remark)
	}
}

package people

import (
	"fmt"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/snapshots/periods"
	"labour/snapshots/store"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// NewestPeriod returns the newest twelve months for which a run of all sources can publish counts of
// people. They end with the newest published quarter before asOf, or with a later quarter that the
// newest undamaged fetch of the feed covers completely. They never end with a quarter whose counts
// were published before it had ended, because the counts of a quarter are published only once. The
// result is the zero Period if there is no quarter yet. mayRead reports whether a fetch may be read,
// published returns the published snapshots, and early has the quarters that were published too
// early.
func NewestPeriod(a *archive.Archive, mayRead func(sources.Extract) bool,
	published func() ([]*previous.Snapshot, error), early store.EarlyQuarters,
	asOf sources.Date) (calendar.Period, error) {
	all, err := published()
	if err != nil {
		return calendar.Period{}, err
	}
	printed := newestPrinted(all, mayRead, early, asOf)
	for x, err := range a.ExtractsNewestFirst(platform.Key) {
		if err != nil {
			return calendar.Period{}, err
		}
		if !mayRead(x) || platform.HasKeptPeopleFiles(x) {
			// the fetch of a light run repeats the files about people of an older fetch, which is
			// considered instead
			continue
		}
		complete, err := completePeriod(a, x, asOf)
		if err != nil {
			return calendar.Period{}, err
		}
		if !printed.To.Before(complete.To) {
			return printed, nil
		}
		if early.Has(complete.To.Time()) {
			continue
		}
		if a.IsUndamaged(x) {
			return complete, nil
		}
	}
	return printed, nil
}

// completePeriod returns the twelve months that end with the newest quarter that one fetch of the
// feed covers completely. It returns the zero Period if the fetch lacks a file that the counts of
// people need.
func completePeriod(a *archive.Archive, x sources.Extract, asOf sources.Date) (calendar.Period, error) {
	received, err := platform.ReceivedAllCountedFiles(a, x)
	if err != nil || !received {
		return calendar.Period{}, err
	}
	until, err := platform.ReadCompleteUntil(a, x)
	if code := sources.FaultCodeOf(err); err != nil && code != sources.FaultBadValue && code != sources.FaultNotJSON {
		return calendar.Period{}, err // other faults of the feed are reported when it is read
	}
	return calendar.YearToNewestCompleteQuarter(asOf, until, x.FetchedAt), nil
}

// PeriodOf returns the period that a snapshot's counts of people describe. p is the entry in its
// manifest. If p is nil, the snapshot has no counts, and PeriodOf returns the zero Period.
func PeriodOf(p *snapshots.People) calendar.Period {
	if p == nil {
		return calendar.Period{}
	}
	return calendar.Period{From: sources.DateOf(p.From.Time), To: sources.DateOf(p.To.Time)}
}

// newestPrinted returns the period of the newest published counts of people that end before asOf.
// It returns the zero Period if there are none. It ignores counts that were made too early, and
// counts from a fetch that the run may not read. mayRead is called with an Extract in which only
// FetchedAt is set.
func newestPrinted(published []*previous.Snapshot, mayRead func(sources.Extract) bool,
	early store.EarlyQuarters, asOf sources.Date) (newest calendar.Period) {
	for _, m := range published {
		if m.People == nil || !mayRead(sources.Extract{FetchedAt: m.People.FeedFetchedAt}) {
			continue
		}
		of := PeriodOf(m.People)
		if early.Has(of.To.Time()) {
			continue
		}
		if newest.To.Before(of.To) && of.To.Before(asOf) {
			newest = of
		}
	}
	return newest
}

// MayBeOverdue reports whether there are no counts of people, or a later quarter than theirs ended
// more than three days before asOf. It does not know which quarters were made too early, so
// OverdueRemark makes the final decision.
func (c Counts) MayBeOverdue(asOf sources.Date) bool {
	return c.Period.IsZero() || periods.QuarterOverdue(asOf.Time(), c.Period.To.Time())
}

// OverdueRemark returns a remark for the run's report on counts of people that are missing or
// overdue. figures is the period of the newest counts, or zero if there are none. The quarters in
// early were published too early and are not made again. The remark is "" until three days after
// the end of the first quarter that follows figures and is not in early.
func OverdueRemark(asOf sources.Date, figures calendar.Period, early store.EarlyQuarters) string {
	last := calendar.YearToLastQuarter(asOf).To
	if maker, isEarly := early.Maker(last.Time()); isEarly {
		return fmt.Sprintf("there are no figures of people to %s: snapshot %s made them before that day, while the clock "+
			"was ahead, and was withdrawn; they are not made again, because two versions would reveal more than one; "+
			"the next quarter has figures again", last, maker)
	}
	if figures.IsZero() {
		return "there are no figures of people yet: no fetch of the feed is complete; see that every file that the " +
			"feed's index lists can be fetched, and the first whole run with a complete fetch makes them"
	}
	if settled := early.SettledTo(figures.To.Time()); !periods.QuarterOverdue(asOf.Time(), settled) {
		return ""
	}
	return fmt.Sprintf(
		"figures of people still describe the time to %s: no extract of the feed is known to contain everything to %s; "+
			"check that the feed can be fetched and that its complete_until is right", figures.To,
		periods.NextPeopleQuarterEnd(asOf.Time(), figures.To.Time()).Format(time.DateOnly))
}

// ManifestEntry returns the manifest's entry for counts of people that this run has made from in.
// period is the time that they describe, by is the ID of the new snapshot, and extracts are the
// fetches that were read.
func ManifestEntry(period calendar.Period, in Inputs, by snapshots.ID, extracts []sources.Extract) *snapshots.People {
	p := &snapshots.People{From: snapshots.DateOf(period.From.Time()), To: snapshots.DateOf(period.To.Time()),
		Protection: string(in.Protection), SecretSHA256: in.Secret.SHA256(), FirstSnapshot: by}
	for _, x := range extracts {
		if at := x.FetchedAt.UTC().Truncate(time.Second); x.Source == platform.Key && at.After(p.FeedFetchedAt) {
			p.FeedFetchedAt = at
		}
	}
	return p
}

package people

import (
	"fmt"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// NewestQuarter returns the quarter that the counts of people of a whole run describe. It is the
// newest published quarter, or a later one that has ended by asOf and for which the newest fetch of
// the platform's feed is complete, so that its counts can be made. If that fetch is damaged in the
// archive, the one before it decides, because a run reads that one. The result is the zero Period
// if there is no such quarter yet. mayRead reports whether this run may read an extract (one
// fetch).
func NewestQuarter(a *archive.Archive, mayRead func(sources.Extract) bool,
	published func() ([]*previous.Snapshot, error), asOf sources.Date) (calendar.Period, error) {
	all, err := published()
	if err != nil {
		return calendar.Period{}, err
	}
	printed := newestPrinted(all, mayRead, asOf)
	for x, err := range a.ExtractsNewestFirst(platform.Key) {
		if err != nil {
			return calendar.Period{}, err
		}
		if !mayRead(x) || platform.KeepsPeopleFiles(x) {
			continue // a light run keeps the files of the fetch before, so that one decides
		}
		complete, err := completeQuarter(a, x, asOf)
		if err != nil {
			return calendar.Period{}, err
		}
		if !printed.To.Before(complete.To) {
			return printed, nil
		}
		if a.IsUndamaged(x) {
			return complete, nil
		}
	}
	return printed, nil
}

// completeQuarter returns the newest quarter that one fetch of the feed fully covers. It returns
// the zero Period if the fetch did not receive every file on which counts of people depend.
func completeQuarter(a *archive.Archive, x sources.Extract, asOf sources.Date) (calendar.Period, error) {
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

// PeriodOf returns the first and last day that published counts of people describe. It returns the
// zero Period if p is nil, for a snapshot without counts of people.
func PeriodOf(p *snapshots.People) calendar.Period {
	if p == nil {
		return calendar.Period{}
	}
	return calendar.Period{From: sources.DateOf(p.From.Time), To: sources.DateOf(p.To.Time)}
}

// newestPrinted returns the twelve months of the newest published counts of people that end before
// asOf, or the zero Period if there are none. It ignores counts from a fetch that this run may not
// read. It passes to mayRead an extract that has only the field FetchedAt.
func newestPrinted(published []*previous.Snapshot, mayRead func(sources.Extract) bool,
	asOf sources.Date) (newest calendar.Period) {
	for _, m := range published {
		if m.People == nil || !mayRead(sources.Extract{FetchedAt: m.People.FeedFetchedAt}) {
			continue
		}
		if of := PeriodOf(m.People); newest.To.Before(of.To) && of.To.Before(asOf) {
			newest = of
		}
	}
	return newest
}

// OverdueRemark returns a remark for the run's report if there are no counts of people yet (figures
// is the zero Period), or if counts for a later quarter should exist by now. Otherwise it returns
// "". Counts are overdue three days after they were due.
func OverdueRemark(asOf sources.Date, figures calendar.Period) string {
	if figures.IsZero() {
		return "there are no figures of people yet: no fetch of the feed is complete; see that every file that the " +
			"feed's index lists can be fetched, and the first whole run with a complete fetch makes them"
	}
	if !snapshots.QuarterOverdue(asOf.Time(), figures.To.Time()) {
		return ""
	}
	return fmt.Sprintf(
		"figures of people still describe the time to %s: no extract of the feed is known to contain everything to %s; "+
			"check that the feed can be fetched and that its complete_until is right", figures.To,
		snapshots.NextPeopleQuarter(asOf.Time(), figures.To.Time()).Format(time.DateOnly))
}

// ManifestEntry returns the manifest's entry on counts of people that this run has made. quarter
// is the period that they describe, by is the id of the snapshot, and extracts are the fetches
// used.
func ManifestEntry(quarter calendar.Period, in Inputs, by snapshots.ID, extracts []sources.Extract) *snapshots.People {
	p := &snapshots.People{From: snapshots.DateOf(quarter.From.Time()), To: snapshots.DateOf(quarter.To.Time()),
		Protection: string(in.Protection), SecretSHA256: in.Secret.SHA256(), FirstSnapshot: by}
	for _, x := range extracts {
		if at := x.FetchedAt.UTC().Truncate(time.Second); x.Source == platform.Key && at.After(p.FeedFetchedAt) {
			p.FeedFetchedAt = at
		}
	}
	return p
}

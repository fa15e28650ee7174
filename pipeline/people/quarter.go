package people

import (
	"fmt"
	"slices"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/previous"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/archive"
	"labour/sources/platform"
)

// NewestQuarter returns the newest quarter that has ended by asOf and for which the platform's
// feed is complete. The result is never earlier than the newest published quarter. It is later only
// if the fetch that completes it is undamaged in the archive, so that its counts can be made from
// it. If the feed was never fetched, it is the last quarter that has ended. known reports whether an
// extract (one fetch) may be read. published is called only if the feed was fetched.
func NewestQuarter(a *archive.Archive, known func(sources.Extract) bool,
	published func() ([]*previous.Snapshot, error), asOf sources.Date) (calendar.Period, error) {
	newest := LastEndedQuarter(asOf)
	var printed calendar.Period
	for x, err := range a.ExtractsNewestFirst(platform.Key) {
		if err != nil {
			return newest, err
		}
		if !known(x) {
			continue
		}
		received, err := platform.ReceivedAllCountedFiles(a, x)
		if err != nil {
			return newest, err
		}
		if !received {
			continue // it has older files: a light run does not fetch them, or the fetch failed
		}
		if printed == (calendar.Period{}) {
			all, err := published()
			if err != nil {
				return newest, err
			}
			printed = newestPrinted(all, known, asOf)
		}
		if newest, err = completeQuarter(a, x, asOf); err != nil {
			return newest, err
		}
		if !printed.To.Before(newest.To) {
			return printed, nil
		}
		if isUndamaged(a, x) {
			return newest, nil
		}
	}
	if printed != (calendar.Period{}) {
		return printed, nil
	}
	return newest, nil
}

// completeQuarter returns the newest quarter that one fetch of the feed fully covers.
func completeQuarter(a *archive.Archive, x sources.Extract, asOf sources.Date) (calendar.Period, error) {
	until, err := platform.ReadCompleteUntil(a, x)
	if code := sources.FaultCodeOf(err); err != nil && code != sources.FaultBadValue && code != sources.FaultNotJSON {
		return calendar.Period{}, err // other faults of the feed are reported when it is read
	}
	from, to := calendar.YearToNewestCompleteQuarter(asOf, until, x.FetchedAt)
	return calendar.Period{From: from, To: to}, nil
}

// isUndamaged reports whether the archive has every file of a fetch as it was received.
func isUndamaged(a *archive.Archive, x sources.Extract) bool {
	return !slices.ContainsFunc(x.Objects, func(o sources.ArchivedObject) bool { return a.VerifyBody(o) != nil })
}

// LastEndedQuarter returns the last quarter that has ended by the day asOf, even if the platform's feed
// is not complete for it.
func LastEndedQuarter(asOf sources.Date) calendar.Period {
	from, to := calendar.PeopleQuarter(asOf)
	return calendar.Period{From: from, To: to}
}

// QuarterOf returns the first and last day that published counts of people describe.
func QuarterOf(p *snapshots.People) calendar.Period {
	return calendar.Period{From: sources.DateOf(p.From.Time), To: sources.DateOf(p.To.Time)}
}

// newestPrinted returns the newest quarter that ended before asOf and whose counts of people were
// published. It returns the zero Period if there is none. It ignores counts made from a fetch for
// which known returns false, because that fetch is later than the run may use.
func newestPrinted(published []*previous.Snapshot, known func(sources.Extract) bool,
	asOf sources.Date) (newest calendar.Period) {
	for _, m := range published {
		if m.People == nil || !known(sources.Extract{FetchedAt: m.People.FeedFetchedAt}) {
			continue
		}
		if of := QuarterOf(m.People); newest.To.Before(of.To) && of.To.Before(asOf) {
			newest = of
		}
	}
	return newest
}

// OverdueRemark returns a remark for the run's report if counts of people for a later quarter
// should exist by now, otherwise "". Counts are overdue three days after they were due.
func OverdueRemark(asOf sources.Date, figures calendar.Period) string {
	if !calendar.QuarterOverdue(asOf, figures.To) {
		return ""
	}
	return fmt.Sprintf(
		"figures of people still describe the time to %s: no extract of the feed is known to hold everything to %s; "+
			"see that the feed can be fetched and that its complete_until is right", figures.To, LastEndedQuarter(asOf).To)
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

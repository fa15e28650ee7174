package pipeline

import (
	"labour/pipeline/calendar"
	"labour/pipeline/lists"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/report"
)

// plan states which outputs of a snapshot are rebuilt, and from where the others are copied.
type plan struct {
	level        calendar.Cadence    // outputs of this and of more frequent cadences are due
	peoplePeriod calendar.Period     // twelve months that the counts of people describe; zero = there are none yet
	copyFrom     *previous.Snapshot  // snapshot from which outputs that are not rebuilt are copied; nil = none is
	hidden       people.HiddenCounts // counts of people that must not be copied
}

// peopleCounts states which counts of people the snapshot has, and whether they are copied. This is
// known before the sources are read.
type peopleCounts struct {
	period    calendar.Period      // twelve months that the counts describe; zero = there are none yet
	published []*previous.Snapshot // snapshots with published counts of any quarter; not set in a light run
	toCopy    []*previous.Snapshot // snapshots with the counts of the period; one of them is copied from
}

// areCopied reports whether the counts of people are copied, and not made from the platform's feed.
func (c peopleCounts) areCopied() bool { return len(c.toCopy) > 0 }

// findPeopleCounts determines the twelve months that the counts of people describe, and finds the
// snapshots that have already published these counts. If a feed is configured, a remark in the
// report states that there are no counts yet, or that counts to the end of a later quarter are
// overdue.
func findPeopleCounts(in *inputs, r *report.Report) (c peopleCounts, err error) {
	if in.options.IsWhole() {
		if c.period, err = in.provider.PeoplePeriod(in.archive); err != nil {
			return c, err
		}
		if c.published, err = in.provider.PublishedPeople(); err != nil {
			return c, err
		}
		c.toCopy = people.WithQuarter(c.published, c.period)
	} else {
		c.period = people.QuarterOf(in.current.People)
		c.toCopy = []*previous.Snapshot{in.current}
	}
	hasFeed := in.options.Config.Platform.FeedAddress != ""
	if hasFeed && in.provider.IsNewBuild() {
		remark(in, r, people.OverdueRemark(in.asOf, c.period))
	}
	return c, nil
}

// planOutputs decides which outputs are rebuilt, and from which snapshot the others are copied. A
// light run copies from the current snapshot. A whole run copies only counts of people, from a
// published snapshot that has the counts of this period.
func planOutputs(in *inputs, read readRecords, counts peopleCounts, r *report.Report) (p plan, err error) {
	p = plan{peoplePeriod: counts.period, hidden: people.HiddenCounts{Withdrawn: in.withdrawn}}
	switch {
	case !in.options.IsWhole():
		p.copyFrom = in.current
		err = checkSameRules(in, read, p.copyFrom)
	case read.hasBoroughs():
		p.copyFrom, err = findPublishedPeople(in, read, counts, r)
	}
	p.level = levelOf(in.options.IsWhole(), p.copyFrom)
	if err == nil && p.copyFrom != nil {
		p.hidden.Places, err = people.ChangedPlaces(p.copyFrom, read.served)
	}
	return p, err
}

// levelOf returns the level of a run, which determines the outputs that are due. copyFrom is the
// snapshot from which other outputs are copied, or nil if none is copied. A whole run that copies
// the counts of people has level EveryDay; one that must make them has level EveryQuarter.
func levelOf(isWhole bool, copyFrom *previous.Snapshot) calendar.Cadence {
	switch {
	case !isWhole:
		return calendar.EveryMinute
	case copyFrom != nil:
		return calendar.EveryDay
	default:
		return calendar.EveryQuarter
	}
}

// checkSameRules returns an error if the previous snapshot was made under other rules than this
// one: with other places, corrections or withdrawn counts of people, or without one of today's
// tables.
func checkSameRules(in *inputs, read readRecords, from *previous.Snapshot) error {
	reason, err := from.DescribeRuleDifference(previous.TableRules{Served: read.served,
		Corrections: lists.CorrectionRows(in.corrections, in.infos), Withdrawn: in.withdrawn})
	if err == nil && reason != "" {
		err = in.provider.RulesDifferError(reason)
	}
	return err
}

// findPublishedPeople returns the snapshot from which the counts of people are copied. It returns
// nil if no published snapshot has them, so that they must be made. A remark in the report says if
// the last published counts were rounded with another secret.
func findPublishedPeople(in *inputs, read readRecords, counts peopleCounts,
	r *report.Report) (*previous.Snapshot, error) {
	found, err := people.SnapshotToCopy(counts.toCopy, read.served, in.withdrawn)
	if err != nil || !in.provider.IsNewBuild() {
		return found, err
	}
	secret, err := in.provider.RoundingSecret()
	if err != nil {
		return nil, err
	}
	last := people.LastPublished(counts.published, counts.period)
	remark(in, r, people.SecretChangedRemark(last, counts.period, secret))
	return found, nil
}

// remark adds remarks to the report; empty ones are left out. A whole run also logs a warning;
// light runs do not, since they run every minute.
func remark(in *inputs, r *report.Report, texts ...string) {
	for _, text := range r.AddRemarks(texts...) {
		if in.options.IsWhole() {
			in.options.Log.Warn(text)
		}
	}
}

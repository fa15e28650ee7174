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
	hiddenCounts people.HiddenCounts // counts of people that must not be copied
}

// findPeopleCounts determines the twelve months that the counts of people describe, and finds the
// snapshots that have already published these counts. If a feed is configured, a remark in the
// report states that there are no counts yet, or that counts to the end of a later quarter are
// overdue.
func findPeopleCounts(in *inputs, r *report.Report) (c people.Counts, err error) {
	if in.options.IsWhole() {
		if c.Period, err = in.provider.PeopleCountsPeriod(in.archive); err != nil {
			return c, err
		}
		if c.Published, err = in.provider.PublishedPeople(); err != nil {
			return c, err
		}
		c.ToCopy = people.WithQuarter(c.Published, c.Period)
	} else {
		c.Period = people.PeriodOf(in.current.People)
		c.ToCopy = []*previous.Snapshot{in.current}
	}
	if c.Withdrawn, err = in.provider.WithdrawnPeople(c.ToCopy); err != nil {
		return c, err
	}
	r.PeopleWithdrawn = c.Withdrawn
	hasFeed := in.options.Config.Platform.FeedAddress != ""
	if hasFeed && in.provider.IsNewBuild() {
		remark(in, r, people.OverdueRemark(in.asOf, c.Period))
	}
	return c, nil
}

// planOutputs decides which outputs are rebuilt, and from which snapshot the others are copied. A
// light run copies from the current snapshot. A whole run copies only counts of people, from a
// published snapshot that has the counts of this period.
func planOutputs(in *inputs, read readRecords, counts people.Counts, r *report.Report) (p plan, err error) {
	p = plan{peoplePeriod: counts.Period, hiddenCounts: people.HiddenCounts{Withdrawn: counts.Withdrawn}}
	switch {
	case !in.options.IsWhole():
		p.copyFrom = in.current
		err = checkSameRules(in, read, counts, p.copyFrom)
	case read.hasBoroughs():
		p.copyFrom, err = findPublishedPeople(in, read, counts, r)
	}
	p.level = calendar.LevelOf(in.options.IsWhole(), p.copyFrom != nil)
	if err == nil && p.copyFrom != nil {
		p.hiddenCounts.Places, err = people.ChangedPlaces(p.copyFrom, read.servedPlaces)
	}
	return p, err
}

// checkSameRules returns an error if the previous snapshot was made under other rules than this
// one: with other places, corrections or withdrawn counts of people, or without one of today's
// tables.
func checkSameRules(in *inputs, read readRecords, counts people.Counts, from *previous.Snapshot) error {
	reason, err := from.DescribeRuleDifference(previous.TableRules{Served: read.servedPlaces,
		Corrections: lists.CorrectionRows(in.corrections, in.infos), Withdrawn: counts.Withdrawn})
	if err == nil && reason != "" {
		err = in.provider.RulesDifferError(reason)
	}
	return err
}

// findPublishedPeople returns the snapshot from which the counts of people are copied, or nil if
// they must be made. Remarks in the report name a changed secret, and counts that are not compared.
func findPublishedPeople(in *inputs, read readRecords, counts people.Counts,
	r *report.Report) (*previous.Snapshot, error) {
	found, err := people.SnapshotToCopy(counts.ToCopy, read.servedPlaces, counts.Withdrawn)
	if err != nil || !in.provider.IsNewBuild() {
		return found, err
	}
	secret, err := in.provider.RoundingSecret()
	if err != nil {
		return nil, err
	}
	last := people.LastPublished(counts.Published, counts.Period)
	remark(in, r, people.SecretChangedRemark(last, counts.Period, secret),
		people.NotComparedRemark(found, in.current, counts.Withdrawn))
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

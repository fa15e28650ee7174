package pipeline

import (
	"labour/pipeline/calendar"
	"labour/pipeline/lists"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/report"
)

// plan states which tables of a snapshot this run makes, and from where it copies the others.
type plan struct {
	level        calendar.Cadence    // tables with this or a more frequent cadence are made
	peoplePeriod calendar.Period     // twelve months that the counts of people describe; zero = there are none yet
	copyFrom     *previous.Snapshot  // snapshot from which the other tables are copied; nil = none is copied
	hiddenCounts people.HiddenCounts // counts of people that the snapshot must not have
}

// findPeopleCounts finds the twelve months of the counts of people, and the snapshots that have
// published them. It adds withdrawals, and a remark on overdue counts, to the report.
func findPeopleCounts(in *inputs, r *report.Report) (c people.Counts, err error) {
	if in.options.IsWhole() {
		if c.Period, err = in.provider.PeopleCountsPeriod(in.archive); err != nil {
			return c, err
		}
		if c.Published, err = in.provider.PublishedPeople(); err != nil {
			return c, err
		}
		c.ToCopy = people.WithPeriod(c.Published, c.Period)
	} else {
		c.Period = people.PeriodOf(in.current.People)
		c.ToCopy = []*previous.Snapshot{in.current}
	}
	if c.Withdrawn, err = in.provider.WithdrawnPeople(c.ToCopy); err != nil {
		return c, err
	}
	r.PeopleWithdrawn = c.Withdrawn
	if in.options.Config.Platform.FeedAddress == "" || !in.provider.IsNewBuild() || !c.MayBeOverdue(in.options.RunDay()) {
		return c, nil
	}
	early, err := previous.ReadEarlyQuarters(in.options.DataDir)
	remark(in, r, people.OverdueRemark(in.options.RunDay(), c.Period, early))
	return c, err
}

// planOutputs determines which tables this run makes, and from which snapshot it copies the others.
// A light run copies from the current snapshot. A whole run copies only counts of people, from a
// published snapshot that has the counts of the same period.
func planOutputs(in *inputs, read readRecords, counts people.Counts, r *report.Report) (p plan, err error) {
	p = plan{peoplePeriod: counts.Period, hiddenCounts: people.HiddenCounts{Withdrawn: counts.Withdrawn}}
	switch {
	case !in.options.IsWhole():
		p.copyFrom = in.current
		err = checkSameRules(in, read, counts, p.copyFrom)
	case read.hasBoroughs():
		p.copyFrom, err = findPublishedPeople(in, read, counts, r)
	}
	p.level = calendar.RunLevel(in.options.IsWhole(), p.copyFrom != nil)
	if err == nil && p.copyFrom != nil {
		p.hiddenCounts.Places, err = people.ChangedPlaces(p.copyFrom, read.servedPlaces)
	}
	return p, err
}

// checkSameRules returns an error if tables of an earlier snapshot, from, cannot be copied: its
// places, corrections or withdrawn counts of people differ, or it lacks a table.
func checkSameRules(in *inputs, read readRecords, counts people.Counts, from *previous.Snapshot) error {
	reason, err := from.DescribeRuleDifference(previous.TableRules{Served: read.servedPlaces, Sources: in.infos,
		Corrections: lists.CorrectionRows(in.corrections, in.infos), Withdrawn: counts.Withdrawn})
	if err == nil && reason != "" {
		err = in.provider.RulesDifferError(reason)
	}
	return err
}

// findPublishedPeople returns the snapshot from which the counts of people are copied, or nil if
// they must be calculated. It adds remarks to the report if the rounding secret changed, if new
// counts cannot be compared with the current ones, or if a withdrawal names an unknown skill.
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
	remark(in, r, people.SecretChangedRemark(people.LastPublished(counts.Published, counts.Period), counts.Period, secret),
		people.NotComparedRemark(found, in.current, counts.Withdrawn),
		people.UnknownSkillsRemark(counts.Withdrawn, read.staged.Registers.Skills.Slugs()))
	return found, nil
}

// remark adds texts to the report and skips empty ones. A whole run also logs them as warnings. A
// light run does not, because there is one every minute.
func remark(in *inputs, r *report.Report, texts ...string) {
	for _, text := range r.AddRemarks(texts...) {
		if in.options.IsWhole() {
			in.options.Log.Warn(text)
		}
	}
}

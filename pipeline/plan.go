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

// findPeoplePeriod determines the twelve months that the counts of people describe, or the zero
// Period if no counts can be made yet. If a feed is configured, a remark in the report states that
// there are no counts yet, or that counts to the end of a later quarter are overdue.
func findPeoplePeriod(in *inputs, r *report.Report) (calendar.Period, error) {
	period, err := findPeriod(in)
	hasFeed := in.options.Config.Platform.FeedAddress != ""
	if err == nil && hasFeed && in.provider.IsNewBuild() {
		remark(in, r, people.OverdueRemark(in.asOf, period))
	}
	return period, err
}

// findPeriod returns the period of the counts of people. A light run copies the counts of the
// current snapshot, so that they keep their period.
func findPeriod(in *inputs) (calendar.Period, error) {
	if in.options.IsWhole() {
		return in.provider.PeoplePeriod(in.archive)
	}
	return people.QuarterOf(in.current.People), nil
}

// planOutputs decides which outputs are rebuilt, and from which snapshot the others are copied. A
// light run copies from the current snapshot. A whole run copies only counts of people, from a
// published snapshot that has the counts of this period.
func planOutputs(in *inputs, read readRecords, period calendar.Period, r *report.Report) (p plan, err error) {
	p = plan{peoplePeriod: period, hidden: people.HiddenCounts{Withdrawn: in.withdrawn}}
	switch {
	case !in.options.IsWhole():
		p.copyFrom = in.current
		err = checkSameRules(in, read, p.copyFrom)
	case read.hasBoroughs():
		p.copyFrom, err = findPublishedPeople(in, read, period, r)
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

// findPublishedPeople finds the snapshot that has already published the counts of people of this
// period. It returns nil if there is none, so that they must be calculated. A remark in the report
// says if the last published counts were rounded with another secret.
func findPublishedPeople(in *inputs, read readRecords, period calendar.Period,
	r *report.Report) (*previous.Snapshot, error) {
	secret, err := in.provider.RoundingSecret()
	if err != nil {
		return nil, err
	}
	found, err := in.provider.SnapshotWithPeople(secret, period, read.served)
	if err != nil || !in.provider.IsNewBuild() {
		return found, err
	}
	published, err := in.provider.PublishedSnapshots()
	if err != nil {
		return nil, err
	}
	remark(in, r, people.SecretChangedRemark(people.LastPublished(published, period), period, secret))
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

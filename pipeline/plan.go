package pipeline

import (
	"labour/pipeline/calendar"
	"labour/pipeline/lists"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/report"
)

// plan is the decision which outputs of a snapshot are rebuilt, and from where the others are copied.
type plan struct {
	level    calendar.Cadence
	quarter  calendar.Period     // quarter that the counts of people describe
	previous *previous.Snapshot  // snapshot from which outputs that are not rebuilt are copied; nil = none is
	hidden   people.HiddenCounts // counts of people that must not be copied
}

// isLight reports whether only the outputs are rebuilt that are due every minute.
func (p plan) isLight() bool { return !calendar.EveryDay.IsDueAt(p.level) }

// findQuarter determines the quarter that the counts of people describe. A remark in the report says
// if a later quarter is overdue.
func findQuarter(in *inputs, r *report.Report) (calendar.Period, error) {
	quarter, err := in.provider.PeopleQuarter(in.archive)
	if err == nil && in.provider.IsNewBuild() {
		remark(in, r, people.OverdueRemark(in.options.AsOf, quarter))
	}
	return quarter, err
}

// planOutputs decides which outputs are rebuilt, and from which snapshot the others are copied: in a
// light run from the current one; in a whole run only counts of people, from one of the quarter.
func planOutputs(in *inputs, read readRecords, quarter calendar.Period, r *report.Report) (p plan, err error) {
	p = plan{level: in.options.BuildCadence(), quarter: quarter,
		hidden: people.HiddenCounts{Withdrawn: in.withdrawn}}
	switch {
	case p.isLight():
		if p.previous, err = previous.OpenCurrent(in.options.DataDir); err == nil {
			err = checkSameRules(in, read, p.previous)
		}
	case read.hasPeople():
		p.previous, err = findPublishedPeople(in, read, p.quarter, r)
	}
	if err == nil && p.previous != nil {
		p.hidden.Places, err = people.ChangedPlaces(p.previous, read.served)
	}
	return p, err
}

// checkSameRules returns an error if the previous snapshot was made under other rules than this one:
// with other places, corrections or withdrawn counts of people, or without one of today's tables.
func checkSameRules(in *inputs, read readRecords, from *previous.Snapshot) error {
	reason, err := from.RuleDifference(previous.TableRules{Served: read.served,
		Corrections: lists.CorrectionRows(in.corrections, in.infos), Withdrawn: in.withdrawn})
	if err == nil && reason != "" {
		err = in.provider.RulesDifferError(reason)
	}
	return err
}

// findPublishedPeople finds the snapshot that has already published the counts of people of this
// quarter. It returns nil if there is none, so that they must be calculated. A remark in the report
// says if the last published counts were rounded with another secret.
func findPublishedPeople(in *inputs, read readRecords, quarter calendar.Period,
	r *report.Report) (*previous.Snapshot, error) {
	secret, err := in.provider.RoundingSecret()
	if err != nil {
		return nil, err
	}
	found, err := in.provider.SnapshotWithPeople(secret, quarter, read.served)
	if err != nil || !in.provider.IsNewBuild() {
		return found, err
	}
	published, err := in.provider.PublishedSnapshots()
	if err != nil {
		return nil, err
	}
	remark(in, r, people.SecretChangedRemark(people.LastPublished(published, quarter), quarter, secret))
	return found, nil
}

// remark adds remarks to the report; empty ones are left out. A whole run also logs a warning; light
// runs do not, since they run every minute.
func remark(in *inputs, r *report.Report, texts ...string) {
	for _, text := range texts {
		if text == "" {
			continue
		}
		r.Remarks = append(r.Remarks, text)
		if in.options.IsWhole() {
			in.options.Log.Warn(text)
		}
	}
}

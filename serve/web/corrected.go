package web

import (
	"strings"

	"labour/serve/api"
)

// correction is the operator's correction of a published figure.
type correction struct {
	Old, New string // the publisher's figure and the corrected one
	Reason   string
}

// corrections looks up the operator's corrections of training figures in a snapshot.
type corrections struct{ snapshot api.Snapshot }

// ValueCorrection returns the operator's correction of a training figure, or nil if there is none.
func (c corrections) ValueCorrection(r api.CourseDemandRow) *correction { return c.at(r, 0) }

// PreviousValueCorrection returns the operator's correction of the training figure one year before
// a row's figure, or nil if there is none.
func (c corrections) PreviousValueCorrection(r api.CourseDemandRow) *correction { return c.at(r, -1) }

func (c corrections) at(r api.CourseDemandRow, years int) *correction {
	day := r.PeriodEnd.Time().AddDate(years, 0, 0).Format("2006-01-02")
	found, ok := c.snapshot.CorrectionOf(strings.Join([]string{r.Metric, r.RegionCode, day, r.SubjectArea}, " "))
	if !ok {
		return nil
	}
	return &correction{Old: textOf(found.Old), New: textOf(found.New), Reason: found.Reason}
}

// textOf returns a corrected figure as text. For nil or "null" it returns "withdrawn", since the
// statistic has no value.
func textOf(value *string) string {
	if value == nil || *value == "null" {
		return "withdrawn"
	}
	return *value
}

// withCorrections returns a copy of kinds in which each figure has its correction by the operator.
func withCorrections(v *request, kinds []trainingKind) []trainingKind {
	for i := range kinds {
		kinds[i].Corrections = corrections{v.snapshot}
	}
	return kinds
}

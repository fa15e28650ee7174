package web

import (
	"labour/serve/api"
	"labour/snapshots"
)

// correction is the operator's correction of a published figure.
type correction struct {
	// the publisher's figure, or "no figure", and the corrected one; both are empty if Withdrawn
	Old, New  string
	Withdrawn bool // whether the operator withdrew the figure, so that it must not be repeated
	Reason    string
}

// corrections looks up the operator's corrections of training figures in a snapshot.
type corrections struct{ snapshot api.Snapshot }

// ValueCorrection returns the operator's correction of the training figure in a row, or nil if
// there is none.
func (c corrections) ValueCorrection(r api.CourseDemandRow) *correction { return c.at(r, 0) }

// PreviousValueCorrection returns the operator's correction of a training figure from the year
// before. This is the figure that belongs to the row r but is one year older. It returns nil if
// there is no correction.
func (c corrections) PreviousValueCorrection(r api.CourseDemandRow) *correction { return c.at(r, -1) }

func (c corrections) at(r api.CourseDemandRow, years int) *correction {
	day := r.PeriodEnd.Time().AddDate(years, 0, 0).Format("2006-01-02")
	record := snapshots.FigureRecord{Metric: r.Metric, RegionCode: r.RegionCode, PeriodEnd: day,
		SubjectArea: r.SubjectArea}
	found, ok := c.snapshot.CorrectionOf(record.String())
	if !ok {
		return nil
	}
	return correctionOf(found)
}

// correctionOf returns a correction as pages show it.
func correctionOf(c api.Correction) *correction {
	if isNull(c.New) {
		return &correction{Withdrawn: true, Reason: c.Reason}
	}
	old := "no figure"
	if !isNull(c.Old) {
		old = *c.Old
	}
	return &correction{Old: old, New: *c.New, Reason: c.Reason}
}

// isNull reports whether a figure in a correction is null. The table of corrections stores null
// either as a missing text or as the text "null".
func isNull(value *string) bool { return value == nil || *value == "null" }

// withCorrections sets the Corrections field of each kind of training, with which templates look up
// the operator's corrections. It changes kinds itself and returns it.
func withCorrections(v *request, kinds []trainingKind) []trainingKind {
	for i := range kinds {
		kinds[i].Corrections = corrections{v.snapshot}
	}
	return kinds
}

package web

import (
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/serve/web/words"
)

// correction is the operator's correction of a published figure, as pages show it.
type correction struct {
	// the publisher's figure, or "no figure", and the corrected one; both are empty if Withdrawn
	Old, New  string
	Withdrawn bool // whether the operator withdrew the figure, so that it must not be repeated
	Reason    string
}

// corrections finds the operator's corrections of published figures in a snapshot.
type corrections struct{ snapshot api.Snapshot }

// ValueCorrection returns the operator's correction of the training figure in row r. It returns nil
// if there is none.
func (c corrections) ValueCorrection(r api.CourseDemandRow) *correction {
	return c.at(r.FigureRecord())
}

// PreviousValueCorrection returns the operator's correction of the figure of the year before in row
// r. It returns nil if there is none.
func (c corrections) PreviousValueCorrection(r api.CourseDemandRow) *correction {
	return c.at(r.PreviousFigureRecord())
}

// StatedCorrection returns the operator's correction of the figure that a row of evidence states. It
// returns nil if there is none.
func (c corrections) StatedCorrection(r api.EvidenceRow) *correction {
	found, ok := c.snapshot.CorrectionStatedIn(r)
	if !ok {
		return nil
	}
	return correctionOf(found)
}

// sentencesOn returns a sentence for each of the operator's corrections that concern the training
// figure in row r and its change within a year. It returns "" if there are none.
func (c corrections) sentencesOn(r api.CourseDemandRow) string {
	var sentences []string
	for _, record := range r.FigureRecords() {
		if found, ok := c.snapshot.CorrectionOf(record); ok {
			sentences = append(sentences, found.Sentence())
		}
	}
	return strings.Join(sentences, " ")
}

func (c corrections) at(record string) *correction {
	found, ok := c.snapshot.CorrectionOf(record)
	if !ok {
		return nil
	}
	return correctionOf(found)
}

// correctionOf converts a correction of the API for display on a page.
func correctionOf(c api.Correction) *correction {
	if c.WithdrawsFigure() {
		return &correction{Withdrawn: true, Reason: c.Reason}
	}
	return &correction{Old: withThousands(c.PublishersValue()), New: withThousands(*c.New), Reason: c.Reason}
}

// withThousands returns a figure of a correction as pages print counts, such as "2,700" for "2700".
// It returns a figure that is no number, such as "<5", unchanged.
func withThousands(figure string) string {
	n, err := strconv.ParseInt(figure, 10, 64)
	if err != nil {
		return figure
	}
	return words.FormatNumber(n)
}

// withCorrections sets the field Corrections in the elements of kinds, and returns kinds. Templates
// use the field to find the operator's corrections.
func withCorrections(v *request, kinds []trainingKind) []trainingKind {
	for i := range kinds {
		kinds[i].Corrections = corrections{v.snapshot}
	}
	return kinds
}

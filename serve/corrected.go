package serve

import (
	"fmt"
	"strings"

	"labour/serve/api"
)

// mostInNote is the largest number of corrected figures that the note of one response describes.
const mostInNote = 10

// noteCorrected adds sentences to the note of the response. Each describes a figure of the response
// that the operator corrected. A correction that corrections contains twice is described once.
func (c *call) noteCorrected(corrections []api.Correction) {
	var sentences []string
	described := map[string]bool{}
	for _, one := range corrections {
		if described[one.Record] {
			continue
		}
		described[one.Record] = true
		sentences = append(sentences, one.Sentence())
	}
	if more := len(sentences) - mostInNote; more > 0 {
		sentences = append(sentences[:mostInNote], fmt.Sprintf("%d more figures were corrected; the file "+
			"corrections.parquet of the snapshot has them all.", more))
	}
	c.note = strings.TrimSpace(c.note + " " + strings.Join(sentences, " "))
}

// correctedTraining returns the corrections of the figures in rows. These include the figures of
// one year before, which the rows contain for comparison.
func correctedTraining(s api.Snapshot, rows []api.CourseDemandRow) (corrections []api.Correction) {
	for _, r := range rows {
		for _, record := range r.FigureRecords() {
			if c, ok := s.CorrectionOf(record); ok {
				corrections = append(corrections, c)
			}
		}
	}
	return corrections
}

// correctedEvidence returns the corrections of the figures that rows of evidence state.
func correctedEvidence(s api.Snapshot, rows []api.EvidenceRow) (corrections []api.Correction) {
	for _, r := range rows {
		if c, ok := s.CorrectionStatedIn(r); ok {
			corrections = append(corrections, c)
		}
	}
	return corrections
}

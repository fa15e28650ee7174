package pipeline

import (
	"context"
	"errors"
	"slices"

	"labour/pipeline/cells"
	"labour/pipeline/embargoed"
	"labour/pipeline/staging"
	"labour/snapshots"
	"labour/sources"
)

// openEvidence is the evidence that may be shown and counted: what is held waits
// for the confirmation of its reuse terms, and neither its statement nor its
// pointing to a gap may show before.
func openEvidence(all []sources.Evidence) []sources.Evidence {
	return slices.DeleteFunc(slices.Clone(all), func(e sources.Evidence) bool { return e.Held })
}

// news are the headlines of the feeds whose terms permit a summary, as the dataset signals has them.
func (t *tables) news() []snapshots.SignalsRow {
	return embargoed.Signals(t.build.in.headlines, t.publishersWith(mayShow), t.asOf())
}

// evidence writes the published evidence and the forecast skills gaps.
func (t *tables) evidence(ctx context.Context) error {
	if _, err := t.ask(ctx, cells.CourseFigures); err != nil {
		return err
	}
	err := errors.Join(show(ctx, t, "evidence_read", staging.EvidenceRows(t.build.in.evidence)), show(ctx, t, "source_listed", t.listed),
		show(ctx, t, "news", t.news()))
	for _, q := range []cells.Question{cells.Evidence, cells.SkillsGaps} {
		if err == nil {
			err = t.answered(ctx, q)
		}
	}
	return err
}

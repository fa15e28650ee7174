package pipeline

import (
	"cmp"
	"fmt"
	"slices"

	"labour/pipeline/corrections"
	"labour/snapshots"
	"labour/sources"
)

// corrected names each correction that was not applied, so that somebody looks at
// it again, and gives the rows of the table corrections. What may not be shown of a
// source is not shown here either.
func (b *build) corrected() []snapshots.CorrectionsRow {
	b.corrections.Outcomes(func(c corrections.Correction, o corrections.Outcome) {
		if o != corrections.Applied {
			b.report.source(c.Source).fault(sources.Fault{Source: c.Source, Where: c.Kind + " " + c.Record, Code: sources.FaultCorrection,
				Detail: fmt.Sprintf("the correction of %s is not applied (%s); look at it again and change or remove it", c.Field, o)})
		}
	})
	return b.correctionRows()
}

func (b *build) correctionRows() []snapshots.CorrectionsRow {
	var rows []snapshots.CorrectionsRow
	b.corrections.Outcomes(func(c corrections.Correction, o corrections.Outcome) {
		row := snapshots.CorrectionsRow{SourceKey: c.Source, Kind: c.Kind, Record: c.Record, Field: c.Field,
			Reason: c.Reason, DecidedBy: c.By, DecidedOn: day(c.Decided()), Outcome: string(o)}
		if slices.ContainsFunc(b.infos, func(i sources.Info) bool { return i.Key == c.Source && i.Terms.Republish }) {
			row.Old, row.New = &c.Old, &c.New
		}
		rows = append(rows, row)
	})
	slices.SortFunc(rows, func(x, y snapshots.CorrectionsRow) int {
		return cmp.Or(cmp.Compare(x.SourceKey, y.SourceKey), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Record, y.Record), cmp.Compare(x.Field, y.Field))
	})
	return rows
}

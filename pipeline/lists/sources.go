package lists

import (
	"context"
	"errors"
	"slices"

	"labour/pipeline/cells"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/platform"
)

// SourceRows returns the rows of the table sources. There is one row for each source in infos, the
// configured sources, and for the platform. records has the number of records of each source, by
// its key. Sources in imported, from which the platform imported adverts, have rows with 0 records.
// feed is the configuration of the platform, and asOf is the date of the snapshot.
func SourceRows(infos, imported []sources.Info, records map[string]int64, feed platform.Config,
	asOf sources.Date) []snapshots.SourcesRow {
	var rows []snapshots.SourcesRow
	own := platform.New(feed).Info()
	if !slices.ContainsFunc(infos, func(i sources.Info) bool { return i.Key == own.Key }) {
		infos = append(slices.Clone(infos), own)
	}
	for n, i := range slices.Concat(infos, imported) {
		row := snapshots.SourcesRow{Key: i.Key, Publisher: i.Publisher, Title: i.Title,
			Kind:    string(i.Kind),
			Licence: i.Licence, Link: i.Link, AttributionStatement: i.Statement.FillPlaceholders(feed.Name, asOf),
			Cadence: string(i.Cadence), AdvertsCounted: i.HasAdverts && i.Terms.MayCount}
		if n < len(infos) {
			row.Rows = records[i.Key]
		}
		rows = append(rows, row)
	}
	return snapshots.DistinctRowsOf("sources", rows)
}

// WriteStatistics writes the tables course_demand, evidence and skills_gaps. It leaves out embargoed
// evidence, which must not be published yet. The table evidence also has course statistics and news.
// All news must be summaries that the publishers permit.
func WriteStatistics(ctx context.Context, w *tablewriter.Writer, evidence []sources.Evidence,
	news []snapshots.SignalsRow) error {
	if err := w.WriteQuery(ctx, cells.QueryCourseDemand); err != nil {
		return err
	}
	if _, err := w.RunQuery(ctx, cells.QueryCourseFigures); err != nil {
		return err
	}
	return errors.Join(tablewriter.AddRowsAsView(ctx, w, "evidence_read", staging.EvidenceRows(evidence)),
		tablewriter.AddRowsAsView(ctx, w, "source_listed", w.Sources), tablewriter.AddRowsAsView(ctx, w, "news", news),
		w.WriteQuery(ctx, cells.QueryEvidence), w.WriteQuery(ctx, cells.QuerySkillsGaps))
}

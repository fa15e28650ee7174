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

// Sources returns the rows of the table sources: every configured source, with the number of its
// records. The platform is always included, even without a feed, since it is the source of the
// service's own figures. A source that is not configured is included if the feed has imported
// adverts from it; it has no records.
func Sources(infos, imported []sources.Info, records map[string]int64, feed platform.Config,
	asOf sources.Date) []snapshots.SourcesRow {
	var rows []snapshots.SourcesRow
	own := platform.New(feed).Info()
	if !slices.ContainsFunc(infos, func(i sources.Info) bool { return i.Key == own.Key }) {
		infos = append(slices.Clone(infos), own)
	}
	for n, i := range slices.Concat(infos, imported) {
		row := snapshots.SourcesRow{Key: i.Key, Publisher: i.Publisher, Title: i.Title,
			Kind:    string(i.Kind),
			Licence: i.Licence, Link: i.Link, AttributionStatement: i.Statement.For(feed.Name, asOf),
			Cadence: string(i.Cadence), AdvertsCounted: i.Adverts && i.Terms.Count}
		if n < len(infos) {
			row.Rows = records[i.Key]
		}
		rows = append(rows, row)
	}
	return snapshots.DistinctOf("sources", rows)
}

// WriteEvidence writes the published evidence, including news from feeds whose terms permit a
// summary, and the forecast skills gaps.
func WriteEvidence(ctx context.Context, w *tablewriter.Writer, evidence []sources.Evidence,
	news []snapshots.SignalsRow) error {
	if _, err := w.RunQuery(ctx, cells.CourseFigures); err != nil {
		return err
	}
	return errors.Join(tablewriter.AddRows(ctx, w, "evidence_read", staging.EvidenceRows(evidence)),
		tablewriter.AddRows(ctx, w, "source_listed", w.Sources), tablewriter.AddRows(ctx, w, "news", news),
		w.WriteQuery(ctx, cells.Evidence), w.WriteQuery(ctx, cells.SkillsGaps))
}

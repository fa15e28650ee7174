package lists

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"labour/pipeline/cells"
	"labour/pipeline/servedplaces"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/eventfiles"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// WriteJobs writes the table jobs, which has the live adverts that may be published. A light run
// reads only the platform's adverts, and copies the others from the file before. before is the
// previous snapshot's file of jobs. In a whole run it is "".
func WriteJobs(ctx context.Context, w *tablewriter.Writer, before string) error {
	w.OnStep("write the platform's records")
	if before == "" {
		return w.WriteQuery(ctx, cells.QueryJobs)
	}
	file, err := w.RunQuery(ctx, cells.QueryJobs)
	if err != nil {
		return err
	}
	rows, err := parquetio.ReadAll[snapshots.JobsRow](file)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	err = parquetio.ForEachRow(before, func(r snapshots.JobsRow) error {
		if !strings.HasPrefix(r.ID, platform.Key+":") {
			rows = append(rows, r)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return tablewriter.WriteRows(w, "jobs", rows)
}

// WriteEvents reads events from the file with the path staged, and sorts them by time. It writes
// the public ones to the table events, and the events of each partner to a separate file.
func WriteEvents(ctx context.Context, w *tablewriter.Writer, staged string) error {
	sorted := filepath.Join(w.ProtectedDir, "events.parquet")
	if err := w.QueryRunner.SortFile(ctx, staged, sorted, eventfiles.SortColumns()); err != nil {
		return err
	}
	rows, err := eventfiles.Write(w.Snapshot, w.AsOf, snapshots.SourcesOfTable("events", w.Sources),
		parquetio.Rows[snapshots.EventsRow](sorted))
	if err != nil {
		return err
	}
	w.RecordTable("events", rows)
	return nil
}

// WritePathways writes the careers pathways, their steps and their apprenticeship standards. The
// tables are pathways, pathway_steps and pathway_standards.
func WritePathways(w *tablewriter.Writer, pathways []sources.Pathway) error {
	var rows []snapshots.PathwaysRow
	var steps []snapshots.PathwayStepsRow
	var standards []snapshots.PathwayStandardsRow
	for _, p := range pathways {
		rows = append(rows, snapshots.PathwaysRow{ID: p.ID, Slug: p.Slug, Title: p.Title, Summary: p.Summary,
			Sector: p.Sector, UpdatedOn: p.Updated.Time()})
		steps = append(steps, pathwaySteps(p)...)
		for _, s := range p.Standards {
			standards = append(standards, snapshots.PathwayStandardsRow{Pathway: p.ID, Code: s.Code, Title: s.Title,
				Level: int8(s.Level)})
		}
	}
	// A standard that a pathway lists twice is written once.
	return errors.Join(tablewriter.WriteRows(w, "pathways", rows), tablewriter.WriteRows(w, "pathway_steps", steps),
		tablewriter.WriteRows(w, "pathway_standards", snapshots.DistinctRowsOf("pathway_standards", standards)))
}

// pathwaySteps returns the rows of one careers pathway's steps, sorted by the field Order. Steps
// with the same order keep the platform's order.
func pathwaySteps(p sources.Pathway) []snapshots.PathwayStepsRow {
	ordered := slices.Clone(p.Steps)
	slices.SortStableFunc(ordered, func(a, b sources.PathwayStep) int { return cmp.Compare(a.Order, b.Order) })
	rows := make([]snapshots.PathwayStepsRow, len(ordered))
	for i, s := range ordered {
		rows[i] = snapshots.PathwayStepsRow{Pathway: p.ID, Position: int16(i + 1), Step: int16(s.Order), Title: s.Title,
			Description: s.Description, SOC: snapshots.NullIfEmpty(s.SOC)}
		if s.Level > 0 {
			rows[i].Level = new(int8(s.Level))
		}
	}
	return rows
}

// WriteS106 writes the table s106. It counts section 106 sites and their obligations, for the whole
// platform and for each place. The table is empty if delivered is false. Counts of people are in
// the table s106_people.
func WriteS106(w *tablewriter.Writer, served servedplaces.Places, sites []sources.S106Development,
	delivered bool) error {
	var rows []snapshots.S106Row
	if delivered {
		for _, row := range developmentSums(served, sites) {
			rows = append(rows, *row)
		}
	}
	return tablewriter.WriteRows(w, "s106", rows)
}

// developmentSums returns the totals of section 106 sites by place. The key "" means the whole
// platform.
func developmentSums(served servedplaces.Places, sites []sources.S106Development) map[string]*snapshots.S106Row {
	sums := map[string]*snapshots.S106Row{"": {}}
	within := map[string][]string{} // borough -> places whose counts include it
	for _, p := range served.PlaceRows {
		sums[p.Place] = &snapshots.S106Row{Place: p.Place}
		if p.AreaKind == snapshots.AreaKindBorough {
			within[p.Place] = []string{p.Place}
		}
	}
	for _, m := range served.MemberRows {
		if _, ok := within[m.Borough]; ok {
			within[m.Borough] = append(within[m.Borough], m.Area)
		}
	}
	for _, d := range sites {
		addSite(sums[""], &d)
		for _, place := range within[d.Borough] {
			addSite(sums[place], &d)
		}
	}
	return sums
}

func addSite(sum *snapshots.S106Row, d *sources.S106Development) {
	sum.Developments++
	sum.Obligations += int64(d.Obligations)
	sum.TrainingPlaces += int64(d.TrainingPlaces)
	sum.ContributionsGBP += d.ContributionsGBP
}

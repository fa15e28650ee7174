package lists

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
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

// WriteJobs writes the table jobs of a whole run: the live adverts that may be published.
func WriteJobs(ctx context.Context, w *tablewriter.Writer) error {
	w.OnStep("write the platform's records")
	return w.WriteQuery(ctx, cells.QueryJobs)
}

// UpdateJobs writes the table jobs of a light run, which reads only the platform's adverts. The
// jobs of other sources are copied from the file with the path before, which is the table in the
// previous snapshot, unless they closed before day, the day that the jobs describe. infos describes
// the configured sources. Jobs of a source that is not configured, or does not permit publication,
// are left out. leftOut has their number by the source's key.
func UpdateJobs(ctx context.Context, w *tablewriter.Writer, before string, day sources.Date,
	infos []sources.Info) (leftOut map[string]int, err error) {
	w.OnStep("write the platform's records")
	file, err := w.RunQuery(ctx, cells.QueryJobs)
	if err != nil {
		return nil, err
	}
	rows, err := parquetio.ReadAll[snapshots.JobsRow](file)
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	leftOut = map[string]int{}
	err = parquetio.ForEachRow(before, func(r snapshots.JobsRow) error {
		hasClosed := r.ClosesOn != nil && r.ClosesOn.Before(day.Time())
		switch {
		case strings.HasPrefix(r.ID, platform.Key+":"): // the query has the current ones
		case hasClosed:
		case mayRepublish(infos, r.SourceKey):
			rows = append(rows, r)
		default:
			leftOut[r.SourceKey]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return leftOut, tablewriter.WriteRows(w, "jobs", rows)
}

// JobsLeftOutRemark returns a remark for the run's report on jobs that UpdateJobs left out. leftOut
// has the number of these jobs by the source's key. The result is "" if leftOut is empty.
func JobsLeftOutRemark(leftOut map[string]int) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(leftOut)) {
		list = append(list, fmt.Sprintf("%s (%d)", key, leftOut[key]))
	}
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("jobs of %s are no longer shown: not configured, or its terms do not permit publication; to leave "+
		"out the other data of a source that is not configured, the next whole run needs an exception in "+
		"checks.exceptions (check: lost_source)", strings.Join(list, ", "))
}

// mayRepublish reports whether the source with the given key is in infos, the configured sources,
// and permits publication of its records.
func mayRepublish(infos []sources.Info, key string) bool {
	return slices.ContainsFunc(infos, func(i sources.Info) bool { return i.Key == key && i.Terms.MayRepublish })
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
// platform and for each place. delivered states whether the platform's feed delivered boroughs. If
// not, the table is empty. Counts of people are in the table s106_people.
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

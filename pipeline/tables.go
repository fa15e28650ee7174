package pipeline

import (
	"context"
	"runtime/debug"

	"labour/pipeline/cells"
	"labour/pipeline/embargoed"
	"labour/pipeline/lists"
	"labour/pipeline/protected"
	"labour/pipeline/report"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources/platform"
)

// openTables returns a writer for the tables of the new snapshot.
func openTables(d *draft) (w *tablewriter.Writer, err error) {
	o := d.in.options
	w = &tablewriter.Writer{Snapshot: d.writer, AsOf: d.in.asOf.Time(), ProtectedDir: protected.TruthDir(o.DataDir),
		OnStep: o.ReportStep}
	if d.read.hasBoroughs() {
		w.PeopleLastDay = d.plan.peoplePeriod.To.Time()
	}
	if !d.in.options.IsWhole() {
		w.Previous = d.plan.copyFrom
		w.Sources, err = parquetio.ReadAll[snapshots.SourcesRow](d.plan.copyFrom.TablePath("sources"))
		return w, err
	}
	d.report.EnsureSource(platform.Key) // the platform has a row even without a feed
	w.Sources = lists.SourceRows(d.in.infos, d.read.staged.ImportedSources, d.report.RecordCountsBySource(),
		o.Config.Platform, d.in.asOf)
	return w, nil
}

// openQueryRunner opens the intermediate files for the SQL queries that count adverts and people.
func openQueryRunner(ctx context.Context, d *draft) (*cells.QueryRunner, error) {
	debug.FreeOSMemory() // returns the memory used for reading, since the engine allocates its own
	staged := d.read.staged
	in := cells.QueryInputs{AsOf: d.in.asOf.Time(), PeopleFirstDay: d.plan.peoplePeriod.From.Time(),
		PeopleLastDay: d.plan.peoplePeriod.To.Time(), Boroughs: d.read.servedPlaces.Boroughs(),
		PlaceMembers: d.read.servedPlaces.MemberRows, Sources: d.tables.Sources}
	for _, s := range staged.Registers.Skills.Skills() {
		in.Skills = append(in.Skills, cells.Skill{Slug: s.Slug, DefaultLevel: int8(s.Level)})
	}
	cluster, err := d.in.options.ConnectCluster(ctx)
	if err != nil {
		return nil, err
	}
	limits := d.in.options.EngineLimits(staged.Adverts + staged.Residents + staged.Outcomes)
	return cells.OpenQueryRunner(ctx, staged.StagingDir, in, limits, cluster)
}

// writeAdverts writes the tables adverts and adverts_total, which count adverts.
func writeAdverts(ctx context.Context, d *draft) error {
	return d.tables.WriteQueries(ctx, cells.QueryAdverts, cells.QueryAdvertsTotal)
}

// writeRankings writes the published combinations of filters and their skills. The skills are
// written twice: sorted by rank and sorted by skill.
func writeRankings(ctx context.Context, d *draft) error {
	return d.tables.WriteQueries(ctx, cells.QueryFilterCombinations, cells.QuerySkillRankings,
		cells.QuerySkillRankingsSortedBySkill)
}

// writeJobs writes the table jobs: the live adverts that may be published.
func writeJobs(ctx context.Context, d *draft) error {
	if d.in.options.IsWhole() {
		return lists.WriteJobs(ctx, d.tables)
	}
	if err := d.plan.copyFrom.CheckFile(snapshots.TableFileName("jobs")); err != nil {
		return err
	}
	leftOut, err := lists.UpdateJobs(ctx, d.tables, d.plan.copyFrom.TablePath("jobs"),
		d.read.staged.JobsDay, d.in.infos)
	remark(d.in, d.report, lists.JobsLeftOutRemark(leftOut))
	return err
}

func writeEvents(ctx context.Context, d *draft) error {
	return lists.WriteEvents(ctx, d.tables, d.read.staged.EventsFile())
}

func writePathways(_ context.Context, d *draft) error {
	return lists.WritePathways(d.tables, d.read.staged.Pathways)
}

// writeSection106Sites writes the table s106: developments with section 106 planning obligations.
func writeSection106Sites(_ context.Context, d *draft) error {
	return lists.WriteS106(d.tables, d.read.servedPlaces, d.read.staged.Developments, d.read.hasBoroughs())
}

// writeFreshness writes the table freshness, which has the time when each source was last received.
// It considers all fetches, also those that this snapshot did not read. The manifest therefore
// states the time up to which fetches were considered.
func writeFreshness(_ context.Context, d *draft) error {
	d.fetchedUntil = d.in.options.FetchCutoff()
	return lists.WriteFreshness(d.tables, lists.FreshnessInputs{Archive: d.in.archive, MayRead: d.in.provider.MayRead,
		Sources: d.in.sources, ImportedSources: d.read.staged.ImportedSources})
}

func writeSources(_ context.Context, d *draft) error {
	return tablewriter.WriteRows(d.tables, "sources", d.tables.Sources)
}

// copySources copies the previous report's entries for the sources that this run does not read.
func copySources(d *draft) error {
	before, err := report.Read(d.plan.copyFrom.Dir)
	if err != nil {
		return err
	}
	d.report.CopyUnreadSources(before)
	return nil
}

// writeNames writes the tables with names and codes, such as places, occupations and skills.
func writeNames(ctx context.Context, d *draft) error {
	d.report.AddFaults(lists.UnappliedCorrections(d.in.corrections))
	staged := d.read.staged
	return lists.WriteNames(ctx, d.tables, lists.NamesInputs{Registers: staged.Registers,
		ServedPlaces: d.read.servedPlaces, SourceInfos: d.in.infos, Areas: staged.Areas,
		AreaHistory: staged.AreaHistory, Boundaries: staged.Boundaries, Corrections: d.in.corrections})
}

// writeStatistics writes the tables with figures and statements of other publishers.
func writeStatistics(ctx context.Context, d *draft) error {
	headlines := embargoed.SummariseHeadlines(d.in.infos, d.read.staged.Headlines, d.in.asOf.Time())
	return lists.WriteStatistics(ctx, d.tables, d.read.staged.Evidence, headlines)
}

func writeEmbargoed(ctx context.Context, d *draft) error {
	states, err := d.in.provider.EmbargoedStates()
	if err != nil {
		return err
	}
	staged := d.read.staged
	built, err := embargoed.WriteDatasets(ctx, d.tables, embargoed.Inputs{States: states, SourceInfos: d.in.infos,
		FirstFetchTime: d.in.archive.FirstExtractTime, Registers: staged.Registers, Wards: staged.Wards,
		Boundaries: staged.Boundaries, Evidence: staged.Evidence, Headlines: staged.Headlines,
		Priorities: staged.Priorities})
	d.report.AddFaults(built.Faults)
	d.embargoed = built.States
	d.report.AddEmbargoed(built.States)
	return err
}

func copyEmbargoed(d *draft) error {
	decided, err := d.in.provider.EmbargoedStates()
	if err != nil {
		return err
	}
	d.embargoed = embargoed.CarryStates(d.plan.copyFrom.Embargoed, decided)
	d.report.AddEmbargoed(d.embargoed)
	return nil
}

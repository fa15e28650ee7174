package pipeline

import (
	"context"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/cells"
	"labour/pipeline/embargoed"
	"labour/pipeline/lists"
	"labour/pipeline/people"
	"labour/pipeline/previous"
	"labour/pipeline/report"
	"labour/pipeline/servedplaces"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/snapshots/store"
	"labour/sources/platform"
)

type tables struct {
	build    *build
	writer   *store.Writer
	out      *tablewriter.Writer
	manifest snapshots.Manifest
	level    calendar.Cadence
	previous *previous.Snapshot         // snapshot from which parts that are not rebuilt are copied
	hidden   people.HiddenCounts        // counts of people that must not be copied
	quarter  *snapshots.People          // period and protection of the counts of people; nil without people
	states   []snapshots.EmbargoedState // state of each embargoed dataset, with its number of rows
	carried  map[string]bool            // tables and embargoed datasets that were copied

	fetchedUntil time.Time // fetches up to this time are in the table freshness
}

// openTables opens the writer for the tables of the snapshot.
func (t *tables) openTables(context.Context) (err error) {
	b := t.build
	t.out = &tablewriter.Writer{Snapshot: t.writer, AsOf: t.asOf(), ProtectedDir: b.o.ProtectedPath("truth"),
		OnStep: b.o.ReportStep}
	if b.hasPeople() {
		t.out.PeopleLastDay = b.quarter.To.Time()
	}
	if !calendar.EveryDay.IsDueAt(t.level) {
		t.out.Previous = t.previous
		t.out.Sources, err = parquetio.ReadAll[snapshots.SourcesRow](t.previous.TablePath("sources"))
		return err
	}
	b.report.SourceEntry(platform.Key) // the platform has a row even without a feed
	t.out.Sources = lists.SourceRows(b.infos, b.staged.ImportedSources, b.report.RecordsBySource(), b.o.Config.Platform,
		b.o.AsOf)
	return nil
}

// closeTables waits for the imports of query results that have not ended, and closes the database.
func (t *tables) closeTables() error {
	if t.out == nil {
		return nil
	}
	return t.out.Close()
}

// finish waits for the imports of query results, and reports the number of rows of each table.
func (t *tables) finish(context.Context) error {
	if err := t.out.Finish(); err != nil {
		return err
	}
	t.build.report.AddTables(t.out.Files())
	return nil
}

// aggregate writes the tables of counted adverts and of other publishers' figures.
func (t *tables) aggregate(ctx context.Context) error {
	return t.out.WriteQueries(ctx, cells.QueryAdverts, cells.QueryAdvertsTotal, cells.QueryCourseDemand)
}

// rankings writes the published combinations of filters, with their skills by rank and by skill.
func (t *tables) rankings(ctx context.Context) error {
	return t.out.WriteQueries(ctx, cells.QueryFilterCombinations, cells.QuerySkillRankings, cells.QueryRankingsBySkill)
}

// jobs writes the table jobs: the live adverts that may be published. A light run, which updates
// only the platform's data, copies the adverts of other sources from the previous snapshot.
func (t *tables) jobs(ctx context.Context) error {
	if calendar.EveryDay.IsDueAt(t.level) {
		return lists.WriteJobs(ctx, t.out, "")
	}
	if err := t.previous.CheckFile(snapshots.TableFileName("jobs")); err != nil {
		return err
	}
	return lists.WriteJobs(ctx, t.out, t.previous.TablePath("jobs"))
}

func (t *tables) events(ctx context.Context) error {
	return lists.WriteEvents(ctx, t.out, t.build.o.ProtectedPath("staging", "events.parquet"))
}

func (t *tables) pathways(context.Context) error {
	return lists.WritePathways(t.out, t.build.staged.Pathways)
}

func (t *tables) s106(context.Context) error {
	return lists.WriteDevelopments(t.out, t.build.served(), t.build.staged.Developments, t.build.hasPeople())
}

// freshness writes when each source was last received. The manifest gets the time up to which fetches
// were considered, because this table depends on fetches that are not inputs.
func (t *tables) freshness(context.Context) error {
	b := t.build
	list, err := b.o.ConfiguredSources()
	if err != nil {
		return err
	}
	t.fetchedUntil = b.o.FetchCutoff()
	return lists.WriteFreshness(t.out, lists.FreshnessInputs{Archive: b.archive, MayRead: b.provider.MayRead,
		Sources: list, ImportedSources: b.staged.ImportedSources, Now: b.o.Now()})
}

func (t *tables) sources(context.Context) error {
	return tablewriter.WriteRows(t.out, "sources", t.out.Sources)
}

// carrySources copies the report's entries on sources that this run does not read.
func (t *tables) carrySources() error {
	before, err := report.Read(t.previous.Dir)
	if err != nil {
		return err
	}
	t.build.report.CopyUnreadSources(before)
	return nil
}

func (t *tables) lists(ctx context.Context) error {
	b := t.build
	b.report.AddFaults(lists.UnappliedCorrections(b.corrections))
	return lists.WriteNames(ctx, t.out, lists.NamesInputs{Registers: b.staged.Registers, ServedPlaces: b.served(),
		SourceInfos: b.infos, Areas: b.staged.Areas, AreaHistory: b.staged.AreaHistory,
		Boundaries: b.staged.Boundaries, Corrections: b.corrections})
}

func (t *tables) evidence(ctx context.Context) error {
	b := t.build
	headlines := embargoed.SummariseHeadlines(b.infos, b.staged.Headlines, t.asOf())
	return lists.WriteEvidence(ctx, t.out, b.staged.Evidence, headlines)
}

func (t *tables) embargoed(ctx context.Context) error {
	b := t.build
	states, err := b.provider.EmbargoedStates()
	if err != nil {
		return err
	}
	built, err := embargoed.WriteDatasets(ctx, t.out, embargoed.Inputs{States: states, SourceInfos: b.infos,
		FirstFetchTime: b.archive.FirstExtractTime, Registers: b.staged.Registers, Wards: b.staged.Wards,
		Boundaries: b.staged.Boundaries, Evidence: b.staged.Evidence, Headlines: b.staged.Headlines,
		Priorities: b.staged.Priorities})
	b.report.AddFaults(built.Faults)
	t.keepStates(built.States)
	return err
}

func (t *tables) carryEmbargoed() error {
	decided, err := t.build.provider.EmbargoedStates()
	if err == nil {
		t.keepStates(embargoed.CarryStates(t.previous.Embargoed, decided))
	}
	return err
}

// keepStates stores the states of the embargoed datasets, for the manifest and the report.
func (t *tables) keepStates(states []snapshots.EmbargoedState) {
	t.states = states
	t.build.report.AddEmbargoed(states)
}

// served returns the places that the service covers, as read from the geography source so far.
func (b *build) served() servedplaces.Places {
	return servedplaces.NewPlaces(b.staged.Boroughs, b.staged.Areas, b.o.Config.ServedAreas)
}

func (t *tables) asOf() time.Time { return t.build.o.AsOf.Time() }

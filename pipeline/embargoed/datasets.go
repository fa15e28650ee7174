package embargoed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/coding"
	"labour/pipeline/staging"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
)

// Inputs holds what WriteDatasets needs in addition to the counted vacancies, such as wards and
// news headlines.
type Inputs struct {
	States      []snapshots.EmbargoedState // for each embargoed dataset, whether it is open
	SourceInfos []sources.Info             // descriptions of the configured sources
	// FirstFetchTime returns the time of the first fetch of a source; zero if there is none.
	FirstFetchTime func(source string) (time.Time, error)
	Registers      coding.Registers
	Wards          []sources.Ward
	Boundaries     []sources.Boundary
	Evidence       []sources.Evidence
	Headlines      []sources.Headline
	Priorities     []sources.PlanPriority
}

// Result is the result of WriteDatasets. It has the state of each embargoed dataset, such as open
// or closed, and the faults of records that were left out.
type Result struct {
	// state of each embargoed dataset, with the number of rows written
	States []snapshots.EmbargoedState
	Faults []sources.Fault // faults of the records that were left out of the datasets
}

// DatasetNames returns the names of the six embargoed datasets, such as "demand". An embargoed
// dataset is not served until a condition is met.
func DatasetNames() (names []string) {
	for _, h := range snapshots.EmbargoedDatasets() {
		names = append(names, h.Name)
	}
	return names
}

// WriteDatasets writes the six embargoed datasets. A closed dataset, which the API does not serve,
// has data of all sources, so that the operator can assess it. An open dataset has no data of
// sources whose licence is unknown or whose terms do not permit this use.
func WriteDatasets(ctx context.Context, w *tablewriter.Writer, in Inputs) (Result, error) {
	w.OnStep("build the embargoed datasets")
	d := datasets{Writer: w, in: in, states: slices.Clone(in.States)}
	if err := d.prepareShared(ctx); err != nil {
		return Result{}, err
	}
	var faults []sources.Fault
	unknown := func(p sources.PlanPriority) { faults = append(faults, unknownPriority(p)) }
	err := errors.Join(
		writeQuery[snapshots.DemandRow](ctx, &d, cells.QueryDemand),
		writeQuery[snapshots.TrendsRow](ctx, &d, cells.QueryTrends),
		writeQuery[snapshots.ReachRow](ctx, &d, cells.QueryVacanciesNearWards),
		writeQuery[snapshots.OutlookRow](ctx, &d, cells.QueryOutlook),
		writeRows(&d, "signals", signals(in.Headlines, d.publishers("signals"), w.AsOf)),
		writeRows(&d, "priorities", priorities(in.Priorities, d.publishers("priorities"), in.priorityName, unknown)))
	return Result{d.states, faults}, err
}

// SummariseHeadlines returns a generated sentence for each news headline. infos describes the
// configured sources. Headlines of a source are left out if its licence is unknown or its terms do
// not permit a summary. Headlines dated after asOf are left out too.
func SummariseHeadlines(infos []sources.Info, headlines []sources.Headline, asOf time.Time) []snapshots.SignalsRow {
	return signals(headlines, byKey(infos, mayShow), asOf)
}

// CarryStates returns the states of embargoed datasets that are copied from the previous snapshot.
// previousStates has their states in that snapshot, and decisions has their states according to the
// operator's latest decisions. An open dataset that the operator has closed becomes closed. A
// dataset that the operator has opened stays closed until the next run that reads all sources.
func CarryStates(previousStates, decisions []snapshots.EmbargoedState) []snapshots.EmbargoedState {
	states := slices.Clone(previousStates)
	for i, s := range states {
		at := slices.IndexFunc(decisions, func(d snapshots.EmbargoedState) bool { return d.Name == s.Name })
		if s.Open && at >= 0 && !decisions[at].Open {
			states[i] = decisions[at]
			states[i].Rows = s.Rows
		}
	}
	return states
}

// datasets holds the inputs and the states of the six embargoed datasets while they are written.
type datasets struct {
	*tablewriter.Writer
	in     Inputs
	states []snapshots.EmbargoedState
}

// open reports whether the embargoed dataset with the given name is open. The API serves only open
// datasets.
func (d *datasets) open(name string) bool {
	return slices.ContainsFunc(d.states, func(h snapshots.EmbargoedState) bool { return h.Name == name && h.Open })
}

// writeRows sorts the rows of one embargoed dataset and writes them to its file. It records their
// number in the dataset's state.
func writeRows[T any](d *datasets, name string, rows []T) error {
	table, _ := snapshots.FindEmbargoedTable(name)
	from := table.CreditedSources(snapshots.CreditsOfRows(table, rows), d.Sources)
	path := d.Snapshot.FilePath(snapshots.EmbargoedFileName(name))
	if err := parquetio.WriteTable(path, table, snapshots.TableMetadata(table, d.Snapshot.ID(), from), d.AsOf,
		snapshots.SortedRows(table, rows)); err != nil {
		return fmt.Errorf("embargoed dataset %s: %w", name, err)
	}
	for i := range d.states {
		if d.states[i].Name == name {
			d.states[i].Rows = new(int64(len(rows)))
		}
	}
	return nil
}

// writeQuery runs a query and writes the result as an embargoed dataset.
func writeQuery[T any](ctx context.Context, d *datasets, q cells.QueryName) error {
	file, err := d.RunQuery(ctx, q)
	if err != nil {
		return err
	}
	rows, err := parquetio.ReadAll[T](file)
	if err != nil {
		return fmt.Errorf("embargoed dataset %s: %w", q, err)
	}
	return writeRows(d, string(q), rows)
}

// shownRow is one source that may be used in one dataset. Since is the time of the first fetch, for
// a source that lists only live adverts. For other sources it is nil.
type shownRow struct {
	Dataset   string     `col:"dataset"`
	SourceKey string     `col:"source_key"`
	Since     *time.Time `col:"since"`
}

// prepareShared prepares the inputs for the queries of the embargoed datasets. They include the
// vacancies of sources that permit publication.
func (d *datasets) prepareShared(ctx context.Context) error {
	for _, q := range []cells.QueryName{cells.QueryShareableVacancies, cells.QueryShareablePlaces} {
		if _, err := d.RunQuery(ctx, q); err != nil {
			return err
		}
	}
	shown, err := d.sourceRows()
	if err != nil {
		return err
	}
	err = errors.Join(tablewriter.AddRowsAsView(ctx, d.Writer, "evidence_shown", staging.EvidenceRows(d.projections())),
		tablewriter.AddRowsAsView(ctx, d.Writer, "shown", shown),
		d.QueryRunner.AddView(ctx, "occupations", d.Snapshot.TablePath("occupations")))
	if err != nil {
		return err
	}
	return addNearWards(ctx, d.Writer, d.in.Wards, d.in.Boundaries)
}

// sourceRows returns the sources that may be used in each embargoed dataset that counts vacancies.
// The datasets are demand, trends and reach.
func (d *datasets) sourceRows() (rows []shownRow, err error) {
	for _, i := range d.in.SourceInfos {
		var since *time.Time
		if i.ListsLiveOnly {
			first, err := d.in.FirstFetchTime(i.Key)
			if err != nil {
				return nil, err
			}
			if first.IsZero() {
				first = d.AsOf
			}
			since = &first
		}
		for _, dataset := range []cells.QueryName{cells.QueryDemand, cells.QueryTrends, cells.QueryVacanciesNearWards} {
			if d.mayUse(string(dataset), i.Key) {
				rows = append(rows, shownRow{string(dataset), i.Key, since})
			}
		}
	}
	return rows, nil
}

// mayUse reports whether an embargoed dataset may use the source with the given key. A closed
// dataset, which the API does not serve, may use every source. An open dataset may use only sources
// with a known licence.
func (d *datasets) mayUse(dataset, key string) bool {
	return !d.open(dataset) || slices.ContainsFunc(d.in.SourceInfos,
		func(i sources.Info) bool { return i.Key == key && i.LicenceKnown() })
}

// projections returns forecasts of skills gaps (projections) for the dataset outlook. While the
// dataset is closed, which means not served, it returns all of them. Once it is open, it leaves out
// projections that are embargoed themselves or whose licence is unknown.
func (d *datasets) projections() []sources.Evidence {
	if !d.open("outlook") {
		return d.in.Evidence
	}
	return slices.DeleteFunc(slices.Clone(d.in.Evidence),
		func(e sources.Evidence) bool { return e.Embargoed || !d.mayUse("outlook", e.Source) })
}

// publishers returns the sources that an embargoed dataset may summarise, by key. An open dataset
// may summarise a source only if its licence is known and its terms permit a summary.
func (d *datasets) publishers(dataset string) map[string]sources.Info {
	return byKey(d.in.SourceInfos, func(i sources.Info) bool { return !d.open(dataset) || mayShow(i) })
}

// mayShow reports whether a source has a known licence and its terms permit a summary.
func mayShow(i sources.Info) bool { return i.Terms.MaySummarise && i.LicenceKnown() }

func byKey(infos []sources.Info, keep func(sources.Info) bool) map[string]sources.Info {
	by := map[string]sources.Info{}
	for _, i := range infos {
		if keep(i) {
			by[i.Key] = i
		}
	}
	return by
}

// priorityName returns the name of what a local skills plan lists as a priority. kind is
// occupation, sector or skill, and code identifies one of that kind. The second result is false if
// the code is unknown.
func (in *Inputs) priorityName(kind, code string) (string, bool) {
	switch kind {
	case sources.PriorityOccupation:
		return in.Registers.Occupations.GroupName(code)
	case sources.PrioritySector:
		return in.Registers.Sectors.SectorName(code)
	case sources.PrioritySkill:
		s, known := in.Registers.Skills.FindSkill(code)
		return s.Name, known
	}
	return "", false
}

// unknownPriority returns the fault for a row of a local skills plan whose priority has an unknown
// code.
func unknownPriority(p sources.PlanPriority) sources.Fault {
	return sources.Fault{Source: p.Source, Where: p.Kind + " " + p.Code, Code: sources.FaultBadValue,
		Detail: fmt.Sprintf("%q is the code of no %s in the lists of the service; it is left out", p.Code, p.Kind)}
}

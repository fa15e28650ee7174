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

// Inputs holds what WriteDatasets needs to write the embargoed datasets, in addition to the counted
// vacancies.
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

// Result is the result of WriteDatasets: the states of the embargoed datasets, and the faults found
// while they were written.
type Result struct {
	// state of each embargoed dataset, with the number of rows written
	States []snapshots.EmbargoedState
	Faults []sources.Fault // faults of the records that were left out of the datasets
}

// DatasetNames returns the names of the six embargoed datasets, such as demand.
func DatasetNames() (names []string) {
	for _, h := range snapshots.EmbargoedDatasets() {
		names = append(names, h.Name)
	}
	return names
}

// WriteDatasets writes the six embargoed datasets. While a dataset is closed, it has the data of
// all configured sources, so that the operator can assess it. Once it is open, the API serves it.
// It then omits sources whose licence is unknown or whose terms do not permit this use.
func WriteDatasets(ctx context.Context, w *tablewriter.Writer, in Inputs) (Result, error) {
	w.OnStep("build the embargoed datasets")
	d := datasets{Writer: w, in: in, states: slices.Clone(in.States)}
	if err := d.prepareShared(ctx); err != nil {
		return Result{}, err
	}
	var faults []sources.Fault
	unknown := func(p sources.PlanPriority) { faults = append(faults, unknownPriority(p)) }
	err := errors.Join(
		count[snapshots.DemandRow](ctx, &d, cells.QueryDemand),
		count[snapshots.TrendsRow](ctx, &d, cells.QueryTrends),
		count[snapshots.ReachRow](ctx, &d, cells.QueryReach),
		count[snapshots.OutlookRow](ctx, &d, cells.QueryOutlook),
		write(&d, "signals", signals(in.Headlines, d.publishers("signals"), w.AsOf)),
		write(&d, "priorities", priorities(in.Priorities, d.publishers("priorities"), in.priorityName, unknown)))
	return Result{d.states, faults}, err
}

// SummariseHeadlines returns a generated sentence for each news headline. It leaves out sources
// whose terms are unknown or do not permit a summary.
func SummariseHeadlines(infos []sources.Info, headlines []sources.Headline, asOf time.Time) []snapshots.SignalsRow {
	return signals(headlines, byKey(infos, mayShow), asOf)
}

// CarryStates returns the states of embargoed datasets that are copied from the previous snapshot.
// previousStates are their states in that snapshot, and decisions are the operator's latest
// decisions. A dataset that was closed since then is closed. A dataset that was opened stays closed
// until a whole run builds it.
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

// datasets holds what is needed while the six embargoed datasets are written, and their states.
type datasets struct {
	*tablewriter.Writer
	in     Inputs
	states []snapshots.EmbargoedState
}

// open reports whether the API will serve an embargoed dataset from this snapshot.
func (d *datasets) open(name string) bool {
	return slices.ContainsFunc(d.states, func(h snapshots.EmbargoedState) bool { return h.Name == name && h.Open })
}

// write writes the rows of one embargoed dataset to its file, in the order of the dataset.
func write[T any](d *datasets, name string, rows []T) error {
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

// count writes an embargoed dataset whose rows are the result of a query.
func count[T any](ctx context.Context, d *datasets, q cells.QueryName) error {
	file, err := d.RunQuery(ctx, q)
	if err != nil {
		return err
	}
	rows, err := parquetio.ReadAll[T](file)
	if err != nil {
		return fmt.Errorf("embargoed dataset %s: %w", q, err)
	}
	return write(d, string(q), rows)
}

// shownRow is a source that may be used in a dataset. For a source that lists only live adverts,
// Since is the time of the first fetch; it is nil for other sources.
type shownRow struct {
	Dataset   string     `col:"dataset"`
	SourceKey string     `col:"source_key"`
	Since     *time.Time `col:"since"`
}

// prepareShared selects the vacancies that may be shared, and makes the other inputs of the
// embargoed datasets available to queries.
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

// sourceRows lists, for each embargoed dataset that counts vacancies, the sources that may be used
// in it.
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
		for _, dataset := range []cells.QueryName{cells.QueryDemand, cells.QueryTrends, cells.QueryReach} {
			if d.mayUse(string(dataset), i.Key) {
				rows = append(rows, shownRow{string(dataset), i.Key, since})
			}
		}
	}
	return rows, nil
}

// mayUse reports whether a source may be used in an embargoed dataset. A closed dataset may use
// any source. An open dataset may use only sources with a known licence.
func (d *datasets) mayUse(dataset, key string) bool {
	return !d.open(dataset) || slices.ContainsFunc(d.in.SourceInfos,
		func(i sources.Info) bool { return i.Key == key && i.LicenceKnown() })
}

// projections returns the projections of skills gaps that the dataset outlook combines. While the
// dataset is closed, it returns all projections. Once the dataset is open, it leaves out
// projections that are themselves embargoed, and projections from sources with an unknown licence.
func (d *datasets) projections() []sources.Evidence {
	if !d.open("outlook") {
		return d.in.Evidence
	}
	return slices.DeleteFunc(slices.Clone(d.in.Evidence),
		func(e sources.Evidence) bool { return e.Embargoed || !d.mayUse("outlook", e.Source) })
}

// publishers returns the sources whose records an embargoed dataset may summarise, by key. Once
// the dataset is open, it omits sources that permit no summary or whose licence is unknown.
func (d *datasets) publishers(dataset string) map[string]sources.Info {
	return byKey(d.in.SourceInfos, func(i sources.Info) bool { return !d.open(dataset) || mayShow(i) })
}

// mayShow reports whether the licence of a source is known and its terms permit a summary.
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

// priorityName returns the name of a priority of a local plan. The kind of the priority is
// occupation, sector or skill, and code is its code. The second result is false if the code is
// unknown.
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

// unknownPriority returns the fault for a priority of a local plan whose code is in none of the
// service's lists.
func unknownPriority(p sources.PlanPriority) sources.Fault {
	return sources.Fault{Source: p.Source, Where: p.Kind + " " + p.Code, Code: sources.FaultBadValue,
		Detail: fmt.Sprintf("%q is the code of no %s in the lists of the service; it is left out", p.Code, p.Kind)}
}

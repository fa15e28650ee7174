package people

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/pipeline/servedplaces"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// WriteEmptyTables writes the tables with counts of people without rows. It is for a feed without
// data about people.
func WriteEmptyTables(w *tablewriter.Writer) error {
	return errors.Join(tablewriter.WriteRows(w, "people", []snapshots.PeopleRow(nil)), writeSmall(w, Tables{}))
}

// writeSmall writes the tables residents, candidates and s106_people. They fit into memory.
func writeSmall(w *tablewriter.Writer, tables Tables) error {
	return errors.Join(tablewriter.WriteRows(w, "residents", tables.Residents),
		tablewriter.WriteRows(w, "candidates", tables.Candidates),
		tablewriter.WriteRows(w, "s106_people", tables.S106))
}

// WriteTables counts people for a quarter, and writes the four tables with the rounded and
// suppressed counts. It leaves out the counts in withdrawals. tally has how many values in the
// table people are numbers, "<5" and null.
func WriteTables(ctx context.Context, w *tablewriter.Writer, in Inputs,
	withdrawals []snapshots.PeopleWithdrawal) (tally disclosure.ValueTally, err error) {
	w.OnStep("count people")
	if in.QueryResults, err = runPeopleQueries(ctx, w); err != nil {
		return tally, err
	}
	w.OnStep("round people")
	hidden := HiddenCounts{Withdrawn: withdrawals}
	unsorted := filepath.Join(w.ProtectedDir, "people_printed.parquet")
	tables, err := writeUnsorted(ctx, in, unsorted, hidden)
	if err != nil {
		return tally, err
	}
	w.OnStep("sort people")
	table, _ := snapshots.FindTable("people")
	sorted := filepath.Join(w.ProtectedDir, "people_sorted.parquet")
	if err := w.QueryRunner.SortFile(ctx, unsorted, sorted, table.SortColumns); err != nil {
		return tally, err
	}
	w.StartImport("people", sorted)
	if hidden.hidesAll() {
		tables.Candidates, tables.S106 = nil, nil
	}
	tables.Residents = slices.DeleteFunc(tables.Residents,
		func(r snapshots.ResidentsRow) bool { return hidden.hidesSkill(r.Skill) })
	return tables.PeopleTally, writeSmall(w, tables)
}

// writeUnsorted writes the rows of the table people to a file, in the order of computation. It
// leaves out the hidden rows. It returns the rows of the other tables.
func writeUnsorted(ctx context.Context, in Inputs, file string, hidden HiddenCounts) (tables Tables, err error) {
	table, _ := snapshots.FindTable("people")
	w, err := parquetio.CreateFile[snapshots.PeopleRow](file, table.Columns[1:], nil)
	if err != nil {
		return tables, err
	}
	var withdrawnTally disclosure.ValueTally
	isHidden := hidden.hidesPeople(&withdrawnTally)
	tables, err = BuildTables(ctx, in, func(r snapshots.PeopleRow) error {
		if isHidden(&r) {
			return nil
		}
		return w.Append(r)
	})
	tables.PeopleTally.Numbers -= withdrawnTally.Numbers
	tables.PeopleTally.UnderFive -= withdrawnTally.UnderFive
	return tables, errors.Join(err, w.Close())
}

// runPeopleQueries runs the queries that count people. It returns the paths of the results.
func runPeopleQueries(ctx context.Context, w *tablewriter.Writer) (files QueryFiles, err error) {
	for _, asked := range []struct {
		question cells.QueryName
		file     *string
	}{{cells.QueryDecidedApplicants, &files.People}, {cells.QueryRequiredCombinations, &files.RequiredCombinations},
		{cells.QueryAnswerableFilters, &files.AnswerableFilters},
		{cells.QueryResidentsAndApplicants, &files.Applicants}, {cells.QueryResidentSkills, &files.ResidentSkills}} {
		if *asked.file, err = w.RunQuery(ctx, asked.question); err != nil {
			return files, err
		}
	}
	return files, nil
}

// DisclosurePlaces converts the served boroughs and areas to the type of package disclosure. They
// keep the order of places.PlaceRows.
func DisclosurePlaces(places servedplaces.Places) *disclosure.Places {
	var boroughs []string
	var areas []disclosure.Area
	at := map[string]int{}
	for _, p := range places.PlaceRows {
		if p.AreaKind == snapshots.AreaKindBorough {
			boroughs = append(boroughs, p.Place)
			continue
		}
		at[p.Place] = len(areas)
		areas = append(areas, disclosure.Area{Slug: p.Place})
	}
	for _, m := range places.MemberRows {
		if i, ok := at[m.Area]; ok {
			areas[i].Boroughs = append(areas[i].Boroughs, m.Borough)
		}
	}
	return disclosure.NewPlaces(boroughs, areas)
}

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

// WriteEmptyTables writes the tables with counts of people without any rows, for a feed without data
// about people.
func WriteEmptyTables(w *tablewriter.Writer) error {
	return errors.Join(tablewriter.WriteRows(w, "people", []snapshots.PeopleRow(nil)), writeSmall(w, Tables{}))
}

// writeSmall writes the tables residents, candidates and s106_people, which fit into memory.
func writeSmall(w *tablewriter.Writer, made Tables) error {
	return errors.Join(tablewriter.WriteRows(w, "residents", made.Residents),
		tablewriter.WriteRows(w, "candidates", made.Candidates),
		tablewriter.WriteRows(w, "s106_people", made.S106))
}

// WriteTables writes the four tables with a quarter's counts of people: it counts, rounds and suppresses
// them. Withdrawn counts are left out. The tally counts the values in the table people by kind:
// number, "<5" or null.
func WriteTables(ctx context.Context, w *tablewriter.Writer, in Inputs,
	withdrawn []snapshots.PeopleWithdrawal) (tally disclosure.ValueTally, err error) {
	w.OnStep("count people")
	if in.QueryResults, err = ask(ctx, w); err != nil {
		return tally, err
	}
	w.OnStep("round people")
	hidden := HiddenCounts{Withdrawn: withdrawn}
	unsorted := filepath.Join(w.ProtectedDir, "people_printed.parquet")
	made, err := writeUnsorted(ctx, in, unsorted, hidden)
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
	if hidden.all() {
		made.Candidates, made.S106 = nil, nil
	}
	made.Residents = slices.DeleteFunc(made.Residents,
		func(r snapshots.ResidentsRow) bool { return hidden.skill(r.Skill) })
	return made.PeopleTally, writeSmall(w, made)
}

// writeUnsorted writes the published rows of the table people to a file, in the order in which they
// are computed. It returns the rows of the other tables.
func writeUnsorted(ctx context.Context, in Inputs, file string, hidden HiddenCounts) (made Tables, err error) {
	table, _ := snapshots.FindTable("people")
	w, err := parquetio.CreateFile[snapshots.PeopleRow](file, table.Columns[1:], nil)
	if err != nil {
		return made, err
	}
	var left disclosure.ValueTally
	isHidden := hidden.peopleInto(&left)
	made, err = BuildTables(ctx, in, func(r snapshots.PeopleRow) error {
		if isHidden(&r) {
			return nil
		}
		return w.Append(r)
	})
	made.PeopleTally.Numbers -= left.Numbers
	made.PeopleTally.UnderFive -= left.UnderFive
	return made, errors.Join(err, w.Close())
}

// ask runs the queries that count people and returns the paths of their results.
func ask(ctx context.Context, w *tablewriter.Writer) (files QueryFiles, err error) {
	for _, asked := range []struct {
		question cells.Query
		file     *string
	}{{cells.QueryPeople, &files.People}, {cells.QueryRequiredCombinations, &files.RequiredCombinations},
		{cells.QueryAnswerableFilters, &files.AnswerableFilters},
		{cells.QueryApplicants, &files.Applicants}, {cells.QueryResidentSkills, &files.ResidentSkills}} {
		if *asked.file, err = w.RunQuery(ctx, asked.question); err != nil {
			return files, err
		}
	}
	return files, nil
}

// DisclosurePlaces returns the served boroughs and areas as package disclosure needs them. They
// are in the order of served.Rows.
func DisclosurePlaces(served servedplaces.Places) *disclosure.Places {
	var boroughs []string
	var areas []disclosure.Area
	at := map[string]int{}
	for _, p := range served.PlaceRows {
		if p.AreaKind == snapshots.AreaKindBorough {
			boroughs = append(boroughs, p.Place)
			continue
		}
		at[p.Place] = len(areas)
		areas = append(areas, disclosure.Area{Slug: p.Place})
	}
	for _, m := range served.MemberRows {
		if i, ok := at[m.Area]; ok {
			areas[i].Boroughs = append(areas[i].Boroughs, m.Borough)
		}
	}
	return disclosure.NewPlaces(boroughs, areas)
}

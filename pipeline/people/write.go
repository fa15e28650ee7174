package people

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/pipeline/places"
	"labour/pipeline/tablewriter"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// WriteEmpty writes the tables of people for a feed without records about people.
func WriteEmpty(w *tablewriter.Writer) error {
	return errors.Join(tablewriter.Write(w, "people", []snapshots.PeopleRow(nil)), writeSmall(w, Tables{}))
}

// writeSmall writes the tables of people except the table people itself, which is large.
func writeSmall(w *tablewriter.Writer, made Tables) error {
	return errors.Join(tablewriter.Write(w, "residents", made.Residents),
		tablewriter.Write(w, "candidates", made.Candidates),
		tablewriter.Write(w, "s106_people", made.S106))
}

// Write counts people for a quarter, rounds and suppresses the counts, and writes the four tables of
// people, without withdrawn figures. The tally has the number of published values of each kind.
func Write(ctx context.Context, w *tablewriter.Writer, in Inputs,
	withdrawn []snapshots.PeopleWithdrawal) (tally disclosure.Tally, err error) {
	w.Step("count people")
	if in.Answers, err = ask(ctx, w); err != nil {
		return tally, err
	}
	w.Step("round people")
	hidden := Hidden{Withdrawn: withdrawn}
	unsorted := filepath.Join(w.Truth, "people_printed.parquet")
	made, err := writeUnsorted(ctx, in, unsorted, hidden)
	if err != nil {
		return tally, err
	}
	w.Step("sort people")
	table, _ := snapshots.TableNamed("people")
	sorted := filepath.Join(w.Truth, "people_sorted.parquet")
	if err := w.Cells.Sort(ctx, unsorted, sorted, table.Sort); err != nil {
		return tally, err
	}
	w.Import("people", sorted)
	if hidden.all() {
		made.Candidates, made.S106 = nil, nil
	}
	made.Residents = slices.DeleteFunc(made.Residents,
		func(r snapshots.ResidentsRow) bool { return hidden.skill(r.Skill) })
	return made.Tally, writeSmall(w, made)
}

// writeUnsorted prints the figures and writes the published rows of the table people to a file, in
// the order of printing.
func writeUnsorted(ctx context.Context, in Inputs, file string, hidden Hidden) (made Tables, err error) {
	table, _ := snapshots.TableNamed("people")
	w, err := parquetio.Create[snapshots.PeopleRow](file, table.Columns[1:], nil)
	if err != nil {
		return made, err
	}
	var left disclosure.Tally
	isHidden := hidden.peopleInto(&left)
	made, err = Build(ctx, in, func(r snapshots.PeopleRow) error {
		if isHidden(&r) {
			return nil
		}
		return w.Append(r)
	})
	made.Tally.Numbers -= left.Numbers
	made.Tally.UnderFive -= left.UnderFive
	return made, errors.Join(err, w.Close())
}

// ask runs the queries whose results are the inputs of the figures of people.
func ask(ctx context.Context, w *tablewriter.Writer) (files Answers, err error) {
	for _, asked := range []struct {
		question cells.Query
		file     *string
	}{{cells.People, &files.People}, {cells.Asked, &files.Asked}, {cells.Askable, &files.Askable},
		{cells.Applicants, &files.Applicants}, {cells.Held, &files.Held}} {
		if *asked.file, err = w.RunQuery(ctx, asked.question); err != nil {
			return files, err
		}
	}
	return files, nil
}

// PlacesOf returns the served boroughs and areas, in the order of places.
func PlacesOf(served places.Served) *disclosure.Places {
	var boroughs []string
	var areas []disclosure.Area
	at := map[string]int{}
	for _, p := range served.Rows {
		if p.AreaKind == snapshots.AreaBorough {
			boroughs = append(boroughs, p.Place)
			continue
		}
		at[p.Place] = len(areas)
		areas = append(areas, disclosure.Area{Slug: p.Place})
	}
	for _, m := range served.Members {
		if i, ok := at[m.Area]; ok {
			areas[i].Boroughs = append(areas[i].Boroughs, m.Borough)
		}
	}
	return disclosure.NewPlaces(boroughs, areas)
}

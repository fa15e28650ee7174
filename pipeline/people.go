package pipeline

import (
	"context"
	"errors"
	"slices"
	"time"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/pipeline/people"
	tablefiles "labour/pipeline/tables"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// people writes the tables of people, empty if the feed delivers none.
func (t *tables) people(ctx context.Context) error {
	if !t.build.hasPeople() {
		return errors.Join(tablefiles.Write(t.out, "people", []snapshots.PeopleRow(nil)),
			tablefiles.Write(t.out, "residents", []snapshots.ResidentsRow(nil)),
			tablefiles.Write(t.out, "candidates", []snapshots.CandidatesRow(nil)),
			tablefiles.Write(t.out, "s106_people", []snapshots.S106PeopleRow(nil)))
	}
	secret, err := t.build.basis.secret()
	if err != nil {
		return err
	}
	return t.makePeople(ctx, secret)
}

// findPrinted finds the snapshot that has the figures of people of the quarter, if there is one: "A
// quarter's figures are made once, … and carried byte by byte until the next".
func (t *tables) findPrinted() error {
	b := t.build
	secret, err := b.basis.secret()
	if err != nil {
		return err
	}
	printed, err := b.basis.printed(b, secret)
	if err != nil || printed == nil {
		return err
	}
	t.previous = printed
	return nil
}

// quarterIsNew reports whether new figures of people are to be made: findQuarter has found a
// quarter for which the feed is known to be complete, and no snapshot has its figures.
func (t *tables) quarterIsNew() bool { return t.previous == nil }

// peopleQuarter returns the first and the last day that the figures of people describe, see
// findQuarter.
func (b *build) peopleQuarter() (from, to sources.Date) { return b.quarter.From, b.quarter.To }

// makePeople counts and prints the figures of the quarter.
func (t *tables) makePeople(ctx context.Context, secret disclosure.Secret) error {
	b := t.build
	b.o.step("count people")
	in, err := t.peopleInputs(ctx, secret)
	if err != nil {
		return err
	}
	b.o.step("round people")
	table, _ := snapshots.TableNamed("people")
	unsorted := b.o.protected("truth", "people_printed.parquet")
	w, err := parquetio.Create[snapshots.PeopleRow](unsorted, table.Columns[1:], nil)
	if err != nil {
		return err
	}
	made, err := people.Build(ctx, in, func(r snapshots.PeopleRow) error {
		if b.hides(&r) {
			return nil
		}
		return w.Append(r)
	})
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	b.o.step("sort people")
	sorted := b.o.protected("truth", "people_sorted.parquet")
	if err := t.out.Cells.Sort(ctx, unsorted, sorted, table.Sort); err != nil {
		return err
	}
	t.out.Import("people", sorted)
	b.report.People["number"] += made.Tally.Numbers
	b.report.People["under_5"] += made.Tally.UnderFive
	b.report.Withheld["below_a_small_group"] = made.Tally.Below
	t.quarter = b.newQuarter(t.writer.ID(), secret)
	b.report.Quarter = t.quarter
	if b.hidden("") {
		made.Candidates, made.S106 = nil, nil
	}
	made.Residents = slices.DeleteFunc(made.Residents, func(r snapshots.ResidentsRow) bool { return b.hidden(r.Skill) })
	return errors.Join(tablefiles.Write(t.out, "residents", made.Residents),
		tablefiles.Write(t.out, "candidates", made.Candidates),
		tablefiles.Write(t.out, "s106_people", made.S106))
}

// peopleInputs runs the queries whose results are the inputs of the figures of people.
func (t *tables) peopleInputs(ctx context.Context, secret disclosure.Secret) (in people.Inputs, err error) {
	b := t.build
	in = people.Inputs{Protection: disclosure.Protection(b.o.Config.People.Protection), Secret: secret,
		Places:       b.peoplePlaces(),
		Developments: b.staged.Developments, Threads: b.o.Threads}
	for _, s := range b.staged.Registers.Skills.Skills() {
		in.Skills = append(in.Skills, s.Slug)
	}
	for _, s := range b.staged.Registers.Sectors.All() {
		in.Sectors = append(in.Sectors, s.Slug)
	}
	in.Progress = func(done, of int) { b.o.detail("round people: %d of %d skills", done, of) }
	for _, asked := range []struct {
		question cells.Question
		file     *string
	}{{cells.People, &in.Answers.People}, {cells.Asked, &in.Answers.Asked}, {cells.Askable, &in.Answers.Askable},
		{cells.Applicants, &in.Answers.Applicants}, {cells.Held, &in.Answers.Held}} {
		if *asked.file, err = t.out.Ask(ctx, asked.question); err != nil {
			return in, err
		}
	}
	return in, nil
}

// peoplePlaces returns the served boroughs and areas, in the order of places.
func (b *build) peoplePlaces() *disclosure.Places {
	var boroughs []string
	var areas []disclosure.Area
	at := map[string]int{}
	served := b.served()
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

// newQuarter returns the manifest's entry for figures of people that are made in this run.
func (b *build) newQuarter(id snapshots.ID, secret disclosure.Secret) *snapshots.People {
	from, to := b.peopleQuarter()
	p := &snapshots.People{From: snapshots.DateOf(day(from)), To: snapshots.DateOf(day(to)),
		Protection:   b.o.Config.People.Protection,
		SecretSHA256: secret.SHA256(), MadeBy: id}
	for _, in := range b.extracts {
		if at := in.At.UTC().Truncate(time.Second); in.Source == platform.Key && at.After(p.ExtractAt) {
			p.ExtractAt = at
		}
	}
	return p
}

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"labour/pipeline/calendar"
	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/pipeline/people"
	"labour/pipeline/report"
	tablefiles "labour/pipeline/tables"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/platform"
)

// people writes the tables of people, empty where the feed delivers nothing about any.
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

// findPrinted finds the snapshot that prints the figures of people of the quarter, where there is one:
// "A quarter's figures are made once, … and carried byte by byte until the next".
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
	t.level, t.previous = calendar.Day, printed
	return nil
}

// peopleQuarter returns the first and the last day of the figures of people, see findQuarter.
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
	return errors.Join(tablefiles.Write(t.out, "residents", made.Residents), tablefiles.Write(t.out, "candidates", made.Candidates),
		tablefiles.Write(t.out, "s106_people", made.S106))
}

// peopleInputs asks what the figures of people are made of.
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
	for _, p := range b.places() {
		if p.AreaKind == snapshots.AreaBorough {
			boroughs = append(boroughs, p.Place)
			continue
		}
		at[p.Place] = len(areas)
		areas = append(areas, disclosure.Area{Slug: p.Place})
	}
	for _, m := range b.placeMembers() {
		if i, ok := at[m.Area]; ok {
			areas[i].Boroughs = append(areas[i].Boroughs, m.Borough)
		}
	}
	return disclosure.NewPlaces(boroughs, areas)
}

// newQuarter returns the manifest's entry on the quarter's figures that are made now.
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

// printedQuarter returns the newest snapshot that prints the figures of people of the quarter to a day
// and was published, withdrawn or not; nil where there is none.
func (o *Options) printedQuarter(to sources.Date) (*previous, error) {
	store, err := snapshots.Open(o.Data)
	if err != nil {
		return nil, err
	}
	published, err := o.publishedSnapshots(store)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Backward(published) {
		m, err := store.Manifest(id)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("read which figures of people are printed: %w", err)
		}
		if m.People != nil && m.People.To.Equal(day(to)) {
			return &previous{m, store.Dir(id)}, nil
		}
	}
	return nil, nil
}

// publishedSnapshots lists the snapshots that were published and are still here, the oldest first.
// An index that cannot be read must not keep the next snapshot from being made, which makes the index
// again: then it is known of the current snapshot only.
func (o *Options) publishedSnapshots(store *snapshots.Store) (ids []snapshots.ID, err error) {
	index, err := store.Index()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		o.Log.Warn("the index cannot be read: of the current snapshot only it is known that it was published", "error",
			err)
	}
	for _, e := range index.Snapshots {
		if e.Published() && !e.Removed {
			ids = append(ids, e.ID)
		}
	}
	current, err := store.Current()
	if err == nil {
		ids = append(ids, current)
	} else if !errors.Is(err, snapshots.ErrNoCurrent) {
		return nil, err
	}
	return ids, nil
}

// carryPeople takes over the entries of the report and the manifest on figures of people, and finds
// what is not shown of them any more: places that are made of other councils by now.
func (t *tables) carryPeople() (err error) {
	b := t.build
	b.o.step("take over people of " + t.previous.ID.String())
	t.quarter, b.report.Quarter = t.previous.People, t.previous.People
	before, err := report.Read(t.previous.dir)
	if err != nil {
		return fmt.Errorf("take over the totals of people: %w", err)
	}
	maps.Copy(b.report.People, before.People)
	maps.Copy(b.report.Withheld, before.Withheld)
	t.other, err = b.otherPlaces(t.previous.dir)
	return err
}

// withoutHidden writes a table of people without the rows that are not shown any more, and reports
// whether it did: those of a place that is another by now, which "has null until then", and those that
// are withdrawn. Where there are none, and of every other table, it writes nothing.
func (t *tables) withoutHidden(name string) (written bool, err error) {
	b, all := t.build, t.build.hidden("")
	if len(t.other) == 0 && len(b.withdrawn) == 0 {
		return false, nil
	}
	switch name {
	case "people":
		return writeShown(t, name, func(r *snapshots.PeopleRow) bool { return t.other[r.Place] || b.hides(r) })
	case "residents":
		return writeShown(t, name,
			func(r *snapshots.ResidentsRow) bool { return t.other[r.Place] || b.hidden(r.Skill) })
	case "candidates":
		return writeShown(t, name, func(r *snapshots.CandidatesRow) bool { return all || t.other[candidatesPlace(r)] })
	case "s106_people":
		return writeShown(t, name, func(r *snapshots.S106PeopleRow) bool { return all || t.other[r.Place] })
	}
	return false, nil
}

// writeShown writes a table of the previous snapshot without the rows that are hidden, and reports
// whether there were any.
func writeShown[Row any](t *tables, name string, hidden func(*Row) bool) (written bool, err error) {
	rows, err := parquetio.ReadAll[Row](t.previous.table(name))
	if err != nil {
		return false, err
	}
	shown := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return hidden(&r) })
	if len(shown) == len(rows) {
		return false, nil
	}
	return true, tablefiles.Write(t.out, name, shown)
}

// candidatesPlace returns the borough of a row of the table candidates; empty for none.
func candidatesPlace(r *snapshots.CandidatesRow) string {
	if r.Dimension == snapshots.CandidatesBorough {
		return r.Value
	}
	return ""
}

// otherPlaces returns the places of the snapshot in dir that are not served any more, or are made of
// other councils by now.
func (b *build) otherPlaces(dir string) (map[string]bool, error) {
	places, err := parquetio.ReadAll[snapshots.PlacesRow](snapshots.TablePath(dir, "places"))
	if err != nil {
		return nil, fmt.Errorf("read the places of before: %w", err)
	}
	members, err := parquetio.ReadAll[snapshots.PlaceMembersRow](snapshots.TablePath(dir, "place_members"))
	if err != nil {
		return nil, fmt.Errorf("read the places of before: %w", err)
	}
	now, other := madeOf(b.places(), b.placeMembers()), map[string]bool{}
	for place, councils := range madeOf(places, members) {
		if now[place] != councils {
			other[place] = true
		}
	}
	return other, nil
}

// madeOf returns the codes of the councils that each place is made of, in their order.
func madeOf(places []snapshots.PlacesRow, members []snapshots.PlaceMembersRow) map[string]string {
	code, of := map[string]string{}, map[string][]string{}
	for _, p := range places {
		if p.AreaKind == snapshots.AreaBorough {
			code[p.Place] = p.Code
			of[p.Place] = []string{p.Code}
		}
	}
	for _, m := range members {
		if c := code[m.Borough]; c != "" {
			of[m.Area] = append(of[m.Area], c)
		}
	}
	codes := map[string]string{}
	for place, list := range of {
		slices.Sort(list)
		codes[place] = strings.Join(list, " ")
	}
	return codes
}

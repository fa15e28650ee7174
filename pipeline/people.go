package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources/parallel"
)

// people writes the two tables of people: true counts go into disclosure, printed
// values come out, and only those are brought into the snapshot. Within a month they
// are carried from the snapshot that has them.
func (t *tables) people(ctx context.Context) error {
	if !t.build.hasPeople() {
		return errors.Join(write(t, "people", []snapshots.PeopleRow(nil)), write(t, "residents", []snapshots.ResidentsRow(nil)))
	}
	dir, err := t.publishedPeople()
	if err != nil {
		return err
	}
	if dir != "" {
		return t.carryPeople(dir)
	}
	t.protector = t.protect()
	if err := t.turnedDown(ctx, t.protector); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	return t.residents(ctx, t.protector)
}

// turnedDown counts and prints the people skill by skill, several skills at once since
// they are independent of each other, and puts the rows into the table's order.
// True counts of people are only in memory, of the skills under way.
func (t *tables) turnedDown(ctx context.Context, p *protector) (err error) {
	t.build.o.step("count people")
	in, err := t.openSkills(ctx, p)
	if err != nil {
		return err
	}
	defer in.close()
	t.build.o.step("round people")
	table, _ := snapshots.TableNamed("people")
	printed := t.build.o.protected("truth", "people_printed.parquet")
	w, err := parquetio.Create[snapshots.PeopleRow](printed, table.Columns[1:], nil)
	if err != nil {
		return err
	}
	skills, done := t.build.registers.Skills.Skills(), 0
	for s := range parallel.Map(ctx, t.build.o.Threads, printedAhead, in.skills(skills), p.print) {
		done++
		t.build.o.detail("round people: %d of %d skills", done, len(skills))
		if err = s.append(w); err != nil {
			break
		}
		p.Tally.Add(s.tally)
	}
	if err := errors.Join(err, ctx.Err(), w.Close()); err != nil {
		return err
	}
	t.build.o.step("sort people")
	sorted := t.build.o.protected("truth", "people_sorted.parquet")
	if err := t.cells.Sort(ctx, printed, sorted, table.Sort); err != nil {
		return err
	}
	t.importTable("people", sorted)
	return t.keepPrinted(printed)
}

// printedAhead is how many printed skills may wait for an earlier one, under a megabyte each.
const printedAhead = 64

// skillFigures is one skill with the people who count, and what is printed of it.
type skillFigures struct {
	name   string
	people *disclosure.Skill
	rows   []disclosure.Printed
	tally  disclosure.Tally
	err    error
}

// print prints what may be printed of one skill's people.
func (p *protector) print(s skillFigures) skillFigures {
	if s.err == nil {
		s.rows, s.tally = p.Print(s.people)
		s.people = nil // they need not stay
	}
	return s
}

func (s *skillFigures) append(w *parquetio.Writer[snapshots.PeopleRow]) error {
	if s.err != nil {
		return s.err
	}
	for _, p := range s.rows {
		row := snapshots.PeopleRow{Signature: p.Signature, Place: p.Place, Value: p.Value, WindowMonths: int8(p.Window), Skill: s.name,
			HiredWithSkillPct: p.HiredWith, TurnedDownWithSkillPct: p.TurnedDownWith}
		row.SetTurnedDown(p.TurnedDown)
		if err := w.Append(row); err != nil {
			return err
		}
	}
	return nil
}

// keepPrinted keeps what the snapshot prints until it is promoted, see promotePrinted.
func (t *tables) keepPrinted(file string) error {
	if err := os.MkdirAll(printedDir(t.build.o.Data), 0o700); err != nil {
		return fmt.Errorf("keep what is printed: %w", err)
	}
	return os.Rename(file, printedFile(t.build.o.Data, t.writer.ID()))
}

// residentsRow is a row of the true counts of residents, in the protected zone.
type residentsRow struct {
	Skill     string `col:"skill"`
	Place     string `col:"place"`
	Level     int8   `col:"level"`
	Residents int64  `col:"residents"`
	Below     int64  `col:"below"`
}

// residents prints the shares of residents skill by skill.
func (t *tables) residents(ctx context.Context, p *protector) error {
	t.build.o.step("round residents")
	counts, err := askSkills(ctx, t, cells.Residents, func(r *residentsRow) string { return r.Skill })
	if err != nil {
		return fmt.Errorf("residents: %w", err)
	}
	defer counts.close()
	var rows []snapshots.ResidentsRow
	for _, skill := range t.build.registers.Skills.Skills() {
		of, found := p.Places.NoResidents(), false
		err := counts.take(skill.Slug, func(r *residentsRow) error {
			found = true
			if place, ok := p.Places.Number(r.Place); ok {
				of[place][disclosure.Levels], of[place][r.Level-1] = r.Residents, r.Below
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("residents: %w", err)
		}
		if found {
			rows = p.appendResidents(rows, skill.Slug, of)
		}
	}
	return write(t, "residents", rows)
}

func (p *protector) appendResidents(rows []snapshots.ResidentsRow, skill string, of disclosure.Residents) []snapshots.ResidentsRow {
	shares, tally := p.Residents(of)
	p.Tally.Add(tally)
	for place, levels := range shares {
		for l, share := range levels {
			if of[place][disclosure.Levels] > 0 {
				rows = append(rows, snapshots.ResidentsRow{Place: p.Places.Slug(place), Skill: skill, Level: int8(l + 1), PeopleBelowSharePct: share})
			}
		}
	}
	return rows
}

// publishedPeople returns the directory of the snapshot from which the month's figures of
// people are carried; empty where they are to be built. "After a withdrawal, or a second
// run in the same month, the month's printed figures are carried, not built anew, unless a
// rebuild is asked for with a reason" (P11).
func (t *tables) publishedPeople() (dir string, err error) {
	if t.build.o.RebuildPeople != "" {
		return "", nil
	}
	month := peopleMonth(t.build.o.AsOf)
	published, err := publishedPeople(t.build.o.Data, month)
	return published[month], err
}

// carriedPeople is the snapshot from which the month's figures of people are carried. Figures
// are carried only to a place that is unchanged, made of the same councils as there.
type carriedPeople struct {
	dir       string
	unchanged func(place string) bool
}

// carryPeople carries both tables of people, with what the report says of them.
func (t *tables) carryPeople(dir string) error {
	t.build.o.step("carry people of " + PeopleAsOf(t.build.o.AsOf).String())
	places, err := parquetio.ReadAll[snapshots.PlacesRow](snapshots.TablePath(dir, "places"))
	if err != nil {
		return fmt.Errorf("read the places of before: %w", err)
	}
	members, err := parquetio.ReadAll[snapshots.PlaceMembersRow](snapshots.TablePath(dir, "place_members"))
	if err != nil {
		return fmt.Errorf("read the places of before: %w", err)
	}
	before, now := madeOf(places, members), madeOf(t.build.places(), t.build.placeMembers())
	t.carried = &carriedPeople{dir, func(slug string) bool { return before[slug] == now[slug] && (slug == "" || now[slug] != "") }}
	return errors.Join(t.build.report.carryPeople(dir),
		carry(t, "people", func(r snapshots.PeopleRow) string { return r.Place }),
		carry(t, "residents", func(r snapshots.ResidentsRow) string { return r.Place }))
}

// carry writes a table of people as it was, but for the places that are not unchanged.
func carry[T any](t *tables, name string, place func(T) string) error {
	table, _ := snapshots.TableNamed(name)
	w, err := parquetio.CreateTable[T](t.writer.TablePath(name), table, t.metadata(table), t.asOf())
	if err != nil {
		return fmt.Errorf("carry table %s: %w", name, err)
	}
	err = parquetio.Read(snapshots.TablePath(t.carried.dir, name), func(row T) error {
		if !t.carried.unchanged(place(row)) {
			return nil
		}
		return w.Append(row)
	})
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("carry table %s: %w", name, err)
	}
	t.addTable(name, w.Rows())
	return nil
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

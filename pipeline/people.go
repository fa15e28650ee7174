package pipeline

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/pipeline/headcount"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources/inorder"
)

// residentsRow is a row of the true counts of residents, in the protected zone.
type residentsRow struct {
	Place     string `col:"place"`
	Skill     string `col:"skill"`
	Residents int64  `col:"residents"`
	Below     int64  `col:"below"`
}

// people writes the two tables of people: true counts go into disclosure, printed
// tokens come out, and only those are brought into the snapshot.
func (t *tables) people(ctx context.Context) error {
	t.o.step("count people")
	if !t.hasPeople() {
		return errors.Join(write(t, "people", []snapshots.PeopleRow(nil)), write(t, "residents", []snapshots.ResidentsRow(nil)))
	}
	published, same, err := t.printedPeople()
	if err != nil {
		return err
	}
	if same != "" {
		return t.carryPeople(same)
	}
	p, err := t.protect(ctx, published)
	if err != nil {
		return err
	}
	if err := t.turnedDown(ctx, p); err != nil {
		return err
	}
	return t.residents(ctx, p)
}

// turnedDown counts and masks the people skill by skill, several skills at once since
// they are independent of each other, and puts the printed rows into the table's order.
// True counts of people are in memory alone, of the skills under way.
func (t *tables) turnedDown(ctx context.Context, p *protection) error {
	people, err := t.headcount(ctx)
	if err != nil {
		return err
	}
	t.o.step("mask people")
	if p.Launch, err = launch(ctx, p, people); err != nil {
		return err
	}
	table, _ := snapshots.TableNamed("people")
	printed := t.o.protected("truth", "people_printed.parquet")
	w, err := parquetio.Create[snapshots.PeopleRow](printed, table.Columns[1:], nil)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	for m := range inorder.Ahead(ctx, t.o.Threads, maskedAhead, counted(ctx, people), p.masked) {
		if err == nil {
			err = t.appendPrinted(w, m, &p.kept)
		}
	}
	if err := errors.Join(err, ctx.Err(), w.Close()); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	t.o.step("sort people")
	sorted := t.o.protected("truth", "people_sorted.parquet")
	if err := t.engine.Sort(ctx, printed, sorted, table.Sort); err != nil {
		return err
	}
	return t.take("people", sorted)
}

// maskedAhead is how many masked skills may wait for an earlier one, under a megabyte
// each: some take a hundred times as long to audit as others.
const maskedAhead = 64

// headcount writes the outcomes and opens what counts them.
func (t *tables) headcount(ctx context.Context) (*headcount.Counter, error) {
	outcomes := t.o.protected("truth", "outcomes")
	if err := t.engine.Outcomes(ctx, outcomes); err != nil {
		return nil, err
	}
	adverts, err := t.countedAdverts(ctx)
	if err != nil {
		return nil, err
	}
	in := headcount.Inputs{Outcomes: outcomes, Adverts: adverts,
		PeopleAsOf: day(PeopleAsOf(t.o.AsOf)), Areas: map[string][]string{}}
	for _, m := range t.placeMembers() {
		in.Areas[m.Borough] = append(in.Areas[m.Borough], m.Area)
	}
	return headcount.Open(ctx, in)
}

// launch is the month before which nobody was counted. It is kept in the ledger,
// since outcomes leave the 24 months and the memory of them does not.
func launch(ctx context.Context, p *protection, people *headcount.Counter) (int, error) {
	age, err := people.Oldest(ctx)
	if err != nil {
		return 0, fmt.Errorf("oldest outcome: %w", err)
	}
	launch, err := p.Book.Launch(p.End - 1 - age)
	if err != nil {
		return 0, err
	}
	return launch, p.kept.page.AddLaunch(launch)
}

// countedSkill is one skill whose people can be counted.
type countedSkill struct {
	skill headcount.Skill
	by    *headcount.Counter
	err   error
}

// counted are the skills in their order.
func counted(ctx context.Context, people *headcount.Counter) iter.Seq[countedSkill] {
	return func(yield func(countedSkill) bool) {
		for skill, err := range people.Skills(ctx) {
			if !yield(countedSkill{skill, people, err}) {
				return
			}
		}
	}
}

type maskedSkill struct {
	skill string
	disclosure.Result
	err error
}

// masked counts one skill's people and prints what may be printed of them.
func (p *protection) masked(c countedSkill) maskedSkill {
	m := maskedSkill{skill: c.skill.Name, err: c.err}
	if m.err != nil {
		return m
	}
	truth, err := c.by.Truth(c.skill)
	if err != nil {
		m.err = fmt.Errorf("count %s: %w", c.skill.Name, err)
		return m
	}
	m.Result, m.err = p.Skill(c.skill.Name, truth)
	return m
}

// appendPrinted writes what is shown of one skill, and counts it by what is shown.
func (t *tables) appendPrinted(w *parquetio.Writer[snapshots.PeopleRow], m maskedSkill, kept *audits) error {
	if m.err != nil {
		return m.err
	}
	if err := kept.note(t.report, m.skill, disclosure.Kept{Audits: m.Audits, Entries: m.Entries}); err != nil {
		return err
	}
	for _, p := range m.Printed {
		row := peopleRow(m.skill, p)
		t.report.People[reportStatus(row.PeopleTurnedDownStatus)]++
		if why := p.Withheld.String(); why != "" {
			t.report.Withheld[why]++
			kept.withhold(p.Place, why)
		}
		if err := w.Append(row); err != nil {
			return err
		}
	}
	return nil
}

func peopleRow(skill string, p disclosure.Printed) snapshots.PeopleRow {
	row := snapshots.PeopleRow{Signature: p.Signature, Place: p.Place, Value: p.Value, WindowMonths: int8(p.Window), Skill: skill,
		HiredWithSkillPct: p.HiredWith, TurnedDownWithSkillPct: p.TurnedDownWith}
	row.SetTurnedDown(p.TurnedDown)
	return row
}

func reportStatus(s figure.Status) string {
	if s == figure.NotPublished {
		return "not_published"
	}
	return string(s)
}

// residents masks the shares of residents skill by skill: across places, what is
// shown of one says something of the others.
func (t *tables) residents(ctx context.Context, p *protection) error {
	t.o.step("mask residents")
	truth, err := t.ask(ctx, cells.Residents)
	if err != nil {
		return err
	}
	var rows []snapshots.ResidentsRow
	at, of := map[string][]int{}, map[string][]disclosure.Population{}
	err = parquetio.Read(truth, func(r residentsRow) error {
		at[r.Skill] = append(at[r.Skill], len(rows))
		of[r.Skill] = append(of[r.Skill], disclosure.Population{Place: r.Place, Residents: r.Residents, Below: r.Below})
		rows = append(rows, snapshots.ResidentsRow{Place: r.Place, Skill: r.Skill})
		return nil
	})
	if err != nil {
		return fmt.Errorf("residents: %w", err)
	}
	for _, skill := range slices.Sorted(maps.Keys(of)) {
		printed, err := p.Residents(skill, of[skill])
		if err == nil {
			err = p.kept.note(t.report, disclosure.ResidentsName(skill), printed.Kept)
		}
		if err != nil {
			return fmt.Errorf("residents: %w", err)
		}
		for i, share := range printed.Shares {
			rows[at[skill][i]].PeopleBelowSharePct = share
		}
	}
	return write(t, "residents", rows)
}

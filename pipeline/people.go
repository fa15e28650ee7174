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
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources/inorder"
)

// truthRow is a row of the true counts, in the protected zone.
type truthRow struct {
	Skill             string `col:"skill"`
	Signature         string `col:"signature"`
	Place             string `col:"place"`
	Value             string `col:"value"`
	WindowMonths      int8   `col:"window_months"`
	Listed            bool   `col:"listed"`
	TurnedDownFor     int32  `col:"turned_down_for"`
	HiredWith         int32  `col:"hired_with"`
	HiredWithout      int32  `col:"hired_without"`
	TurnedDownWith    int32  `col:"turned_down_with"`
	TurnedDownWithout int32  `col:"turned_down_without"`
	// For R8, of each count: the employers who contribute, and the people of the largest.
	ForBy            int32 `col:"turned_down_for_employers"`
	ForMost          int32 `col:"turned_down_for_largest"`
	HiredWithBy      int32 `col:"hired_with_employers"`
	HiredWithMost    int32 `col:"hired_with_largest"`
	HiredWithoutBy   int32 `col:"hired_without_employers"`
	HiredWithoutMost int32 `col:"hired_without_largest"`
	DownWithBy       int32 `col:"turned_down_with_employers"`
	DownWithMost     int32 `col:"turned_down_with_largest"`
	DownWithoutBy    int32 `col:"turned_down_without_employers"`
	DownWithoutMost  int32 `col:"turned_down_without_largest"`
}

// truth is the row as disclosure takes it.
func (r truthRow) truth() disclosure.Truth {
	by := func(number, largest int32) disclosure.Employers {
		return disclosure.Employers{Number: int64(number), Largest: int64(largest)}
	}
	return disclosure.Truth{Unlisted: !r.Listed,
		Cell:          disclosure.Cell{Signature: r.Signature, Place: r.Place, Value: r.Value, Window: int(r.WindowMonths)},
		TurnedDownFor: int64(r.TurnedDownFor), HiredWith: int64(r.HiredWith), HiredWithout: int64(r.HiredWithout),
		TurnedDownWith: int64(r.TurnedDownWith), TurnedDownWithout: int64(r.TurnedDownWithout),
		By: [disclosure.Measures]disclosure.Employers{by(r.ForBy, r.ForMost), by(r.HiredWithBy, r.HiredWithMost),
			by(r.HiredWithoutBy, r.HiredWithoutMost), by(r.DownWithBy, r.DownWithMost), by(r.DownWithoutBy, r.DownWithoutMost)}}
}

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

// turnedDown masks the cells skill by skill, several skills at once since they
// are independent of each other, and puts the printed rows into the table's order.
func (t *tables) turnedDown(ctx context.Context, p *protection) error {
	truth, err := t.ask(ctx, cells.Truth)
	if err != nil {
		return err
	}
	if p.Launch, err = t.launch(ctx, p); err != nil {
		return err
	}
	t.o.step("mask people")
	table, _ := snapshots.TableNamed("people")
	printed := t.o.protected("truth", "people_printed.parquet")
	w, err := parquetio.Create[snapshots.PeopleRow](printed, table.Columns[1:], nil)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	masked := inorder.Map(ctx, t.o.Threads, skillGroups(truth), func(g skillGroup) maskedSkill {
		result, err := p.Skill(g.skill, g.cells)
		return maskedSkill{g.skill, result, errors.Join(g.err, err)}
	})
	for m := range masked {
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

// launchRow is the age of the oldest outcome in months.
type launchRow struct {
	Age int32 `col:"age"`
}

// launch is the month before which nobody was counted. It is kept in the ledger,
// since outcomes leave the 24 months and the memory of them does not.
func (t *tables) launch(ctx context.Context, p *protection) (int, error) {
	file, err := t.ask(ctx, cells.Launch)
	if err != nil {
		return 0, err
	}
	rows, err := parquetio.ReadAll[launchRow](file)
	if err == nil && len(rows) != 1 {
		err = fmt.Errorf("%d rows", len(rows))
	}
	if err != nil {
		return 0, fmt.Errorf("oldest outcome: %w", err)
	}
	launch, err := p.Book.Launch(p.End - 1 - int(rows[0].Age))
	if err != nil {
		return 0, err
	}
	return launch, p.kept.page.AddLaunch(launch)
}

// skillGroup is all cells of one skill.
type skillGroup struct {
	skill string
	cells []disclosure.Truth
	err   error
}

type maskedSkill struct {
	skill string
	disclosure.Result
	err error
}

// skillGroups reads the true counts, which come by skill.
func skillGroups(file string) iter.Seq[skillGroup] {
	return func(yield func(skillGroup) bool) {
		var g skillGroup
		err := parquetio.Read(file, func(r truthRow) error {
			if r.Skill != g.skill && len(g.cells) > 0 {
				if !yield(g) {
					return errStopped
				}
				g.cells = nil
			}
			g.skill = r.Skill
			g.cells = append(g.cells, r.truth())
			return nil
		})
		switch {
		case errors.Is(err, errStopped):
		case err != nil:
			yield(skillGroup{err: err})
		case len(g.cells) > 0:
			yield(g)
		}
	}
}

// errStopped ends a reading that nobody listens to any more.
var errStopped = errors.New("stopped")

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

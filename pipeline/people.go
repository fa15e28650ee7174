package pipeline

import (
	"context"
	"errors"
	"fmt"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
)

// truthRow is a row of the true counts, in the protected zone.
type truthRow struct {
	Skill             string `col:"skill"`
	Signature         string `col:"signature"`
	Place             string `col:"place"`
	Value             string `col:"value"`
	WindowMonths      int8   `col:"window_months"`
	TurnedDownFor     int32  `col:"turned_down_for"`
	HiredWith         int32  `col:"hired_with"`
	HiredWithout      int32  `col:"hired_without"`
	TurnedDownWith    int32  `col:"turned_down_with"`
	TurnedDownWithout int32  `col:"turned_down_without"`
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
	t.o.step("protect people")
	if !t.hasPeople() {
		return errors.Join(write(t, "people", []snapshots.PeopleRow(nil)), write(t, "residents", []snapshots.ResidentsRow(nil)))
	}
	if err := t.turnedDown(ctx); err != nil {
		return err
	}
	return t.residents(ctx)
}

// turnedDown masks the cells skill by skill, since the skills are independent of
// each other, and puts the printed rows into the table's order.
func (t *tables) turnedDown(ctx context.Context) error {
	truth, err := t.ask(ctx, cells.Truth)
	if err != nil {
		return err
	}
	table, _ := snapshots.TableNamed("people")
	printed := t.o.protected("truth", "people_printed.parquet")
	w, err := parquetio.Create[snapshots.PeopleRow](printed, table.Columns[1:], nil)
	if err != nil {
		return fmt.Errorf("people: %w", err)
	}
	var skill string
	var group []disclosure.Truth
	flush := func() error {
		for _, p := range disclosure.Mask(group) {
			row := peopleRow(skill, p)
			t.report.People[reportStatus(row.PeopleTurnedDownStatus)]++
			if err := w.Append(row); err != nil {
				return err
			}
		}
		group = group[:0]
		return nil
	}
	err = parquetio.Read(truth, func(r truthRow) error {
		if r.Skill != skill {
			if err := flush(); err != nil {
				return err
			}
			skill = r.Skill
		}
		group = append(group, disclosure.Truth{
			Cell:          disclosure.Cell{Signature: r.Signature, Place: r.Place, Value: r.Value, Window: int(r.WindowMonths)},
			TurnedDownFor: int64(r.TurnedDownFor), HiredWith: int64(r.HiredWith), HiredWithout: int64(r.HiredWithout),
			TurnedDownWith: int64(r.TurnedDownWith), TurnedDownWithout: int64(r.TurnedDownWithout)})
		return nil
	})
	if err == nil {
		err = flush()
	}
	if err := errors.Join(err, w.Close()); err != nil {
		return fmt.Errorf("people: %w", err)
	}
	sorted := t.o.protected("truth", "people_sorted.parquet")
	if err := t.engine.Sort(ctx, printed, sorted, table.Sort); err != nil {
		return err
	}
	return t.take("people", sorted)
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

func (t *tables) residents(ctx context.Context) error {
	truth, err := t.ask(ctx, cells.Residents)
	if err != nil {
		return err
	}
	var rows []snapshots.ResidentsRow
	err = parquetio.Read(truth, func(r residentsRow) error {
		rows = append(rows, snapshots.ResidentsRow{Place: r.Place, Skill: r.Skill,
			PeopleBelowSharePct: disclosure.ResidentShare(r.Below, r.Residents)})
		return nil
	})
	if err != nil {
		return fmt.Errorf("residents: %w", err)
	}
	return write(t, "residents", rows)
}

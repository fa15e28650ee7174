package pipeline

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"

	"labour/pipeline/cells"
	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
	"labour/sources/platform"
)

// protector prints the counts of people of one month, and adds up what became of them.
type protector struct {
	disclosure.Rules
	Month disclosure.Month
	Tally disclosure.Tally
}

// protect returns what the counts of people of the run's month are printed with.
func (t *tables) protect() *protector {
	if t.protector == nil {
		t.protector = &protector{Rules: disclosure.Rules{Protection: disclosure.Protection(t.build.o.Config.People.Protection),
			Places: t.peoplePlaces(), MinEmployers: t.build.o.Config.People.MinEmployers, Unseen: unseen}}
		t.protector.Month = peopleMonth(t.build.o.AsOf)
	}
	return t.protector
}

// peoplePlaces returns the served boroughs and areas, in the order of places.
func (t *tables) peoplePlaces() *disclosure.Places {
	var boroughs []string
	var areas []disclosure.Area
	at := map[string]int{}
	for _, p := range t.build.places() {
		if p.AreaKind == snapshots.AreaBorough {
			boroughs = append(boroughs, p.Place)
			continue
		}
		at[p.Place] = len(areas)
		areas = append(areas, disclosure.Area{Slug: p.Place})
	}
	for _, m := range t.build.placeMembers() {
		if i, ok := at[m.Area]; ok {
			areas[i].Boroughs = append(areas[i].Boroughs, m.Borough)
		}
	}
	return disclosure.NewPlaces(boroughs, areas)
}

// askableRow is a filter that matches enough adverts to be answered.
type askableRow struct {
	Place        string `col:"place"`
	Filter       string `col:"filter"`
	Value        string `col:"value"`
	WindowMonths int8   `col:"window_months"`
}

// askable returns whether a cell of people can be asked for (P9). The level of an advert
// is no filter on which adverts are matched, and a month is asked for within 24.
func (t *tables) askable(ctx context.Context) (func(disclosure.Cell) bool, error) {
	file, err := t.ask(ctx, cells.Askable)
	if err != nil {
		return nil, err
	}
	enough := map[askableRow]bool{}
	err = parquetio.Read(file, func(r askableRow) error {
		enough[r] = true
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read which filters can be asked for: %w", err)
	}
	return func(c disclosure.Cell) bool {
		filter, value, window := snapshots.FilterOf(c.Signature), c.Value, c.Window
		switch filter {
		case snapshots.SigLevel:
			filter, value = snapshots.SigNone, ""
		case snapshots.SigMonth:
			filter, value, window = snapshots.SigNone, "", disclosure.Months
		}
		return enough[askableRow{c.Place, filter, value, int8(window)}]
	}, nil
}

// unseen reports whether a cell is of a source other than the platform: applications to
// its adverts are not seen there, but for those to adverts that both have.
func unseen(c disclosure.Cell) bool {
	return snapshots.FilterOf(c.Signature) == snapshots.SigSource && c.Value != platform.Key
}

// report puts what became of the figures of people into the report of the run.
func (p *protector) report(r *Report, rebuilt string) {
	for what, n := range map[string]int64{"number": p.Tally.Numbers, "under_5": p.Tally.UnderFive} {
		r.People[what] += n
	}
	for what, n := range map[string]int64{"below_a_small_group": p.Tally.Below, "withdrawn_by_the_audit": p.Tally.Withdrawn, "shares_withdrawn_by_the_audit": p.Tally.WithdrawnShares} {
		r.Withheld[what] += n
	}
	r.Protection = &snapshots.People{Protection: string(p.Protection), WorkedOut: p.Tally.WorkedOut, Rebuilt: rebuilt}
}

// carryPeople takes over what the snapshot in dir says of the figures of people that are
// carried from it.
func (r *Report) carryPeople(dir string) error {
	before, err := ReadReport(dir)
	if err != nil {
		return fmt.Errorf("carry the totals of people: %w", err)
	}
	maps.Copy(r.People, before.People)
	maps.Copy(r.Withheld, before.Withheld)
	r.Protection = before.Protection
	return nil
}

// printedDir is where a data directory keeps what each month's release prints of
// people, by skill: nothing there that was not published.
func printedDir(data string) string { return filepath.Join(data, "protected", "printed") }

package held

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
)

// demandDays is how many days up to as_of demand goes back.
const demandDays = 365

// Demand counts live vacancies per day and occupation. NewDemand makes it.
type Demand struct {
	first, last int // days
	cells       map[demandCell]*tally
}

type demandCell struct {
	day int
	soc string
}

// NewDemand counts the 365 days up to asOf.
func NewDemand(asOf time.Time) *Demand {
	last := dayNumber(asOf)
	return &Demand{first: last - demandDays + 1, last: last, cells: map[demandCell]*tally{}}
}

// Add counts a vacancy on each day on which it was live. One without an occupation
// is in no count.
func (d *Demand) Add(v Vacancy) {
	if v.SOC == "" {
		return
	}
	for day := max(d.first, dayNumber(v.Posted)); day <= min(d.last, dayNumber(v.Until)); day++ {
		cell := demandCell{day, v.SOC}
		t := d.cells[cell]
		if t == nil {
			t = &tally{}
			d.cells[cell] = t
		}
		t.add(v.Employer, v.Source)
	}
}

// Rows are the counts over the floor, in the order of the dataset.
func (d *Demand) Rows(name Names) []snapshots.DemandRow {
	var rows []snapshots.DemandRow
	for cell, t := range d.cells {
		if t.publishable() {
			rows = append(rows, snapshots.DemandRow{Day: timeOf(cell.day), SOC: cell.soc, Occupation: name(cell.soc),
				Vacancies: t.vacancies, SourceKeys: keys(t.sources)})
		}
	}
	slices.SortFunc(rows, func(a, b snapshots.DemandRow) int {
		return cmp.Or(a.Day.Compare(b.Day), strings.Compare(a.SOC, b.SOC))
	})
	return rows
}

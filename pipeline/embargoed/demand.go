package embargoed

import (
	"maps"
	"slices"
	"time"

	"labour/snapshots"
)

// demandDays is how many days up to as_of demand goes back.
const demandDays = 365

// Demand counts live vacancies per day and occupation. NewDemand makes it.
type Demand struct {
	first, last int                // days
	byDay       map[string][]tally // of an occupation, by the day from first
}

// NewDemand counts the 365 days up to asOf.
func NewDemand(asOf time.Time) *Demand {
	last := dayNumber(asOf)
	return &Demand{first: last - demandDays + 1, last: last, byDay: map[string][]tally{}}
}

// Add counts a vacancy on each day on which it was live. One whose unit group is not
// known is in no count.
func (d *Demand) Add(v Vacancy) {
	from, to := max(d.first, dayNumber(v.Posted)), min(d.last, dayNumber(v.Until))
	if len(v.SOC) != 4 || from > to {
		return
	}
	days := d.byDay[v.SOC]
	if days == nil {
		days = make([]tally, demandDays)
		d.byDay[v.SOC] = days
	}
	for day := from; day <= to; day++ {
		days[day-d.first].add(v.Employer, v.Source)
	}
}

// Rows are the counts over the floor, in the order of the dataset.
func (d *Demand) Rows(name Names) []snapshots.DemandRow {
	occupations := slices.Sorted(maps.Keys(d.byDay))
	var rows []snapshots.DemandRow
	for day := range demandDays {
		for _, soc := range occupations {
			if t := &d.byDay[soc][day]; t.publishable() {
				rows = append(rows, snapshots.DemandRow{Day: timeOf(d.first + day), SOC: soc, Occupation: name(soc),
					Vacancies: t.vacancies, SourceKeys: keys(t.sources)})
			}
		}
	}
	return rows
}

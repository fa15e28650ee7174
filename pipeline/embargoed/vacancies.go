package embargoed

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// The windows, the base and the thresholds of trends; the package comment says why.
const (
	windowDays   = 91
	yearDays     = 364
	leastBefore  = 20
	leastPerCent = 10
)

// The directions of an occupation.
const (
	Growing   = "growing"
	Shrinking = "shrinking"
	Steady    = "steady"
)

// Trends counts vacancies posted in two windows by occupation. NewTrends makes it.
type Trends struct {
	from, to, beforeFrom, beforeTo int // days
	since                          map[string]int
	earliest                       map[string]int // day of the earliest vacancy, by source
	posted                         []Vacancy      // in either window, of known occupations
}

// NewTrends compares the window up to asOf with that of the year before. since is,
// by source key, when a source that shows only what is live was first fetched; a
// source that is not in it shows its past.
func NewTrends(asOf time.Time, since map[string]time.Time) *Trends {
	to := dayNumber(asOf)
	t := &Trends{from: to - windowDays + 1, to: to, beforeFrom: to - yearDays - windowDays + 1, beforeTo: to - yearDays,
		since: map[string]int{}, earliest: map[string]int{}}
	for key, at := range since {
		t.since[key] = dayNumber(at)
	}
	return t
}

// Add takes a vacancy in.
func (t *Trends) Add(v Vacancy) {
	day := dayNumber(v.Posted)
	if first, known := t.earliest[v.Source]; !known || day < first {
		t.earliest[v.Source] = day
	}
	now, before := day >= t.from && day <= t.to, day >= t.beforeFrom && day <= t.beforeTo
	if v.SOC != "" && (now || before) {
		t.posted = append(t.posted, v)
	}
}

// watched says that a source was there before the earlier window began.
func (t *Trends) watched(source string) bool {
	return max(t.earliest[source], t.since[source]) <= t.beforeFrom
}

// groups counts the vacancies of the watched sources by groups of 1 to 4 digits, in the
// window and in the one before.
func (t *Trends) groups() map[string]*[2]tally {
	groups := map[string]*[2]tally{}
	for _, v := range t.posted {
		if !t.watched(v.Source) {
			continue
		}
		window := 0
		if dayNumber(v.Posted) < t.from {
			window = 1
		}
		for digits := 1; digits <= len(v.SOC); digits++ {
			code := v.SOC[:digits]
			if groups[code] == nil {
				groups[code] = &[2]tally{}
			}
			groups[code][window].add(v.Employer, v.Source)
		}
	}
	return groups
}

// Rows are the occupations with figures, ranked, in the order of the dataset.
func (t *Trends) Rows(name Names) []snapshots.TrendsRow {
	var rows []snapshots.TrendsRow
	for soc, windows := range t.groups() {
		now, before := &windows[0], &windows[1]
		if !now.publishable() || !before.publishable() || before.vacancies < leastBefore {
			continue
		}
		for _, key := range before.sources {
			now.source(key)
		}
		rows = append(rows, snapshots.TrendsRow{Digits: int8(len(soc)), SOC: soc, Occupation: name(soc),
			Direction: direction(now.vacancies, before.vacancies), Vacancies: now.vacancies, PreviousVacancies: before.vacancies,
			ChangePct: change(now.vacancies, before.vacancies), WindowFrom: timeOf(t.from), WindowTo: timeOf(t.to),
			PreviousFrom: timeOf(t.beforeFrom), PreviousTo: timeOf(t.beforeTo), SourceKeys: keys(now.sources)})
	}
	slices.SortFunc(rows, byRank)
	for i := range rows {
		rows[i].Rank = 1
		if i > 0 && rows[i-1].Digits == rows[i].Digits && rows[i-1].Direction == rows[i].Direction {
			rows[i].Rank = rows[i-1].Rank + 1
		}
	}
	return rows
}

// byRank orders by digits and direction, then the largest change in that direction
// first, then the most vacancies, then the code.
func byRank(a, b snapshots.TrendsRow) int {
	size := cmp.Compare(b.ChangePct, a.ChangePct)
	if a.Direction == Shrinking {
		size = -size
	}
	return cmp.Or(cmp.Compare(a.Digits, b.Digits), strings.Compare(a.Direction, b.Direction), size,
		cmp.Compare(b.Vacancies, a.Vacancies), strings.Compare(a.SOC, b.SOC))
}

// direction compares two counts, in whole numbers.
func direction(now, before int32) string {
	difference, sum := int64(now)-int64(before), int64(now)+int64(before)
	size := max(difference, -difference)
	switch {
	case 100*size < leastPerCent*int64(before) || size*size <= 4*sum:
		return Steady
	case difference > 0:
		return Growing
	}
	return Shrinking
}

// change is the change on before in tenths of a per cent, half away from zero.
func change(now, before int32) figure.Tenths {
	difference := 2000 * (int64(now) - int64(before))
	half := int64(before)
	if difference < 0 {
		half = -half
	}
	return figure.Tenths((difference + half) / (2 * int64(before)))
}

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

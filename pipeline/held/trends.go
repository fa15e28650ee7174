package held

import (
	"cmp"
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
	cells                          map[trendCell]*tally
}

type trendCell struct {
	soc    string // unit group
	source string
	before bool
}

// NewTrends compares the window up to asOf with that of the year before. since is,
// by source key, when a source that shows only what is live was first fetched; a
// source that is not in it shows its past.
func NewTrends(asOf time.Time, since map[string]time.Time) *Trends {
	to := dayNumber(asOf)
	t := &Trends{from: to - windowDays + 1, to: to, beforeFrom: to - yearDays - windowDays + 1, beforeTo: to - yearDays,
		since: map[string]int{}, earliest: map[string]int{}, cells: map[trendCell]*tally{}}
	for key, at := range since {
		t.since[key] = dayNumber(at)
	}
	return t
}

// Add counts a vacancy in the window in which it was posted.
func (t *Trends) Add(v Vacancy) {
	day := dayNumber(v.Posted)
	if first, known := t.earliest[v.Source]; !known || day < first {
		t.earliest[v.Source] = day
	}
	now, before := day >= t.from && day <= t.to, day >= t.beforeFrom && day <= t.beforeTo
	if v.SOC == "" || !now && !before {
		return
	}
	cell := trendCell{v.SOC, v.Source, before}
	if t.cells[cell] == nil {
		t.cells[cell] = &tally{}
	}
	t.cells[cell].add(v.Employer, v.Source)
}

// watched says that a source was there before the earlier window began.
func (t *Trends) watched(source string) bool {
	return max(t.earliest[source], t.since[source]) <= t.beforeFrom
}

// groups joins the unit groups of the watched sources to groups of 1 to 4 digits.
func (t *Trends) groups() map[string]*[2]tally {
	groups := map[string]*[2]tally{}
	for cell, n := range t.cells {
		if !t.watched(cell.source) {
			continue
		}
		window := 0
		if cell.before {
			window = 1
		}
		for digits := 1; digits <= len(cell.soc); digits++ {
			code := cell.soc[:digits]
			if groups[code] == nil {
				groups[code] = &[2]tally{}
			}
			groups[code][window].join(n)
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
		now.join(&tally{sources: before.sources})
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

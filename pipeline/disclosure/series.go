package disclosure

import (
	"cmp"
	"fmt"
	"slices"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// Month is a calendar month, counted since year 0.
type Month int

// MonthOf returns the month of a year (month from 1 to 12).
func MonthOf(year, month int) Month { return Month(year*12 + month - 1) }

// String returns the month as YYYY-MM.
func (m Month) String() string { return fmt.Sprintf("%04d-%02d", int(m)/12, int(m)%12+1) }

// Release is what an earlier snapshot prints of one skill.
type Release struct {
	Month  Month // the last month that it describes
	Counts map[Cell]figure.Count
}

// KeptReleases is how many earlier releases the audit over time looks at.
const KeptReleases = 24

// auditSeries withdraws from the newest figures what, next to those of earlier releases,
// lets a reader work out a group of 1 to 4, of now or of before (section 4): "the count of
// one month never rises from a release to the next, windows are sums of months". Each cell
// is looked at for itself, in all its windows and, everywhere, its months: what follows from
// several cells over many releases is not found (README.md, what is not promised).
func auditSeries(rows []Printed, past []Release, now Month) (withdrawn int64) {
	if len(past) == 0 {
		return 0
	}
	s := newSeries(past, now)
	for _, line := range linesOf(rows) {
		if s.read(line); s.hasSmall() {
			withdrawn += s.withdraw(line)
		}
	}
	return withdrawn
}

// line is one combination of filters in all its windows, and everywhere in its months.
type line struct {
	of    Cell // without a window
	cells []*Printed
}

// linesOf groups rows, which are in the order of the table people.
func linesOf(rows []Printed) (lines []line) {
	var everywhere *line
	var months []*Printed
	for i := range rows {
		r := &rows[i]
		if r.Signature == snapshots.SigMonth {
			months = append(months, r)
			continue
		}
		of := r.Cell
		of.Window = 0
		if len(lines) == 0 || lines[len(lines)-1].of != of {
			lines = append(lines, line{of: of})
		}
		last := &lines[len(lines)-1]
		last.cells = append(last.cells, r)
	}
	for i := range lines {
		if lines[i].of.Signature == snapshots.SigNone {
			everywhere = &lines[i]
		}
	}
	if everywhere != nil {
		everywhere.cells = append(everywhere.cells, months...)
	}
	return lines
}

// series is what a reader knows of one line over all releases, the newest last: its
// windows and its months in each.
type series struct {
	releases []Release
	*system
	printed []interval
	monthly bool // months of the line can be asked for
}

const perRelease = windows + Months

func newSeries(past []Release, now Month) *series {
	s := &series{releases: append(slices.Clone(past), Release{Month: now})}
	var sums []sum
	for r, release := range s.releases {
		from := 0
		for w, to := range Windows { // a window is the next shorter one and the months between
			window := sum{whole: s.window(r, w)}
			if w > 0 {
				window.parts = append(window.parts, s.window(r, w-1))
			}
			for ; from < to; from++ {
				window.parts = append(window.parts, s.month(r, from))
			}
			sums = append(sums, window)
		}
		if r > 0 { // people move to newer months
			since := int(release.Month - s.releases[r-1].Month)
			for age := range Months - since {
				sums = append(sums, sum{whole: s.month(r-1, age), parts: []int32{s.month(r, age+since)}, atLeast: true})
			}
		}
	}
	s.printed = make([]interval, len(s.releases)*perRelease)
	s.system = newSystem(len(s.printed), len(s.printed), 1, sums, nil)
	return s
}

func (s *series) window(release, window int) int32 { return int32(release*perRelease + window) }

func (s *series) month(release, age int) int32 { return int32(release*perRelease + windows + age) }

// read takes what all releases print of a line.
func (s *series) read(l line) {
	s.monthly = l.of.Signature == snapshots.SigNone
	for i := range s.printed {
		s.printed[i] = unknown
	}
	for r, release := range s.releases[:len(s.releases)-1] {
		for w, months := range Windows {
			c := l.of
			c.Window = months
			s.printed[s.window(r, w)] = Rounded.intervalOf(release.Counts[c])
		}
		for age := range Months {
			if s.monthly {
				c := Cell{snapshots.SigMonth, "", (release.Month - Month(age)).String(), 1}
				s.printed[s.month(r, age)] = Rounded.intervalOf(release.Counts[c])
			}
		}
	}
	for _, p := range l.cells {
		s.printed[s.newest(p)] = Rounded.intervalOf(p.TurnedDown)
	}
}

// newest returns the cell of a row of the newest release.
func (s *series) newest(p *Printed) int32 {
	last := len(s.releases) - 1
	if p.Signature != snapshots.SigMonth {
		return s.window(last, slices.Index(Windows[:], p.Window))
	}
	for age := range Months {
		if (s.releases[last].Month - Month(age)).String() == p.Value {
			return s.month(last, age)
		}
	}
	panic("a month that is not counted: " + p.Value)
}

func (s *series) hasSmall() bool {
	return slices.Contains(s.printed, interval{1, figure.SmallestShown - 1})
}

// withdraw makes the newest figures of a line give way, "`"<5"` first, then the smallest
// number", until they let nothing be worked out that was not known before.
func (s *series) withdraw(l line) (withdrawn int64) {
	now := len(s.printed) - perRelease
	before := slices.Clone(s.printed)
	for i := now; i < len(before); i++ {
		before[i] = unknown
	}
	known := s.small(before)
	order := slices.Clone(l.cells)
	slices.SortStableFunc(order, func(a, b *Printed) int {
		return cmp.Or(compareCounts(a.TurnedDown, b.TurnedDown), a.compare(b.Cell))
	})
	for _, p := range order {
		if !isGroup(p.TurnedDown) {
			continue
		}
		if small := s.small(s.printed); !slices.ContainsFunc(small, func(c int32) bool { return !slices.Contains(known, c) }) {
			return withdrawn
		}
		p.TurnedDown, s.printed[s.newest(p)] = figure.Count{}, unknown
		withdrawn++
	}
	return withdrawn
}

// small returns the cells that can be asked for and whose count follows and is 1 to 4.
func (s *series) small(printed []interval) (cells []int32) {
	for c, is := range newKnowledge(s.system, slices.Clone(printed)).at {
		if is.smallValue() && (s.monthly || c%perRelease < windows) {
			cells = append(cells, int32(c))
		}
	}
	return cells
}

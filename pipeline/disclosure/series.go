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
	newest := Release{now, map[Cell]figure.Count{}}
	for _, p := range rows {
		newest.Counts[p.Cell] = p.TurnedDown
	}
	s := newSeries(append(slices.Clone(past), newest))
	for i := range rows {
		line := rows[i].line()
		if line.Signature != snapshots.SigMonth && (i == 0 || rows[i-1].line() != line) {
			withdrawn += s.withdraw(line)
		}
	}
	for i := range rows {
		rows[i].TurnedDown = newest.Counts[rows[i].Cell]
	}
	return withdrawn
}

// line returns the combination of filters of a cell, without a window.
func (c Cell) line() Cell {
	c.Window = 0
	return c
}

// series is what a reader knows of one line over all releases, the newest last: its
// windows and its months in each.
type series struct {
	releases []Release
	*system
	printed []interval
	monthly bool // months of the line can be asked for
}

// placed is a cell of the newest release and where it is.
type placed struct {
	Cell
	at int32
}

const perRelease = windows + Months

func newSeries(releases []Release) *series {
	s := &series{releases: releases, printed: make([]interval, len(releases)*perRelease)}
	var sums []Sum
	for r, release := range releases {
		from := 0
		for w, to := range Windows { // a window is the next shorter one and the months between
			window := Sum{Whole: s.window(r, w)}
			if w > 0 {
				window.Parts = append(window.Parts, s.window(r, w-1))
			}
			for ; from < to; from++ {
				window.Parts = append(window.Parts, s.month(r, from))
			}
			sums = append(sums, window)
		}
		if r > 0 { // people move to newer months
			since := int(release.Month - releases[r-1].Month)
			for age := range Months - since {
				sums = append(sums, Sum{Whole: s.month(r-1, age), Parts: []int32{s.month(r, age+since)}, AtLeast: true})
			}
		}
	}
	s.system = newSystem(len(s.printed), sums)
	return s
}

func (s *series) window(release, window int) int32 { return int32(release*perRelease + window) }

func (s *series) month(release, age int) int32 { return int32(release*perRelease + windows + age) }

// read takes what all releases print of a line, everywhere its months too, and returns the
// cells of the newest.
func (s *series) read(line Cell) (newest []placed) {
	s.monthly = line.Signature == snapshots.SigNone
	for r, release := range s.releases {
		newest = newest[:0]
		take := func(c Cell, at int32) {
			s.printed[at] = Rounded.intervalOf(release.Counts[c])
			newest = append(newest, placed{c, at})
		}
		for w, months := range Windows {
			take(Cell{line.Signature, line.Place, line.Value, months}, s.window(r, w))
		}
		for age := range Months {
			if s.printed[s.month(r, age)] = unknown; s.monthly {
				take(Cell{snapshots.SigMonth, "", (release.Month - Month(age)).String(), 1}, s.month(r, age))
			}
		}
	}
	return newest
}

// withdraw makes the newest figures of a line give way, "`"<5"` first, then the smallest
// number", until they let nothing be worked out that was not known before.
func (s *series) withdraw(line Cell) (withdrawn int64) {
	newest, counts := s.read(line), s.releases[len(s.releases)-1].Counts
	if !slices.Contains(s.printed, interval{1, figure.SmallestShown - 1}) {
		return 0
	}
	before := slices.Clone(s.printed)
	for _, c := range newest {
		before[c.at] = unknown
	}
	known := s.small(before)
	slices.SortFunc(newest, func(a, b placed) int {
		return cmp.Or(cmp.Compare(inHalves(counts[a.Cell]), inHalves(counts[b.Cell])), a.compare(b.Cell))
	})
	for _, c := range newest {
		if inHalves(counts[c.Cell]) == 0 {
			continue
		}
		if small := s.small(s.printed); !slices.ContainsFunc(small, func(c int32) bool { return !slices.Contains(known, c) }) {
			return withdrawn
		}
		counts[c.Cell], s.printed[c.at] = figure.Count{}, unknown
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

package disclosure

import (
	"cmp"
	"slices"
	"strings"

	"labour/snapshots/figure"
)

// Kind is what became of an application.
type Kind uint8

// The kinds for which people are counted, each person once per skill at the most recent
// such event.
const (
	TurnedDownFor Kind = iota // turned down for the skill
	Hired                     // hired for a role that asked for the skill
	TurnedDown                // turned down for a role that asked for the skill
)

// Person is one person who counts for one kind, with the event's combination.
type Person struct {
	Combination
	Kind     Kind
	Had      bool   // had the skill at the level the role asked
	Age      uint8  // months before the month of people_as_of, at most 23
	Employer uint32 // read only where Rules.MinEmployers asks for it
}

// Cell is a published combination of filters with its window: a place, one other filter,
// both or none; or a month everywhere, whose window is 1.
type Cell struct {
	Signature string // one of snapshots.Sig…
	Place     string
	Value     string
	Window    int
}

func (c Cell) compare(d Cell) int {
	return cmp.Or(strings.Compare(c.Signature, d.Signature), strings.Compare(c.Place, d.Place), strings.Compare(c.Value, d.Value), c.Window-d.Window)
}

// Printed is what is shown of one cell.
type Printed struct {
	Cell
	TurnedDown     figure.Count
	HiredWith      *figure.Tenths // hired applicants who had the skill; nil = not published
	TurnedDownWith *figure.Tenths // turned-down applicants who had it; nil = not published
}

// Rules are what counts of people are printed under.
type Rules struct {
	Protection
	Places *Places
	// MinEmployers is the fewest employers whose applicants a number may be of; up to 1
	// asks for nothing.
	MinEmployers int
	// Askable reports whether a cell can be asked for (P9): its filter matches at least 5
	// counted adverts, of at least 3 employers. nil = every cell.
	Askable func(Cell) bool
	// Unseen reports whether nothing is printed of a cell although it can be asked for,
	// since few of its people are known. A reader must not work it out either. nil = none.
	Unseen func(Cell) bool
}

// Skill is the people of one skill.
type Skill struct {
	Names
	// Asked are the combinations in which a counted advert asks for the skill. Elsewhere
	// nothing is printed, but its people are in the totals.
	Asked  []Combination
	People []Person
	Month  Month // the month of people_as_of
	// Past is what releases of earlier months print of the skill, the oldest first.
	Past []Release
}

// Tally counts what became of the figures of people_turned_down, and what the audit
// found; it is of printed values, so that it may be told.
type Tally struct {
	Numbers, UnderFive int64 // printed
	Below              int64 // null below a small group
	Withdrawn          int64 // null after the audit
	WithdrawnShares    int64 // counts that shares are of, null after the audit
	WorkedOut          int64 // groups of 1 to 4 that a reader could work out of what is printed: 0 unless protection is plain
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Numbers, t.UnderFive, t.Below = t.Numbers+o.Numbers, t.UnderFive+o.UnderFive, t.Below+o.Below
	t.Withdrawn, t.WithdrawnShares, t.WorkedOut = t.Withdrawn+o.Withdrawn, t.WithdrawnShares+o.WithdrawnShares, t.WorkedOut+o.WorkedOut
}

// The measures of a cell. Shares are of printed counts, so that those are audited as if
// they were printed themselves.
const (
	turnedDownFor = iota
	hired
	hiredWith
	turnedDown
	turnedDownWith
	measures
)

// wholeOf returns of which measure a measure is a share.
func wholeOf(measure int) (whole int, ok bool) {
	return measure - 1, measure == hiredWith || measure == turnedDownWith
}

// keepShared makes null what no share is printed of: counts that are not shown themselves
// are known by their share alone.
func keepShared(printed, whole []figure.Count) {
	for c := range printed {
		if n, _ := whole[c].Number(); n < smallestBase {
			printed[c] = figure.Count{}
		}
	}
}

// measuresOf returns the measures that a person counts for.
func (p *Person) measuresOf() []int {
	switch {
	case p.Kind == TurnedDownFor:
		return []int{turnedDownFor}
	case p.Kind == Hired && p.Had:
		return []int{hired, hiredWith}
	case p.Kind == Hired:
		return []int{hired}
	case p.Had:
		return []int{turnedDown, turnedDownWith}
	}
	return []int{turnedDown}
}

// Print prints the cells of one skill that say anything, in the order of the table
// people. It is deterministic, and skills are independent of each other.
func (r *Rules) Print(s *Skill) ([]Printed, Tally) {
	t := newTable(r.Places, s)
	counts := t.count(s.People)
	sums := t.system()
	cells, at := t.asked(r, s)
	shown := r.seen(cells, at)
	few := t.fewEmployers(r, s.People)
	var tally Tally
	var printed [measures][]figure.Count
	for m := range printed {
		var below int64
		printed[m], below = r.print(counts[m], shown, sums)
		for c := range few[m] {
			if n, _ := printed[m][c].Number(); n > 0 {
				printed[m][c] = figure.Count{}
			}
		}
		if m == turnedDownFor {
			tally.Below = below
		} else if of, ok := wholeOf(m); ok {
			keepShared(printed[m], printed[of])
		} else {
			keepShared(printed[m], printed[m])
		}
		a := audit{r.Protection, printed[m], counts[m]}
		workedOut, withdrawn := a.run(sums, at)
		if m == turnedDownFor {
			tally.Withdrawn += withdrawn
		} else {
			tally.WithdrawnShares += withdrawn
		}
		if r.Protection == Plain {
			tally.WorkedOut += int64(len(workedOut))
		}
	}
	rows := make([]Printed, 0, len(cells))
	for i, cell := range cells {
		rows = append(rows, Printed{Cell: cell, TurnedDown: printed[turnedDownFor][at[i]],
			HiredWith:      Share(printed[hiredWith][at[i]], printed[hired][at[i]]),
			TurnedDownWith: Share(printed[turnedDownWith][at[i]], printed[turnedDown][at[i]])})
	}
	slices.SortFunc(rows, func(a, b Printed) int { return a.compare(b.Cell) })
	if r.Protection != Plain {
		tally.Withdrawn += auditSeries(rows, s.Past, s.Month)
	}
	rows = slices.DeleteFunc(rows, func(p Printed) bool {
		return p.TurnedDown.Status() == figure.NotPublished && p.HiredWith == nil && p.TurnedDownWith == nil
	})
	for _, p := range rows {
		switch p.TurnedDown.Status() {
		case figure.Number:
			tally.Numbers++
		case figure.Small:
			tally.UnderFive++
		}
	}
	return rows, tally
}

// seen returns where those of the cells are of which something may be printed.
func (r *Rules) seen(cells []Cell, at []int32) (shown []int32) {
	for i, c := range cells {
		if r.Unseen == nil || !r.Unseen(c) {
			shown = append(shown, at[i])
		}
	}
	return shown
}

// print prints the asked cells of one measure under P1 and P2: "Below a cell that is
// `"<5"`, every cell is `null`, zeros too." hides is how many that hides.
func (p Protection) print(counts []int32, asked []int32, s *system) (printed []figure.Count, hides int64) {
	printed = make([]figure.Count, len(counts))
	for _, c := range asked {
		printed[c] = p.Count(int64(counts[c]))
	}
	if p == Plain {
		return printed, 0
	}
	var small []int32
	for _, c := range asked {
		if printed[c].Status() == figure.Small {
			small = append(small, c)
		}
	}
	hidden := s.below(small)
	for _, c := range asked {
		if hidden[c] {
			printed[c], hides = figure.Count{}, hides+1
		}
	}
	return printed, hides
}

func (t *table) count(people []Person) (counts [measures][]int32) {
	for m := range counts {
		counts[m] = make([]int32, t.cells())
	}
	columns := map[Combination][]int32{}
	for i := range people {
		p := &people[i]
		in, ok := columns[p.Combination]
		if !ok {
			in = t.numbers(p.Combination)
			columns[p.Combination] = in
		}
		for _, m := range p.measuresOf() {
			for _, c := range in {
				for _, time := range timesOf[p.Age] {
					counts[m][t.cell(c, time)]++
				}
			}
			counts[m][t.month(int(p.Age))]++
		}
	}
	return counts
}

// numbers returns the numbers of the table's columns that a combination counts in.
func (t *table) numbers(c Combination) (numbers []int32) {
	for _, k := range c.columns(t.places, t.small) {
		if n, ok := t.at[k]; ok {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// timesOf returns the times that an age is in: windows, and what lies between them.
var timesOf = func() (of [Months][]int) {
	for age := range of {
		for w, months := range Windows {
			if age < months {
				of[age] = append(of[age], w)
			}
			if w > 0 && age >= Windows[w-1] && age < months {
				of[age] = append(of[age], windows+w-1)
			}
		}
	}
	return of
}()

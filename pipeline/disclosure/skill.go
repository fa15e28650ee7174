package disclosure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"labour/snapshots"
	"labour/snapshots/figure"
)

// Kind is what became of an application. For each kind a person counts once per skill, at
// the most recent such event.
type Kind uint8

// The kinds for which people are counted.
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

// The measures of a cell are the kinds and, so many further on, those of the last two who
// had the skill. Shares are of printed counts, so that those are audited as if they were
// printed themselves.
const (
	had            = 2
	hiredWith      = Hired + had
	turnedDownWith = TurnedDown + had
	measures       = turnedDownWith + 1
)

// Print prints the cells of one skill that say anything, in the order of the table
// people. It is deterministic, and skills are independent of each other.
func (r *Rules) Print(s *Skill) ([]Printed, Tally) {
	t := newTable(r.Places, s)
	cells, at, shown := t.asked(r, s)
	printed, tally := r.printTable(t, s.People, at, shown)
	rows := make([]Printed, 0, len(cells))
	for i, cell := range cells {
		rows = append(rows, Printed{Cell: cell, TurnedDown: printed[TurnedDownFor][at[i]],
			HiredWith:      Share(printed[hiredWith][at[i]], printed[Hired][at[i]]),
			TurnedDownWith: Share(printed[turnedDownWith][at[i]], printed[TurnedDown][at[i]])})
	}
	slices.SortFunc(rows, func(a, b Printed) int { return a.compare(b.Cell) })
	if r.Protection != Plain {
		tally.Withdrawn += auditSeries(rows, s.Past, s.Month)
	}
	rows = slices.DeleteFunc(rows, func(p Printed) bool {
		switch p.TurnedDown.Status() {
		case figure.Number:
			tally.Numbers++
		case figure.Small:
			tally.UnderFive++
		default:
			return p.HiredWith == nil && p.TurnedDownWith == nil
		}
		return false
	})
	return rows, tally
}

// printTable prints the measures of a table, of which a reader may ask for the cells at and
// is shown some. A count that is only shown by its share is known where a share is printed.
func (r *Rules) printTable(t *table, people []Person, at, shown []int32) (printed [measures][]figure.Count, tally Tally) {
	if r.MinEmployers > 1 {
		t.employers = map[measured]int{}
	}
	counts, sums := t.count(people), t.system()
	for m := range measures {
		var below int64
		printed[m], below = r.print(counts[m], shown, sums)
		whole := m
		if m >= hiredWith {
			whole -= had
		}
		for c := range printed[m] {
			n, _ := printed[m][c].Number()
			base, _ := printed[whole][c].Number()
			if m > TurnedDownFor && base < smallestBase || t.employers != nil && n > 0 && t.employers[measured{measure: m, cell: int32(c)}] < r.MinEmployers {
				printed[m][c] = figure.Count{}
			}
		}
		workedOut, withdrawn := (&audit{r.Protection, printed[m], counts[m]}).run(sums, at)
		if tally.WorkedOut += workedOut; m == TurnedDownFor {
			tally.Below, tally.Withdrawn = below, withdrawn
		} else {
			tally.WithdrawnShares += withdrawn
		}
	}
	return printed, tally
}

// print prints the shown cells of one measure under P1 and P2: "Below a cell that is
// `"<5"`, every cell is `null`, zeros too." hides is how many that hides.
func (p Protection) print(counts []int32, shown []int32, s *system) (printed []figure.Count, hides int64) {
	printed = make([]figure.Count, len(counts))
	var small []int32
	for _, c := range shown {
		printed[c] = p.Count(int64(counts[c]))
		if p != Plain && printed[c].Status() == figure.Small {
			small = append(small, c)
		}
	}
	hidden := s.below(small)
	for _, c := range shown {
		if hidden[c] {
			printed[c], hides = figure.Count{}, hides+1
		}
	}
	return printed, hides
}

// count counts people by measure and cell, and notes the employers if the table keeps them.
func (t *table) count(people []Person) (counts [measures][]int32) {
	for m := range counts {
		counts[m] = make([]int32, t.cells())
	}
	var cells []int32
	met := map[measured]bool{}
	for i := range people {
		p := &people[i]
		kinds := []Kind{p.Kind, p.Kind + had}
		if !p.Had || p.Kind == TurnedDownFor {
			kinds = kinds[:1]
		}
		cells = t.cellsOf(p, cells[:0])
		for _, m := range kinds {
			for _, c := range cells {
				counts[m][c]++
				if by := (measured{m, c, p.Employer}); t.employers != nil && !met[by] {
					met[by] = true
					t.employers[measured{measure: m, cell: c}]++
				}
			}
		}
	}
	return counts
}

// cellsOf appends the cells that a person counts in.
func (t *table) cellsOf(p *Person, cells []int32) []int32 {
	cells = append(cells, t.month(int(p.Age)))
	for w, months := range Windows {
		if int(p.Age) >= months {
			continue
		}
		between := w > 0 && int(p.Age) >= Windows[w-1]
		for _, c := range t.in[p.Combination] {
			if cells = append(cells, t.cell(c, w)); between {
				cells = append(cells, t.cell(c, windows+w-1))
			}
		}
	}
	return cells
}

// asked returns the cells that can be asked for, where they are in the table, and where
// those of them are of which something may be printed.
func (t *table) asked(r *Rules, s *Skill) (cells []Cell, at, shown []int32) {
	add := func(c Cell, number int32) {
		if r.Askable != nil && !r.Askable(c) {
			return
		}
		cells, at = append(cells, c), append(at, number)
		if r.Unseen == nil || !r.Unseen(c) {
			shown = append(shown, number)
		}
	}
	for i, c := range t.columns {
		signature, value, ok := c.named(s.Names)
		if !ok || !t.listed[i] || int(c.place) >= len(t.places.slugs) { // what areas have in common is not published
			continue
		}
		for w, months := range Windows {
			add(Cell{signature, t.places.slugs[c.place], value, months}, t.cell(int32(i), w))
		}
	}
	if everywhere, ok := t.at[column{}]; ok && t.listed[everywhere] {
		for age := range Months {
			add(Cell{snapshots.SigMonth, "", (s.Month - Month(age)).String(), 1}, t.month(age))
		}
	}
	return cells, at, shown
}

// signatures are those that can be asked for, everywhere and in a place.
var signatures = map[dimension][2]string{none: {snapshots.SigNone, snapshots.SigPlace}, sector: {snapshots.SigSector, snapshots.SigPlaceSector},
	occupation: {snapshots.SigSOC, snapshots.SigPlaceSOC}, level: {snapshots.SigLevel, snapshots.SigPlaceLevel},
	source: {snapshots.SigSource, snapshots.SigPlaceSource}}

// named returns the signature and the value of a column; ok is false for those that cannot
// be asked for.
func (c column) named(names Names) (signature, value string, ok bool) {
	switch c.dimension {
	case sector:
		value = names.Sectors[c.value]
	case occupation:
		value = SOC(c.value).String()
	case level:
		value = strconv.Itoa(int(c.value))
	case source:
		value = names.Sources[c.value]
	}
	of, ok := signatures[c.dimension]
	return of[min(c.place, 1)], value, ok && (c.dimension == none || c.value > 0)
}

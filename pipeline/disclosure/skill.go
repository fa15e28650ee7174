package disclosure

import (
	"cmp"
	"slices"
	"strings"

	"labour/snapshots/figure"
)

// Kind is the outcome of an application by which a person is counted. For each kind a person counts
// once per skill, at the most recent such event.
type Kind uint8

// The kinds for which people are counted.
const (
	TurnedDownFor Kind = iota // turned down for the skill
	Hired                     // hired for a role that required the skill
	TurnedDown                // turned down for a role that required the skill
)

// Person is one person counted for one kind, with the combination of filters of the event.
type Person struct {
	Combination
	Kind Kind
	Had  bool // had the skill at the level that the role required
	Key  Key
}

// Cell is a published combination of filters: a place, one other filter, both or none.
type Cell struct {
	Signature string // one of the constants snapshots.Sig…
	Place     string
	Value     string
}

func (c Cell) compare(d Cell) int {
	return cmp.Or(strings.Compare(c.Signature, d.Signature), strings.Compare(c.Place, d.Place),
		strings.Compare(c.Value, d.Value))
}

// PrintedCell holds the published values of one cell.
type PrintedCell struct {
	Cell
	TurnedDown     figure.Count
	HiredWith      *figure.Tenths // hired applicants who had the skill; nil = not published
	TurnedDownWith *figure.Tenths // turned-down applicants who had the skill; nil = not published
}

// Rules holds the settings for printing counts of people.
type Rules struct {
	Protection Protection
	Places     *Places
	// Askable reports whether the API returns results for a cell (P9): its filter matches at least
	// 5 counted adverts, from at least 3 employers, in the twelve months. nil = every cell.
	Askable func(Cell) bool
}

// Skill holds the people who count for one skill.
type Skill struct {
	Names
	// Asked are the combinations in which a counted advert requires the skill: a 0 is printed there
	// too.
	Asked  []Combination
	People []Person
}

// Tally counts the cells of people turned down by their printed value. It contains no true counts.
type Tally struct {
	Numbers, UnderFive int64
	Below              int64 // null because it is part of a small group
}

// Add adds another tally.
func (t *Tally) Add(o Tally) {
	t.Numbers += o.Numbers
	t.UnderFive += o.UnderFive
	t.Below += o.Below
}

// The indices of the measures of a cell. First come the kinds, and after them the people of the
// last two kinds who had the skill, which are part of those kinds.
const (
	had            = 2
	hiredWith      = Hired + had
	turnedDownWith = TurnedDown + had
	measures       = turnedDownWith + 1
)

// Print prints the cells of one skill that have a figure, in the order of the table people. Each
// skill is printed independently.
func (r *Rules) Print(s *Skill) (rows []PrintedCell, tally Tally) {
	t := newTable(r.Places, s)
	printed := r.printTable(t, s.People)
	for i, c := range t.columns {
		cell := t.named(c, s.Names)
		if r.Askable != nil && !r.Askable(cell) {
			continue
		}
		row := PrintedCell{Cell: cell, TurnedDown: printed[TurnedDownFor][i],
			HiredWith:      Share(printed[hiredWith][i], printed[Hired][i]),
			TurnedDownWith: Share(printed[turnedDownWith][i], printed[TurnedDown][i])}
		switch row.TurnedDown.Status() {
		case figure.Number:
			tally.Numbers++
		case figure.Small:
			tally.UnderFive++
		default:
			tally.Below++
			if row.HiredWith == nil && row.TurnedDownWith == nil {
				continue
			}
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b PrintedCell) int { return a.compare(b.Cell) })
	return rows, tally
}

// printTable prints all measures of a table.
func (r *Rules) printTable(t *table, people []Person) (printed [measures][]figure.Count) {
	n := int32(len(t.columns))
	above := make([][]int32, n)
	for i := range n {
		above[i] = t.above(i)
	}
	all := r.Protection.PrintAll(t.count(people), func(i int) []int32 {
		column := int32(i) % n
		measure := Kind(int32(i) / n)
		wholes := shifted(above[column], int32(measure)*n)
		if measure >= hiredWith {
			total := int32(measure-had) * n
			wholes = append(append(wholes, total+column), shifted(above[column], total)...)
		}
		return wholes
	})
	for m := range printed {
		printed[m] = all[int32(m)*n:][:n]
	}
	return printed
}

func shifted(list []int32, by int32) []int32 {
	out := make([]int32, 0, 2*len(list)+1)
	for _, n := range list {
		out = append(out, n+by)
	}
	return out
}

// count counts people by measure and column, measure after measure.
func (t *table) count(people []Person) []Count {
	counts := make([]Count, int(measures)*len(t.columns))
	add := func(m Kind, p *Person) {
		for _, c := range t.in[p.Combination] {
			counts[int(m)*len(t.columns)+int(c)].Add(Count{1, p.Key})
		}
	}
	for i := range people {
		p := &people[i]
		add(p.Kind, p)
		if p.Had && p.Kind != TurnedDownFor {
			add(p.Kind+had, p)
		}
	}
	return counts
}

package disclosure

import (
	"cmp"
	"slices"
	"strings"

	"labour/snapshots/figure"
)

// OutcomeKind is the outcome of applications for which people are counted. Each person counts once
// for each skill and outcome, with the latest application.
type OutcomeKind uint8

// The outcomes of an application for which people are counted.
const (
	// OutcomeTurnedDownForLackOfSkill counts people who were turned down because they lacked the
	// skill.
	OutcomeTurnedDownForLackOfSkill OutcomeKind = iota
	// OutcomeHired counts people who were hired for a role that required the skill.
	OutcomeHired
	// OutcomeTurnedDownAnyReason counts people who were turned down, for any reason, for a role
	// that required the skill.
	OutcomeTurnedDownAnyReason
)

// Person is one person who counts for one skill and one outcome of an application. It has the
// filter values of the application.
type Person struct {
	FilterCombination
	Outcome  OutcomeKind
	HadSkill bool // true if the person had the skill at the level that the role required
	Key      RoundingKey
}

// Cell is the combination of filters of a published count of people. It has no filter, a place, one
// other filter, or a place and one other filter.
type Cell struct {
	// which filters the cell has, such as snapshots.FilteredByPlaceAndSector
	Signature string
	Place     string // slug of the place; "" = all places
	Value     string // value of the filter other than the place, such as a sector's slug; "" = none
}

func (c Cell) compare(d Cell) int {
	return cmp.Or(strings.Compare(c.Signature, d.Signature), strings.Compare(c.Place, d.Place),
		strings.Compare(c.Value, d.Value))
}

// PublishedCell holds the published counts and shares of people for one skill and one combination
// of filters.
type PublishedCell struct {
	Cell
	TurnedDown figure.Count
	// share of hired applicants who had the skill, in per cent; nil = not published
	HiredWithSkillPct *figure.Tenths
	// share of turned-down applicants who had the skill, in per cent; nil = not published
	TurnedDownWithSkillPct *figure.Tenths
}

// Rules holds the settings of disclosure control: the method that protects counts of people, and
// the places with published counts.
type Rules struct {
	Protection Protection
	Places     *Places
	// IsAnswerable reports whether the API returns results for a cell: its filters match at least
	// 5 counted adverts, from at least 3 employers, in the twelve months of the figures (rule P9
	// of the README). nil = every cell.
	IsAnswerable func(Cell) bool
}

// SkillCountInput is the input for the published counts of one skill: the people who count, and the
// filter values of the adverts that require the skill.
type SkillCountInput struct {
	FilterNames
	// RequiredCombinations are the combinations of filter values in which a counted advert requires
	// the skill. If nobody is counted for a combination, 0 is published.
	RequiredCombinations []FilterCombination
	People               []Person
}

// ValueTally counts the published values that are numbers, "<5" and null. It has no true counts.
type ValueTally struct {
	Numbers, UnderFive int64
	// number of counts that are null because they are parts of a total that is too small to be
	// broken down (MayPublishPart)
	WithinSmallGroup int64
}

// Add adds the counts of another tally to t.
func (t *ValueTally) Add(o ValueTally) {
	t.Numbers += o.Numbers
	t.UnderFive += o.UnderFive
	t.WithinSmallGroup += o.WithinSmallGroup
}

// The indices of the counts of people with the skill in a cell. They follow the three values of
// OutcomeKind.
const (
	// withSkillOffset is the distance from the index of an outcome to the index of its people who
	// had the skill. The outcome is OutcomeHired or OutcomeTurnedDownAnyReason.
	withSkillOffset = 2
	// hiredWith is the index of the number of hired people who had the skill.
	hiredWith = OutcomeHired + withSkillOffset
	// turnedDownWith is the index of the number of turned-down people who had the skill.
	turnedDownWith = OutcomeTurnedDownAnyReason + withSkillOffset
	// measures is the number of counts of people in each cell. A cell is one combination of
	// filters.
	measures = turnedDownWith + 1
)

// PublishedSkillCells returns the published cells of one skill, sorted. It leaves out cells for
// which the API returns no results (IsAnswerable), and cells in which all values are null. The
// tally counts the values of TurnedDown, including those in cells in which all values are null.
//
// If no advert requires the skill in a cell, the cell is left out of both unless it publishes
// people. Otherwise a cell that publishes 0 would tell that a hidden person is counted in it.
func (r *Rules) PublishedSkillCells(s *SkillCountInput) (rows []PublishedCell, tally ValueTally) {
	t := newTable(r.Places, s)
	printed := r.printTable(t, s.People)
	for i, c := range t.columns {
		cell := t.cellOf(c, s.FilterNames)
		if r.IsAnswerable != nil && !r.IsAnswerable(cell) {
			continue
		}
		row := PublishedCell{Cell: cell, TurnedDown: printed[OutcomeTurnedDownForLackOfSkill][i],
			HiredWithSkillPct:      PublishedShare(printed[hiredWith][i], printed[OutcomeHired][i]),
			TurnedDownWithSkillPct: PublishedShare(printed[turnedDownWith][i], printed[OutcomeTurnedDownAnyReason][i])}
		if i >= t.requiredColumns && !row.publishesPeople() {
			continue
		}
		switch row.TurnedDown.Status() {
		case figure.StatusNumber:
			tally.Numbers++
		case figure.StatusUnderFive:
			tally.UnderFive++
		default:
			tally.WithinSmallGroup++
			if !row.hasShare() {
				continue
			}
		}
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b PublishedCell) int { return a.compare(b.Cell) })
	return rows, tally
}

// hasShare reports whether a share of people is published in the cell.
func (c *PublishedCell) hasShare() bool {
	return c.HiredWithSkillPct != nil || c.TurnedDownWithSkillPct != nil
}

// publishesPeople reports whether the published values of the cell show that people are counted in
// it: "<5", a number above 0, or a share.
func (c *PublishedCell) publishesPeople() bool {
	n, _ := c.TurnedDown.Number()
	return n > 0 || c.TurnedDown.Status() == figure.StatusUnderFive || c.hasShare()
}

// printTable returns the published counts of people of one skill. printed[m][i] is the count for
// column i of the table. m is an OutcomeKind, or such a value plus withSkillOffset for the people
// of this outcome who had the skill. A column is one combination of filters.
func (r *Rules) printTable(t *table, people []Person) (printed [measures][]figure.Count) {
	n := int32(len(t.columns))
	above := make([][]int32, n)
	for i := range n {
		above[i] = t.widerColumns(i)
	}
	all := r.Protection.PublishedCounts(t.count(people), func(i int) []int32 {
		column := int32(i) % n
		measure := OutcomeKind(int32(i) / n)
		totals := shift(above[column], int32(measure)*n)
		if measure >= hiredWith {
			offset := int32(measure-withSkillOffset) * n
			totals = append(append(totals, offset+column), shift(above[column], offset)...)
		}
		return totals
	})
	for m := range printed {
		printed[m] = all[int32(m)*n:][:n]
	}
	return printed
}

func shift(list []int32, by int32) []int32 {
	out := make([]int32, 0, 2*len(list)+1)
	for _, n := range list {
		out = append(out, n+by)
	}
	return out
}

// count returns the true counts of people for each outcome and column of the table. All columns of
// the first outcome come first, then those of the next one. A column is one combination of filters.
func (t *table) count(people []Person) []TrueCount {
	counts := make([]TrueCount, int(measures)*len(t.columns))
	add := func(m OutcomeKind, p *Person) {
		for _, c := range t.in[p.FilterCombination] {
			counts[int(m)*len(t.columns)+int(c)].Add(TrueCount{1, p.Key})
		}
	}
	for i := range people {
		p := &people[i]
		add(p.Outcome, p)
		if p.HadSkill && p.Outcome != OutcomeTurnedDownForLackOfSkill {
			add(p.Outcome+withSkillOffset, p)
		}
	}
	return counts
}

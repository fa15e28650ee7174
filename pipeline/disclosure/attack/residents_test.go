package attack

import (
	"fmt"
	"slices"
	"strconv"

	"labour/pipeline/disclosure/attackertest"
)

// levels are none on record, and 1 to 5.
const levels = 6

// cohort is the residents of a borough at a level of a skill who came between two releases, or by the
// first that is studied.
type cohort struct {
	below
	joined int
}

// studiedResidents returns what follows of the residents who are below a level of a skill, and of those
// who are not, from successive releases: from shares, and from the counts of residents by borough. It is
// known that nobody leaves, so that a figure that changes shows that somebody came.
func (w *world) studiedResidents(skill string, first int, list ...neighbours) *attackertest.AttackerKnowledge {
	s := &attackertest.AttackerKnowledge{Name: fmt.Sprintf("world %d, residents, %s, %d releases from %d", w.seed, skill,
		len(list), first)}
	truth := map[cohort]int64{}
	for _, r := range w.residents {
		truth[cohort{below{r.borough, r.levels[skill]}, max(first, r.joins)}]++
	}
	vars := map[cohort]int32{}
	for q := first; q < first+len(list); q++ {
		for _, borough := range w.Places {
			for level := range levels {
				of := cohort{below{borough, level}, q}
				vars[of] = s.AddUnknown(truth[of])
			}
		}
	}
	// since returns those at the levels from one up to below another who came from a release on
	// until one.
	since := func(place string, from, to, came, until int) (list []int32) {
		for _, borough := range w.boroughsOf(place) {
			for level := from; level < to; level++ {
				for q := came; q <= until; q++ {
					list = append(list, vars[cohort{below{borough, level}, q}])
				}
			}
		}
		slices.Sort(list)
		return list
	}
	for i, n := range list {
		q := first + i
		w.readResidents(s, skill, n, func(place string, from, to int) []int32 { return since(place, from, to, first, q) })
		for _, place := range w.everyPlace() {
			if i > 0 && changed(list[i-1], n, skill, place) {
				s.AddSumBounds(1, attackertest.NoUpperLimit, since(place, 0, levels, q, q), nil)
			}
		}
	}
	return s
}

// changed reports whether two releases print the residents of a place unlike, or a share of them.
func changed(before, after neighbours, skill, place string) bool {
	was, is := before.residents[place], after.residents[place]
	if was != is && was != "" && is != "" && was != "null" && is != "null" {
		return true
	}
	for level := 1; level < levels; level++ {
		was, shown := before.below[skill][below{place, level}]
		is, still := after.below[skill][below{place, level}]
		if shown && still && was != is {
			return true
		}
	}
	return false
}

// readResidents puts in what one release prints of the residents of each place, and aims at every small
// group. of returns the residents of a place at the levels from one up to below another.
func (w *world) readResidents(s *attackertest.AttackerKnowledge, skill string, n neighbours,
	of func(place string, from, to int) []int32) {
	all := map[string][]int32{}
	for _, place := range append([]string{""}, w.Places...) {
		all[place] = of(place, 0, levels)
	}
	studyPrinted(s, all, n.residents)
	for _, place := range w.everyPlace() {
		for level := 1; level < levels; level++ {
			low, high := of(place, 0, level), of(place, level, levels)
			if share, ok := n.below[skill][below{place, level}]; ok {
				readShare(s, share, n.residents[place], low, high)
				next, ok := n.below[skill][below{place, level + 1}]
				if ok && next != share { // the same people print the same
					s.AddSumBounds(1, attackertest.NoUpperLimit, of(place, level, level+1), nil)
				}
			}
			s.AddSmallGroup(fmt.Sprintf("below %d in %q", level, place), low)
			s.AddSmallGroup(fmt.Sprintf("%d or more in %q", level, place), high)
		}
	}
}

// readShare puts in what a share in whole per cent says of those below and of the others: how many a
// part is at most 4 away from what was printed of it, and so is the whole.
func readShare(s *attackertest.AttackerKnowledge, share int, printedWhole string, low, high []int32) {
	p := int64(share)
	whole, err := strconv.ParseInt(printedWhole, 10, 64)
	known := err == nil && whole >= 20 // else the place prints no number of residents
	boundShare(s, p, !known && p >= leastLargest || known && p >= largest(whole), low, high)
	if !known {
		return
	}
	least, most := int64(attackertest.NoUpperLimit), int64(0)
	for _, part := range printable(whole) {
		if pct := (2*100*part.printed + 2*whole) / (4 * whole); min(pct, largest(whole)) == p {
			least, most = min(least, part.low), max(most, part.high)
		}
	}
	s.AddSumBounds(least, most, low, nil)
}

// boundShare puts in that a part and the rest print a share in per cent, which may be that of everybody.
func boundShare(s *attackertest.AttackerKnowledge, p int64, mayBeAll bool, part, rest []int32) {
	if !mayBeAll { // what is printed of the part is not what is printed of the whole
		s.AddSumBounds(1, attackertest.NoUpperLimit, rest, nil)
		s.Rows = append(s.Rows, attackertest.LinearConstraint{Plus: part, Minus: rest, Low: -attackertest.NoUpperLimit,
			High:      4*(2*p+1) + 800,
			TimesPlus: 199 - 2*p, TimesMinus: 2*p + 1})
	}
	if p > 0 {
		s.Rows = append(s.Rows, attackertest.LinearConstraint{Plus: part, Minus: rest, Low: -4*(2*p-1) - 800,
			High:      attackertest.NoUpperLimit,
			TimesPlus: 201 - 2*p, TimesMinus: 2*p - 1})
	}
}

// leastLargest is the largest share of 20 residents: no place prints a smaller one of all that it has.
const leastLargest = 88

// largest returns the largest share that is printed of so many printed residents: of fewer than 265,
// rounding may hide more than 3 %, and the share is at most that of all but 2.5.
func largest(whole int64) int64 {
	if whole >= 265 {
		return 100
	}
	return (200*(2*whole-5) + 2*whole) / (4 * whole)
}

// part is what may be printed of a part of a whole: twice the number, with "<5" as 2.5.
type part struct{ printed, low, high int64 }

func printable(whole int64) []part {
	list := []part{{0, 0, 0}, {5, 1, 4}}
	for n := int64(5); n <= whole+5; n += 5 {
		list = append(list, part{2 * n, max(5, n-4), n + 4})
	}
	return list
}

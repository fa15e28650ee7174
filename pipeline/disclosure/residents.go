package disclosure

import "labour/snapshots/figure"

// Levels is how many levels of a skill there are.
const Levels = 5

// Residents are the residents of each place: everywhere, the boroughs and the areas, in
// the order of Places.
type Residents struct {
	All   []int64
	Below [][Levels]int64 // of one skill: below each level, or without a record
}

// NoResidents returns residents of no place yet.
func (p *Places) NoResidents() Residents {
	return Residents{All: make([]int64, len(p.slugs)), Below: make([][Levels]int64, len(p.slugs))}
}

// The cells of a place: those below each level, all, and those between, which nobody can
// ask for: from one level to below the next, and from the highest on.
const (
	allResidents     = Levels
	betweenResidents = Levels + 1
	residentCells    = 2*Levels + 1
)

// Residents prints the share of the residents of each place below each level of a skill
// (P4); nil is not published.
func (r *Rules) Residents(s Residents) ([][Levels]*figure.Tenths, Tally) {
	counts := make([]int64, (int(r.Places.nowhere)+1)*residentCells)
	for i := range counts {
		counts[i] = -1
	}
	for place := range s.All {
		cells := counts[place*residentCells:]
		copy(cells, s.Below[place][:])
		cells[allResidents] = s.All[place]
	}
	printed, tally := r.Lines(counts, r.residentLines())
	out := make([][Levels]*figure.Tenths, len(s.All))
	for place := range out {
		cells := printed[place*residentCells:]
		for l := range Levels {
			out[place][l] = ResidentShare(cells[l], cells[allResidents])
		}
	}
	return out, tally
}

// residentLines returns how the residents of levels and places add up: "residents'
// levels nested". Some may live in no served borough.
func (r *Rules) residentLines() (lines []Line) {
	for place := range r.Places.sums {
		first := place * residentCells
		for l := range Levels { // the next level's, and after the highest all
			lines = append(lines, Line{Total: first + l + 1, Parts: []int{first + l, first + betweenResidents + l}, Whole: true})
		}
		for _, sum := range r.Places.sums[place] {
			for cell := range residentCells {
				l := Line{Total: first + cell, Whole: true}
				for _, p := range sum {
					l.Parts = append(l.Parts, int(p)*residentCells+cell)
				}
				lines = append(lines, l)
			}
		}
	}
	return lines
}

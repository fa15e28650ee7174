package disclosure

import (
	"slices"

	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/mask"
	"labour/snapshots/figure"
)

// Population is the residents of one place, and how many of them are below a
// level of one skill or have no record of it. Place "" is everywhere.
type Population struct {
	Place     string
	Level     int
	Residents int64
	Below     int64
}

// Residents is R6 for one skill: the share below the level for each of the
// populations, nil where it is not published. "Parts n = below, d-n = at or
// above, both 0 or >= 5; across places R2; across levels successive n differ by
// 0 or >= 5 among printed values."
//
// Both parts are lines of the place tree, level by level; people who live in no
// served place are in the total and in no child.
func (r Rules) Residents(all []Population) []*figure.Tenths {
	l := r.Lattice
	if l == nil {
		l = lattice.New(nil, nil)
	}
	out := make([]*figure.Tenths, len(all))
	levels := map[int][]int{}
	for i, p := range all {
		if !l.Outside(p.Place) {
			levels[p.Level] = append(levels[p.Level], i)
		}
	}
	printable := make([]bool, len(all))
	for _, at := range levels {
		below := residentLine(l, all, at, func(p Population) int64 { return p.Below })
		above := residentLine(l, all, at, func(p Population) int64 { return p.Residents - p.Below })
		for k, i := range at {
			printable[i] = below[k] && above[k]
		}
	}
	hideLevels(all, printable)
	for i, p := range all {
		if printable[i] {
			out[i] = ResidentShare(p.Below, p.Residents)
		}
	}
	return out
}

// residentLine says of each population whether one part of it is a number under
// the rules for lines.
func residentLine(l *lattice.Lattice, all []Population, at []int, part func(Population) int64) []bool {
	cells, counts := make([]mask.Cell, len(at)), make([]int64, len(at))
	for k, i := range at {
		cells[k] = mask.Cell{Signature: mask.Signature(all[i].Place, ""), Place: all[i].Place, Window: 24}
		counts[k] = part(all[i])
	}
	b := mask.NewIndex(cells, make([]bool, len(cells)), l).NewBoard(counts)
	b.Run()
	out := make([]bool, len(at))
	for k := range out {
		out[k] = b.Status[k] == mask.Shown
	}
	return out
}

// hideLevels is the chain of levels of each place: "12.1 % below level 2, 12.3 %
// below level 3 => 3 people at level 2". From the highest level down, one that
// differs from the last kept by 1 to 4 is hidden.
func hideLevels(all []Population, printable []bool) {
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return all[b].Level - all[a].Level })
	last := map[string]int64{}
	for _, i := range order {
		if !printable[i] {
			continue
		}
		p := all[i]
		if kept, ok := last[p.Place]; ok && small(kept-p.Below) {
			printable[i] = false
			continue
		}
		last[p.Place] = p.Below
	}
}

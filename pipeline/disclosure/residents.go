package disclosure

import (
	"maps"
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
// served place are in the total and in no child. skill names them in the ledger. It
// fails if the ledger cannot be read.
func (r Rules) Residents(skill string, all []Population) (Shares, error) {
	l := r.Lattice
	if l == nil {
		l = lattice.New(nil, nil)
	}
	out := Shares{Shares: make([]*figure.Tenths, len(all))}
	levels := map[int][]int{}
	for i, p := range all {
		if !l.Outside(p.Place) {
			levels[p.Level] = append(levels[p.Level], i)
		}
	}
	printable := make([]bool, len(all))
	for _, level := range slices.Sorted(maps.Keys(levels)) {
		if err := r.residentsAt(skill, l, all, levels[level], printable, &out.Kept); err != nil {
			return Shares{}, err
		}
	}
	hideLevels(all, printable)
	for i, p := range all {
		if !printable[i] {
			continue
		}
		if out.Shares[i] = ResidentShare(p.Below, p.Residents); out.Shares[i] != nil && r.Book != nil {
			c := residentCell(p)
			out.Entries = append(out.Entries, r.entry(c, residentMeasure(p.Level, true), p.Below),
				r.entry(c, residentMeasure(p.Level, false), p.Residents-p.Below))
		}
	}
	return out, nil
}

// Shares is R6 for one skill, in the order of its populations; nil is not
// published.
type Shares struct {
	Shares []*figure.Tenths
	Kept
}

// residentMeasure numbers the two parts of each level in the ledger.
func residentMeasure(level int, below bool) measure {
	if below {
		return measure(2 * level)
	}
	return measure(2*level + 1)
}

// ResidentsName is the name under which the ledger keeps the residents of a skill.
func ResidentsName(skill string) string { return "-residents-" + skill }

func residentCell(p Population) Cell {
	return Cell{Signature: mask.Signature(p.Place, ""), Place: p.Place, Window: breakdownWindow}
}

// residentsAt says of each population of one level whether both parts of it are
// numbers under the rules for lines.
func (r Rules) residentsAt(skill string, l *lattice.Lattice, all []Population, at []int, printable []bool, kept *Kept) error {
	cells := make([]mask.Cell, len(at))
	for k, i := range at {
		cells[k], printable[i] = residentCell(all[i]), true
	}
	index := mask.NewIndex(cells, make([]bool, len(cells)), l)
	for _, below := range []bool{true, false} {
		counts := make([]int64, len(at))
		for k, i := range at {
			if counts[k] = all[i].Below; !below {
				counts[k] = all[i].Residents - all[i].Below
			}
		}
		b := index.NewBoard(counts)
		if err := r.standing(ResidentsName(skill), b, residentMeasure(all[at[0]].Level, below), kept); err != nil {
			return err
		}
		for k, i := range at {
			printable[i] = printable[i] && b.Status[k] == mask.Shown
		}
	}
	return nil
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

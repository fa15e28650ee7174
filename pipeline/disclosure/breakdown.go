package disclosure

import (
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/mask"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// Part is the people of one value of a breakdown.
type Part struct {
	Value string // place slug, sector slug or level
	Count int64
}

// Broken is a total and its parts as they are printed.
type Broken struct {
	Whole figure.Count
	Parts []figure.Count
	Kept
}

// Breakdown prints a total and what it is broken down by: "each breakdown is an R2
// line on one total; same ledger". name is that of the breakdown in the ledger; dim
// is snapshots.SigPlace, SigSector or SigLevel and decides the public order, and for
// places the tree: a served area of the lattice among the parts is a node with its
// own line. People of no part are in the total and in no part. Parts come back in
// their order; a place outside the lattice is not published. It fails if the ledger
// cannot be read.
func (r Rules) Breakdown(name string, total int64, dim string, parts []Part) (Broken, error) {
	l := r.Lattice
	if l == nil {
		l = lattice.New(nil, nil)
	}
	cells, counts := []mask.Cell{{Signature: snapshots.SigNone, Window: breakdownWindow}}, []int64{total}
	at := make([]int, len(parts))
	for i, p := range parts {
		c := mask.Cell{Signature: dim, Value: p.Value, Window: breakdownWindow}
		if dim == snapshots.SigPlace {
			c.Place, c.Value = p.Value, ""
		}
		if l.Outside(c.Place) {
			continue
		}
		at[i] = len(cells)
		cells, counts = append(cells, c), append(counts, p.Count)
	}
	b := mask.NewIndex(cells, make([]bool, len(cells)), l).NewBoard(counts)
	var out Broken
	if err := r.standing(name, b, turnedDownFor, &out.Kept); err != nil {
		return Broken{}, err
	}
	for i, c := range cells {
		if b.Status[i] == mask.Shown {
			out.Entries = append(out.Entries, r.entry(c, turnedDownFor, counts[i]))
		}
	}
	out.Whole, _ = b.Printed(0)
	out.Parts = make([]figure.Count, len(parts))
	for i := range parts {
		if at[i] > 0 {
			out.Parts[i], _ = b.Printed(at[i])
		}
	}
	return out, nil
}

// breakdownWindow stands for "now": a line has one window, whichever it is.
const breakdownWindow = 24

package disclosure

import (
	"labour/pipeline/disclosure/gate"
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

// Breakdown prints a total and what it is broken down by: "each breakdown is an R2
// line on one total". dim is snapshots.SigPlace, SigSector or SigLevel; it decides
// the public order, and for places the tree: a served area of the lattice among
// the parts is a node with its own line. People of no part are in the total and
// in no part. Parts come back in their order; a place outside the lattice is not
// published.
func (r Rules) Breakdown(total int64, dim string, parts []Part) (figure.Count, []figure.Count) {
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
	b.Run()
	gate.Audit(b, r.Gate)
	whole, _ := b.Printed(0)
	printed := make([]figure.Count, len(parts))
	for i := range parts {
		if at[i] > 0 {
			printed[i], _ = b.Printed(at[i])
		}
	}
	return whole, printed
}

// breakdownWindow stands for "now": a line has one window, whichever it is.
const breakdownWindow = 24

package disclosure

import "labour/snapshots/figure"

// trial is a value of one cell that is tried, or nothing.
type trial struct {
	trying  bool
	refuted bool     // the value contradicts the sums
	undo    []change // what was known of cells before
}

type change struct {
	cell int32
	was  interval
}

// try narrows those of some cells that are known to hold at most 4 people, and to three
// values or fewer, by trial: a value that contradicts the sums cannot be. The true counts
// only save trials: what holds the truth contradicts nothing, so that without them the
// same would follow.
func (k *knowledge) try(cells []int32, truth []int32) {
	for _, c := range cells {
		for {
			is := k.at[c]
			if is.hi >= figure.SmallestShown || is.width() > 2 || is.lo == is.hi {
				break
			}
			part, rest := interval{is.lo, is.lo}, interval{is.lo + 1, is.hi}
			if truth[c] == is.lo {
				part, rest = rest, part
			}
			if part.lo > 0 && rest == (interval{}) || !k.refutes(c, part) {
				break // nobody is no small group
			}
			k.set(bySomethingElse, c, rest)
			k.tighten()
		}
	}
}

// refutes reports whether a cell cannot be within an interval.
func (k *knowledge) refutes(cell int32, is interval) bool {
	k.trial = trial{trying: true, undo: append(k.undo[:0], change{cell, k.at[cell]})}
	k.set(bySomethingElse, cell, is)
	k.tighten()
	for i := len(k.undo) - 1; i >= 0; i-- {
		k.set(bySomethingElse, k.undo[i].cell, k.undo[i].was)
	}
	for _, number := range k.due { // nothing is new
		k.waiting[number] = false
	}
	k.due, k.trying = k.due[:0], false
	return k.refuted
}

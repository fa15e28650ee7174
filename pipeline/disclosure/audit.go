package disclosure

import (
	"cmp"
	"slices"

	"labour/snapshots/figure"
)

// audit withdraws from printed values what lets a reader work out a group of 1 to 4 people.
type audit struct {
	Protection
	printed []figure.Count // by cell; null where nothing is printed
	truth   []int32        // the true counts, which save work and change nothing
}

// run audits under a system, and returns how many groups a reader can work out in the end,
// and how many figures it withdrew. It ends, since withdrawals only grow. asked are the
// cells that a reader can ask for.
func (a *audit) run(s *system, asked []int32) (workedOut, withdrawn int64) {
	if !slices.ContainsFunc(asked, func(c int32) bool { return a.truth[c] > 0 && a.truth[c] < figure.SmallestShown }) {
		return 0, 0 // no small group, so that none can be worked out
	}
	for {
		k, small := a.workedOut(s, asked)
		if a.Protection == Plain {
			return int64(len(small)), 0
		}
		more := a.withdraw(k, small)
		if withdrawn += more; more == 0 {
			return int64(len(small)), withdrawn
		}
	}
}

// workedOut returns what a reader knows, and the small groups that follow.
func (a *audit) workedOut(s *system, asked []int32) (*knowledge, []int32) {
	k := a.reader(s)
	small := k.smallValues(asked)
	if len(small) == 0 {
		k.try(asked, a.truth)
		small = k.smallValues(asked)
	}
	return k, small
}

// reader returns what a reader of the printed values knows.
func (a *audit) reader(s *system) *knowledge {
	printed := make([]interval, len(a.printed))
	for c, value := range a.printed {
		printed[c] = a.intervalOf(value)
	}
	return newKnowledge(s, printed)
}

// withdraw makes small groups uncertain: "A small group whose interval is one value is
// withdrawn (`null`). If it was not printed at all, the smallest printed sibling in one
// of its sums is withdrawn." What is printed goes first; if that helps, the others are
// looked at again, one by one, since several mostly follow from one thing.
func (a *audit) withdraw(k *knowledge, small []int32) (withdrawn int64) {
	for _, cell := range small {
		if a.printed[cell].Status() == figure.Small {
			a.printed[cell], withdrawn = figure.Count{}, withdrawn+1
		}
	}
	if withdrawn > 0 {
		return withdrawn
	}
	for _, cell := range small {
		sibling, ok := a.sibling(k, cell, k.reasons)
		if !ok {
			sibling, ok = a.sibling(k, cell, func(c int32) []int32 { return slices.Concat(k.partOf.of(c), k.wholeOf.of(c)) })
		}
		if ok {
			a.printed[sibling] = figure.Count{}
			return 1
		}
	}
	return 0
}

// sibling returns the smallest printed cell, but no zero, that shares a sum with the
// cell, or the nearest one that shares a sum with those, of the sums that are given of a
// cell. ok is false where there is none.
func (a *audit) sibling(k *knowledge, cell int32, sumsOf func(int32) []int32) (sibling int32, ok bool) {
	seen := map[int32]bool{cell: true}
	for ring := []int32{cell}; len(ring) > 0; {
		var next, printed []int32
		for _, c := range ring {
			for _, number := range sumsOf(c) {
				for _, other := range k.cells.of(number) {
					if seen[other] {
						continue
					}
					seen[other] = true
					next = append(next, other)
					if inHalves(a.printed[other]) > 0 {
						printed = append(printed, other)
					}
				}
			}
		}
		if len(printed) > 0 {
			return slices.MinFunc(printed, func(x, y int32) int {
				return cmp.Or(cmp.Compare(inHalves(a.printed[x]), inHalves(a.printed[y])), cmp.Compare(x, y))
			}), true
		}
		ring = next
	}
	return 0, false
}

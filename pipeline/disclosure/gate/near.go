package gate

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/mask"
)

// search looks for other populations in which the people of a few leaves alone are
// others, then of more: those of each group's node, and those where most is hidden. It
// gives the groups that it does not find free.
func (a *audit) search(groups []target, limits Limits, report *Report) (stuck []target, err error) {
	for _, most := range []int{limits.Unknowns / 12, limits.Unknowns / 3, limits.Unknowns} {
		if groups, err = a.near(groups, most, limits.Steps); err != nil {
			return nil, err
		}
		groups = slices.DeleteFunc(groups, func(g target) bool {
			exact := len(a.choose(g, most)) == len(a.leaves) // with more unknowns it is the same system
			if exact {
				stuck = append(stuck, g)
			}
			return exact
		})
	}
	report.Unproven = max(report.Unproven, len(groups)) // later rounds look at fewer
	return append(stuck, groups...), nil
}

// near looks with so many unknowns at most, in one system for all groups that are near
// the same leaves. What a system finds is a whole population, so that each is shown to
// every group that waits: one frees many.
func (a *audit) near(groups []target, most, steps int) (stuck []target, err error) {
	near := make([][]int32, len(groups))
	for i, g := range groups {
		near[i] = a.choose(g, most)
	}
	w := &waiting{groups: groups, free: make([]bool, len(groups))}
	asked := make([]bool, len(groups))
	for i := range groups {
		if asked[i] || w.free[i] {
			continue
		}
		var same []int
		for k := i; k < len(groups); k++ {
			if !asked[k] && !w.free[k] && slices.Equal(near[k], near[i]) {
				same, asked[k] = append(same, k), true
			}
		}
		if err := a.system(near[i]).release(w, same, steps); err != nil {
			return nil, err
		}
	}
	return w.stuck(), nil
}

// choose are leaves with no more unknowns than that together, at least one: first
// those of the group's node, then those where its value can be, those where most is
// hidden first.
func (a *audit) choose(g target, most int) []int32 {
	if a.loose == nil {
		a.measureLeaves()
	}
	rank := func(leaf int32) int {
		switch {
		case g.node != 0 && a.inside(leaf, g.node):
			return 0
		case a.may[g.table][a.at(g.v, leaf)] != 0:
			return 1
		}
		return 2
	}
	order := slices.Clone(a.leaves)
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Or(rank(x)-rank(y), a.loose[y]-a.loose[x]) })
	n := 0
	var out []int32
	for _, leaf := range order {
		if n+a.unknowns[leaf] <= most || len(out) == 0 {
			n, out = n+a.unknowns[leaf], append(out, leaf)
		}
	}
	slices.Sort(out)
	return out
}

// measureLeaves counts the unknowns of each leaf, and its cells that may change.
func (a *audit) measureLeaves() {
	a.loose, a.unknowns = make([]int, len(a.nodes)), make([]int, len(a.nodes))
	for t := range a.tables {
		for e, bits := range a.may[t] {
			leaf := e % len(a.nodes)
			for k := range spans {
				a.unknowns[leaf] += int(bits >> k & 1)
				if i := a.tables[t].cells[e][k]; i >= 0 && !a.Unlisted[i] && a.b.Status[i] != mask.Shown {
					a.loose[leaf]++
				}
			}
		}
	}
}

// inside says that node n is node above or under it.
func (l *layout) inside(n, above int32) bool {
	for ; n >= 0; n = l.nodes[n].parent {
		if n == above {
			return true
		}
	}
	return false
}

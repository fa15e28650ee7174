package gate

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/mask"
)

// search looks for other populations of all leaves at once or, where those are more
// unknowns than allowed, of a few leaves alone: those of each group's node, and those
// where most is hidden. It gives the groups that it does not find free. What a system
// finds is a whole population, so that each is shown to every group that waits: one
// frees many.
func (a *audit) search(groups []target, limits Limits, report *Report) ([]target, error) {
	w := &waiting{groups: groups, free: make([]bool, len(groups))}
	if a.size() <= limits.Unknowns {
		all := make([]int, len(groups))
		for i := range all {
			all[i] = i
		}
		err := a.system(a.leaves).release(w, all, limits.Steps)
		report.Unproven = max(report.Unproven, w.unknown) // later rounds look at fewer
		return w.stuck(), err
	}
	near, done := make([][]int32, len(groups)), make([]bool, len(groups))
	for i, g := range groups {
		near[i] = a.choose(g, limits.Unknowns)
	}
	for i := range groups {
		if done[i] || w.free[i] {
			continue
		}
		var same []int
		for k := i; k < len(groups); k++ {
			if !done[k] && !w.free[k] && slices.Equal(near[i], near[k]) {
				same, done[k] = append(same, k), true
			}
		}
		if err := a.system(near[i]).release(w, same, limits.Steps); err != nil {
			return nil, err
		}
	}
	stuck := w.stuck()
	report.Unproven = max(report.Unproven, len(stuck))
	return stuck, nil
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

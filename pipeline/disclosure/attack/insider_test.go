package attack

import (
	"fmt"
	"slices"

	"labour/pipeline/disclosure/attackertest"
)

// knowOwn puts in how many people of its own an employer knows to be counted.
func (k *knowledge) knowOwn(own map[size]int64) {
	k.own = own
	for of, n := range own {
		k.system.AddSumBounds(n, attackertest.NoUpperLimit, []int32{k.named[of]}, nil)
	}
}

// aimAtOthers makes a target of every published cell in which 1 to 4 people are not the employer's own.
func (k *knowledge) aimAtOthers(w *world, skill string, n int) {
	for q := range n {
		for _, cell := range w.cells(skill, q) {
			vars, own := k.of(cell, q), int64(0)
			for of, n := range k.own {
				if of.release == q && slices.Contains(k.world.CellsOfPerson(of.at), cell) {
					own += n
				}
			}
			all := k.system.TrueSum(vars, nil)
			if others := all - own; cell.Filter != "source" && others >= 1 && others <= 4 {
				name := fmt.Sprintf("%s: release %d, %+v, %d others", k.system.Name, q, cell, others)
				k.system.Targets = append(k.system.Targets, attackertest.SmallGroup{Name: name, Unknowns: vars, TrueSize: all})
			}
		}
	}
}

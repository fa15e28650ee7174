package disclosure_test

import (
	"math/bits"
	"slices"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/madeup"
)

// atMost is the most that any choice of covers could print of the counts of 5 and
// more of each kind, in per cent, beside the printed margins and longer windows: the
// rules R2 to R4 leave no more. Only what no cover can avoid is counted.
//
//   - A count that differs by 1 to 4 from a longer window that is printed is hidden (R3).
//   - A count below a margin that is no number (R1) or 10 people or fewer (R4) is hidden.
//   - A line, row or column with one single cell that is hidden or small, or with small
//     ones alone whose sum is the least or the most it can be, needs one more hidden (R2,
//     R4). A cell more serves one row and one column at most.
//
// That hidden cells must lie on cycles, and not only two to a row, is left out.
func atMost(w madeup.World, cells []disclosure.Truth, printed []disclosure.Printed) map[cellKind]float64 {
	b := bound{at: map[disclosure.Cell]int{}, cells: cells, printed: printed}
	for i, c := range cells {
		b.at[c.Cell] = i
	}
	large, lost := map[cellKind]int{}, map[cellKind]int{}
	for i, n := range cells {
		if n.TurnedDownFor >= 5 {
			k := kindOf(n.Cell)
			large[k]++
			if b.hidden(i) {
				lost[k]++
			}
		}
	}
	dims := map[string][]string{"sector": w.Sectors, "level": w.Levels, "source": w.Sources}
	for _, window := range []int{3, 6, 12, 24} {
		for dim, values := range dims {
			lost[cellKind{"one", window}] += b.line(dim, values, window)
			if window >= 12 {
				lost[cellKind{"place_" + dim, window}] += b.table(w.Places, dim, values, window)
			}
		}
		lost[cellKind{"one", window}] += b.line("place", w.Places, window)
	}
	out := map[cellKind]float64{}
	for k, n := range large {
		out[k] = 100 * float64(n-lost[k]) / float64(n)
	}
	return out
}

type bound struct {
	at      map[disclosure.Cell]int
	cells   []disclosure.Truth
	printed []disclosure.Printed
}

func (b *bound) number(c disclosure.Cell) bool {
	i, ok := b.at[c]
	if !ok {
		return false
	}
	_, ok = b.printed[i].TurnedDown.Number()
	return ok
}

// hidden says that no choice of covers can print a count of 5 or more.
func (b *bound) hidden(i int) bool {
	c := b.cells[i].Cell
	for _, w := range []int{24, 12} {
		longer := c
		longer.Window = w
		if w > c.Window && b.number(longer) {
			if d := b.cells[b.at[longer]].TurnedDownFor - b.cells[i].TurnedDownFor; d >= 1 && d <= 4 {
				return true
			}
		}
	}
	if dim, two := twoFilters(c); two {
		return !b.broken(disclosure.Cell{Signature: "place", Place: c.Place, Window: c.Window}) ||
			!b.broken(disclosure.Cell{Signature: dim, Value: c.Value, Window: c.Window})
	}
	return false
}

// broken says that a margin is a number that is broken down: more than 10 people.
func (b *bound) broken(c disclosure.Cell) bool {
	return b.number(c) && b.cells[b.at[c]].TurnedDownFor > 10
}

func twoFilters(c disclosure.Cell) (dim string, two bool) {
	if len(c.Signature) > 6 && c.Signature[:6] == "place_" {
		return c.Signature[6:], true
	}
	return "", false
}

// group is a line, row or column: its hidden cells, and those that could be hidden.
type group struct {
	small, hidden int
	sum           int64
	rest          bool // cells below another margin that is not broken down
	could         []int
}

// add takes a cell into the group of one of its margins; broken says that the other
// margin is broken down.
func (b *bound) add(g *group, c disclosure.Cell, broken bool) {
	i, ok := b.at[c]
	n := int64(0)
	if ok {
		n = b.cells[i].TurnedDownFor
	}
	switch {
	case !broken: // zeros too are not printed there
		g.rest = true
	case n == 0:
	case n < 5:
		g.small, g.sum = g.small+1, g.sum+n
	case b.hidden(i):
		g.hidden++
	default:
		g.could = append(g.could, i)
	}
}

// open says that the group needs one more hidden cell, and that there is one.
func (g *group) open() bool {
	if g.rest || len(g.could) == 0 {
		return false
	}
	return g.small+g.hidden == 1 || g.hidden == 0 && g.small > 0 && (g.sum == int64(g.small) || g.sum == 4*int64(g.small))
}

func (b *bound) line(dim string, values []string, window int) int {
	var g group
	for _, v := range values {
		c := disclosure.Cell{Signature: dim, Value: v, Window: window}
		if dim == "place" {
			c.Place, c.Value = v, ""
		}
		b.add(&g, c, true)
	}
	if g.open() {
		return 1
	}
	return 0
}

// table is how many more cells of a table must be hidden, so that no row and no column
// has a single one: where it has few columns the least there is, else one for each open
// row and column, less the pairs of both that one cell can serve.
func (b *bound) table(places []string, dim string, values []string, window int) int {
	rows, cols := make([]group, len(places)), make([]group, len(values))
	column := map[int]int{} // cell → its column
	for r, p := range places {
		row := b.broken(disclosure.Cell{Signature: "place", Place: p, Window: window})
		for k, v := range values {
			col := b.broken(disclosure.Cell{Signature: dim, Value: v, Window: window})
			c := disclosure.Cell{Signature: "place_" + dim, Place: p, Value: v, Window: window}
			column[b.at[c]] = k
			if row {
				b.add(&rows[r], c, col)
			}
			if col {
				b.add(&cols[k], c, row)
			}
		}
	}
	if len(values) <= 5 {
		return fewest(rows, cols, column)
	}
	return paired(rows, cols)
}

// fewest is the least number of cells to hide, found row by row: of each column it is
// enough to know whether it has none hidden yet, one or more.
func fewest(rows, cols []group, column map[int]int) int {
	const many = 1 << 20
	states := 1
	start := 0
	for k := range cols {
		start += states * min(2, cols[k].alone())
		states *= 3
	}
	least := slices.Repeat([]int{many}, states)
	least[start] = 0
	for r := range rows {
		next := slices.Repeat([]int{many}, states)
		for hide := range 1 << len(rows[r].could) {
			n := bits.OnesCount(uint(hide))
			if rows[r].alone()+n == 1 && n < len(rows[r].could) {
				continue
			}
			for from, before := range least {
				if before < many {
					to := from
					for i, cell := range rows[r].could {
						if hide>>i&1 > 0 {
							to = hidden(to, column[cell])
						}
					}
					next[to] = min(next[to], before+n)
				}
			}
		}
		least = next
	}
	best := many
	for state, n := range least {
		if !slices.ContainsFunc(cols, func(g group) bool {
			degree := state % 3
			state /= 3
			return degree == 1 && len(g.could) > 0
		}) {
			best = min(best, n)
		}
	}
	return best
}

// hidden is the state with one more cell hidden in column k.
func hidden(state, k int) int {
	place := 1
	for range k {
		place *= 3
	}
	if state/place%3 < 2 {
		return state + place
	}
	return state
}

// alone is how many cells of the group are hidden or small to begin with: 2 where it
// cannot be open.
func (g *group) alone() int {
	switch {
	case g.rest:
		return 2
	case g.open():
		return 1
	case g.small+g.hidden == 0:
		return 0
	}
	return 2
}

// paired is one cell for each open row and column, less one for each pair of both that
// has a cell.
func paired(rows, cols []group) int {
	open := 0
	column := map[int]int{} // cell that could be hidden → its open column
	for k := range cols {
		if cols[k].open() {
			open++
			for _, i := range cols[k].could {
				column[i] = k
			}
		}
	}
	serves := map[int]int{} // column → row, both open
	for r := range rows {
		if rows[r].open() {
			open++
			pair(rows, column, serves, r, map[int]bool{})
		}
	}
	return open - len(serves)
}

// pair finds an open column for an open row, moving others if need be.
func pair(rows []group, column, serves map[int]int, r int, seen map[int]bool) bool {
	return slices.ContainsFunc(rows[r].could, func(i int) bool {
		k, ok := column[i]
		if !ok || seen[k] {
			return false
		}
		seen[k] = true
		other, taken := serves[k]
		if taken && !pair(rows, column, serves, other, seen) {
			return false
		}
		serves[k] = r
		return true
	})
}

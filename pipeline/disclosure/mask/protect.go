package mask

import "labour/pipeline/disclosure/flow"

// narrowest is the largest number of people whose row or column of a table is
// never broken down: "d >= 10", the base of shares, asks for as much. It is what
// keeps most tables whole: a place whose number is no larger than its count of
// "<5" makes each of them 1.
const narrowest = 10

// tabled is how far one table is withheld.
type tabled struct {
	floor    int64 // rows and columns of so many people or fewer are not broken down
	withheld bool  // nothing of it is printed
}

// table is R4 for one table: it hides what the table's graph asks for. The design
// withholds the whole table where that cannot be done, since "withholding just
// the failing row leaks more to an attacker who runs the code". Here the table
// loses every row and every column whose printed margin is at most a floor, and
// the floor rises by doubling, from narrowest on, until what is left can be
// protected. Which cells go is read off printed numbers, as in the order of
// covers nothing is read off hidden ones; all that the hidden ones decide is how
// often the floor was doubled. What goes stays in the graph, so that small groups
// in it are protected as well. TestRuleRunnerOnMargins holds it against all tables
// with the same margins: it pins fewer small cells than withholding all, since
// the rows in which they are pinned are not broken down to begin with.
func (b *Board) table(n int) {
	t, state := &b.tables[n], &b.tabled[n]
	if state.floor == 0 {
		b.raise(n, narrowest, ReasonTable)
	}
	for !state.withheld {
		g, ok := b.graph(t)
		if !ok {
			return
		}
		hide, ok := flow.Protect(g.rows, g.cols, g.cells)
		if ok {
			for _, i := range hide {
				b.hide(g.ids[i], ReasonTable)
			}
			return
		}
		b.raise(n, 2*state.floor, ReasonTable)
	}
}

// raise withholds the rows and columns of a table whose margin is at most the
// floor, and the whole table when no row or no column is left.
func (b *Board) raise(n int, floor int64, why Reason) {
	t, state := &b.tables[n], &b.tabled[n]
	state.floor = floor
	rows, cols := 0, 0
	for r, margin := range t.rows {
		switch v, ok := b.numeric(margin); {
		case !ok || v == 0: // nothing is printed below it, or zeros
		case v > floor:
			rows++
		default:
			b.blockRow(t.cells[r], why)
		}
	}
	for c, margin := range t.cols {
		switch v, ok := b.numeric(margin); {
		case !ok || v == 0:
		case v > floor:
			cols++
		default:
			b.blockColumn(t, c, why)
		}
	}
	if (rows == 0 || cols == 0) && floor > narrowest {
		b.Withhold(n, why)
	}
}

func (b *Board) blockRow(row []int32, why Reason) {
	for _, i := range row {
		if i >= 0 {
			b.block(i, why)
		}
	}
}

func (b *Board) blockColumn(t *table, c int, why Reason) {
	for _, row := range t.cells {
		if i := row[c]; i >= 0 {
			b.block(i, why)
		}
	}
}

// Withhold withholds a whole table: all its cells are not published.
func (b *Board) Withhold(n int, why Reason) {
	b.tabled[n].withheld = true
	for _, row := range b.tables[n].cells {
		b.blockRow(row, why)
	}
}

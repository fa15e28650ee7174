package mask

import (
	"slices"

	"labour/snapshots"
)

// Step is how much is withdrawn on account of one cell (R10).
type Step int

// Covers is how many times one more number beside a cell is hidden before the
// steps of R10 are taken: most often one cover more frees the cell, and its table
// need not go.
const Covers = 3

// The steps of withdrawal, each more than the one before: "withhold its table in
// that window; if still exact, in all windows; then all 2-D tables of the skill;
// then its lines". Before the table goes, its floor is raised to where the cell's
// row or column is no longer broken down: as R4 does, by doubling.
const (
	StepFloor Step = iota + 1
	StepWindow
	StepAllWindows
	StepAllTables
	StepLines
	StepSkill
)

// Withdraw withholds on account of cell i as much as the step says. Run must
// follow.
func (b *Board) Withdraw(i int, step Step) {
	c := b.Cells[i]
	switch step {
	case StepFloor:
		b.raiseOver(int32(i))
	case StepWindow, StepAllWindows:
		b.withdrawOwn(c, step == StepAllWindows)
	case StepAllTables:
		for n := range b.tables {
			b.Withhold(n, ReasonGate)
		}
	case StepLines:
		for l := range b.lines {
			if line := &b.lines[l]; line.dim == c.Dim() || c.Place != "" && line.dim == "place" || c.Dim() == "" {
				b.blockAll(line.kids)
			}
		}
	default:
		for k := range b.Cells {
			b.block(int32(k), ReasonGate)
		}
	}
}

// raiseOver doubles the floor of the table of cell i until its row or column is
// below it, at least once.
func (b *Board) raiseOver(i int32) {
	n := b.tableOf(i)
	if n < 0 {
		return
	}
	t, state := &b.tables[n], &b.tabled[n]
	at := b.positionIn(t, i)
	for least, once := min(b.margin(t.rows[at[0]]), b.margin(t.cols[at[1]])), true; !state.withheld && (once || state.floor < least); once = false {
		b.raise(n, 2*state.floor, ReasonGate)
	}
}

// positionIn is the row and column of a cell; nil = it is not in the table.
func (b *Board) positionIn(t *table, i int32) []int {
	for r, row := range t.cells {
		if at := slices.Index(row, i); at >= 0 {
			return []int{r, at}
		}
	}
	return nil
}

// margin is the number of a margin; 0 when it is not printed.
func (b *Board) margin(s sum) int64 {
	n, _ := b.numeric(s)
	return n
}

// Cover hides one more number beside cell i in its window, the first in the public
// order: of the same place, else of the same value, else of the line of its place,
// else of the line of its value. Of a cell in a row or column that is not broken
// down nothing beside it is printed, and what pins it are its other windows: there
// it hides the cell itself, or a number beside it. It says whether there was one.
// Run must follow.
func (b *Board) Cover(i int) bool {
	c := b.Cells[i]
	if c.Place != "" && c.Dim() != "" {
		if b.Status[i] == Blocked && b.coverWindows(c) || b.coverBeside(int32(i)) {
			return true
		}
	}
	return c.Place != "" && b.coverKids(b.Above(c.Place), snapshots.SigPlace, c.Window, i) ||
		c.Dim() != "" && b.coverKids("", c.Dim(), c.Window, i)
}

// coverWindows hides a number of the cell in another window, or one beside it there.
func (b *Board) coverWindows(c Cell) bool {
	for _, w := range tableWindows {
		other := c
		other.Window = w
		i := b.find(other)
		if w == c.Window || i < 0 {
			continue
		}
		if b.Status[i] == Shown && b.Count[i] >= smallest {
			b.hide(i, ReasonGate)
			return true
		}
		if b.Status[i] != Blocked && b.coverBeside(i) {
			return true
		}
	}
	return false
}

// coverBeside hides a number of the row of cell i in its table, else of its column.
func (b *Board) coverBeside(i int32) bool {
	n := b.tableOf(i)
	return n >= 0 && b.coverTable(&b.tables[n], i)
}

// tableOf is the table that holds a cell of a place and another filter; -1 = none.
func (b *Board) tableOf(i int32) int {
	c := b.Cells[i]
	return slices.IndexFunc(b.tables, func(t table) bool {
		return t.place == b.Above(c.Place) && t.dim == c.Dim() && b.holds(&t, c.Window) && b.positionIn(&t, i) != nil
	})
}

func (b *Board) coverKids(parent, dim string, window, i int) bool {
	for l := range b.lines {
		if line := &b.lines[l]; line.place == parent && line.dim == dim && line.window == window {
			return b.coverLine(line.kids, int32(i))
		}
	}
	return false
}

// coverTable hides a number of the row of cell i, else of its column.
func (b *Board) coverTable(t *table, i int32) bool {
	at := b.positionIn(t, i)
	if b.coverLine(t.cells[at[0]], i) {
		return true
	}
	column := make([]int32, 0, len(t.cells))
	for _, r := range t.cells {
		column = append(column, r[at[1]])
	}
	return b.coverLine(column, i)
}

func (b *Board) coverLine(kids []int32, i int32) bool {
	for _, k := range kids {
		if k >= 0 && k != i && b.Status[k] == Shown && b.Count[k] >= smallest {
			b.hide(k, ReasonGate)
			return true
		}
	}
	return false
}

// withdrawOwn withholds the table or line that the cell is in, in its window or in
// all.
func (b *Board) withdrawOwn(c Cell, all bool) {
	parent := ""
	if c.Place != "" {
		parent = b.Above(c.Place)
	}
	two := c.Place != "" && c.Dim() != ""
	for n := range b.tables {
		t := &b.tables[n]
		if two && t.place == parent && t.dim == c.Dim() && (all || b.holds(t, c.Window)) {
			b.Withhold(n, ReasonGate)
		}
	}
	dim := c.Dim()
	if dim == "" {
		dim = "place"
	}
	for l := range b.lines {
		line := &b.lines[l]
		if !two && line.place == parent && line.dim == dim && (all || line.window == c.Window) {
			b.blockAll(line.kids)
		}
	}
}

// Above is the node of the tree whose line the place is in, whether or not the
// place has a cell of the skill: the smallest area above it that has one, or ""
// for everywhere.
func (x *Index) Above(place string) string {
	for {
		place = x.lattice.Parent(place)
		if place == "" {
			return ""
		}
		for _, w := range windows {
			if x.find(Cell{Signature: signature(place, ""), Place: place, Window: w}) >= 0 {
				return place
			}
		}
	}
}

// holds says that the table is of that window.
func (b *Board) holds(t *table, window int) bool {
	for _, row := range t.cells {
		for _, i := range row {
			if i >= 0 {
				return b.Cells[i].Window == window
			}
		}
	}
	return false
}

func (b *Board) blockAll(cells []int32) {
	for _, i := range cells {
		b.block(i, ReasonGate)
	}
}

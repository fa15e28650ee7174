package mask

import (
	"slices"

	"labour/snapshots"
)

// tableWindows are the windows of cells with a place and another filter: "place +
// one other: 12 and 24".
var tableWindows = []int{24, 12}

// twinOf is a cell of a place and another filter in the other window; -1 if it is none, or
// that is not there.
func (x *Index) twinOf(c Cell) int32 {
	if c.Place == "" || c.Dim() == "" || !slices.Contains(tableWindows, c.Window) {
		return -1
	}
	c.Window = tableWindows[0] + tableWindows[1] - c.Window
	return x.find(c)
}

// spanEnds are the windows that bound the spans of a place's months. All of them
// must be numbers, else the place has no months.
var spanEnds = []int{12, 6, 3}

// allTables are, for every node of the place tree that has places below it, those
// places by each filter and window, and by the months of each span. Since a cell
// below a hidden margin is not published, the tables are independent of each
// other.
func (x *Index) allTables(g *grouped) {
	for _, p := range g.nodes() {
		kids := g.kids[p]
		if len(kids) == 0 {
			continue
		}
		for _, dim := range dims {
			for _, w := range tableWindows {
				x.addTable(p, kids, dim, g.values[node{p, dim}], w)
			}
		}
		months := slices.Clone(g.values[node{p, "month"}])
		slices.SortFunc(months, compareMonths)
		from := 0
		for _, to := range []int{3, 6, 12} {
			x.addSpan(p, kids, x.between(months, from, to), from, to)
			from = to
		}
	}
}

// between are the months aged from from to just under to.
func (x *Index) between(months []string, from, to int) []string {
	var out []string
	for _, m := range months {
		if age := x.newest - monthNumber(m); age >= from && age < to {
			out = append(out, m)
		}
	}
	return out
}

// of is a margin that is one printed count.
func of(i int32) sum { return sum{plus: i, minus: -1, need: []int32{i}} }

func (x *Index) addTable(p string, kids []string, dim string, values []string, w int) {
	t := table{place: p, dim: dim, total: of(x.find(Cell{signature(p, ""), p, "", w}))}
	for _, v := range values {
		t.cols = append(t.cols, of(x.find(Cell{signature(p, dim), p, v, w})))
	}
	for _, k := range kids {
		row := x.find(Cell{snapshots.SigPlace, k, "", w})
		if row < 0 || x.Unlisted[row] {
			continue
		}
		t.rows = append(t.rows, of(row))
		t.cells = append(t.cells, x.row(k, dim, values, w))
	}
	x.keep(t)
}

func (x *Index) row(place, dim string, values []string, w int) []int32 {
	row := make([]int32, len(values))
	for i, v := range values {
		row[i] = x.find(Cell{signature(place, dim), place, v, w})
	}
	return row
}

// addSpan adds the places below p by the months of one span: the margins of the
// rows are the differences of two windows.
func (x *Index) addSpan(p string, kids, months []string, from, to int) {
	if len(months) == 0 {
		return
	}
	margin := func(place string) sum {
		s := sum{minus: -1}
		for _, w := range spanEnds {
			i := x.find(Cell{signature(place, ""), place, "", w})
			s.need = append(s.need, i)
			if w == to {
				s.plus = i
			}
			if w == from {
				s.minus = i
			}
		}
		return s
	}
	t := table{place: p, dim: snapshots.SigMonth, total: margin(p)}
	for _, m := range months {
		t.cols = append(t.cols, of(x.find(Cell{signature(p, "month"), p, m, 1})))
	}
	for _, k := range kids {
		if i := x.find(Cell{snapshots.SigPlace, k, "", 12}); i >= 0 && !x.Unlisted[i] {
			t.rows = append(t.rows, margin(k))
			t.cells = append(t.cells, x.row(k, "month", months, 1))
		}
	}
	x.keep(t)
}

// keep gives the table its public order (the rank of the row plus that of the
// column) and adds it.
func (x *Index) keep(t table) {
	if len(t.rows) == 0 || len(t.cols) == 0 {
		return
	}
	t.order = make([][]int64, len(t.rows))
	for r := range t.rows {
		t.order[r] = make([]int64, len(t.cols))
		for c := range t.cols {
			t.order[r][c] = int64(r + c)
		}
	}
	x.tables = append(x.tables, t)
}

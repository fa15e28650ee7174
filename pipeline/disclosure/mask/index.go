// Package mask decides which counts of one skill and one measure are shown. It
// applies R1 to R4, R8 and the rule for months to a fixpoint: a status only moves
// from a number to hidden, so that the fixpoint exists and does not depend on
// the order of the rows.
package mask

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"labour/pipeline/disclosure/lattice"
	"labour/snapshots"
)

// Cell is one cell of the published lattice for one skill.
type Cell struct {
	Signature string // snapshots.SigNone and so on
	Place     string // place slug; "" when the signature has none
	Value     string // the other filter's value; "" when the signature has none
	Window    int    // months up to people_as_of; 1 for a month
}

// Dim is the filter beside the place: "" for none and place.
func (c Cell) Dim() string {
	switch c.Signature {
	case snapshots.SigNone, snapshots.SigPlace:
		return ""
	}
	return strings.TrimPrefix(c.Signature, "place_")
}

// signature is the signature of a place and a filter, either of them "".
func signature(place, dim string) string {
	switch {
	case place == "" && dim == "":
		return snapshots.SigNone
	case dim == "":
		return snapshots.SigPlace
	case place == "":
		return dim
	}
	return "place_" + dim
}

// windows are the windows of the lattice in months, the longest first.
var windows = []int{24, 12, 6, 3}

// Index is the structure of one skill's cells: which add up to which. It depends
// on the cells that are there and never on a count, and serves every measure.
type Index struct {
	Cells    []Cell
	Unlisted []bool // never published; its people are in the totals
	Tree     Tree
	lattice  *lattice.Lattice
	at       map[Cell]int32
	parents  [][]int32 // -1 for a parent that is not there
	chains   [][]int32 // the windows of a cell, longest first
	twin     []int32   // of a cell in a table, the same in the other window; -1 = not there
	lines    []line
	months   []monthLine
	tables   []table
	newest   int // the newest month, as year × 12 + month
}

// line is a total and what it is split into. People in none of the children make
// the difference: they are of unknown value, or where no advert asks.
type line struct {
	place, dim string // the node whose line it is, and what it is split by
	window     int
	total      int32
	kids       []int32 // listed ones, in public order
}

// monthLine is one cell's windows and months.
type monthLine struct {
	windows []int32 // longest first, present ones
	months  []int32 // by age from 0; -1 = not there
}

// sum is a margin: a printed count, or the difference of two (a span of months).
type sum struct {
	plus, minus int32 // -1 = nothing
	need        []int32
}

// table is the places below one node of the tree by the values of one filter, in
// one window or one span of months.
type table struct {
	place, dim string // the node whose places are the rows, and the filter of the columns
	total      sum
	rows, cols []sum
	cells      [][]int32 // -1 = not there: nobody
	order      [][]int64
}

// NewIndex reads the structure off the cells. Cells of places outside the lattice
// must not be among them.
func NewIndex(cells []Cell, unlisted []bool, l *lattice.Lattice) *Index {
	x := &Index{Cells: cells, Unlisted: unlisted, lattice: l, at: make(map[Cell]int32, len(cells))}
	for i, c := range cells {
		x.at[c] = int32(i)
		if c.Dim() == "month" {
			x.newest = max(x.newest, monthNumber(c.Value))
		}
	}
	x.parents, x.twin = make([][]int32, len(cells)), make([]int32, len(cells))
	for i, c := range cells {
		x.twin[i] = x.twinOf(c)
		for _, p := range x.parentsOf(c) {
			x.parents[i] = append(x.parents[i], x.find(p))
		}
	}
	g := x.group()
	x.Tree = Tree{Kids: g.kids, values: g.values}
	x.chain(g)
	x.allLines(g)
	x.allMonths(g)
	x.allTables(g)
	return x
}

// Find is the index of a cell, or -1.
func (x *Index) Find(c Cell) int { return int(x.find(c)) }

// Compare is the public order of two values of a filter, or of "place".
func (x *Index) Compare(dim, a, b string) int { return x.lattice.Compare(dim, a, b) }

// Signature is the signature of a place and a filter, either of them "".
func Signature(place, dim string) string { return signature(place, dim) }

// Dims are the filters beside the place that have windows.
func Dims() []string { return dims }

// find is the index of a cell, or -1.
func (x *Index) find(c Cell) int32 {
	if i, ok := x.at[c]; ok {
		return i
	}
	return -1
}

// monthNumber is YYYY-MM as year × 12 + month; 0 for anything else.
func monthNumber(s string) int {
	year, month, ok := strings.Cut(s, "-")
	y, err1 := strconv.Atoi(year)
	m, err2 := strconv.Atoi(month)
	if !ok || err1 != nil || err2 != nil {
		return 0
	}
	return 12*y + m
}

// parentsOf are the cells with one filter dropped or one step wider in the place
// tree, in the same window. A month hangs under the longest window that holds it,
// 24 months, or within a place under each of 3, 6 and 12, whose differences are
// its spans.
func (x *Index) parentsOf(c Cell) []Cell {
	dim := c.Dim()
	if dim == "month" && c.Place == "" {
		return []Cell{{Signature: snapshots.SigNone, Window: 24}}
	}
	var out []Cell
	switch {
	case c.Place == "" && dim == "":
		return nil
	case c.Place == "":
		return []Cell{{Signature: snapshots.SigNone, Window: c.Window}}
	case dim == "month":
		for _, w := range spanEnds {
			out = append(out, Cell{Signature: snapshots.SigPlace, Place: c.Place, Window: w})
		}
		out = append(out, Cell{Signature: snapshots.SigMonth, Value: c.Value, Window: 1})
	case dim == "":
		out = []Cell{{Signature: snapshots.SigNone, Window: c.Window}}
	default:
		out = []Cell{{Signature: snapshots.SigPlace, Place: c.Place, Window: c.Window}, {Signature: dim, Value: c.Value, Window: c.Window}}
	}
	if area := x.lattice.Parent(c.Place); area != "" {
		out = append(out, Cell{Signature: c.Signature, Place: area, Value: c.Value, Window: c.Window})
	}
	return out
}

// Tree is the places of one skill, listed or not, by the place directly above.
type Tree struct {
	Kids   map[string][]string // "" = everywhere
	values map[node][]string
}

// Values are the listed values of a filter everywhere, in public order.
func (t Tree) Values(dim string) []string { return t.values[node{"", dim}] }

// node is a place ("" = everywhere) under one filter.
type node struct{ place, dim string }

// grouped is the cells sorted into what the structures need.
type grouped struct {
	places []string            // listed and unlisted, in public order
	values map[node][]string   // listed values of a filter within a place, in public order
	kids   map[string][]string // places directly below a place
}

func (x *Index) group() *grouped {
	g := &grouped{values: map[node][]string{}, kids: map[string][]string{}}
	seen := map[Cell]bool{}
	for i, c := range x.Cells {
		c.Window = 0
		if seen[c] {
			continue
		}
		seen[c] = true
		switch dim := c.Dim(); {
		case dim != "" && !x.Unlisted[i]:
			g.values[node{c.Place, dim}] = append(g.values[node{c.Place, dim}], c.Value)
		case dim == "" && c.Place != "":
			g.places = append(g.places, c.Place)
		}
	}
	slices.SortFunc(g.places, func(a, b string) int { return x.lattice.Compare("place", a, b) })
	for n, values := range g.values {
		slices.SortFunc(values, func(a, b string) int { return x.lattice.Compare(n.dim, a, b) })
	}
	for _, p := range g.places {
		parent := x.lattice.Parent(p)
		for parent != "" && !slices.Contains(g.places, parent) {
			parent = x.lattice.Parent(parent)
		}
		g.kids[parent] = append(g.kids[parent], p)
	}
	return g
}

// nodes are everywhere and every place, in public order.
func (g *grouped) nodes() []string { return append([]string{""}, g.places...) }

func (x *Index) chain(g *grouped) {
	add := func(place, dim, value string) {
		var chain []int32
		for _, w := range windows {
			if i := x.find(Cell{signature(place, dim), place, value, w}); i >= 0 && !x.Unlisted[i] {
				chain = append(chain, i)
			}
		}
		if len(chain) > 1 {
			x.chains = append(x.chains, chain)
		}
	}
	for _, p := range g.nodes() {
		add(p, "", "")
		for _, dim := range dims {
			for _, v := range g.values[node{p, dim}] {
				add(p, dim, v)
			}
		}
	}
}

// dims are the filters beside the place that have windows.
var dims = []string{snapshots.SigSector, snapshots.SigSOC, snapshots.SigLevel, snapshots.SigSource}

// allLines are the lines of one dimension: everywhere by each filter, and each
// node of the place tree by the places directly below it.
func (x *Index) allLines(g *grouped) {
	for _, w := range windows {
		for _, dim := range dims {
			x.addLine(line{"", dim, w, x.find(Cell{snapshots.SigNone, "", "", w}), nil}, g.values[node{"", dim}], func(v string) Cell { return Cell{dim, "", v, w} })
		}
		for _, p := range g.nodes() {
			x.addLine(line{p, snapshots.SigPlace, w, x.find(Cell{signature(p, ""), p, "", w}), nil}, g.kids[p], func(v string) Cell { return Cell{snapshots.SigPlace, v, "", w} })
		}
	}
}

func (x *Index) addLine(l line, values []string, cell func(string) Cell) {
	for _, v := range values {
		if i := x.find(cell(v)); i >= 0 && !x.Unlisted[i] {
			l.kids = append(l.kids, i)
		}
	}
	if l.total >= 0 && len(l.kids) > 0 {
		x.lines = append(x.lines, l)
	}
}

func (x *Index) allMonths(g *grouped) {
	for _, p := range g.nodes() {
		values := g.values[node{p, "month"}]
		if len(values) == 0 {
			continue
		}
		m := monthLine{}
		for _, w := range windows {
			if i := x.find(Cell{signature(p, ""), p, "", w}); i >= 0 {
				m.windows = append(m.windows, i)
			}
		}
		for _, v := range values {
			age := x.newest - monthNumber(v)
			for len(m.months) <= age {
				m.months = append(m.months, -1)
			}
			m.months[age] = x.find(Cell{signature(p, "month"), p, v, 1})
		}
		x.months = append(x.months, m)
	}
}

// compareMonths is the public order of months: the oldest first.
func compareMonths(a, b string) int { return cmp.Compare(monthNumber(a), monthNumber(b)) }

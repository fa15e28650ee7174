package gate

import "labour/pipeline/disclosure/mask"

// spans are the bands of time, and as many windows: the window of a number holds
// the bands up to it.
const spans = 4

// windows bound the bands of time, in months.
var windows = [spans]int{3, 6, 12, 24}

// layout is where the people of one skill can be: the place tree, whose leaves are
// the places with nothing below and, for each place with others below, the people
// in none of them; and beside the people by place alone (the first table) a table
// of places by each filter. It depends on no count and serves every measure.
type layout struct {
	*mask.Index
	nodes  []node // 0 is everywhere; a node comes after the one above it
	leaves []int32
	inner  []int32 // the other nodes
	tables []table
}

type node struct {
	parent int32 // -1 above everywhere
	kids   []int32
	rest   bool  // the people of the parent who are in none of its places
	state  int32 // among the leaves, or among the others
}

// table is the values of one filter in every node; the people of no listed value are
// one more value, which no cell tells.
type table struct {
	dim    string
	values int            // with the one more
	cells  [][spans]int32 // by value and node: the cell of each window, -1 = none
}

func newLayout(x *mask.Index) *layout {
	l := &layout{Index: x}
	at := map[string]int32{}
	l.grow("", -1, at)
	for i := range l.nodes {
		if n := &l.nodes[i]; len(n.kids) == 0 {
			n.state = int32(len(l.leaves))
			l.leaves = append(l.leaves, int32(i))
		} else {
			n.state = int32(len(l.inner))
			l.inner = append(l.inner, int32(i))
		}
	}
	tables := map[string]int{"": 0}
	values := []map[string]int{{"": 0}}
	l.tables = []table{{values: 1}}
	for _, dim := range mask.Dims() {
		of := map[string]int{}
		for i, v := range x.Tree.Values(dim) {
			of[v] = i
		}
		tables[dim], values = len(l.tables), append(values, of)
		l.tables = append(l.tables, table{dim: dim, values: len(of) + 1})
	}
	for t := range l.tables {
		l.tables[t].cells = none(l.tables[t].values * len(l.nodes))
	}
	for i, c := range x.Cells {
		t, isTable := tables[c.Dim()]
		n, isNode := at[c.Place]
		if !isTable || !isNode {
			continue
		}
		if v, is := values[t][c.Value]; is {
			for k, w := range windows {
				if w == c.Window {
					l.tables[t].cells[v*len(l.nodes)+int(n)][k] = int32(i)
				}
			}
		}
	}
	return l
}

// grow adds a node and all below it.
func (l *layout) grow(place string, parent int32, at map[string]int32) int32 {
	i := int32(len(l.nodes))
	l.nodes = append(l.nodes, node{parent: parent})
	at[place] = i
	below := l.Tree.Kids[place]
	if len(below) == 0 {
		return i
	}
	kids := []int32{i + 1}
	l.nodes = append(l.nodes, node{parent: i, rest: true})
	for _, k := range below {
		kids = append(kids, l.grow(k, i, at))
	}
	l.nodes[i].kids = kids
	return i
}

func none(n int) [][spans]int32 {
	out := make([][spans]int32, n)
	for i := range out {
		out[i] = [spans]int32{-1, -1, -1, -1}
	}
	return out
}

// under calls fn for each leaf under a node.
func (l *layout) under(n int32, fn func(leaf int32)) {
	if len(l.nodes[n].kids) == 0 {
		fn(n)
		return
	}
	for _, k := range l.nodes[n].kids {
		l.under(k, fn)
	}
}

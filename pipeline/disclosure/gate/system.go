package gate

import (
	"slices"
	"strings"

	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/simplex"
)

// bands bound the bands of time: the windows.
var bands = []int{3, 6, 12, 24}

// unknown is the people of one value of one filter ("" and "" = all) in one leaf
// of the place tree and one band. A leaf that starts with rest, and a value that
// is rest, stand for people in no listed one.
type unknown struct {
	leaf, dim, value string
	band             int
}

const rest = "\x00rest "

// system is the unknowns and the printed answers of one board.
type system struct {
	b       *mask.Board
	dims    []string
	leaves  map[string][]string // node → leaves under it
	at      map[unknown]int
	cells   []int // of the board, in the system
	columns map[int][]int
	sums    []simplex.Row
	zero    map[unknown]bool
}

// tooLarge says without building it that a system has more unknowns than that:
// every listed cell of the longest window has one per band.
func tooLarge(b *mask.Board, dims []string, unknowns int) bool {
	n := 0
	for i, c := range b.Cells {
		if c.Window == 24 && c.Place != "" && !b.Unlisted[i] && slices.Contains(dims, c.Dim()) {
			if n += len(bands); n > unknowns {
				return true
			}
		}
	}
	return false
}

func newSystem(b *mask.Board, dims []string) *system {
	s := &system{b: b, dims: dims, leaves: map[string][]string{}, at: map[unknown]int{}, columns: map[int][]int{}, zero: map[unknown]bool{}}
	s.grow("")
	for i, c := range b.Cells {
		if dim := c.Dim(); !b.Unlisted[i] && dim != "month" && (dim == "" || slices.Contains(dims, dim)) {
			s.cells = append(s.cells, i)
			s.fix(i)
		}
	}
	for _, leaf := range s.leaves[""] {
		s.add(leaf)
	}
	return s
}

// grow finds the leaves under a node: the places with nothing below, and the
// people of each node that are in none of the places below it.
func (s *system) grow(node string) []string {
	kids := s.b.Tree.Kids[node]
	if len(kids) == 0 {
		s.leaves[node] = []string{node}
		return s.leaves[node]
	}
	leaves := []string{rest + node}
	for _, k := range kids {
		leaves = append(leaves, s.grow(k)...)
	}
	s.leaves[node] = leaves
	return leaves
}

// fix notes what a printed 0 makes 0.
func (s *system) fix(i int) {
	if s.b.Status[i] != mask.Shown || s.b.Count[i] != 0 {
		return
	}
	c := s.b.Cells[i]
	for _, leaf := range s.leaves[c.Place] {
		for band, w := range bands {
			if w <= c.Window {
				s.zero[unknown{leaf, c.Dim(), c.Value, band}] = true
			}
		}
	}
}

// add makes the unknowns of a leaf, and the rows that say that each filter splits
// the leaf's people. What nobody is asked for and holds nobody is left out: an
// attacker may know that from the adverts.
func (s *system) add(leaf string) {
	for band := range bands {
		if s.count(leaf, "", "") == 0 && strings.HasPrefix(leaf, rest) || s.zero[unknown{leaf, "", "", band}] {
			continue
		}
		all := s.make(unknown{leaf, "", "", band})
		for _, dim := range s.dims {
			row := []int{}
			left := s.count(leaf, "", "")
			for _, v := range s.b.Tree.Values(dim) {
				n := s.count(leaf, dim, v)
				left -= n
				if n > 0 || s.listed(leaf, dim, v) {
					row = s.join(row, unknown{leaf, dim, v, band})
				}
			}
			if left > 0 {
				row = s.join(row, unknown{leaf, dim, rest, band})
			}
			s.split(all, row)
		}
	}
}

func (s *system) join(row []int, u unknown) []int {
	if s.zero[u] || s.zero[unknown{u.leaf, "", "", u.band}] {
		return row
	}
	return append(row, s.make(u))
}

func (s *system) make(u unknown) int {
	n := len(s.at)
	s.at[u] = n
	return n
}

// split says that the parts add up to the whole.
func (s *system) split(whole int, parts []int) {
	s.sums = append(s.sums, simplex.Row{Vars: parts, Less: []int{whole}})
}

// listed says that the cell may be asked, so that the attacker takes it for
// possible.
func (s *system) listed(leaf, dim, v string) bool {
	i := s.longest(leaf, dim, v)
	return i >= 0 && !s.b.Unlisted[i]
}

// count is the true count of a leaf; that of a rest is what its node has beyond
// the places below it.
func (s *system) count(leaf, dim, v string) int64 {
	if node, is := strings.CutPrefix(leaf, rest); is {
		n := s.cell(node, dim, v)
		for _, k := range s.b.Tree.Kids[node] {
			n -= s.cell(k, dim, v)
		}
		return n
	}
	return s.cell(leaf, dim, v)
}

func (s *system) cell(place, dim, v string) int64 {
	if i := s.longest(place, dim, v); i >= 0 {
		return s.b.Count[i]
	}
	return 0
}

// start is a population near the truth: the true number of every place and band,
// and within it of every value as far as the two longest windows tell, put into
// the earliest bands that have room.
func (s *system) start() []float64 {
	x := make([]float64, len(s.at))
	for _, leaf := range s.leaves[""] {
		room := s.bandsOf(leaf, "", "")
		for band, n := range room {
			if i, ok := s.at[unknown{leaf, "", "", band}]; ok {
				x[i] = n
			}
		}
		for _, dim := range s.dims {
			left, free := room, room
			for _, v := range s.b.Tree.Values(dim) {
				n := s.bandsOf(leaf, dim, v)
				for band := range left {
					left[band] -= n[band]
				}
				s.pour(x, unknown{leaf, dim, v, 0}, n, &free)
			}
			s.pour(x, unknown{leaf, dim, rest, 0}, left, &free)
		}
	}
	return x
}

// bandsOf is the true number in each band. Cells of two filters have no short
// windows: all of their 12 months is in the third band.
func (s *system) bandsOf(leaf, dim, v string) (n [4]float64) {
	before := int64(0)
	for band, w := range bands {
		at := s.countIn(leaf, dim, v, w)
		if at < before {
			at = before
		}
		n[band], before = float64(at-before), at
	}
	return n
}

func (s *system) pour(x []float64, u unknown, n [4]float64, free *[4]float64) {
	early := max(0, n[0]+n[1]+n[2])
	for u.band = range free {
		part := early
		if u.band == 3 {
			part = max(0, n[3])
		}
		i, ok := s.at[u]
		if !ok {
			continue
		}
		if u.band < 3 {
			part = max(0, min(part, free[u.band]))
			early -= part
		}
		free[u.band] -= part
		x[i] = part
	}
}

// countIn is the true count of a leaf in one window; 0 where the lattice has none.
func (s *system) countIn(leaf, dim, v string, w int) int64 {
	in := func(place string) int64 {
		if i := s.b.Find(mask.Cell{Signature: mask.Signature(place, dim), Place: place, Value: v, Window: w}); i >= 0 {
			return s.b.Count[i]
		}
		return 0
	}
	node, is := strings.CutPrefix(leaf, rest)
	n := in(node)
	if is {
		for _, k := range s.b.Tree.Kids[node] {
			n -= in(k)
		}
	}
	return n
}

// longest is the cell in its longest window, or -1.
func (s *system) longest(place, dim, v string) int {
	for k := len(bands) - 1; k >= 0; k-- {
		if i := s.b.Find(mask.Cell{Signature: mask.Signature(place, dim), Place: place, Value: v, Window: bands[k]}); i >= 0 {
			return i
		}
	}
	return -1
}

func (s *system) size() int { return len(s.at) }

// of are the unknowns that add up to a cell.
func (s *system) of(i int) []int {
	if columns, ok := s.columns[i]; ok {
		return columns
	}
	c := s.b.Cells[i]
	columns := []int{}
	for _, leaf := range s.leaves[c.Place] {
		for band, w := range bands {
			if n, ok := s.at[unknown{leaf, c.Dim(), c.Value, band}]; ok && w <= c.Window {
				columns = append(columns, n)
			}
		}
	}
	s.columns[i] = columns
	return columns
}

// targets are the small groups that can be asked, printed or not.
func (s *system) targets() []int {
	var out []int
	for _, i := range s.cells {
		if s.b.Count[i] != 0 && mask.IsSmall(s.b.Count[i]) {
			out = append(out, i)
		}
	}
	return out
}

func (s *system) high() []float64 {
	high := make([]float64, len(s.at))
	for i := range high {
		high[i] = simplex.Inf
	}
	return high
}

// rows are the splits and the printed answers.
func (s *system) rows() []simplex.Row {
	rows := slices.Clone(s.sums)
	for _, i := range s.cells {
		row := simplex.Row{Vars: s.of(i), High: simplex.Inf}
		n := float64(s.b.Count[i])
		switch s.b.Status[i] {
		case mask.Shown:
			row.Low, row.High = n, n
		case mask.Small:
			row.Low, row.High = 1, 4
		case mask.Hidden:
			row.Low = min(5, n) // an attacker takes a cover for at least 5
		default:
			continue
		}
		if len(row.Vars) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

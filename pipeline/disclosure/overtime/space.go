package overtime

import (
	"maps"
	"slices"

	"labour/pipeline/disclosure/mask"
)

// scope is what a system is about: places or none, and filters.
type scope struct {
	places bool
	dims   []string
}

func (s scope) holds(c mask.Cell) bool {
	return (s.places || c.Place == "") && (c.Dim() == "" || slices.Contains(s.dims, c.Dim()))
}

// space is the places and values that a skill has, and where people may be.
type space struct {
	kids     map[string][]string // places directly below a place; "" = everywhere
	values   map[string][]string // of a filter
	possible map[mask.Cell]bool  // cells that can be asked or were, without a window
	rest     map[mask.Cell]bool  // cells that hold people in no place or value below them
	codes    map[string]int32    // of leaves, filters and values
	texts    []string            // by code
}

// code is the code of a text, a new one if need be.
func (s *space) code(text string) int32 {
	n, ok := s.codes[text]
	if !ok {
		n = int32(len(s.texts))
		s.codes[text], s.texts = n, append(s.texts, text)
	}
	return n
}

// spaceOf is the space of a board and of what was asked before; that of the last audit if
// the same was asked.
func (of *Scopes) spaceOf(facts []Fact, targets []Target) *space {
	var asked []mask.Cell // that are not of the board, as they come
	ask := func(c mask.Cell) {
		if !of.possible[c] && (len(asked) == 0 || asked[len(asked)-1] != c) {
			asked = append(asked, c)
		}
	}
	for _, f := range facts {
		ask(f.Cell)
	}
	for _, t := range targets {
		ask(t.Cell)
	}
	if of.space == nil || !slices.Equal(asked, of.asked) {
		of.space, of.asked = newSpace(of, asked), asked
	}
	return of.space
}

// newSpace reads it off the board, and off what was asked before.
func newSpace(of *Scopes, asked []mask.Cell) *space {
	b := of.board
	s := &space{kids: map[string][]string{}, values: map[string][]string{}, possible: maps.Clone(of.possible), rest: map[mask.Cell]bool{}, codes: map[string]int32{}}
	for node, kids := range b.Tree.Kids {
		s.kids[node] = slices.Clone(kids)
	}
	for _, dim := range mask.Dims() {
		s.values[dim] = slices.Clone(b.Tree.Values(dim))
	}
	for _, c := range asked {
		s.learn(b, c)
	}
	s.rests(b)
	return s
}

// longest is the longest window, in months: what it does not hold is not asked.
const longest = 24

// learn adds a cell that was asked once and may be asked no more.
func (s *space) learn(b *mask.Board, c mask.Cell) {
	if s.possible[c] {
		return
	}
	s.possible[c] = true
	if above := b.Above(c.Place); c.Place != "" && !slices.Contains(s.kids[above], c.Place) {
		s.kids[above] = append(s.kids[above], c.Place)
	}
	if dim := c.Dim(); dim != "" && !slices.Contains(s.values[dim], c.Value) {
		s.values[dim] = append(s.values[dim], c.Value)
	}
}

// rests finds the cells with people who are in nothing below.
func (s *space) rests(b *mask.Board) {
	count := func(place, dim, value string) (n int64) {
		if i := b.Find(mask.Cell{Signature: mask.Signature(place, dim), Place: place, Value: value, Window: longest}); i >= 0 {
			n = b.Count[i]
		}
		return n
	}
	for c := range s.possible {
		n := count(c.Place, c.Dim(), c.Value)
		if kids := s.kids[c.Place]; len(kids) > 0 {
			left := n
			for _, k := range kids {
				left -= count(k, c.Dim(), c.Value)
			}
			if left > 0 {
				s.rest[c] = true
			}
		}
		if c.Dim() != "" {
			continue
		}
		for dim, values := range s.values {
			left := n
			for _, v := range values {
				left -= count(c.Place, dim, v)
			}
			if left > 0 {
				s.rest[mask.Cell{Signature: mask.Signature(c.Place, dim), Place: c.Place}] = true
			}
		}
	}
}

// leaves are the smallest places below a node: those with nothing below them, and a
// rest of each node that has people elsewhere.
func (s *space) leaves(node string) []string {
	if len(s.kids[node]) == 0 {
		return []string{node}
	}
	out := []string{elsewhere + node}
	for _, k := range s.kids[node] {
		out = append(out, s.leaves(k)...)
	}
	return out
}

// elsewhere begins the name of a leaf for the people of a node in no place below it,
// and is the value of those in no listed value.
const elsewhere = "\x00"

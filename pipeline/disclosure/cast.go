package disclosure

import (
	"cmp"
	"slices"

	"labour/pipeline/disclosure/mask"
)

// cast is the cells of a skill that can be asked, over all times: the same for each of
// its measures.
type cast struct {
	names  []Cell // without a window
	at     [][]int
	number map[Cell]int // name → where it is in names
	two    []int        // of names, those of a place and another filter, in a fixed order
	groups []*mask.Group
}

// newCast finds them. Of each, at is in the board "windows 24, 12, 6, 3", then months; of
// those of two filters 12 months come first.
func newCast(x *mask.Index) *cast {
	c := &cast{number: make(map[Cell]int, len(x.Cells)/2), groups: x.Groups()}
	for i, cell := range x.Cells {
		if x.Unlisted[i] {
			continue
		}
		name := timeless(cell)
		n, ok := c.number[name]
		if !ok {
			n = len(c.names)
			c.number[name] = n
			c.names, c.at = append(c.names, name), append(c.at, nil)
			if twoFilters(name) {
				c.two = append(c.two, n)
			}
		}
		c.at[n] = append(c.at[n], i)
	}
	rank := func(i int) int {
		if cell := x.Cells[i]; cell.Window != 12 || !twoFilters(cell) {
			return cell.Window
		}
		return 25
	}
	for _, at := range c.at {
		slices.SortFunc(at, func(i, j int) int {
			return cmp.Or(cmp.Compare(rank(j), rank(i)), cmp.Compare(x.Cells[j].Value, x.Cells[i].Value))
		})
	}
	slices.SortFunc(c.two, func(i, j int) int { return compareTwo(x, c.names[i], c.names[j]) })
	return c
}

// twoFilters says that it is a cell of a place and another filter.
func twoFilters(c Cell) bool { return c.Place != "" && c.Dim() != "" }

// compareTwo is a fixed order of cells of two filters: by filter, place and value, in public
// order.
func compareTwo(x *mask.Index, a, b Cell) int {
	return cmp.Or(cmp.Compare(a.Signature, b.Signature), x.Compare("place", a.Place, b.Place), x.Compare(a.Dim(), a.Value, b.Value))
}

package flow

import (
	"testing"

	"pgregory.net/rapid"
)

// draw is a random table whose margins are printed: cells from 0 to 12, the small
// ones "<5", some of the others hidden from the start.
func draw(t *rapid.T) (rows, cols int, cells []Cell) {
	rows, cols = rapid.IntRange(1, 4).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "cols")
	for r := range rows {
		for c := range cols {
			n := rapid.Int64Range(0, 12).Draw(t, "n")
			cell := Cell{Row: r, Col: c, Count: n, Order: int64(r + c), CanUp: true, CanDown: n > 5}
			switch {
			case n == 0:
				continue
			case n < 5:
				cell.State, cell.CanUp, cell.CanDown = Small, n < 4, n > 1
			case rapid.IntRange(0, 5).Draw(t, "hidden") == 0:
				cell.State = Hidden
			}
			cells = append(cells, cell)
		}
	}
	return rows, cols, cells
}

// TestNothingIsDetermined takes every cell that must be protected and searches,
// one circulation at a time, for another table with the same margins and tokens.
func TestNothingIsDetermined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols, cells := draw(t)
		hide, ok := Protect(rows, cols, cells)
		if !ok {
			return
		}
		after := append([]Cell(nil), cells...)
		for _, i := range hide {
			if after[i].State != Shown {
				t.Fatalf("cell %+v was hidden already", after[i])
			}
			after[i].State = Hidden
		}
		for i, c := range after {
			if c.State == Shown {
				continue
			}
			free := cycle(rows, cols, after, i, 1, false) || cycle(rows, cols, after, i, -1, false)
			if c.State == Small && !free || !free && !cycle(rows, cols, after, i, 1, true) {
				t.Fatalf("cell %+v is determined in %+v", c, after)
			}
		}
	})
}

// cycle walks all simple cycles through cell i, rows and columns by turns, adding
// and taking one by turns; unbounded ignores what the tokens allow.
func cycle(rows, cols int, cells []Cell, i, sign int, unbounded bool) bool {
	allowed := func(c Cell, sign int) bool {
		return c.State != Shown && (unbounded || sign > 0 && c.CanUp || sign < 0 && c.CanDown)
	}
	if !allowed(cells[i], sign) {
		return false
	}
	used := map[int]bool{i: true}
	var walk func(at Cell, inRow bool, sign int) bool
	walk = func(at Cell, inRow bool, sign int) bool {
		for k, c := range cells {
			if used[k] || !allowed(c, sign) || inRow && c.Row != at.Row || !inRow && c.Col != at.Col {
				continue
			}
			if !inRow || c.Col != cells[i].Col { // not yet back in the first column
				used[k] = true
				if walk(c, !inRow, -sign) {
					return true
				}
				delete(used, k)
				continue
			}
			return true
		}
		return false
	}
	return walk(cells[i], true, -sign)
}

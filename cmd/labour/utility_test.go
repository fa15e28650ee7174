package main

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"labour/pipeline/disclosure/synthtest"
)

// usefulness is how near what is printed of counts of 5 or more is to the truth.
type usefulness struct{ counts, printed, errors, largest int }

func (u usefulness) meanError() float64 { return float64(u.errors) / float64(max(1, u.printed)) }

func (u usefulness) sharePrinted() float64 {
	return 100 * float64(u.printed) / float64(max(1, u.counts))
}

func (u *usefulness) add(o usefulness) {
	u.counts, u.printed, u.errors = u.counts+o.counts, u.printed+o.printed, u.errors+o.errors
	u.largest = max(u.largest, o.largest)
}

func (u usefulness) String() string {
	return fmt.Sprintf("%4d counts of 5 or more, %3.0f %% print, mean error %.2f, largest %d",
		u.counts, u.sharePrinted(), u.meanError(), u.largest)
}

// useful compares what the interface prints with the truth, by combination of filters.
func (w *attackedWorld) useful(t *testing.T, unmet *crawledUnmet) {
	t.Helper()
	by, all := map[string]*usefulness{}, usefulness{}
	for _, skill := range w.slugs() {
		for cell, n := range w.Count(w.skills[skill].TurnedDownFor) {
			one := w.compared(t, skill, cell, int(n), unmet.Rows[skill])
			if by[cell.Signature()] == nil {
				by[cell.Signature()] = &usefulness{}
			}
			by[cell.Signature()].add(one)
			all.add(one)
		}
	}
	for signature, u := range by {
		t.Logf("%-13s %s", signature, u)
	}
	t.Logf("%-13s %s", "all", all)
	if all.meanError() > 1.6 || all.largest > 4 || all.counts < 300 {
		t.Errorf("the mean error may be 1.6 and the largest 4: %s", all)
	}
}

// compared judges one cell: no count of 1 to 4 is a number, and every count of 5 or more is one, but
// where the cell is below one that prints less than 10, or is 5 to 9 below one that prints less than 20.
func (w *attackedWorld) compared(t *testing.T, skill string, cell synthtest.Cell, n int,
	printed map[synthtest.Cell]printedRow) usefulness {
	t.Helper()
	row, asked := printed[cell]
	number, err := strconv.Atoi(row.TurnedDown)
	if n < 5 {
		if err == nil && n > 0 {
			t.Errorf("%s %+v prints %s, the truth is %d", skill, cell, row.TurnedDown, n)
		}
		return usefulness{}
	}
	small := w.below(printed, cell, "<5", "5")
	coarse := w.below(printed, cell, "10", "15")
	if null := small || coarse && (n == 5 || n < 10 && number != 10); !asked || null == (err == nil) {
		t.Errorf("%s %+v prints %q of %d; it is below a small cell: %v, and below 10 or 15: %v", skill, cell,
			row.TurnedDown, n, small, coarse)
	}
	if err != nil {
		return usefulness{counts: 1}
	}
	off := max(number-n, n-number)
	return usefulness{1, 1, off, off}
}

// below reports whether a cell is a part of one that prints one of some tokens.
func (w *attackedWorld) below(printed map[synthtest.Cell]printedRow, cell synthtest.Cell, tokens ...string) bool {
	for whole, row := range printed {
		if slices.Contains(tokens, row.TurnedDown) && whole != cell && w.IsPartOf(cell, whole) {
			return true
		}
	}
	return false
}

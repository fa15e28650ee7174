package disclosure_test

import (
	"fmt"
	"slices"
	"testing"

	"labour/pipeline/disclosure/attackertest"
)

// printedTable is what is printed of counts by rows and columns with their margins: tokens of
// the cells, row by row, of the rows, of the columns and of the total.
type printedTable struct {
	Rows, Columns int
	Cells         []string
	ByRow         []string
	ByColumn      []string
	Total         string
}

// span is a range of counts.
type span struct{ low, high int64 }

func (s span) has(n int64) bool { return n >= s.low && n <= s.high }

// mostInTable bounds a count of which nothing is printed.
const mostInTable = 100

func spanOf(token string) (span, error) {
	low, high, err := attackertest.Range(token, false)
	return span{low, min(high, mostInTable)}, err
}

// sizes returns, by brute force over integers, the least and the most that each cell,
// row, column and the total can be, in that order, the truth being one of the tables that
// are possible. It stops as soon as each of the wanted ones can be something else.
func (t printedTable) sizes(truth []int64, wanted []int) (low, high []int64, err error) {
	s := search{rows: t.Rows, columns: t.Columns, truth: truth, wanted: wanted}
	for i, token := range slices.Concat(t.Cells, t.ByRow, t.ByColumn, []string{t.Total}) {
		of, err := spanOf(token)
		if err != nil {
			return nil, nil, err
		}
		if !of.has(truth[i]) {
			return nil, nil, fmt.Errorf("%d is printed as %s in %+v", truth[i], token, t)
		}
		s.spans = append(s.spans, of)
	}
	s.low, s.high, s.counts = slices.Clone(truth), slices.Clone(truth), make([]int64, len(truth))
	s.from(0)
	return s.low, s.high, nil
}

// search goes through all tables that print the same.
type search struct {
	rows, columns int
	spans         []span
	counts        []int64
	low, high     []int64
	truth         []int64
	wanted        []int
}

// done reports whether everything wanted can be something else.
func (s *search) done() bool {
	for _, i := range s.wanted {
		if s.low[i] >= s.truth[i] && s.high[i] <= s.truth[i] {
			return false
		}
	}
	return true
}

// from tries every count of the cell and of those after it.
func (s *search) from(cell int) {
	cells := s.rows * s.columns
	total := cells + s.rows + s.columns
	if cell == cells {
		for column := range s.columns {
			if at := cells + s.rows + column; !s.spans[at].has(s.counts[at]) {
				return
			}
		}
		if !s.spans[total].has(s.counts[total]) {
			return
		}
		for i, n := range s.counts {
			s.low[i], s.high[i] = min(s.low[i], n), max(s.high[i], n)
		}
		return
	}
	row, column := cells+cell/s.columns, cells+s.rows+cell%s.columns
	sums := []int{cell, row, column, total}
	for n := s.spans[cell].low; n <= s.spans[cell].high; n++ {
		fits := s.counts[row]+n <= s.spans[row].high && s.counts[column]+n <= s.spans[column].high && s.counts[total]+n <= s.spans[total].high
		if (cell+1)%s.columns == 0 {
			fits = fits && s.spans[row].has(s.counts[row]+n)
		}
		if !fits {
			continue
		}
		for _, at := range sums {
			s.counts[at] += n
		}
		s.from(cell + 1)
		if s.done() {
			return
		}
		for _, at := range sums {
			s.counts[at] -= n
		}
	}
}

// TestTinyTableByBruteForce: in a table whose margins are at their ends one size is left.
func TestTinyTableByBruteForce(t *testing.T) {
	counts := []int64{7, 1, 0, 0}
	table := printedTable{2, 2, []string{"5", "null", "0", "0"}, []string{"10", "0"}, []string{"5", "<5"}, "10"}
	low, high, err := table.sizes(append(counts, 8, 0, 7, 1, 8), []int{1})
	if err != nil || low[1] != 1 || high[1] < 2 {
		t.Errorf("the second cell is %d to %d, %v, want 1 and more", low[1], high[1], err)
	}
	table.ByRow[0], table.Total = "5", "5"
	if low, high, err = table.sizes([]int64{6, 1, 0, 0, 7, 0, 6, 1, 7}, []int{1}); err != nil || low[1] != 1 || high[1] != 2 {
		t.Errorf("the second cell is %d to %d, %v, want 1 to 2", low[1], high[1], err)
	}
}

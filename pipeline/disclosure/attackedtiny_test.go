package disclosure_test

import (
	"fmt"
	"slices"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/synthtest"
)

// tinyTable is a world of rows by columns: places by sectors.
type tinyTable struct {
	*printer
	adverts []synthtest.Person
	columns int
}

func newTinyTable(rows, columns int) *tinyTable {
	w := synthtest.World{Places: synthtest.Names("row", rows), Sectors: synthtest.Names("column", columns), Newest: 2026*12 + 8}
	return &tinyTable{newPrinter(w, disclosure.Rounded), w.All(), columns}
}

// printed returns what is printed of the counts of the last 3 months.
func (t *tinyTable) printed(counts []int64) printedTable {
	var people []synthtest.Person
	for i, n := range counts {
		for range n {
			people = append(people, t.adverts[i])
		}
	}
	tokens := t.figures("", t.adverts, t.print(t.adverts, outcomes{turnedDownFor: people}, nil), people).Tokens
	at := func(dim, place, sector string) string {
		return tokens[synthtest.Cell{Dim: dim, Place: place, Value: sector, Window: 3}]
	}
	out := printedTable{Rows: len(t.world.Places), Columns: t.columns, Total: at("", "", "")}
	for _, place := range t.world.Places {
		out.ByRow = append(out.ByRow, at("", place, ""))
		for _, sector := range t.world.Sectors {
			out.Cells = append(out.Cells, at("sector", place, sector))
		}
	}
	for _, sector := range t.world.Sectors {
		out.ByColumn = append(out.ByColumn, at("sector", "", sector))
	}
	return out
}

// withMargins returns the counts with their sums by row and column and in all.
func withMargins(counts []int64, columns int) []int64 {
	rows := len(counts) / columns
	sums := make([]int64, rows+columns+1)
	for i, n := range counts {
		sums[i/columns] += n
		sums[rows+i%columns] += n
		sums[rows+columns] += n
	}
	return append(append([]int64{}, counts...), sums...)
}

// eachTable calls fn with every table of counts from 0 to most.
func eachTable(cells int, most int64, fn func([]int64)) {
	counts := make([]int64, cells)
	for {
		fn(counts)
		i := 0
		for ; i < cells && counts[i] == most; i++ {
			counts[i] = 0
		}
		if i == cells {
			return
		}
		counts[i]++
	}
}

// canonical reports whether no order of rows and columns comes before this one: tables
// that differ in it only say the same.
func canonical(counts []int64, columns int) bool {
	orders := [][]int{{0, 1}, {1, 0}}
	if columns == 3 {
		orders = [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	}
	for _, rows := range [][]int{{0, 1}, {1, 0}} {
		for _, order := range orders {
			var other []int64
			for _, row := range rows {
				for _, column := range order {
					other = append(other, counts[row*columns+column])
				}
			}
			if slices.Compare(other, counts) < 0 {
				return false
			}
		}
	}
	return true
}

// TestTinyTablesAreNotWorkedOut prints every table of 2 by 2 and 2 by 3 counts from 0
// to 8, and goes through all tables that a reader has to take for possible.
func TestTinyTablesAreNotWorkedOut(t *testing.T) {
	most := map[int]int64{2: 8, 3: 2}
	if long() {
		most[3] = 8
	}
	for columns, most := range most {
		table, seen, tables, small := newTinyTable(2, columns), map[string]bool{}, 0, 0
		eachTable(2*columns, most, func(counts []int64) {
			if !canonical(counts, columns) {
				return
			}
			printed := table.printed(counts)
			key := fmt.Sprint(printed)
			if tables++; seen[key] {
				return
			}
			seen[key] = true
			all := withMargins(counts, columns)
			var groups []int
			for i, n := range all {
				if n >= 1 && n <= 4 {
					groups = append(groups, i)
				}
			}
			small += len(groups)
			low, high, err := printed.sizes(all, groups)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range groups {
				if low[i] == high[i] {
					t.Errorf("%v prints %+v: count %d can only be %d", counts, printed, i, all[i])
				}
			}
		})
		t.Logf("2 by %d, counts up to %d: %d tables in %d prints, %d small groups", columns, most, tables, len(seen), small)
		if small < 50 {
			t.Errorf("only %d small groups were attacked", small)
		}
	}
}

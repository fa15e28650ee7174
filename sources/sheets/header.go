package sheets

import (
	"fmt"
	"slices"
	"strings"

	"labour/sources"
)

// headerRows is how far down a header is looked for: titles and notes stand above.
const headerRows = 60

// Header finds the row that names all these columns, in any order and case, and returns
// the rows below it and where each column stands. A column that is missing or named twice
// refuses the table; the error says which.
func Header(rows [][]string, names ...string) (below [][]string, at map[string]int, err error) {
	most, missing := -1, names
	for i, row := range rows[:min(len(rows), headerRows)] {
		at := map[string]int{}
		for c := range row {
			name := strings.ToLower(Cell(row, c))
			if _, twice := at[name]; twice && slices.Contains(names, name) {
				return nil, nil, sources.Coded(sources.FaultSchema, fmt.Errorf("the column %s is named twice", name))
			}
			at[name] = c
		}
		delete(at, "")
		var lacks []string
		for _, n := range names {
			if _, ok := at[n]; !ok {
				lacks = append(lacks, n)
			}
		}
		if len(lacks) == 0 {
			return rows[i+1:], at, nil
		}
		if found := len(names) - len(lacks); found > most {
			most, missing = found, lacks
		}
	}
	return nil, nil, sources.Coded(sources.FaultColumnMissing, fmt.Errorf("no row of the first %d names %s", headerRows, strings.Join(missing, ", ")))
}

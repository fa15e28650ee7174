package attack

import "testing"

// tiny is a small table of people with its margins: groups by two filters, each filter alone, and all.
type tiny struct {
	rows, columns int
	members       [][]int // of each group the cells, as numbers
	within        [][]int // of each group the groups that it is a part of
}

func newTiny(rows, columns int) *tiny {
	t := &tiny{rows: rows, columns: columns}
	add := func(cells []int) { t.members = append(t.members, cells) }
	var all []int
	for cell := range rows * columns {
		add([]int{cell})
		all = append(all, cell)
	}
	for row := range rows {
		add(all[row*columns : (row+1)*columns])
	}
	for column := range columns {
		var cells []int
		for row := range rows {
			cells = append(cells, row*columns+column)
		}
		add(cells)
	}
	add(all)
	for group, cells := range t.members {
		t.within = append(t.within, nil)
		for whole, of := range t.members {
			if whole != group && subset(cells, of) {
				t.within[group] = append(t.within[group], whole)
			}
		}
	}
	return t
}

func subset(part, whole []int) bool {
	in := map[int]bool{}
	for _, v := range whole {
		in[v] = true
	}
	for _, v := range part {
		if !in[v] {
			return false
		}
	}
	return true
}

// sizes counts each group.
func (t *tiny) sizes(counts []int) []int {
	n := make([]int, len(t.members))
	for group, cells := range t.members {
		for _, cell := range cells {
			n[group] += counts[cell]
		}
	}
	return n
}

// tinyNull is the token of what is not published; "<5" is 1, and others are the number.
const (
	tinyNull  = 255
	tinySmall = 1
)

// eachPrint gives every way in which a table may print, one token for each group. Groups of the same
// people print the same.
func (t *tiny) eachPrint(n []int, print func(tokens string)) {
	t.draw(n, make([]byte, len(n)), len(n)-1, print)
}

// draw prints the groups from one down to the first. Wholes come after their parts, so that what a
// group is a part of is printed before it.
func (t *tiny) draw(n []int, tokens []byte, group int, print func(tokens string)) {
	if group < 0 {
		print(string(tokens))
		return
	}
	for _, token := range t.choices(n, tokens, group) {
		tokens[group] = token
		t.draw(n, tokens, group-1, print)
	}
}

// choices returns the tokens that a group may have, by what the groups that it is a part of print.
func (t *tiny) choices(n []int, tokens []byte, group int) []byte {
	size := n[group]
	choices := tinyPrints(size)
	for _, whole := range t.within[group] {
		if tokens[whole] == tinyNull || tokens[whole] == tinySmall || tokens[whole] == 5 {
			return []byte{tinyNull}
		}
		if n[whole] == size { // the same people
			choices = []byte{tokens[whole]}
		}
	}
	for _, whole := range t.within[group] {
		for i, token := range choices {
			if (tokens[whole] == 10 || tokens[whole] == 15) && token < 10 {
				choices[i] = tinyNull
			}
		}
	}
	return choices
}

// tinyPrints returns the tokens that a group of a size may have by itself.
func tinyPrints(size int) []byte {
	low := size / 5 * 5
	switch {
	case size == 0:
		return []byte{0}
	case size < 5:
		return []byte{tinySmall}
	case low == size:
		return []byte{byte(low)}
	}
	return []byte{byte(low), byte(low + 5)}
}

// eachTable gives every table whose cells and total are at most so many.
func (t *tiny) eachTable(cell, total int, table func(counts []int)) {
	counts := make([]int, t.rows*t.columns)
	var fill func(at, left int)
	fill = func(at, left int) {
		if at == len(counts) {
			table(counts)
			return
		}
		for n := 0; n <= min(cell, left); n++ {
			counts[at] = n
			fill(at+1, left-n)
		}
	}
	fill(0, total)
}

// TestTinyTables tries every table of 2 by 2 with counts from 0 to 8, and every one of 2 by 3 of at most
// 12 people, with its margins and every draw: how often a group of 1 to 4 has one value only in all the
// tables that print the same. The rules do not prevent that for all of them; the figures only fall.
func TestTinyTables(t *testing.T) {
	for _, tt := range []struct {
		name                           string
		rows, columns                  int
		cell, total, cellMay, totalMay int // of the tables, and of those that may print the same
		found                          int
		long                           bool
	}{{"2 by 2", 2, 2, 8, 32, 14, 39, 460, false}, {"2 by 3", 2, 3, 8, 12, 14, 19, 330, true}} {
		if tt.long && !long() {
			continue
		}
		table := newTiny(tt.rows, tt.columns)
		known := map[string][]byte{} // of each group the least and the most that it may be
		table.eachTable(tt.cellMay, tt.totalMay, func(counts []int) {
			n := table.sizes(counts)
			table.eachPrint(n, func(tokens string) { widen(known, tokens, n) })
		})
		small, found := 0, 0
		table.eachTable(tt.cell, tt.total, func(counts []int) {
			n := table.sizes(counts)
			table.eachPrint(n, func(tokens string) {
				may := known[tokens]
				for group, size := range n {
					if size < 1 || size > 4 {
						continue
					}
					small++
					if may[2*group] == may[2*group+1] {
						found++
					}
				}
			})
		})
		t.Logf("%s: %d of %d small groups have one value", tt.name, found, small)
		if small < 1000 || found > tt.found {
			t.Errorf("%s: %d of %d small groups have one value, at most %d are known", tt.name, found, small, tt.found)
		}
	}
}

// widen notes that groups of some sizes print some tokens.
func widen(known map[string][]byte, tokens string, n []int) {
	may, ok := known[tokens]
	if !ok {
		may = make([]byte, 2*len(n))
		for group, size := range n {
			may[2*group], may[2*group+1] = byte(size), byte(size)
		}
		known[tokens] = may
	}
	for group, size := range n {
		may[2*group], may[2*group+1] = min(may[2*group], byte(size)), max(may[2*group+1], byte(size))
	}
}

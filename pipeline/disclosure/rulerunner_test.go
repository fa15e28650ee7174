package disclosure_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/gate"
)

// possible groups data sets by everything that is printed of them, and says for
// each small cell which values it has among those that print the same: what an
// attacker knows who runs this code backwards (A16).
type possible struct {
	values map[string]map[int]map[int64]bool // printed → cell → values
	times  map[string]map[int]int
	capped map[string]bool
}

func (p *possible) add(cells []disclosure.Truth, printed []disclosure.Printed, limit int64) {
	var b strings.Builder
	for _, x := range printed {
		b.WriteString(x.TurnedDown.String())
		b.WriteByte(' ')
	}
	key := b.String()
	if p.values[key] == nil {
		p.values[key], p.times[key] = map[int]map[int64]bool{}, map[int]int{}
	}
	for i, c := range cells {
		n := c.TurnedDownFor
		if c.Place+c.Value == "" {
			continue
		}
		// A data set at the edge of what is enumerated has fellows that are not.
		p.capped[key] = p.capped[key] || n >= limit
		if p.values[key][i] == nil {
			p.values[key][i] = map[int64]bool{}
		}
		p.values[key][i][n] = true
		if n >= 1 && n <= 4 {
			p.times[key][i]++
		}
	}
}

// pinned counts the small cells, and those with one possible value.
func (p *possible) pinned() (small, exact int) {
	for key, cells := range p.values {
		if p.capped[key] {
			continue
		}
		for i, values := range cells {
			small += p.times[key][i]
			if len(values) == 1 {
				exact += p.times[key][i]
			}
		}
	}
	return small, exact
}

func newPossible() *possible {
	return &possible{map[string]map[int]map[int64]bool{}, map[string]map[int]int{}, map[string]bool{}}
}

// TestRuleRunnerOnLines enumerates every line of 2 to 4 children: no small cell
// may have a single possible value.
func TestRuleRunnerOnLines(t *testing.T) {
	for _, tt := range []struct {
		kids int
		most int64
	}{{2, 24}, {3, 14}, {4, 8}} {
		p := newPossible()
		every(tt.kids, tt.most, func(n []int64) {
			cells := []disclosure.Truth{{Cell: disclosure.Cell{Signature: "none", Window: 24}}}
			for i, x := range n {
				cells[0].TurnedDownFor += x
				cells = append(cells, disclosure.Truth{Cell: disclosure.Cell{Signature: "sector", Value: fmt.Sprint(i), Window: 24}, TurnedDownFor: x})
			}
			p.add(cells, noGate.Mask(cells), tt.most)
		})
		small, exact := p.pinned()
		t.Logf("lines of %d: %d of %d small cells have one possible value", tt.kids, exact, small)
		if small == 0 || exact > 0 {
			t.Errorf("lines of %d: %d of %d small cells are pinned by running the rules", tt.kids, exact, small)
		}
	}
}

// noGate masks without the audit, whose bounds never bind in tables so small that
// one linear system is the whole of it.
var noGate = disclosure.Rules{Gate: gate.Limits{Unknowns: -1}}

// TestRuleRunnerOnTables does the same for tables of two dimensions with printed
// margins: "withheld is itself an outcome of the data", so that some values are
// pinned; at most 6 % in this worst case, in which every table is equally likely.
func TestRuleRunnerOnTables(t *testing.T) {
	shapes := []struct {
		rows, cols int
		most       int64
	}{{2, 2, 10}}
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		shapes = append(shapes[:0], struct {
			rows, cols int
			most       int64
		}{2, 2, 16}, struct {
			rows, cols int
			most       int64
		}{3, 2, 8})
	}
	for _, s := range shapes {
		p := newPossible()
		every(s.rows*s.cols, s.most, func(n []int64) {
			cells := table(s.rows, s.cols, n)
			p.add(cells, noGate.Mask(cells), s.most)
		})
		small, exact := p.pinned()
		t.Logf("tables %d x %d, cells up to %d: %d of %d small cells have one possible value", s.rows, s.cols, s.most, exact, small)
		if small == 0 || 100*exact > 6*small {
			t.Errorf("%d of %d small cells are pinned by running the rules", exact, small)
		}
	}
}

// table is a table of two dimensions with its margins.
func table(rows, cols int, n []int64) []disclosure.Truth {
	cells := make([]disclosure.Truth, 1+rows+cols)
	cells[0].Cell = disclosure.Cell{Signature: "none", Window: 24}
	for r := range rows {
		cells[1+r].Cell = disclosure.Cell{Signature: "place", Place: fmt.Sprint("p", r), Window: 24}
	}
	for c := range cols {
		cells[1+rows+c].Cell = disclosure.Cell{Signature: "sector", Value: fmt.Sprint("s", c), Window: 24}
	}
	for i, x := range n {
		r, c := i/cols, i%cols
		cells[0].TurnedDownFor += x
		cells[1+r].TurnedDownFor += x
		cells[1+rows+c].TurnedDownFor += x
		cells = append(cells, disclosure.Truth{Cell: disclosure.Cell{Signature: "place_sector", Place: fmt.Sprint("p", r), Value: fmt.Sprint("s", c), Window: 24}, TurnedDownFor: x})
	}
	return cells
}

// every calls fn with every list of n numbers from 0 to most.
func every(n int, most int64, fn func([]int64)) {
	x := make([]int64, n)
	for {
		fn(x)
		i := 0
		for i < n && x[i] == most {
			x[i] = 0
			i++
		}
		if i == n {
			return
		}
		x[i]++
	}
}

package disclosure_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/gate"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/madeup"
	"labour/pipeline/disclosure/mask"
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

// runner runs the rules backwards on tables of one shape whose margins are
// printed: as possible, but fast enough for millions of tables.
type runner struct {
	rows, cols int
	index      *mask.Index
	count      []int64
	seen       map[string]*sameOutput
}

// sameOutput is the tables of which the same is printed.
type sameOutput struct {
	values []uint8 // per cell: bit n = it was n in one of them; bit 0 = no small group
	times  []int
	capped bool
}

func newRunner(rows, cols int) *runner {
	var cells []mask.Cell
	for _, c := range table(rows, cols, make([]int64, rows*cols)) {
		cells = append(cells, c.Cell)
	}
	return &runner{rows, cols, mask.NewIndex(cells, make([]bool, len(cells)), lattice.New(nil, nil)), nil, map[string]*sameOutput{}}
}

// add masks one table. A table with a margin of limit or more has fellows that are
// not enumerated; 0 = all are.
func (r *runner) add(n []int64, limit int64) {
	r.count = append(r.count[:0], make([]int64, 1+r.rows+r.cols)...)
	for i, x := range n {
		r.count[0] += x
		r.count[1+i/r.cols] += x
		r.count[1+r.rows+i%r.cols] += x
	}
	r.count = append(r.count, n...)
	b := r.index.NewBoard(r.count)
	b.Run()
	key := make([]byte, len(r.count))
	for i, n := range r.count {
		key[i] = [...]byte{mask.Shown: byte(n), mask.Small: 255, mask.Hidden: 254, mask.Blocked: 254}[b.Status[i]]
	}
	s := r.seen[string(key)]
	if s == nil {
		s = &sameOutput{values: make([]uint8, len(key)), times: make([]int, len(key))}
		r.seen[string(key)] = s
	}
	for i, n := range r.count[1:] {
		s.capped = s.capped || limit > 0 && n >= limit
		if n < 1 || n > 4 {
			n = 0
		} else {
			s.times[i]++
		}
		s.values[i] |= 1 << n
	}
}

// pinned counts the small cells, and those with one possible value.
func (r *runner) pinned() (small, exact int) {
	for _, s := range r.seen {
		for i, n := range s.times {
			if s.capped {
				break
			}
			small += n
			if bits.OnesCount8(s.values[i]) == 1 {
				exact += n
			}
		}
	}
	return small, exact
}

// TestRuleRunnerOnTables does the same for tables of two dimensions with printed
// margins: "withheld is itself an outcome of the data", so that some values are
// pinned; at most 6 % in this worst case, in which every table is equally likely.
func TestRuleRunnerOnTables(t *testing.T) {
	shapes := [][3]int{{2, 2, 10}}
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		shapes = [][3]int{{2, 2, 16}, {3, 2, 8}, {2, 3, 8}}
	}
	for _, s := range shapes {
		r := newRunner(s[0], s[1])
		every(s[0]*s[1], int64(s[2]), func(n []int64) { r.add(n, int64(s[2])) })
		small, exact := r.pinned()
		t.Logf("tables %d x %d, cells up to %d: %d of %d small cells have one possible value (%.2f %%)", s[0], s[1], s[2], exact, small, 100*float64(exact)/float64(small))
		if small == 0 || 100*exact > 6*small {
			t.Errorf("%d of %d small cells are pinned by running the rules", exact, small)
		}
	}
}

// TestRuleRunnerOnMargins draws margins and enumerates every table that has them,
// so that, the margins being printed, no data set with the same output is missed:
// more telling than cells up to a limit, where margins beyond it must be left out.
func TestRuleRunnerOnMargins(t *testing.T) {
	shapes := [][4]int{{3, 2, 16, 20}, {3, 3, 10, 3}} // rows, columns, largest margin of a row, how many draws
	if os.Getenv("DISCLOSURE_MEASURE") != "" {
		shapes = [][4]int{{2, 2, 40, 400}, {3, 2, 24, 300}, {2, 3, 24, 300}, {3, 3, 14, 60}, {3, 3, 18, 30}, {4, 3, 10, 12}, {5, 2, 14, 30}}
	}
	for _, s := range shapes {
		random := rand.New(rand.NewPCG(1, 2))
		var small, exact int
		for range s[3] {
			rows, cols := margins(random, s[0], s[1], int64(s[2]))
			r := newRunner(s[0], s[1])
			madeup.Tables(rows, cols, func(n []int64) { r.add(n, 0) })
			one, pinned := r.pinned()
			small, exact = small+one, exact+pinned
		}
		t.Logf("all tables of %d draws of margins, %d x %d, rows up to %d: %d of %d small cells have one possible value (%.2f %%)", s[3], s[0], s[1], s[2], exact, small, 100*float64(exact)/float64(small))
		if small == 0 || 100*exact > 6*small {
			t.Errorf("%d of %d small cells are pinned by running the rules", exact, small)
		}
	}
}

// margins draws printed margins that at most a hundred thousand tables have.
func margins(random *rand.Rand, rows, cols int, most int64) (r, c []int64) {
	for {
		r, c = make([]int64, rows), make([]int64, cols)
		var left int64
		for i := range r {
			r[i] = 5 + random.Int64N(most-4)
			left += r[i]
		}
		for i := range c[:cols-1] {
			c[i] = 5 + random.Int64N((most-4)*int64(rows)/int64(cols))
			left -= c[i]
		}
		if c[cols-1] = left; left >= 5 && madeup.Tables(r, c, nil) <= 100_000 {
			return r, c
		}
	}
}

// TestRuleRunnerOnWindows enumerates the bands of time of one cell: of the groups
// of 1 to 4 between two windows next to each other, at most 3 % may have one
// possible value (a derived group; the windows themselves are lines).
func TestRuleRunnerOnWindows(t *testing.T) {
	windows := []int{3, 6, 12, 24}
	var cells []mask.Cell
	for _, w := range windows {
		cells = append(cells, mask.Cell{Signature: "none", Window: w})
	}
	index := mask.NewIndex(cells, make([]bool, len(cells)), lattice.New(nil, nil))
	seen := map[string]*[4][10]int{} // printed → band → value → times
	every(4, 9, func(bands []int64) {
		count := make([]int64, len(bands))
		var sum int64
		for i, n := range bands {
			sum += n
			count[i] = sum
		}
		b := index.NewBoard(count)
		b.Run()
		var key strings.Builder
		for i := range cells {
			n, _ := b.Printed(i)
			key.WriteString(n.String() + " ")
		}
		if seen[key.String()] == nil {
			seen[key.String()] = &[4][10]int{}
		}
		for i, n := range bands {
			seen[key.String()][i][n]++
		}
	})
	small, pinned := 0, 0
	for _, bands := range seen {
		for _, times := range bands[1:] {
			here, values := 0, 0
			for n, k := range times {
				if n >= 1 && n <= 4 {
					here += k
				}
				values += min(k, 1)
			}
			small += here
			if values == 1 {
				pinned += here
			}
		}
	}
	t.Logf("windows: %d of %d small groups between windows have one possible value (%.2f %%)", pinned, small, 100*float64(pinned)/float64(small))
	if small == 0 || 100*pinned > 3*small {
		t.Errorf("%d of %d small groups between windows are pinned by running the rules", pinned, small)
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

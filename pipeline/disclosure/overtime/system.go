package overtime

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/simplex"
)

// unknown is the people of one value of one filter ("" and "" = all) in one leaf
// between two neighbouring points of time; all texts by their codes.
type unknown struct{ leaf, dim, value, band int32 }

// system is the unknowns and what is printed of them.
type system struct {
	*space
	scope
	everywhere bool               // people may be in no place or value
	nodes      []int              // points of time
	under      map[string][]int32 // place → leaves, by their codes
	at         map[unknown]int
	known      map[unknown]float64 // those that follow plainly
	rows       []simplex.Row
}

// newSystem is the system of a scope; nil when it has more unknowns than most.
func newSystem(s *space, of scope, facts []Fact, targets []Target, everywhere bool, most int) *system {
	y := &system{space: s, scope: of, everywhere: everywhere, under: map[string][]int32{}, at: map[unknown]int{}, known: map[unknown]float64{}}
	y.points(facts, targets)
	y.solved(facts)
	for _, leaf := range y.leavesOf("") {
		if y.split(leaf); len(y.at) > most {
			return nil
		}
	}
	y.answers(facts)
	return y
}

// answers are the rows of what is printed, each once.
func (y *system) answers(facts []Fact) {
	seen := map[Fact]bool{}
	var before Fact
	for _, f := range facts {
		f.At = 0
		if f.Cell != before.Cell { // those of a cell come together
			clear(seen)
		}
		if before = f; seen[f] {
			continue
		}
		seen[f] = true
		vars, sum := y.columns(f.Cell, f.From, f.To)
		low, high := float64(f.N)-sum, float64(f.N)-sum
		if f.Small {
			low, high = 1-sum, 4-sum
		}
		if len(vars) > 0 {
			y.rows = append(y.rows, simplex.Row{Vars: vars, Low: low, High: high})
		}
	}
}

// points are where something begins or ends. There are few.
func (y *system) points(facts []Fact, targets []Target) {
	add := func(at int) {
		if i, ok := slices.BinarySearch(y.nodes, at); !ok {
			y.nodes = slices.Insert(y.nodes, i, at)
		}
	}
	for _, f := range facts {
		add(f.From)
		add(f.To)
	}
	for _, t := range targets {
		if y.holds(t.Cell) {
			add(t.From)
			add(t.To)
		}
	}
}

// leavesOf are the leaves under a place; without places everywhere is one.
func (y *system) leavesOf(place string) []int32 {
	if !y.places {
		place = ""
	}
	if y.under[place] == nil {
		names := []string{""}
		if y.places {
			names = y.leaves(place)
		}
		for _, leaf := range names {
			y.under[place] = append(y.under[place], y.code(leaf))
		}
	}
	return y.under[place]
}

// solved notes what follows from the numbers of one cell alone: that is most of it
// where groups are large.
func (y *system) solved(facts []Fact) {
	lines := map[mask.Cell]*ledger.Timeline{}
	for _, f := range facts {
		if f.Small {
			continue
		}
		if f.N == 0 {
			y.nobody(f)
		}
		if y.places && len(y.kids[f.Cell.Place]) > 0 {
			continue // no leaf
		}
		if lines[f.Cell] == nil {
			lines[f.Cell] = ledger.NewTimeline()
		}
		lines[f.Cell].Print(f.From, f.To, f.N)
	}
	for c, line := range lines {
		u := unknown{leaf: y.code(c.Place), dim: y.code(c.Dim()), value: y.code(c.Value)}
		for band := range len(y.nodes) - 1 {
			if n, ok := line.Between(y.nodes[band], y.nodes[band+1]); ok && n >= 0 {
				u.band = int32(band)
				y.known[u] = float64(n)
			}
		}
	}
}

// nobody is nobody anywhere.
func (y *system) nobody(f Fact) {
	dim, value := y.code(f.Cell.Dim()), y.code(f.Cell.Value)
	for _, leaf := range y.leavesOf(f.Cell.Place) {
		y.bands(f.From, f.To, func(band int32) { y.known[unknown{leaf, dim, value, band}] = 0 })
	}
}

func (y *system) bands(from, to int, each func(band int32)) {
	for band := range len(y.nodes) - 1 {
		if y.nodes[band] >= from && y.nodes[band+1] <= to {
			each(int32(band))
		}
	}
}

// split makes the unknowns of a leaf, and says that each filter splits its people.
func (y *system) split(leaf int32) {
	node, rest := strings.CutPrefix(y.texts[leaf], elsewhere)
	all := unknown{leaf: leaf, dim: y.code(""), value: y.code("")}
	empty := rest && !y.everywhere && !y.rest[mask.Cell{Signature: mask.Signature(node, ""), Place: node}]
	var splits [][]unknown
	for _, dim := range y.dims {
		if len(y.values[dim]) > 0 && !empty { // of none it splits nobody, whoever was there once
			splits = append(splits, y.parts(leaf, node, dim, rest))
		}
	}
	for band := range int32(max(0, len(y.nodes)-1)) {
		all.band = band
		if empty {
			y.known[all] = 0
			continue
		}
		whole := y.join(nil, all)
		n := y.known[all]
		for _, parts := range splits {
			row := simplex.Row{Less: whole, Low: n}
			for _, u := range parts {
				u.band = band
				if len(whole) == 0 && n == 0 {
					y.known[u] = 0
				}
				row.Vars = y.join(row.Vars, u)
				row.Low -= y.known[u]
			}
			if row.High = row.Low; len(row.Vars)+len(row.Less) > 0 {
				y.rows = append(y.rows, row)
			}
		}
	}
}

// parts are the values of a filter in a leaf, which may be the rest of its node, and
// the people in none of them.
func (y *system) parts(leaf int32, node, dim string, rest bool) (out []unknown) {
	cell := mask.Cell{Signature: mask.Signature(node, dim), Place: node}
	part := func(value string) { out = append(out, unknown{leaf: leaf, dim: y.code(dim), value: y.code(value)}) }
	for _, v := range y.values[dim] {
		if cell.Value = v; y.everywhere || !rest && y.possible[cell] || rest && y.rest[cell] {
			part(v)
		}
	}
	if cell.Value = ""; y.everywhere || rest || y.rest[cell] {
		part(elsewhere)
	}
	return out
}

// join adds an unknown that does not follow plainly.
func (y *system) join(vars []int, u unknown) []int {
	if _, ok := y.known[u]; ok {
		return vars
	}
	n, ok := y.at[u]
	if !ok {
		n = len(y.at)
		y.at[u] = n
	}
	return append(vars, n)
}

// columns are the unknowns of a cell, and the sum of what is known of it.
func (y *system) columns(c mask.Cell, from, to int) (vars []int, sum float64) {
	dim, value, leaves := y.code(c.Dim()), y.code(c.Value), y.leavesOf(c.Place)
	y.bands(from, to, func(band int32) {
		for _, leaf := range leaves {
			u := unknown{leaf, dim, value, band}
			if n, ok := y.known[u]; ok {
				sum += n
			} else if i, ok := y.at[u]; ok {
				vars = append(vars, i)
			}
		}
	})
	return vars, sum
}

// asked is a target as the solver knows it, and the values at which it was met.
type asked struct {
	Target
	vars      []int
	sum       float64
	low, high float64
}

// pinned are the targets with one value of 1 to 4. One point of the solver frees many:
// between two points everything in between is feasible too.
func (y *system) pinned(targets []Target, p *part) (pinned []Target, err error) {
	solver, err := y.solver(p)
	if err != nil {
		return nil, err
	}
	var pending []*asked
	for _, t := range targets {
		a := &asked{Target: t, low: simplex.Inf, high: -1}
		a.vars, a.sum = y.columns(t.Cell, t.From, t.To)
		pending = append(pending, a)
	}
	for pending = met(solver, pending); len(pending) > 0; pending = met(solver, pending) {
		a := pending[0]
		ways := [][2]float64{{1, most}, {-1, 1}}
		if a.Ahead {
			ways = [][2]float64{{-1, most - 1}}
		}
		for _, r := range ways {
			reached, err := solver.Reach(a.vars, r[0], r[1]-a.sum)
			if err != nil {
				return nil, fmt.Errorf("audit over time: %w", err)
			}
			if reached { // where nothing stops it, the solver does not go there
				a.low, a.high = min(a.low, r[1]), max(a.high, r[1])
			}
			pending = met(solver, pending)
			if len(pending) == 0 || pending[0] != a {
				break
			}
		}
		if len(pending) == 0 || pending[0] != a {
			continue
		}
		if pending = pending[1:]; a.least() == a.greatest() || a.Ahead && a.least() == most { // with none of 1 to 4, what is printed misleads
			pinned = append(pinned, a.Target)
		}
	}
	return pinned, nil
}

// solver begins at the last point that was found with more printed, if there is one:
// it is feasible with less.
func (y *system) solver(p *part) (*simplex.Solver, error) {
	start, high := make([]float64, len(y.at)), make([]float64, len(y.at))
	for u, i := range y.at {
		start[i], high[i] = p.point[u], simplex.Inf
	}
	solver, err := simplex.From(start, high, y.rows, p.steps)
	if err != nil {
		return nil, fmt.Errorf("audit over time: %w", err)
	}
	if p.point == nil {
		p.point = maps.Clone(y.known)
		for u, i := range y.at {
			p.point[u] = solver.Sum([]int{i})
		}
	}
	return solver, nil
}

// most is the largest small group.
const most = 4

// met notes where the solver is, and keeps the targets that may still have one value.
func met(solver *simplex.Solver, pending []*asked) []*asked {
	return slices.DeleteFunc(pending, func(a *asked) bool {
		n := a.sum + solver.Sum(a.vars)
		a.low, a.high = min(a.low, n), max(a.high, n)
		return a.greatest() > a.least() || a.Ahead && a.least() < most
	})
}

// least and greatest are the values of 1 to 4 that were met, in whole people.
func (a *asked) least() float64    { return math.Ceil(max(a.low, 1) - 1e-6) }
func (a *asked) greatest() float64 { return math.Floor(min(a.high, most) + 1e-6) }

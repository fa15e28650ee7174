package attack

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/pipeline/disclosure/madeup"
)

// Series is what an attacker knows who has kept every number of one skill since
// launch: one system of equations over all snapshots. Its unknowns are the people
// of each value of each filter in each place and quarter, as if old and new numbers
// described the same people, which is the attacker's best case. Since every table
// has the places, unknowns that agree on each place's total are those of some
// population, so that nothing is lost against one unknown for each combination of
// all filters.
type Series struct {
	world    madeup.World
	quarters int
	dims     []string
	values   [][]string // by filter, with "" for people of no value
	first    []int      // column of each filter's first unknown
	e        *Elimination
	known    [][]int // not yet added
	launch   time.Time
	months   map[quarterOf]map[int]bool // printed
}

// quarterOf is a quarter since launch of a cell.
type quarterOf struct {
	madeup.Cell
	quarter int
}

// NewSeries knows nothing yet of the quarters since launch, the first day of a
// quarter. Places outside the world's are one more.
func NewSeries(w madeup.World, launch time.Time, quarters int) *Series {
	s := &Series{world: w, quarters: quarters, launch: launch, months: map[quarterOf]map[int]bool{}}
	n := 0
	for _, d := range []struct {
		dim    string
		values []string
	}{{"sector", w.Sectors}, {"soc", w.SOCs}, {"level", w.Levels}, {"source", w.Sources}} {
		s.dims = append(s.dims, d.dim)
		s.values = append(s.values, append(slices.Clone(d.values), ""))
		s.first = append(s.first, n)
		n += (len(d.values) + 1) * (len(w.Places) + 1) * quarters
	}
	s.e = NewElimination(n)
	for place := range len(w.Places) + 1 { // however they are broken down, they are the same people
		for q := range quarters {
			for d := 1; d < len(s.dims); d++ {
				s.e.AddDifference(s.at(d, -1, []int{place}, q, q+1), s.at(0, -1, []int{place}, q, q+1))
			}
		}
	}
	return s
}

// at are the unknowns of one filter: of a value (-1 = every one), places and quarters.
func (s *Series) at(d, value int, places []int, from, to int) (out []int) {
	for v := range s.values[d] {
		if value >= 0 && v != value {
			continue
		}
		for _, p := range places {
			for q := max(from, 0); q < to; q++ {
				out = append(out, s.first[d]+(v*(len(s.world.Places)+1)+p)*s.quarters+q)
			}
		}
	}
	return out
}

// columns are the unknowns of a cell in the quarters from to just under to; ok is
// false for a cell that is not made of them, such as a month or an unknown place.
func (s *Series) columns(c madeup.Cell, from, to int) (columns []int, ok bool) {
	places := make([]int, 0, len(s.world.Places)+1)
	for i, p := range s.world.Places {
		if c.Place == "" || c.Place == p || slices.Contains(s.world.Areas[c.Place], p) {
			places = append(places, i)
		}
	}
	if c.Place == "" {
		places = append(places, len(s.world.Places))
	}
	if len(places) == 0 {
		return nil, false
	}
	dim := strings.TrimPrefix(c.Signature, "place_")
	if dim == "none" || dim == "place" {
		return s.at(0, -1, places, from, to), true
	}
	d := slices.Index(s.dims, dim)
	if d < 0 {
		return nil, false
	}
	v := slices.Index(s.values[d], c.Value)
	if v < 0 || c.Value == "" {
		return nil, false
	}
	return s.at(d, v, places, from, to), true
}

// Take adds what a snapshot prints whose windows end after quarter end (1 = the
// first since launch): its numbers, and three months of a quarter as that quarter,
// since single months are of no use where windows are made of quarters.
func (s *Series) Take(tokens map[madeup.Cell]string, end int) {
	for cell, token := range tokens {
		if _, err := strconv.ParseInt(token, 10, 64); err != nil {
			continue
		}
		if strings.HasSuffix(cell.Signature, "month") {
			s.takeMonth(cell)
			continue
		}
		columns, ok := s.columns(cell, end-cell.Window/3, end)
		if !ok {
			continue
		}
		if token != "0" {
			s.known = append(s.known, columns)
			continue
		}
		for _, c := range columns { // nobody is nobody anywhere
			s.known = append(s.known, []int{c})
		}
	}
}

// takeMonth notes a printed month; three of them are a quarter.
func (s *Series) takeMonth(cell madeup.Cell) {
	at, err := time.Parse("2006-01", cell.Value)
	if err != nil {
		return
	}
	since := (at.Year()-s.launch.Year())*12 + int(at.Month()) - int(s.launch.Month())
	total := madeup.Cell{Signature: "none", Place: cell.Place}
	if cell.Place != "" {
		total.Signature = "place"
	}
	key := quarterOf{total, since / 3}
	if s.months[key] == nil {
		s.months[key] = map[int]bool{}
	}
	s.months[key][since] = true
	if columns, ok := s.columns(total, since/3, since/3+1); ok && since >= 0 && len(s.months[key]) == 3 {
		s.known = append(s.known, columns)
	}
}

// Solve takes in what was added.
func (s *Series) Solve() {
	slices.SortFunc(s.known, slices.Compare)
	s.known = slices.CompactFunc(s.known, slices.Equal)
	s.e.AddAll(s.known)
	s.known = nil
}

// Derivable says that the people of a cell in the quarters from to just under to are
// a sum and difference of what is known.
func (s *Series) Derivable(cell madeup.Cell, from, to int) bool {
	columns, ok := s.columns(cell, from, to)
	return ok && s.e.Derives(columns)
}

package gate

import (
	"fmt"
	"math/bits"
	"slices"

	"labour/pipeline/disclosure/mask"
	"labour/pipeline/disclosure/simplex"
)

// system is the unknowns and the printed answers of one board, for the groups that
// no move frees: the people of each value in each leaf and band.
type system struct {
	*population
	leaves []int32   // whose people may be others; those of the rest stay
	in     []bool    // by node, whether it is one of them
	first  [][]int32 // table → value and node: its first unknown, -1 = none
	start  []float64
	rows   []simplex.Row
}

// size is how many unknowns the whole system has.
func (p *population) size() (n int) {
	for t := range p.may {
		for e, may := range p.may[t] {
			if len(p.nodes[e%len(p.nodes)].kids) == 0 {
				n += bits.OnesCount8(may)
			}
		}
	}
	return n
}

// system is that of some leaves. With fewer than all, what it finds free is free all
// the same, since the people of the others are those of the true population.
func (p *population) system(leaves []int32) *system {
	s := &system{population: p, leaves: leaves, in: make([]bool, len(p.nodes)), first: make([][]int32, len(p.tables))}
	for _, n := range leaves {
		s.in[n] = true
	}
	for t := range p.tables {
		s.first[t] = make([]int32, len(p.may[t]))
		for e, bits := range p.may[t] {
			s.first[t][e] = int32(len(s.start))
			for k := range spans {
				if bits>>k&1 == 1 && s.in[e%len(p.nodes)] {
					s.start = append(s.start, float64(max(0, p.people[t][e][k])))
				}
			}
		}
	}
	s.splits()
	for t := range p.tables {
		for e, cells := range p.tables[t].cells {
			for k, i := range cells {
				if i >= 0 && !p.Unlisted[i] {
					s.answer(t, e, k, i)
				}
			}
		}
	}
	return s
}

// unknown is that of a value, node and band, if there is one.
func (s *system) unknown(t, e, band int) (int, bool) {
	bits := s.may[t][e]
	if !s.in[e%len(s.nodes)] {
		return 0, false
	}
	at := int(s.first[t][e])
	for k := range band {
		at += int(bits >> k & 1)
	}
	return at, bits>>band&1 == 1
}

// splits are the rows that say that each filter splits the people of a leaf.
func (s *system) splits() {
	for _, n := range s.leaves {
		for band := range spans {
			all, ok := s.unknown(0, int(n), band)
			if !ok {
				continue
			}
			for t := 1; t < len(s.tables); t++ {
				row := simplex.Row{Less: []int{all}}
				for v := range s.tables[t].values {
					if x, ok := s.unknown(t, s.at(v, n), band); ok {
						row.Vars = append(row.Vars, x)
					}
				}
				s.rows = append(s.rows, row)
			}
		}
	}
}

// of are the unknowns that add up to a value in a node, up to a window, and the people
// beside them that stay.
func (s *system) of(t, e, window int) (out []int, stay float64) {
	v, n := e/len(s.nodes), int32(e%len(s.nodes))
	s.under(n, func(leaf int32) {
		for band := range window + 1 {
			if x, ok := s.unknown(t, s.at(v, leaf), band); ok {
				out = append(out, x)
			} else if !s.in[leaf] {
				stay += float64(s.people[t][s.at(v, leaf)][band])
			}
		}
	})
	return out, stay
}

// answer is the row of a printed answer. An attacker takes a cover for at least 5.
func (s *system) answer(t, e, window int, i int32) {
	row := simplex.Row{High: simplex.Inf}
	n := float64(s.b.Count[i])
	switch s.b.Status[i] {
	case mask.Shown:
		row.Low, row.High = n, n
	case mask.Small:
		row.Low, row.High = 1, 4
	case mask.Hidden:
		row.Low = min(5, n)
	default:
		return
	}
	stay := 0.0
	if row.Vars, stay = s.of(t, e, window); len(row.Vars) > 0 {
		row.Low, row.High = row.Low-stay, row.High-stay
		s.rows = append(s.rows, row)
	}
}

// solver is at a point within all bounds. The true population is one, and says which
// unknowns cannot change; without it one is looked for.
func (s *system) solver(steps int) (*simplex.Solver, *reduced, error) {
	all := &reduced{at: make([]int, len(s.start)), start: s.start, rows: s.rows, value: s.start}
	for i := range all.at {
		all.at[i] = i
	}
	if s.whole {
		all = reduce(s.start, s.rows)
	}
	high := slices.Repeat([]float64{simplex.Inf}, len(all.start))
	solver, err := simplex.From(all.start, high, all.rows, steps)
	if err != nil {
		return nil, nil, fmt.Errorf("audit: %w", err)
	}
	return solver, all, nil
}

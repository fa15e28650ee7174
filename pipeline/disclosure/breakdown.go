package disclosure

import "labour/snapshots/figure"

// Line says that a total holds the counts of parts, by their positions, and of nothing
// else if Whole.
type Line struct {
	Total int
	Parts []int
	Whole bool
}

// Lines prints counts that lines bind, such as residents by place (P7): each under P1,
// null below a small one under P2, and audited. Counts that are not known are negative
// and print null.
func (p Protection) Lines(counts []int64, lines []Line) ([]figure.Count, Tally) {
	sums := make([]sum, len(lines))
	for i, l := range lines {
		sums[i] = sum{whole: int32(l.Total), atLeast: !l.Whole}
		for _, part := range l.Parts {
			sums[i].parts = append(sums[i].parts, int32(part))
		}
	}
	whole, asked := make([]int32, len(counts)), make([]int32, 0, len(counts))
	for i, n := range counts {
		if whole[i] = int32(n); n >= 0 {
			asked = append(asked, int32(i))
		}
	}
	s := newSystem(len(counts), len(counts), 1, sums, nil)
	printed, hidden := p.print(whole, asked, s)
	a := audit{p, printed, whole}
	workedOut, withdrawn := a.run(s, asked)
	t := Tally{Below: hidden, Withdrawn: withdrawn}
	if p == Plain {
		t.WorkedOut = int64(len(workedOut))
	}
	return printed, t
}

// ByPlace prints a count of each place, in the order of Places (P7).
func (r *Rules) ByPlace(counts []int64) ([]figure.Count, Tally) {
	all := make([]int64, int(r.Places.nowhere)+1)
	for i := range all {
		all[i] = -1
	}
	copy(all, counts)
	var lines []Line
	for place, sums := range r.Places.sums {
		for _, sum := range sums {
			l := Line{Total: place, Whole: true}
			for _, p := range sum {
				l.Parts = append(l.Parts, int(p))
			}
			lines = append(lines, l)
		}
	}
	printed, tally := r.Lines(all, lines)
	return printed[:len(counts)], tally
}

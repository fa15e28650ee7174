package gate

import "labour/pipeline/disclosure/mask"

// Recent tells of a cell of a place and another filter, in its 12 months, how many
// people are of the last 3 and of the last 6 months. It is never printed; the
// audit needs it to know one whole population, the true one.
type Recent func(i int) (three, six int64)

// people are the numbers of one value in one leaf by band.
type people [spans]int32

// population is the true population of one board, and where else people could be
// for all that the attacker knows.
type population struct {
	*layout
	b      *mask.Board
	people [][]people // table, then value and node; of leaves alone
	// may has a bit for each band: for all that is known, people may be there. What
	// nobody is asked for and holds nobody is left out, since an attacker may know
	// that from the adverts; and what a printed 0 empties.
	may [][]uint8
	// whole says that the people are indeed a population that fits what is printed.
	whole bool
}

func (l *layout) population(b *mask.Board, recent Recent) *population {
	p := &population{layout: l, b: b, people: make([][]people, len(l.tables)), may: make([][]uint8, len(l.tables))}
	for t := range l.tables {
		size := l.tables[t].values * len(l.nodes)
		p.people[t], p.may[t] = make([]people, size), make([]uint8, size)
		for v := range l.tables[t].values {
			if t == 0 || v < l.tables[t].values-1 {
				p.count(t, v, recent)
			}
		}
		if t > 0 {
			p.remainder(t)
		}
	}
	p.empty()
	p.inBands()
	return p
}

func (p *population) at(v int, n int32) int { return v*len(p.nodes) + int(n) }

// count takes the people of one value in every node up to each window, and says
// where they may be.
func (p *population) count(t, v int, recent Recent) {
	all := p.people[t][v*len(p.nodes) : (v+1)*len(p.nodes)]
	for n := range p.nodes {
		if p.nodes[n].rest {
			continue
		}
		cells := p.tables[t].cells[p.at(v, int32(n))]
		all[n] = p.upTo(cells, recent)
		listed := false
		for k := spans - 1; k >= 0 && !listed; k-- {
			if cells[k] >= 0 {
				listed = !p.Unlisted[cells[k]]
				break
			}
		}
		if listed || all[n][spans-1] > 0 || t == 0 {
			p.may[t][p.at(v, int32(n))] = 1<<spans - 1
		}
	}
	for n := range p.nodes {
		if !p.nodes[n].rest {
			continue
		}
		up := p.nodes[n].parent
		all[n] = all[up]
		for _, k := range p.nodes[up].kids {
			if k != int32(n) {
				all[n] = all[n].less(all[k])
			}
		}
		if all[n][spans-1] > 0 {
			p.may[t][p.at(v, int32(n))] = 1<<spans - 1
		}
	}
}

func (p people) less(q people) people {
	for k := range p {
		p[k] -= q[k]
	}
	return p
}

// upTo is the true number up to each window. Where there is no cell of a window,
// it is that of the shorter one.
func (p *population) upTo(cells [spans]int32, recent Recent) (n people) {
	for k, i := range cells {
		switch {
		case i >= 0:
			n[k] = int32(p.b.Count[i])
		case k < 2 && cells[2] >= 0 && recent != nil:
			three, six := recent(int(cells[2]))
			n[k] = [2]int32{int32(three), int32(six)}[k]
		case k > 0:
			n[k] = n[k-1]
		}
	}
	return n
}

// remainder is the last value: the people of each leaf who are of no listed one.
func (p *population) remainder(t int) {
	last := p.tables[t].values - 1
	for _, n := range p.leaves {
		left := p.people[0][n]
		for v := range last {
			left = left.less(p.people[t][p.at(v, n)])
		}
		p.people[t][p.at(last, n)] = left
		if left[spans-1] > 0 {
			p.may[t][p.at(last, n)] = 1<<spans - 1
		}
	}
}

// empty takes out what a printed 0 empties.
func (p *population) empty() {
	for t := range p.tables {
		for e, cells := range p.tables[t].cells {
			for k, i := range cells {
				if i >= 0 && !p.Unlisted[i] && p.b.Status[i] == mask.Shown && p.b.Count[i] == 0 {
					v, n := e/len(p.nodes), int32(e%len(p.nodes))
					p.under(n, func(leaf int32) { p.may[t][p.at(v, leaf)] &^= 1<<(k+1) - 1 })
				}
			}
		}
	}
	for t := 1; t < len(p.tables); t++ {
		for v := range p.tables[t].values {
			for _, n := range p.leaves {
				p.may[t][p.at(v, n)] &= p.may[0][n]
			}
		}
	}
}

// inBands turns the numbers up to each window into those of each band, and looks
// whether nobody is where nobody may be.
func (p *population) inBands() {
	p.whole = true
	for t := range p.tables {
		for v := range p.tables[t].values {
			for _, n := range p.leaves {
				x := &p.people[t][p.at(v, n)]
				for k := spans - 1; k >= 0; k-- {
					if k > 0 {
						x[k] -= x[k-1]
					}
					if x[k] < 0 || x[k] > 0 && p.may[t][p.at(v, n)]&(1<<k) == 0 {
						p.whole = false
					}
				}
			}
		}
	}
}

// room says whether a cell may hold one more and one less, for all that is printed
// of it. An attacker takes a cover for at least 5.
func (p *population) room(i int32) (more, less bool) {
	if i < 0 || p.Unlisted[i] {
		return true, true
	}
	n := p.b.Count[i]
	switch p.b.Status[i] {
	case mask.Shown:
		return false, false
	case mask.Small:
		return n < 4, n > 1
	case mask.Hidden:
		return true, n > 5
	}
	return true, true
}

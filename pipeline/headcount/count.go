package headcount

import (
	"cmp"
	"slices"
)

// sums are the people of one cell and measure in each window, how many employers they
// are of, and how many the employer with most has.
type sums struct{ people, employers, largest [len(windows)]int32 }

// sheet is where the people of one skill are counted: a cell for every place, filter
// and value, whatever there is of it, so that counting is adding to a list.
type sheet struct {
	texts   texts
	offset  [dimensions]int // of each filter's values in a place
	width   int             // cells of a place
	cells   []sums          // by cell and measure
	own     [][len(windows)]int32
	touched []int32 // of the employer under way
}

// sheet takes a free sheet, or makes one.
func (c *Counter) sheet(t texts) *sheet {
	var s *sheet
	select {
	case s = <-c.free:
	default:
		s = &sheet{}
	}
	s.texts = t
	s.width = 1
	for _, x := range []struct {
		dim dimension
		n   int
	}{{sector, len(t.sectors)}, {soc, len(t.socs)}, {level, mostLevels}, {source, len(t.sources)}, {month, monthsCounted}} {
		s.offset[x.dim] = s.width
		s.width += x.n
	}
	size := s.width * len(t.places) * measures
	s.cells = slices.Grow(s.cells[:0], size)[:size]
	clear(s.cells)
	s.own = slices.Grow(s.own[:0], size)[:size]
	clear(s.own)
	return s
}

// release gives a sheet back.
func (c *Counter) release(s *sheet) {
	select {
	case c.free <- s:
	default:
	}
}

func (s *sheet) at(k key) int {
	return (int(k.place)*s.width + s.offset[k.dim] + int(k.value)) * measures
}

// count adds up the people of each employer, one employer after the other.
func (s *sheet) count(people []counted, areas [][]uint32) {
	slices.SortFunc(people, func(a, b counted) int { return cmp.Compare(a.employer, b.employer) })
	for i, p := range people {
		if i > 0 && people[i-1].employer != p.employer {
			s.close()
		}
		s.add(p, 0)
		if p.place > 0 {
			s.add(p, p.place)
			for _, area := range areas[p.place] {
				s.add(p, area)
			}
		}
	}
	s.close()
}

// add counts one person in every cell of one place.
func (s *sheet) add(p counted, place uint32) {
	band := 0
	for int(p.age) >= windows[band] {
		band++
	}
	for _, k := range [...]key{{place, none, 0}, {place, sector, uint32(p.sector)}, {place, soc, uint32(p.soc)}, {place, level, uint32(p.level)},
		{place, source, uint32(p.source)}} {
		s.one(s.at(k)+p.measure, band)
	}
	s.one(s.at(key{place, month, uint32(p.age)})+p.measure, 0)
}

func (s *sheet) one(at, band int) {
	own := &s.own[at]
	if *own == [len(windows)]int32{} {
		s.touched = append(s.touched, int32(at))
	}
	own[band]++
}

// close ends an employer.
func (s *sheet) close() {
	for _, at := range s.touched {
		n := int32(0)
		for w, more := range s.own[at] {
			if n += more; n > 0 {
				c := &s.cells[at]
				c.people[w] += n
				c.employers[w]++
				c.largest[w] = max(c.largest[w], n)
			}
		}
		s.own[at] = [len(windows)]int32{}
	}
	s.touched = s.touched[:0]
}

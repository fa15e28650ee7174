package disclosure

import (
	"strconv"

	"labour/snapshots"
)

func (t *table) asked(r *Rules, s *Skill) (cells []Cell, at []int32) {
	add := func(c Cell, number int32) {
		if r.Askable == nil || r.Askable(c) {
			cells, at = append(cells, c), append(at, number)
		}
	}
	for i, c := range t.columns {
		signature, value, ok := c.named(s.Names)
		if !ok || !t.listed[i] || !t.places.printed(c.place) {
			continue
		}
		for w, months := range Windows {
			add(Cell{withPlace(signature, c.place > 0), t.places.slugs[c.place], value, months}, t.cell(int32(i), w))
		}
	}
	if everywhere, ok := t.at[column{}]; ok && t.listed[everywhere] {
		for age := range Months {
			add(Cell{snapshots.SigMonth, "", (s.Month - Month(age)).String(), 1}, t.month(age))
		}
	}
	return cells, at
}

// named returns the signature without a place and the value of a column; ok is false
// for those that cannot be asked for.
func (c column) named(names Names) (signature, value string, ok bool) {
	switch c.dimension {
	case none:
		return snapshots.SigNone, "", true
	case sector:
		return snapshots.SigSector, names.Sectors[c.value], c.value > 0
	case occupation:
		return snapshots.SigSOC, SOC(c.value).String(), c.value > 0
	case level:
		return snapshots.SigLevel, strconv.Itoa(int(c.value)), c.value > 0
	case source:
		return snapshots.SigSource, names.Sources[c.value], c.value > 0
	}
	return "", "", false
}

// withPlace returns the signature of a filter alone or with a place.
func withPlace(signature string, place bool) string {
	switch {
	case !place:
		return signature
	case signature == snapshots.SigNone:
		return snapshots.SigPlace
	}
	return snapshots.SigPlace + "_" + signature
}

// fewEmployers returns, by measure, the cells whose people are of fewer employers than
// the operator asks for.
func (t *table) fewEmployers(r *Rules, people []Person) (few [measures]map[int32]bool) {
	if r.MinEmployers <= 1 {
		return few
	}
	var employers [measures]map[int32]map[uint32]bool
	for m := range employers {
		employers[m], few[m] = map[int32]map[uint32]bool{}, map[int32]bool{}
	}
	for i := range people {
		p := &people[i]
		cells := []int32{t.month(int(p.Age))}
		for _, c := range t.numbers(p.Combination) {
			for _, time := range timesOf[p.Age] {
				cells = append(cells, t.cell(c, time))
			}
		}
		for _, m := range p.measuresOf() {
			for _, c := range cells {
				if employers[m][c] == nil {
					employers[m][c] = map[uint32]bool{}
				}
				employers[m][c][p.Employer] = true
				few[m][c] = len(employers[m][c]) < r.MinEmployers
			}
		}
	}
	for m := range few {
		for c, is := range few[m] {
			if !is {
				delete(few[m], c)
			}
		}
	}
	return few
}

package disclosure

import (
	"strconv"

	"labour/snapshots"
)

// asked returns the cells that can be asked for, where they are in the table, and where
// those of them are of which something may be printed.
func (t *table) asked(r *Rules, s *Skill) (cells []Cell, at, shown []int32) {
	add := func(c Cell, number int32) {
		if r.Askable != nil && !r.Askable(c) {
			return
		}
		cells, at = append(cells, c), append(at, number)
		if r.Unseen == nil || !r.Unseen(c) {
			shown = append(shown, number)
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
	return cells, at, shown
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

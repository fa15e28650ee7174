package synthtest

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Cell is a combination of filters with a published count of people. Filter is "sector", "soc",
// "level", "source" or "" for none. Value is its value. Place is "" for all places.
type Cell struct{ Filter, Place, Value string }

// Signature returns the names of the cell's filters, as in the column signature of the tables of
// people. Examples are "none", "place" and "place_sector".
func (c Cell) Signature() string {
	switch {
	case c.Filter == "" && c.Place == "":
		return "none"
	case c.Filter == "":
		return "place"
	case c.Place == "":
		return c.Filter
	}
	return "place_" + c.Filter
}

// CellOf returns the cell of a row in a table of people. The arguments are the values of the
// columns signature, place and value.
func CellOf(signature, place, value string) Cell {
	dim := strings.TrimPrefix(strings.TrimPrefix(signature, "place"), "_")
	if dim == "none" {
		dim = ""
	}
	return Cell{dim, place, value}
}

// CountedMonths is the number of past months for which applications are counted. Older applications
// do not count.
const CountedMonths = 12

// CompareCells compares two cells by Filter, then Place, then Value. It returns -1 if a sorts
// before b, 0 if they are equal, and 1 if a sorts after b.
func CompareCells(a, b Cell) int {
	return cmp.Or(strings.Compare(a.Filter, b.Filter), strings.Compare(a.Place, b.Place),
		strings.Compare(a.Value, b.Value))
}

// PlacesOf returns the places that contain a borough: "" for all places, the borough itself, and
// each larger area that contains it. For the borough "" it returns only "".
func (w TestWorld) PlacesOf(borough string) []string {
	if borough == "" {
		return []string{""}
	}
	places := []string{"", borough}
	for area, boroughs := range w.Areas {
		if slices.Contains(boroughs, borough) {
			places = append(places, area)
		}
	}
	slices.Sort(places[2:])
	return places
}

// IsPartOf reports whether everybody counted in cell is also counted in whole. It returns true if
// both are the same cell.
func (w TestWorld) IsPartOf(cell, whole Cell) bool {
	inPlace := whole.Place == "" || whole.Place == cell.Place || slices.Contains(w.Areas[whole.Place], cell.Place)
	inGroup := whole.Filter == "soc" && strings.HasPrefix(cell.Value, whole.Value)
	sameFilter := whole.Filter == cell.Filter && (whole.Value == cell.Value || inGroup)
	return inPlace && (whole.Filter == "" || sameFilter)
}

// FilterValues returns the filters under which a person is counted, as pairs of name and value. The
// first pair is empty and means no filter. The place is not a filter here. An occupation gives a
// pair for each prefix of its code.
func (p Person) FilterValues() [][2]string {
	out := [][2]string{{"", ""}}
	for _, f := range [][2]string{{"sector", p.Sector}, {"level", p.Level}, {"source", p.Source}} {
		if f[1] != "" {
			out = append(out, f)
		}
	}
	for digits := range len(p.SOC) {
		out = append(out, [2]string{"soc", p.SOC[:digits+1]})
	}
	return out
}

// CellsOfPerson returns the cells in which a person is counted. A cell is a combination of filters.
func (w TestWorld) CellsOfPerson(p Person) (out []Cell) {
	for _, place := range w.PlacesOf(p.Place) {
		for _, f := range p.FilterValues() {
			out = append(out, Cell{f[0], place, f[1]})
		}
	}
	return out
}

// Count returns the true number of people in each cell. It ignores people with an AgeMonths outside
// 0 to 11.
func (w TestWorld) Count(people []Person) map[Cell]int64 {
	n := map[Cell]int64{}
	for _, p := range people {
		if p.AgeMonths < 0 || p.AgeMonths >= CountedMonths {
			continue
		}
		for _, cell := range w.CellsOfPerson(p) {
			n[cell]++
		}
	}
	return n
}

// Cells returns the cells, sorted, in which people with the given filter values would be counted.
// It ignores the field AgeMonths.
func (w TestWorld) Cells(combinations []Person) []Cell {
	seen := map[Cell]bool{}
	for _, p := range combinations {
		p.AgeMonths = 0
		for _, cell := range w.CellsOfPerson(p) {
			seen[cell] = true
		}
	}
	return slices.SortedFunc(maps.Keys(seen), CompareCells)
}

// AllCombinations returns every combination of filter values in the test world. Each combination is
// a Person with AgeMonths 0.
func (w TestWorld) AllCombinations() (out []Person) {
	or := func(values []string) []string {
		if len(values) == 0 {
			return []string{""}
		}
		return values
	}
	for _, place := range w.Places {
		for _, sector := range or(w.Sectors) {
			for _, soc := range or(w.SOCs) {
				for _, level := range or(w.Levels) {
					for _, source := range or(w.Sources) {
						out = append(out, Person{place, sector, soc, level, source, 0})
					}
				}
			}
		}
	}
	return out
}

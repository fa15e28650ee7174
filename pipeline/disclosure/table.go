package disclosure

import (
	"fmt"
	"strconv"

	"labour/snapshots"
)

// FilterCombination is one combination of filter values, by which people are counted. Each filter
// may have no value.
type FilterCombination struct {
	Borough uint16 // number of the borough in Places; 0 = in no served borough
	Sector  uint16 // index of the sector in FilterNames.Sectors; 0 = not known
	SOC     SOC
	Level   uint8 // level of the skill, 1 to 5; 0 = not known
	Source  uint8 // index of the advert's source in FilterNames.Sources; 0 = not known
}

// FilterNames holds the slugs of sectors and the keys of sources. The index is the number of the
// sector or source. The text at index 0 is empty.
type FilterNames struct{ Sectors, Sources []string }

// SOC is a SOC 2020 occupation code of 1 to 4 digits as a number. It is 10,000 times the number of
// digits, plus the code. 0 means unknown.
type SOC uint16

const perDigit = 10000

// ParseSOC converts an occupation code of 1 to 4 digits to a SOC. It returns 0 for any other text.
func ParseSOC(code string) SOC {
	n, err := strconv.ParseUint(code, 10, 16)
	if err != nil || len(code) > 4 {
		return 0
	}
	return SOC(len(code)*perDigit + int(n))
}

func (s SOC) digits() int { return int(s) / perDigit }

// group returns the occupation code without its last digit. It returns 0 for a code of one digit. s
// must not be 0.
func (s SOC) group() SOC {
	return SOC((s.digits()-1)*perDigit + int(s)%perDigit/10)
}

// String returns the digits of the occupation code, such as "6135". It returns "0" for the unknown
// code.
func (s SOC) String() string { return fmt.Sprintf("%0*d", s.digits(), int(s)%perDigit) }

// dimension is the name of a filter other than the place: sector, occupation, level or source.
type dimension uint8

const (
	none dimension = iota
	sector
	occupation // filter by a SOC 2020 code of 1 to 4 digits
	level
	source
)

// filter is a filter other than the place, with its value. The zero value means no filter.
type filter struct {
	dimension
	value uint16
}

// filters returns all filters, other than places, under which a combination of values is counted.
func (c FilterCombination) filters() []filter {
	list := []filter{{}}
	for _, f := range []filter{{sector, c.Sector}, {level, uint16(c.Level)}, {source, uint16(c.Source)}} {
		if f.value > 0 {
			list = append(list, f)
		}
	}
	for s := c.SOC; s != 0; s = s.group() {
		list = append(list, filter{occupation, uint16(s)})
	}
	return list
}

// widerFilters returns the filters that include everybody counted under f. The empty filter
// includes everybody. A prefix of an occupation's code includes the occupation.
func (f filter) widerFilters() []filter {
	if f.dimension == none {
		return nil
	}
	list := []filter{{}}
	if f.dimension == occupation {
		for s := SOC(f.value).group(); s != 0; s = s.group() {
			list = append(list, filter{occupation, uint16(s)})
		}
	}
	return list
}

// column is one combination of filters for which people are counted: a place, and perhaps one other
// filter.
type column struct {
	place uint16
	filter
}

// table holds the combinations of filters for which counts of one skill are published. They are the
// combinations in which an advert requires the skill or a person is counted.
type table struct {
	places  *Places
	columns []column
	// number of columns in which an advert requires the skill; they come first in columns
	requiredColumns int
	// index in columns of each column
	at map[column]int32
	// indices of the columns in which a person or an advert counts, by its combination of values
	in map[FilterCombination][]int32
}

func newTable(places *Places, s *SkillCountInput) *table {
	t := &table{places: places, at: map[column]int32{}, in: map[FilterCombination][]int32{}}
	for _, c := range s.RequiredCombinations {
		t.add(c)
	}
	t.requiredColumns = len(t.columns)
	for i := range s.People {
		t.add(s.People[i].FilterCombination)
	}
	return t
}

// add adds a column for each combination of filters under which the values of c are counted.
func (t *table) add(c FilterCombination) {
	if t.in[c] != nil {
		return
	}
	filters := c.filters()
	for _, place := range t.places.PlacesContaining(c.Borough) {
		for _, f := range filters {
			k := column{place, f}
			n, ok := t.at[k]
			if !ok {
				n = int32(len(t.columns))
				t.at[k] = n
				t.columns = append(t.columns, k)
			}
			t.in[c] = append(t.in[c], n)
		}
	}
}

// widerColumns returns the indices of the other columns that include everybody counted in column i.
// For example, a place includes the same place with a filter, and an area includes its boroughs.
func (t *table) widerColumns(i int32) (totals []int32) {
	c := t.columns[i]
	filters := append([]filter{c.filter}, c.filter.widerFilters()...)
	for _, place := range append([]uint16{c.place}, t.places.containers[c.place]...) {
		for _, f := range filters {
			if n, ok := t.at[column{place, f}]; ok && n != i {
				totals = append(totals, n)
			}
		}
	}
	return totals
}

// signatures maps each filter to two values of the column `signature` of the table `people`. The
// first is for the filter alone, and the second is for the filter together with a place.
var signatures = map[dimension][2]string{
	none:       {snapshots.Unfiltered, snapshots.FilteredByPlace},
	sector:     {snapshots.FilteredBySector, snapshots.FilteredByPlaceAndSector},
	occupation: {snapshots.FilteredBySOC, snapshots.FilteredByPlaceAndSOC},
	level:      {snapshots.FilteredByLevel, snapshots.FilteredByPlaceAndLevel},
	source:     {snapshots.FilteredBySource, snapshots.FilteredByPlaceAndSource},
}

// cellOf returns the filters of a column with the slugs and codes that the table people uses.
func (t *table) cellOf(c column, names FilterNames) Cell {
	cell := Cell{Signature: signatures[c.dimension][min(c.place, 1)], Place: t.places.Slug(int(c.place))}
	switch c.dimension {
	case sector:
		cell.Value = names.Sectors[c.value]
	case occupation:
		cell.Value = SOC(c.value).String()
	case level:
		cell.Value = strconv.Itoa(int(c.value))
	case source:
		cell.Value = names.Sources[c.value]
	}
	return cell
}

package disclosure

import (
	"fmt"
	"strconv"
)

// Combination is one combination of what people of a skill are counted by.
type Combination struct {
	Borough uint16 // its number in Places; 0 = no served borough
	Sector  uint16 // an index of Names.Sectors; 0 = not known
	SOC     SOC
	Level   uint8 // 1 to 5; 0 = not known
	Source  uint8 // an index of Names.Sources; 0 = not known
}

// Names are the texts behind numbers; the first of each is empty.
type Names struct{ Sectors, Sources []string }

// SOC is a SOC 2020 code of 1 to 4 digits as a number that keeps how many there are;
// 0 is not known.
type SOC uint16

const perDigit = 10000

// ParseSOC returns the number of a code; of anything else 0.
func ParseSOC(code string) SOC {
	n, err := strconv.ParseUint(code, 10, 16)
	if err != nil || len(code) > 4 {
		return 0
	}
	return SOC(len(code)*perDigit + int(n))
}

func (s SOC) digits() int { return int(s) / perDigit }

// group returns the group one digit shorter, or 0.
func (s SOC) group() SOC {
	if s.digits() <= 1 {
		return 0
	}
	return SOC((s.digits()-1)*perDigit + int(s)%perDigit/10)
}

// partial reports whether it is a group that holds more precise ones.
func (s SOC) partial() bool { return s != 0 && s.digits() < 4 }

func (s SOC) String() string { return fmt.Sprintf("%0*d", s.digits(), int(s)%perDigit) }

// dimension is a filter other than the place, or a part of one that is never printed.
type dimension uint8

const (
	none dimension = iota
	sector
	occupation // every level of SOC 2020; value 0 holds those of no known occupation
	level
	source
	both  // of a sector and an occupation at each level of SOC 2020: a sector is mostly of few groups of them
	whole // of a sector, occupation, source and level: what the released adverts tell of how they meet
	pair  // of two of these but sector and occupation, in a small table

	alone = 8 // of one SOC group and nothing more precise: a part of its group
)

// smallTable is the most columns of a small table, pairs left out. There single counts weigh enough
// for a reader to combine pairs of values; in larger ones that would cost much and find nothing.
const smallTable = 900

// column is a place with one value of a filter.
type column struct {
	place uint16
	dimension
	value uint64
}

// table is the cells of one skill: a column for every place and value of a filter under
// which a counted advert asks for the skill or somebody counts. Anything else is empty,
// and everybody may know it.
type table struct {
	places  *Places
	columns []column
	listed  []bool // a counted advert asks for the skill there; nothing else is printed
	at      map[column]int32
	in      map[Combination][]int32 // the columns that a person or advert of it counts in
	// employers are how many employers the people of each measure and cell have; nil = nobody asks.
	employers map[measured]int
}

// measured is a cell of a measure, with an employer or without.
type measured struct {
	measure  Kind
	cell     int32
	employer uint32
}

func newTable(places *Places, s *Skill) *table {
	if t := fillTable(places, s, false); len(t.columns) > smallTable {
		return t
	}
	return fillTable(places, s, true)
}

func fillTable(places *Places, s *Skill, small bool) *table {
	t := &table{places: places, at: map[column]int32{}, in: map[Combination][]int32{}}
	add := func(c Combination, asked bool) {
		if t.in[c] != nil {
			return
		}
		for _, k := range c.columns(places, small) {
			n, ok := t.at[k]
			if !ok {
				n = int32(len(t.columns))
				t.at[k] = n
				t.columns, t.listed = append(t.columns, k), append(t.listed, false)
			}
			t.listed[n] = t.listed[n] || asked
			t.in[c] = append(t.in[c], n)
		}
	}
	for _, c := range s.Asked {
		add(c, true)
	}
	for i := range s.People {
		add(s.People[i].Combination, false)
	}
	return t
}

// columns returns the columns that a person or advert of the combination counts in.
func (c Combination) columns(p *Places, pairs bool) []column {
	all := uint64(c.Sector)<<32 | uint64(c.SOC)<<16 | uint64(c.Source)<<8 | uint64(c.Level)
	values := []column{{}, {0, sector, uint64(c.Sector)}, {0, level, uint64(c.Level)}, {0, source, uint64(c.Source)},
		{0, occupation, uint64(c.SOC)}, {0, whole, all}}
	for g := c.SOC.group(); g != 0; g = g.group() {
		values = append(values, column{0, occupation, uint64(g)}, column{0, both, bothOf(c.Sector, g)})
	}
	values = append(values, column{0, both, bothOf(c.Sector, c.SOC)})
	if c.SOC.partial() {
		values = append(values, column{0, occupation | alone, uint64(c.SOC)}, column{0, both | alone, bothOf(c.Sector, c.SOC)})
	}
	if pairs {
		values = append(values, column{0, whole, all}.pairs()...)
	}
	out := make([]column, 0, 4*len(values))
	for _, place := range p.holding[c.Borough] {
		for _, v := range values {
			v.place = place
			out = append(out, v)
		}
	}
	return out
}

// wholes returns the columns of the same place that the column is a part of.
func (c column) wholes() []column {
	in := func(d dimension, value uint64) column { return column{c.place, d, value} }
	switch c.dimension {
	case none:
		return nil
	case occupation:
		if g := SOC(c.value).group(); g != 0 {
			return []column{in(occupation, uint64(g))}
		}
	case occupation | alone:
		return []column{in(occupation, c.value)}
	case both:
		soc, wider := SOC(c.value&0xffff), in(sector, c.value>>16)
		if g := soc.group(); g != 0 {
			wider = in(both, bothOf(uint16(c.value>>16), g))
		}
		return []column{in(occupation, uint64(soc)), wider}
	case both | alone:
		return []column{in(occupation|alone, c.value&0xffff), in(both, c.value)}
	case whole:
		leaf := in(both, c.value>>16)
		if SOC(leaf.value & 0xffff).partial() {
			leaf.dimension |= alone
		}
		return append(c.pairs(), leaf, in(source, c.value>>8&0xff), in(level, c.value&0xff))
	case pair:
		return c.singles()
	}
	return []column{in(none, 0)}
}

// bothOf is the value of a sector with an occupation.
func bothOf(sector uint16, soc SOC) uint64 { return uint64(sector)<<16 | uint64(soc) }

// fields are where the sector, SOC code, source and level are in the value of a whole. That
// of a pair has two of them, and above all which.
var fields = [4]struct {
	of    dimension
	shift int
	bits  uint64
}{{sector, 32, 0xffff}, {occupation, 16, 0xffff}, {source, 8, 0xff}, {level, 0, 0xff}}

const fieldsOfPair = 48

// pairs returns the pairs that a whole is a part of.
func (c column) pairs() (out []column) {
	for i, f := range fields {
		for j, g := range fields[:i] {
			if i == 1 {
				continue // both
			}
			value := c.value&(f.bits<<f.shift|g.bits<<g.shift) | 1<<(fieldsOfPair+i) | 1<<(fieldsOfPair+j)
			out = append(out, column{c.place, pair, value})
		}
	}
	return out
}

// singles returns the columns of single values that a pair is a part of.
func (c column) singles() (out []column) {
	for i, f := range fields {
		if c.value>>(fieldsOfPair+i)&1 == 0 {
			continue
		}
		one := column{c.place, f.of, c.value >> f.shift & f.bits}
		if f.of == occupation && SOC(one.value).partial() {
			one.dimension |= alone
		}
		out = append(out, one)
	}
	return out
}

// splits is by what another column is split where this one is a part of it: a group alone
// stands beside the groups within it.
func (c column) splits() column {
	return column{dimension: c.dimension &^ alone, value: c.value >> fieldsOfPair}
}

// The times that a column has a cell for: the windows, and what lies between them.
const (
	windows = 4
	times   = windows + windows - 1
)

// Windows are the windows of figures of people, in months.
var Windows = [windows]int{3, 6, 12, 24}

// Months is how many months of age are counted.
const Months = 24

func (t *table) cell(column int32, time int) int32 { return int32(time*len(t.columns)) + column }

// month returns the cell of a month everywhere, by its age.
func (t *table) month(age int) int32 { return int32(len(t.columns)*times + age) }

func (t *table) cells() int { return len(t.columns)*times + Months }

func (t *table) system() *system {
	var sums []Sum
	for _, s := range t.columnSums() {
		for time := range times {
			s.further = t.cell(0, time)
			sums = append(sums, s)
		}
	}
	for c := range int32(len(t.columns)) {
		for w := 1; w < windows; w++ {
			sums = append(sums, Sum{Whole: t.cell(c, w), Parts: []int32{t.cell(c, w-1), t.cell(c, windows+w-1)}})
		}
	}
	return newSystem(t.cells(), append(sums, t.monthSums()...))
}

// monthSums returns what the months of everywhere add up to.
func (t *table) monthSums() (out []Sum) {
	everywhere, ok := t.at[column{}]
	if !ok {
		return nil
	}
	from, whole := 0, 0
	for w, to := range Windows {
		s := Sum{Whole: t.cell(everywhere, whole)}
		for ; from < to; from++ {
			s.Parts = append(s.Parts, t.month(from))
		}
		out, whole = append(out, s), windows+w
	}
	return out
}

// columnSums returns the sums of columns, which hold at any time.
func (t *table) columnSums() (out []Sum) {
	type split struct {
		whole int32
		by    column
	}
	at := map[split]int{}
	for i, c := range t.columns {
		for _, w := range c.wholes() {
			n, ok := t.at[w]
			if !ok {
				continue // a pair, in a large table
			}
			key := split{n, c.splits()}
			s, ok := at[key]
			if !ok {
				s = len(out)
				at[key], out = s, append(out, Sum{Whole: n})
			}
			out[s].Parts = append(out[s].Parts, int32(i))
		}
		for _, places := range t.places.sums[c.place] {
			s := Sum{Whole: int32(i)}
			for _, p := range places {
				if part, ok := t.at[column{p, c.dimension, c.value}]; ok {
					s.Parts = append(s.Parts, part)
				}
			}
			if len(s.Parts) > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}

package tally

import "slices"

// By is what the adverts of one skill are broken down by.
type By uint8

// The breakdowns. Whole is none.
const (
	Whole By = iota
	ByPlace
	BySector
	BySOC
	ByLevel
	ByMonth
)

// Range is an inclusive range of codes.
type Range[T uint8 | uint16] struct{ From, To T }

func (r Range[T]) holds(code T) bool { return code >= r.From && code <= r.To }

// The codes that stand for no value. Codes of slugs follow the order of the slugs,
// from 1; sources count from 0; an occupation is its number.
const (
	WholeCountry = 0 // of a place
	NotKnown     = 0 // of a sector, an occupation or a level
	// AnySector is no sector filter, where a sector alone is asked for.
	AnySector = 255

	months  = 24   // that are held, the one of as_of included
	levels  = 6    // 0 is not stated
	lastSOC = 9999 // of four digits
)

// Filter says which adverts are asked for. Every part holds.
type Filter struct {
	Place  Range[uint16] // without a breakdown by place From and To are one
	SOC    Range[uint16]
	Sector Range[uint8]
	Source Range[uint8]
	Level  Range[uint8]
	// Months is the window: 3, 6, 12 or 24 up to the month of as_of.
	Months uint8
	Skill  uint32 // the skill that is broken down; not used without a breakdown
	By     By
}

// Total is how many adverts match, and the mask of their sources by code.
type Total struct {
	Adverts int64
	Sources uint64
}

// Counted is how many adverts ask for a skill or fall into a bucket.
type Counted struct {
	Code    int32 // of the skill or the bucket; a month counts back from that of as_of
	Adverts int64
	Usual   int // level usually asked, the lower one on a tie; 0 = none stated
}

// Tally is what Load read. It does not change and may be used by several
// goroutines.
type Tally struct {
	places, skills int
	full           cells    // by skill and place
	jobs           []runs   // by place: over all sectors, by occupation
	sectors        [][]runs // by place and sector: by occupation
	totals         totals
	people         people
}

// Asked counts, for every skill or every bucket of one, the adverts that match and
// ask for it, by code. What is not counted at all is left out.
func (t *Tally) Asked(f Filter) []Counted {
	if f.By == Whole {
		return t.perSkill(f)
	}
	return t.perBucket(f)
}

// counts are adverts by the level that they state.
type counts [levels]uint32

// counted sums a row of counts up. The level filter has been applied.
func (c *counts) counted(code int32) Counted {
	out := Counted{Code: code}
	for level, n := range c {
		out.Adverts += int64(n)
		if level > 0 && n > 0 && (out.Usual == 0 || n > c[out.Usual]) {
			out.Usual = level
		}
	}
	return out
}

// perSkill adds up the rows of a place, or of an occupation or sector in it.
func (t *Tally) perSkill(f Filter) []Counted {
	r := &t.jobs[f.Place.From]
	if f.Sector.From == f.Sector.To {
		if int(f.Sector.From) >= len(t.sectors[f.Place.From]) {
			return nil
		}
		r = &t.sectors[f.Place.From][f.Sector.From]
	}
	sums := make([]counts, t.skills+1)
	last := windowOf(f.Months - 1)
	for _, row := range r.between(f.SOC) {
		level := row.when & 7
		if row.when>>3 > last || !f.Source.holds(row.source) || !f.Level.holds(level) {
			continue
		}
		sums[row.skill][level] += row.adverts
	}
	out := make([]Counted, 0, t.skills)
	for code := range sums {
		if c := sums[code].counted(int32(code)); c.Adverts > 0 {
			out = append(out, c)
		}
	}
	return out
}

// perBucket adds up the cells of one skill.
func (t *Tally) perBucket(f Filter) []Counted {
	sums := make([]counts, t.buckets(f.By))
	for place := int(f.Place.From); place <= min(int(f.Place.To), t.places-1); place++ {
		for _, c := range t.full.of(f.Skill, place) {
			if c.back >= f.Months || !f.SOC.holds(c.soc) || !f.Sector.holds(c.sector) || !f.Source.holds(c.source) || !f.Level.holds(c.level) {
				continue
			}
			sums[c.bucket(f.By, place)][c.level] += c.adverts
		}
	}
	var out []Counted
	for code := range sums {
		if c := sums[code].counted(int32(code)); c.Adverts > 0 {
			out = append(out, c)
		}
	}
	return out
}

// buckets is how many codes a breakdown may have.
func (t *Tally) buckets(by By) int {
	switch by {
	case ByPlace:
		return t.places
	case BySector:
		return AnySector
	case BySOC:
		return lastSOC + 1
	case ByLevel:
		return levels
	case ByMonth:
		return months
	}
	return 1
}

// cell is a count of adverts by everything but skill and place.
type cell struct {
	adverts uint32
	soc     uint16
	sector  uint8
	source  uint8
	back    uint8 // months before that of as_of
	level   uint8 // 0 in totals
}

func (c *cell) bucket(by By, place int) int {
	switch by {
	case ByPlace:
		return place
	case BySector:
		return int(c.sector)
	case BySOC:
		return int(c.soc)
	case ByLevel:
		return int(c.level)
	case ByMonth:
		return int(c.back)
	}
	return 0
}

// cells are the cells of every skill and place, those of one beside each other.
type cells struct {
	places int
	start  []uint32 // by skill*places + place, and one after the last
	rows   []cell
}

func (c *cells) of(skill uint32, place int) []cell {
	at := int(skill)*c.places + place
	return c.rows[c.start[at]:c.start[at+1]]
}

// row is a count of adverts that ask for a skill, for ranking skills.
type row struct {
	adverts uint32
	skill   uint16
	source  uint8
	when    uint8 // shortest window that holds them, from 0, times 8, plus the level
}

// runs are rows by occupation, those of one beside each other, and all of them
// added up.
type runs struct {
	socs  []uint16 // in order
	start []uint32 // by position in socs, and one after the last
	rows  []row
	all   []row
}

// between is the rows of a range of occupations. The range that leaves none out is
// answered from the sums.
func (r *runs) between(socs Range[uint16]) []row {
	if socs.From == NotKnown && socs.To >= lastSOC {
		return r.all
	}
	if len(r.socs) == 0 {
		return nil
	}
	from, _ := slices.BinarySearch(r.socs, socs.From)
	to, found := slices.BinarySearch(r.socs, socs.To)
	if found {
		to++
	}
	return r.rows[r.start[from]:r.start[max(from, to)]]
}

// windowOf is the number of the shortest window that holds a month: 0 to 3 for 3,
// 6, 12 and 24 months.
func windowOf(back uint8) uint8 {
	switch {
	case back < 3:
		return 0
	case back < 6:
		return 1
	case back < 12:
		return 2
	}
	return 3
}

// Package headcount counts people: how many, of how many employers, in each cell of
// the published lattice, skill by skill. Its counts are true, so that they must never
// leave the protected zone; it writes no file.
//
// The unit of counting is one row per skill, person and measure: the person's most
// recent such event in the 24 months up to people_as_of, with that event's place,
// sector, SOC, level, source and month. Every person is then in exactly one cell of
// every filter, and every count is a plain count of rows. Of two events at one instant
// the one with the later application, by its text, is the more recent.
//
// Five measures are counted: turned down for the skill; hired with and without it;
// turned down with and without it (of applicants to roles that asked for the skill;
// with it = at the level asked).
package headcount

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"labour/pipeline/disclosure"
	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// Inputs are what is counted, and where.
type Inputs struct {
	// Outcomes is the directory of the outcomes, in parts of a few skills; Adverts the
	// cells of adverts. Both are answers of package cells.
	Outcomes, Adverts string
	PeopleAsOf        time.Time // the quarter end which the counts describe
	// Areas are the served areas that hold a borough, by its slug.
	Areas map[string][]string
}

// Counter counts the people of one run. Its methods may be called by several
// goroutines, but one at a time goes through the outcomes.
type Counter struct {
	in     Inputs
	codes  registers
	asked  map[string]map[key]bool // skill → what can be asked of it
	months []string                // YYYY-MM by age
	free   chan *sheet
}

// dimension numbers the filters beside the place.
type dimension uint8

const (
	none dimension = iota
	sector
	soc
	level
	source
	month
	dimensions
)

// String is the filter as signatures name it.
func (d dimension) String() string {
	return [dimensions]string{"", snapshots.SigSector, snapshots.SigSOC, snapshots.SigLevel, snapshots.SigSource, snapshots.SigMonth}[d]
}

// key is a cell without its window: a place, a filter and its value, by their codes.
type key struct {
	place uint32
	dim   dimension
	value uint32
}

// register gives texts codes. Code 0 is the empty text.
type register struct {
	code  map[string]uint32
	texts []string
}

func newRegister() register { return register{code: map[string]uint32{"": 0}, texts: []string{""}} }

// of is the code of a text, a new one if need be.
func (r *register) of(text string) uint32 {
	if c, ok := r.code[text]; ok {
		return c
	}
	c := uint32(len(r.texts))
	r.code[text], r.texts = c, append(r.texts, text)
	return c
}

// registers are the codes of a run. A level is its own code.
type registers struct{ places, sectors, socs, sources register }

// mostLevels is more than the levels there are.
const mostLevels = 8

// Open reads which cells can be asked: those in which a counted advert asks for the
// skill.
func Open(ctx context.Context, in Inputs) (*Counter, error) {
	c := &Counter{in: in, asked: map[string]map[key]bool{}, free: make(chan *sheet, 64),
		codes: registers{newRegister(), newRegister(), newRegister(), newRegister()}}
	for age := range monthsCounted {
		first := time.Date(in.PeopleAsOf.Year(), in.PeopleAsOf.Month(), 1, 0, 0, 0, 0, time.UTC)
		c.months = append(c.months, first.AddDate(0, -age, 0).Format("2006-01"))
	}
	for _, borough := range slices.Sorted(maps.Keys(in.Areas)) {
		c.codes.places.of(borough)
		for _, area := range in.Areas[borough] {
			c.codes.places.of(area)
		}
	}
	if err := c.readAsked(ctx); err != nil {
		return nil, fmt.Errorf("which counts of people can be asked: %w", err)
	}
	return c, nil
}

// readAsked reads the cells of adverts, which come by place and skill.
func (c *Counter) readAsked(ctx context.Context) error {
	skills := newRegister()
	var asked map[key]bool
	var seen [dimensions][]bool // of the skill and place under way
	skill, place := uint32(0), uint32(0)
	return parquetio.Codes(ctx, c.in.Adverts, []parquetio.Coded{{Column: "skill", Text: skills.of}, {Column: "place", Text: c.codes.places.of},
		{Column: "sector", Text: c.codes.sectors.of}, {Column: "soc", Text: c.codes.socs.of}, {Column: "level"}, {Column: "source", Text: c.codes.sources.of}},
		func(b [][]uint32) error {
			for i, s := range b[0] {
				if s != skill || b[1][i] != place {
					skill, place = s, b[1][i]
					asked = c.askedOf(skills.texts[s])
					asked[key{place: place}] = true
					for d := range seen {
						clear(seen[d])
					}
				}
				for d := sector; d <= source; d++ {
					v := b[1+d][i]
					for int(v) >= len(seen[d]) {
						seen[d] = append(seen[d], false)
					}
					if !seen[d][v] && v > 0 { // an empty value is none
						seen[d][v], asked[key{place, d, v}] = true, true
					}
				}
			}
			return nil
		})
}

func (c *Counter) askedOf(skill string) map[key]bool {
	asked := c.asked[skill]
	if asked == nil {
		asked = map[key]bool{}
		c.asked[skill] = asked
	}
	return asked
}

// texts are the registers as they were when a skill was taken; codes that are given
// later are not of it.
type texts struct{ places, sectors, socs, sources []string }

func (r *registers) texts() texts {
	return texts{r.places.texts, r.sectors.texts, r.socs.texts, r.sources.texts}
}

// value is the text of a value.
func (t *texts) value(k key, months []string) string {
	switch k.dim {
	case sector:
		return t.sectors[k.value]
	case soc:
		return t.socs[k.value]
	case source:
		return t.sources[k.value]
	case level:
		return strconv.Itoa(int(k.value))
	case month:
		return months[k.value]
	}
	return ""
}

// windows are the windows of the lattice, in months.
var windows = [...]int{3, 6, 12, 24}

const monthsCounted = 24

// measures are the counts of people of a cell, in disclosure's order.
const measures = disclosure.Measures

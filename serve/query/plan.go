package query

import (
	"slices"
	"strconv"

	"labour/serve/labourdata"
	"labour/serve/query/lattice"
	"labour/serve/query/tally"
	"labour/snapshots"
)

// The ends of the ranges of codes, see package tally.
const (
	lastSector = tally.AnySector - 1
	lastSource = 254
	lastPlace  = 1<<16 - 1
	lastSOC    = 9999
	firstSOC   = 1000 // 0 is "not known"
	lastLevel  = 5
)

// breakdown is a breakdown as package tally names it.
func breakdown(by labourdata.By) tally.By {
	switch by {
	case labourdata.ByPlace:
		return tally.ByPlace
	case labourdata.BySector:
		return tally.BySector
	case labourdata.BySOC:
		return tally.BySOC
	case labourdata.ByLevel:
		return tally.ByLevel
	case labourdata.ByMonth:
		return tally.ByMonth
	}
	return tally.Whole
}

// filter is a question about skills not met in codes. ok is false when a value is
// not in the snapshot, so that nothing can match. A breakdown leaves "not known"
// out, and a breakdown by place the whole country.
func (s *Snapshot) filter(q labourdata.SkillsUnmetQuery) (f tally.Filter, ok bool) {
	c, ok := s.codes(q)
	if !ok {
		return f, false
	}
	f = tally.Filter{Months: uint8(q.Window), Skill: c.skill, By: breakdown(q.By), Place: one(c.place), Sector: one(c.sector), Source: one(c.source)}
	if q.By == labourdata.ByPlace && q.Place == "" {
		f.Place = tally.Range[uint16]{From: tally.WholeCountry + 1, To: lastPlace}
	}
	f.SOC.From, f.SOC.To = unitGroups(c.soc)
	if q.By == labourdata.BySOC {
		f.SOC.From = max(f.SOC.From, firstSOC)
	}
	if c.sector == tally.AnySector {
		f.Sector = codesTo(q.By == labourdata.BySector, lastSector)
	}
	if c.source == anySource {
		f.Source = codesTo(false, lastSource)
	}
	if f.Level = one(uint8(q.Level)); q.Level == 0 {
		f.Level = codesTo(q.By == labourdata.ByLevel, lastLevel)
	}
	return f, true
}

func one[T uint8 | uint16](code T) tally.Range[T] { return tally.Range[T]{From: code, To: code} }

// codesTo is every code up to the last, "not known" included or not.
func codesTo(only bool, last uint8) tally.Range[uint8] {
	if only {
		return tally.Range[uint8]{From: tally.NotKnown + 1, To: last}
	}
	return tally.Range[uint8]{From: tally.NotKnown, To: last}
}

// anySource stands for no source filter.
const anySource = 255

// codes are the filters as the cells hold them.
type codes struct {
	place, soc     uint16 // 0 = none; soc is the digits as a number
	skill          uint32 // 0 = none
	sector, source uint8  // tally.AnySector, anySource = none
}

func (s *Snapshot) codes(q labourdata.SkillsUnmetQuery) (c codes, ok bool) {
	c.sector, c.source = tally.AnySector, anySource
	if c.place, ok = s.places[q.Place]; !ok {
		return c, false
	}
	if q.Sector != "" {
		if c.sector, ok = s.sectors[q.Sector]; !ok {
			return c, false
		}
	}
	if q.Source != "" {
		i := slices.Index(s.sourceKeys, q.Source)
		if i < 0 {
			return c, false
		}
		c.source = uint8(i)
	}
	if q.Skill != "" {
		if c.skill, ok = s.skills[q.Skill]; !ok {
			return c, false
		}
	}
	c.soc, ok = socNumber(q.SOC)
	return c, ok
}

// socNumber is a prefix of 0 to 4 digits as a number; SOC 2020 has no group that
// begins with 0, so the number also says how long the prefix is.
func socNumber(prefix string) (uint16, bool) {
	if prefix == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(prefix, 10, 16)
	return uint16(n), err == nil && len(prefix) <= 4 && prefix[0] != '0'
}

// unitGroups is the range of the unit groups under a prefix; without a prefix it
// holds 0, "not known", too.
func unitGroups(soc uint16) (from, to uint16) {
	if soc == 0 {
		return 0, lastSOC
	}
	from, to = soc, soc
	for from < firstSOC {
		from, to = from*10, to*10+9
	}
	return from, to
}

// cellOf is the cell of the published lattice that a row of a question stands in.
// code is that of the row's skill or bucket.
func (s *Snapshot) cellOf(q labourdata.SkillsUnmetQuery, cell lattice.Cell, code int32) tally.Cell {
	at := tally.Cell{Signature: cell.Signature, Months: uint8(cell.Window), Place: s.places[cell.Place], Skill: uint32(code)}
	switch cell.Signature {
	case snapshots.SigSector, snapshots.SigPlaceSector:
		at.Value = uint16(s.sectors[cell.Value])
	case snapshots.SigSource, snapshots.SigPlaceSource:
		at.Value = uint16(slices.Index(s.sourceKeys, cell.Value))
	default: // an occupation, a level or nothing
		n, _ := strconv.Atoi(cell.Value)
		at.Value = uint16(n)
	}
	if q.By == "" {
		return at
	}
	at.Skill = s.skills[q.Skill]
	if q.By == labourdata.ByPlace {
		at.Place = uint16(code)
	} else {
		at.Value = uint16(code)
	}
	return at
}

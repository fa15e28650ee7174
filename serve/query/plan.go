package query

import (
	"slices"
	"strconv"

	"labour/serve/labourdata"
	"labour/serve/query/lattice"
	"labour/snapshots"
)

// plan is how a question about skills not met is asked: which statements, with
// which arguments. Every argument has the type of its column, so that DuckDB
// compares without casting and skips what lies outside.
type plan struct {
	total, asked, people question
	arguments            map[string]any
}

// The codes of the cells. Ranges are inclusive.
const (
	anyCode    = 255 // any sector, any source, in the roll-ups
	lastSector = 254
	lastSource = 254
	lastPlace  = 1<<16 - 1
	lastSOC    = 9999
	firstSOC   = 1000 // 0 is "not known"
	lastLevel  = 5
)

// plan chooses the smallest tables that hold the filters of a question. ok is
// false when a value is not in the snapshot, so that nothing can match.
func (s *Snapshot) plan(q labourdata.SkillsUnmetQuery) (plan, bool) {
	codes, ok := s.codes(q)
	if !ok {
		return plan{}, false
	}
	p := plan{arguments: map[string]any{
		"by": string(q.By), "level": uint8(q.Level), "months": uint8(q.Window), "skill_code": codes.skill,
	}}
	p.bindRanges(q, codes)
	p.bindRolled(q, codes)
	s.bindPeople(p.arguments, lattice.Of(q))
	s.route(&p, q, codes)
	return p, true
}

// route chooses the statements: totals by month for months without an occupation,
// roll-ups where they hold the filters, else the cells themselves.
func (s *Snapshot) route(p *plan, q labourdata.SkillsUnmetQuery, c codes) {
	unitGroups := len(q.SOC) == 4 || q.By == labourdata.BySOC
	sectors := q.Sector != "" || q.By == labourdata.BySector
	switch {
	case q.By == labourdata.ByMonth && q.SOC == "":
		p.total = totalMonth
	case q.By == labourdata.ByMonth, unitGroups && sectors:
		p.total = totalDirect
	default:
		p.total = totalRolled
	}
	switch {
	case q.By == labourdata.ByPlace:
		p.asked, p.people = askedBuckets, peoplePlaces
	case q.By != "":
		p.asked, p.people = askedBuckets, peopleValues
	case s.wide[group{c.place, c.soc}]:
		p.asked, p.people = askedRolled, peopleSkills
	default:
		p.asked, p.people = askedDirect, peopleSkills
	}
}

// codes are the filters as the cells hold them.
type codes struct {
	place, soc     uint16 // 0 = none; soc is the digits as a number
	skill          uint32 // 0 = none
	sector, source uint8  // anyCode = none
}

func (s *Snapshot) codes(q labourdata.SkillsUnmetQuery) (c codes, ok bool) {
	c.sector, c.source = anyCode, anyCode
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

// bindRanges binds the filters of the cells. A breakdown leaves "not known" out.
func (p plan) bindRanges(q labourdata.SkillsUnmetQuery, c codes) {
	place := between[uint16]{c.place, c.place}
	if q.By == labourdata.ByPlace && q.Place == "" {
		place = between[uint16]{1, lastPlace}
	}
	from, to := unitGroups(c.soc)
	if q.By == labourdata.BySOC {
		from = max(from, firstSOC)
	}
	sector := between[uint8]{c.sector, c.sector}
	switch {
	case c.sector == anyCode && q.By == labourdata.BySector:
		sector = between[uint8]{1, lastSector}
	case c.sector == anyCode:
		sector = between[uint8]{0, lastSector}
	}
	source := between[uint8]{c.source, c.source}
	if c.source == anyCode {
		source = between[uint8]{0, lastSource}
	}
	level := between[uint8]{uint8(q.Level), uint8(q.Level)}
	switch {
	case q.Level == 0 && q.By == labourdata.ByLevel:
		level = between[uint8]{1, lastLevel}
	case q.Level == 0:
		level = between[uint8]{0, lastLevel}
	}
	place.bind(p.arguments, "place")
	between[uint16]{from, to}.bind(p.arguments, "soc")
	sector.bind(p.arguments, "sector")
	source.bind(p.arguments, "source")
	level.bind(p.arguments, "level")
}

// between is an inclusive range of codes.
type between[T uint8 | uint16] struct{ from, to T }

func (r between[T]) bind(arguments map[string]any, name string) {
	arguments[name+"_from"], arguments[name+"_to"] = r.from, r.to
}

// bindRolled binds the filters of the roll-ups, where "any" is a code of its own.
func (p plan) bindRolled(q labourdata.SkillsUnmetQuery, c codes) {
	a := p.arguments
	a["rolled_soc_from"], a["rolled_soc_to"] = c.soc, c.soc
	if q.By == labourdata.BySOC {
		a["rolled_soc_from"], a["rolled_soc_to"] = a["soc_from"], a["soc_to"]
	}
	a["rolled_sector_from"], a["rolled_sector_to"] = c.sector, c.sector
	if q.By == labourdata.BySector && q.Sector == "" {
		a["rolled_sector_from"], a["rolled_sector_to"] = uint8(1), uint8(lastSector)
	}
	a["rolled_source"] = c.source
}

// signatures lists the signatures of the lattice in the order of the macro
// signature_code.
func signatures() []string {
	return []string{snapshots.SigNone, snapshots.SigPlace, snapshots.SigSector, snapshots.SigSOC, snapshots.SigLevel,
		snapshots.SigSource, snapshots.SigMonth, snapshots.SigPlaceSector, snapshots.SigPlaceSOC, snapshots.SigPlaceLevel,
		snapshots.SigPlaceSource, snapshots.SigPlaceMonth}
}

// bindPeople binds the cell of the lattice. Outside it the signature is 0, which
// no row of people has.
func (s *Snapshot) bindPeople(a map[string]any, cell lattice.Cell) {
	value := 0
	switch cell.Signature {
	case snapshots.SigSector, snapshots.SigPlaceSector:
		value = int(s.sectors[cell.Value])
	case snapshots.SigSource, snapshots.SigPlaceSource:
		value = slices.Index(s.sourceKeys, cell.Value)
	default: // an occupation, a level or nothing
		value, _ = strconv.Atoi(cell.Value)
	}
	a["signature"] = uint8(slices.Index(signatures(), cell.Signature) + 1)
	a["people_months"], a["people_place"], a["people_value"] = uint8(cell.Window), s.places[cell.Place], int32(value)
}

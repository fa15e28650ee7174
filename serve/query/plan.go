package query

import (
	"slices"
	"strconv"

	"labour/serve/labourdata"
	"labour/serve/query/lattice"
	"labour/snapshots"
)

// plan is a statement and its arguments.
type plan struct {
	question  question
	arguments map[string]any
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
	noScore    = -1
)

// plan chooses the smallest tables that hold the filters of a question. ok is
// false when a value is not in the snapshot, so that nothing can match.
func (s *Snapshot) plan(q labourdata.SkillsUnmetQuery) (plan, bool) {
	codes, ok := s.codes(q)
	if !ok {
		return plan{}, false
	}
	p := plan{arguments: map[string]any{
		"by": string(q.By), "level": q.Level, "months": q.Window, "limit": q.Limit + 1,
		"residents_place": codes.place, "skill_code": codes.skill, "skill": nil,
	}}
	if q.Skill != "" {
		p.arguments["skill"] = q.Skill
	}
	p.bindRanges(q, codes)
	p.bindRolled(q, codes)
	s.bindPeople(p.arguments, lattice.Of(q))
	p.bindAfter(q.After)
	p.question = s.route(q, codes)
	return p, true
}

// route is the statement for a question: totals by month for months without an
// occupation, roll-ups where they hold the filters, else the cells themselves.
func (s *Snapshot) route(q labourdata.SkillsUnmetQuery, c codes) question {
	total := "total_rolled"
	unitGroups := len(q.SOC) == 4 || q.By == labourdata.BySOC
	sectors := q.Sector != "" || q.By == labourdata.BySector
	switch {
	case q.By == labourdata.ByMonth && q.SOC == "":
		total = "total_month"
	case q.By == labourdata.ByMonth, unitGroups && sectors:
		total = "total_direct"
	}
	if q.By != "" {
		return unmet(total, "asked_buckets", "ranked_buckets")
	}
	asked := "asked_direct"
	if s.wide[group{c.place, c.soc}] {
		asked = "asked_rolled"
	}
	return unmet(total, asked, "ranked_skills")
}

// codes are the filters as the cells hold them.
type codes struct {
	place, skill   int // 0 = none
	sector, source int // anyCode = none
	soc            int // the digits as a number; 0 = none
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
		if c.source = slices.Index(s.sourceKeys, q.Source); c.source < 0 {
			return c, false
		}
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
func socNumber(prefix string) (int, bool) {
	if prefix == "" {
		return 0, true
	}
	n, err := strconv.ParseUint(prefix, 10, 16)
	return int(n), err == nil && len(prefix) <= 4 && prefix[0] != '0'
}

// unitGroups is the range of the unit groups under a prefix; without a prefix it
// holds 0, "not known", too.
func unitGroups(soc int) (from, to int) {
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
	rng := func(name string, from, to int) {
		p.arguments[name+"_from"], p.arguments[name+"_to"] = from, to
	}
	rng("place", c.place, c.place)
	if q.By == labourdata.ByPlace && q.Place == "" {
		rng("place", 1, lastPlace)
	}
	from, to := unitGroups(c.soc)
	if q.By == labourdata.BySOC {
		from = max(from, firstSOC)
	}
	rng("soc", from, to)
	switch {
	case c.sector != anyCode:
		rng("sector", c.sector, c.sector)
	case q.By == labourdata.BySector:
		rng("sector", 1, lastSector)
	default:
		rng("sector", 0, lastSector)
	}
	rng("source", 0, lastSource)
	if c.source != anyCode {
		rng("source", c.source, c.source)
	}
	switch {
	case q.Level > 0:
		rng("level", q.Level, q.Level)
	case q.By == labourdata.ByLevel:
		rng("level", 1, lastLevel)
	default:
		rng("level", 0, lastLevel)
	}
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
		a["rolled_sector_from"], a["rolled_sector_to"] = 1, lastSector
	}
	a["rolled_source"] = c.source
}

// bindPeople binds the cell of the lattice. Outside it the signature is null and
// no row of people matches.
func (s *Snapshot) bindPeople(a map[string]any, cell lattice.Cell) {
	a["signature"], a["people_months"], a["people_place"], a["people_value"] = nil, 0, 0, 0
	if !cell.Published() {
		return
	}
	a["signature"], a["people_months"], a["people_place"] = cell.Signature, cell.Window, s.places[cell.Place]
	if cell.Value == "" {
		return
	}
	switch cell.Signature {
	case snapshots.SigSector, snapshots.SigPlaceSector:
		a["people_value"] = s.sectors[cell.Value]
	case snapshots.SigSource, snapshots.SigPlaceSource:
		a["people_value"] = slices.Index(s.sourceKeys, cell.Value)
	default: // an occupation or a level
		a["people_value"], _ = strconv.Atoi(cell.Value)
	}
}

// bindAfter binds the sort key of the last row of the page before. A score that
// is not published sorts as -1, below every score.
func (p plan) bindAfter(after *labourdata.SkillsUnmetPosition) {
	a := p.arguments
	a["after_skill"], a["after_score"], a["after_share"], a["after_bucket"] = nil, noScore, 0, ""
	if after == nil {
		return
	}
	a["after_skill"], a["after_share"], a["after_bucket"] = after.Skill, after.AdvertsShare, after.Bucket
	if after.Score != nil {
		a["after_score"] = *after.Score
	}
}

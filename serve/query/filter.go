package query

import (
	"math"
	"slices"
	"strconv"
	"time"

	"labour/serve/api"
	"labour/serve/query/lattice"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// setPeople names the published combination that the figures of people stand in; outside
// them there are none.
func (s *Snapshot) setPeople(arguments map[string]any, q api.SkillsUnmetQuery) {
	cell := lattice.Of(q)
	arguments["signature"], arguments["people_window"] = s.codes[code{ofSignature, cell.Signature}], cell.Window
	place, value := s.codes[code{ofPlace, cell.Place}], 0
	switch cell.Signature { // the other filter
	case snapshots.SigSector, snapshots.SigPlaceSector:
		value = s.codes[code{ofSector, cell.Value}]
	case snapshots.SigSource, snapshots.SigPlaceSource:
		value = s.codes[code{ofSource, cell.Value}]
	default:
		value, _ = strconv.Atoi(cell.Value) // an occupation, a level or nothing
	}
	arguments["people_place"], arguments["people_value"] = place, value
	places, values := span{place, place}, span{math.MinInt16, math.MaxInt16}
	if q.By == api.ByPlace {
		places, values = span{wholeCountry, math.MaxInt16}, span{value, value}
	}
	places.set(arguments, "people_place")
	values.set(arguments, "people_value")
}

// setPage says after which row the page begins. By month only the bucket counts.
func (s *Snapshot) setPage(arguments map[string]any, q api.SkillsUnmetQuery) {
	score, share, skill, bucket := int64(math.MinInt64), int64(0), 0, 0 // before every row
	switch after := q.After; {
	case after == nil:
	case q.By == api.ByMonth:
		score, skill, bucket = 0, s.codes[code{ofSkill, q.Skill}], s.bucketNumber(q.By, after.Bucket)
	default:
		share, skill, bucket = -after.AdvertsShare, s.lastUpTo(api.Skills, after.Skill), s.bucketNumber(q.By, after.Bucket)
		score = 1 // behind every score
		if after.Score != nil {
			score = -*after.Score
		}
	}
	arguments["limit"], arguments["after_behind"] = q.Limit+1, 0
	isLast := func(n api.Named) bool { return n.Value == q.After.Bucket && n.Kind == snapshots.AreaServed }
	if q.By == api.ByPlace && q.After != nil && slices.ContainsFunc(s.named[api.Places], isLast) {
		arguments["after_behind"] = 1
	}
	arguments["after_score"], arguments["after_share"], arguments["after_skill"], arguments["after_bucket"] = score, share, skill, bucket
}

// lastUpTo is the number of the last value up to a text that may be none: values are
// numbered from 1 in their order.
func (s *Snapshot) lastUpTo(v api.Vocabulary, text string) int {
	at, found := slices.BinarySearch(s.values[v], text)
	if found {
		at++
	}
	return at
}

// bucketNumber is the number by which a bucket is ordered.
func (s *Snapshot) bucketNumber(by api.By, bucket string) int {
	switch by {
	case api.ByPlace:
		return s.lastUpTo(api.Places, bucket)
	case api.BySector:
		return s.lastUpTo(api.Sectors, bucket)
	case api.ByMonth:
		month, err := time.Parse("2006-01", bucket)
		if err != nil {
			return math.MinInt16
		}
		return (month.Year()-s.AsOf().Year())*12 + int(month.Month()) - int(s.AsOf().Month())
	}
	n, _ := strconv.Atoi(bucket) // an occupation or a level
	return n
}

// The roll-ups' numbers for what is not a value.
const (
	wholeCountry = 0
	notKnown     = 0
	rolledUp     = -1
)

// filter is a question in the numbers of the roll-ups. ok is false when a value is
// not in the snapshot, so that nothing can match. A breakdown leaves "not known"
// out, and a breakdown by place the whole country.
func (s *Snapshot) filter(q api.SkillsUnmetQuery) (arguments map[string]any, ok bool) {
	place, ok1 := s.codeOf(ofPlace, q.Place, span{wholeCountry, wholeCountry})
	sector, ok2 := s.codeOf(ofSector, q.Sector, span{rolledUp, rolledUp})
	source, ok3 := s.codeOf(ofSource, q.Source, span{1, math.MaxInt16})
	skill, ok4 := s.codeOf(ofSkill, q.Skill, span{1, math.MaxInt16})
	soc, ok5 := groups(q.SOC)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return nil, false
	}
	arguments = map[string]any{"window": q.Window, "skill": s.codes[code{ofSkill, q.Skill}], "by": string(q.By), "place": place.from}
	if q.By == api.ByPlace && q.Place == "" {
		place = span{wholeCountry + 1, math.MaxInt16}
	}
	// Cells of one skill have no roll-ups over sectors and occupations; no roll-up over
	// sectors has the occupation too.
	cellSOC, cellSector := soc, sector
	if q.Sector == "" {
		cellSector = unfiltered(q.By == api.BySector, math.MaxInt16)
	}
	if q.SOC == "" {
		cellSOC = unfiltered(q.By == api.BySOC, math.MaxInt32)
		if q.By == api.BySOC {
			soc = cellSOC
		}
	}
	if q.By == api.BySector || soc.from != rolledUp {
		sector = cellSector
	}
	level := unfiltered(q.By == api.ByLevel, math.MaxInt8)
	if q.Level != 0 {
		level = span{int(q.Level), int(q.Level)}
	}
	for name, r := range map[string]span{"soc": soc, "cell_soc": cellSOC, "sector": sector, "cell_sector": cellSector, "skill": skill,
		"source": source, "place": place, "level": level} {
		r.set(arguments, name)
	}
	// Of one place, cells of occupations are read in the order of places.
	arguments["one_place"] = soc.from != rolledUp && q.By != api.ByPlace
	return arguments, true
}

// span is an inclusive range of numbers.
type span struct{ from, to int }

func (s span) set(arguments map[string]any, name string) {
	arguments[name+"_from"], arguments[name+"_to"] = s.from, s.to
}

// unfiltered is every number up to the last, "not known" left out or not.
func unfiltered(known bool, last int) span {
	if known {
		return span{notKnown + 1, last}
	}
	return span{notKnown, last}
}

// codeOf is the number of a value, and none without one.
func (s *Snapshot) codeOf(dimension, value string, none span) (span, bool) {
	if value == "" {
		return none, true
	}
	number, ok := s.codes[code{dimension, value}]
	return span{number, number}, ok
}

// groups is the range of the groups under a prefix of 1 to 4 digits, as the roll-ups
// number them: filled up to four digits, and then the number of their own digits. SOC 2020
// has no group that begins with 0.
func groups(prefix string) (span, bool) {
	if prefix == "" {
		return span{rolledUp, rolledUp}, true
	}
	n, err := strconv.ParseUint(prefix, 10, 16)
	if err != nil || len(prefix) > fullDigits || prefix[0] == '0' {
		return span{}, false
	}
	first, last := int(n), int(n)
	for range fullDigits - len(prefix) {
		first, last = first*10, last*10+9
	}
	return span{first*10 + len(prefix), last*10 + fullDigits}, true
}

// fullDigits is the length of a unit group.
const fullDigits = 4

// peopleOf says what the figures about people of a question are.
func (s *Snapshot) peopleOf(q api.SkillsUnmetQuery) *api.People {
	p := &api.People{AsOf: api.MaybeDateOf(s.PeopleAsOf()), Protection: "hidden", RoundedTo: 1}
	if s.manifest.People != nil {
		p.Protection = s.manifest.People.Protection
	}
	if s.manifest.Rounded() {
		p.RoundedTo = figure.RoundedTo
	}
	switch {
	case s.manifest.PeopleAsOf == nil:
		p.Note = "This snapshot has no figures about people."
	case q.Source != "" && q.Source != ownSource:
		p.Note = "Applications to adverts of " + q.Source + " are never seen, so nothing is known of the people. Leave out source, or ask for source=" + ownSource + "."
	case q.By == api.ByMonth && (q.Place != "" || lattice.Others(q) > 1):
		p.Note = "By month there are figures about people without other filters. Leave out every filter but by=month."
	case !lattice.Of(q).Published():
		p.Note = "There are figures about people for one filter, or for a place with one other; by counts as a filter. Leave out all but one besides place."
	default:
		p.Published = true
	}
	return p
}

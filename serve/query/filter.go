package query

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"labour/serve/api"
	"labour/snapshots"
)

// The roll-ups' numbers for what is not a value.
const (
	wholeCountry = 0
	notKnown     = 0
	rolledUp     = -1
)

// span is an inclusive range of numbers.
type span struct{ from, to int }

// filter is a question in the numbers of the roll-ups; nil when a value is not in the
// snapshot, so that nothing can match. A breakdown leaves "not known" out, and a breakdown
// by place the whole country.
func (s *Snapshot) filter(q api.SkillsUnmetQuery) map[string]any {
	known := true
	numberOf := func(dimension, value string, none span) span {
		n, ok := s.codes[code{dimension, value}]
		if value == "" {
			return none
		}
		known = known && ok
		return span{n, n}
	}
	place, skill := numberOf("place", q.Place, span{wholeCountry, wholeCountry}), numberOf("skill", q.Skill, span{1, math.MaxInt16})
	arguments := map[string]any{"window": q.Window, "skill": s.codes[code{"skill", q.Skill}], "by": string(q.By), "place": place.from, "limit": q.Limit + 1}
	if q.By == api.ByPlace && q.Place == "" {
		place = span{wholeCountry + 1, math.MaxInt16}
	}
	// Cells of one skill have no roll-ups over sectors and occupations; no roll-up over
	// sectors has the occupation too.
	soc, cellSOC := span{rolledUp, rolledUp}, unfiltered(q.By == api.BySOC, math.MaxInt32)
	if q.SOC != "" {
		cellSOC = groups(q.SOC)
	}
	if q.SOC != "" || q.By == api.BySOC {
		soc = cellSOC
	}
	cellSector := numberOf("sector", q.Sector, unfiltered(q.By == api.BySector, math.MaxInt16))
	sector := numberOf("sector", q.Sector, span{rolledUp, rolledUp})
	if q.By == api.BySector || soc.from != rolledUp {
		sector = cellSector
	}
	level := unfiltered(q.By == api.ByLevel, math.MaxInt8)
	if q.Level != 0 {
		level = span{int(q.Level), int(q.Level)}
	}
	// Of one place, cells of occupations are read in the order of places.
	arguments["one_place"] = soc.from != rolledUp && q.By != api.ByPlace
	setSpans(arguments, map[string]span{"soc": soc, "cell_soc": cellSOC, "sector": sector, "cell_sector": cellSector, "skill": skill,
		"source": numberOf("source", q.Source, span{1, math.MaxInt16}), "place": place, "level": level})
	if !known {
		return nil
	}
	s.setPeople(arguments, q)
	s.setPage(arguments, q)
	return arguments
}

func setSpans(arguments map[string]any, spans map[string]span) {
	for name, r := range spans {
		arguments[name+"_from"], arguments[name+"_to"] = r.from, r.to
	}
}

// unfiltered is every number up to the last, "not known" left out or not.
func unfiltered(known bool, last int) span {
	if known {
		return span{notKnown + 1, last}
	}
	return span{notKnown, last}
}

// fullDigits is the length of a unit group.
const fullDigits = 4

// groups is the range of the groups under a prefix of 1 to 4 digits, as the roll-ups
// number them: filled up to four digits, and then the number of their own digits. What is
// no prefix of SOC 2020, which has no group that begins with 0, is an empty range.
func groups(prefix string) span {
	if len(prefix) > fullDigits || prefix[0] == '0' {
		return span{0, -1}
	}
	missing := fullDigits - len(prefix)
	first, err1 := strconv.Atoi(prefix + strings.Repeat("0", missing))
	last, err2 := strconv.Atoi(prefix + strings.Repeat("9", missing))
	if err1 != nil || err2 != nil {
		return span{0, -1}
	}
	return span{first*10 + len(prefix), last*10 + fullDigits}
}

// setPeople names the published combination that the figures of people stand in; outside
// them there are none.
func (s *Snapshot) setPeople(arguments map[string]any, q api.SkillsUnmetQuery) {
	people := combinationOf(q)
	dimension := people.Signature[strings.LastIndex(people.Signature, "_")+1:]
	value, ok := s.codes[code{dimension, people.Value}]
	if !ok {
		value, _ = strconv.Atoi(people.Value) // an occupation, a level or nothing
	}
	place := s.codes[code{"place", people.Place}]
	places, values := span{place, place}, span{math.MinInt16, math.MaxInt16}
	if q.By == api.ByPlace {
		places, values = span{wholeCountry, math.MaxInt16}, span{value, value}
	}
	arguments["signature"], arguments["people_window"] = s.codes[code{"signature", people.Signature}], people.Window
	arguments["people_place"], arguments["people_value"] = place, value
	setSpans(arguments, map[string]span{"people_place": places, "people_value": values})
}

// setPage says after which row the page begins. By month only the bucket counts.
func (s *Snapshot) setPage(arguments map[string]any, q api.SkillsUnmetQuery) {
	after := cmp.Or(q.After, &api.SkillsUnmetPosition{})
	score, share, skill, behind := int64(1), -after.AdvertsShare, s.lastUpTo(api.Skills, after.Skill), 0 // behind every score
	switch {
	case q.After == nil:
		score = math.MinInt64 // before every row
	case q.By == api.ByMonth:
		score, share, skill = 0, 0, s.codes[code{"skill", q.Skill}]
	case after.Score != nil:
		score = -*after.Score
	}
	bucket, _ := strconv.Atoi(after.Bucket) // an occupation or a level
	switch q.By {
	case api.ByPlace:
		bucket = s.lastUpTo(api.Places, after.Bucket)
		if slices.ContainsFunc(s.named[api.Places], func(n api.Named) bool { return n.Value == after.Bucket && n.Kind == snapshots.AreaServed }) {
			behind = 1
		}
	case api.BySector:
		bucket = s.lastUpTo(api.Sectors, after.Bucket)
	case api.ByMonth:
		bucket = math.MinInt16
		if month, err := time.Parse("2006-01", after.Bucket); err == nil {
			bucket = (month.Year()-s.AsOf().Year())*12 + int(month.Month()) - int(s.AsOf().Month())
		}
	}
	arguments["after_score"], arguments["after_share"], arguments["after_skill"], arguments["after_bucket"], arguments["after_behind"] = score, share, skill, bucket, behind
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

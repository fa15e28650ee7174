package query

import (
	"math"
	"strconv"
	"strings"

	"labour/serve/api"
)

// anyValue is the number of no filter, and that of the whole country.
const anyValue = 0

// span is an inclusive range of numbers.
type span struct{ from, to int }

// filter returns the arguments of a question in the numbers of the tables; nil when a value is
// not in the snapshot, so that nothing can match. Lists are looked up by their own numbers,
// cells by what they hold, for which no filter is every number. A breakdown leaves "not known"
// out, and a breakdown by place the whole country.
func (s *Snapshot) filter(q api.SkillsUnmetQuery) map[string]any {
	known := true
	number := func(dimension, value string) span {
		n, ok := s.codes[code{dimension, value}]
		known = known && (ok || value == "")
		return span{n, n}
	}
	place, sector, source, skill := number("place", q.Place), number("sector", q.Sector), number("source", q.Source), number("skill", q.Skill)
	soc, cellSOC := span{anyValue, anyValue}, span{anyValue, math.MaxInt32}
	if q.SOC != "" {
		soc, cellSOC = group(q.SOC), groups(q.SOC)
	}
	switch {
	case q.By == api.ByPlace && q.Place == "":
		place = span{anyValue + 1, math.MaxInt16}
	case q.By == api.BySector && q.Sector == "":
		sector = span{anyValue + 1, math.MaxInt16}
	case q.By == api.BySOC:
		soc = cellSOC
	}
	cellSector, cellSource := sector, source
	if q.Sector == "" && q.By != api.BySector {
		cellSector.to = math.MaxInt16
	}
	if q.Source == "" {
		cellSource = span{math.MinInt16, math.MaxInt16}
	}
	if q.Skill == "" || q.By == "" {
		skill = span{1, math.MaxInt16}
	}
	level := span{1, math.MaxInt8}
	if q.Level != 0 {
		level = span{int(q.Level), int(q.Level)}
	}
	if !known {
		return nil
	}
	arguments := map[string]any{"window": q.Window, "months": q.Window, "source": source.from, "skill": skill.from, "bucket": string(q.By)}
	if q.By == api.ByMonth {
		arguments["window"] = 1
	}
	setSpans(arguments, map[string]span{"soc": soc, "cell_soc": cellSOC, "sector": sector, "cell_sector": cellSector,
		"cell_source": cellSource, "skill": skill, "place": place, "level": level})
	s.setPeople(arguments, q)
	return arguments
}

func setSpans(arguments map[string]any, spans map[string]span) {
	for name, r := range spans {
		arguments[name+"_from"], arguments[name+"_to"] = r.from, r.to
	}
}

// fullDigits is the length of a unit group.
const fullDigits = 4

// group is the number of a group of 1 to 4 digits alone.
func group(code string) span {
	all := groups(code)
	return span{all.from, min(all.from, all.to)}
}

// groups is the range of the groups under a prefix of 1 to 4 digits, as the tables number
// them: filled up to four digits, and then the number of their own digits. What is no prefix
// of SOC 2020, which has no group that begins with 0, is an empty range.
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

// groupOf is the code of the group of a number, and its digits.
func groupOf(number int) string {
	return strconv.Itoa(number / 10)[:number%10]
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
	places, values := span{place, place}, span{value, value}
	switch q.By {
	case "":
	case api.ByPlace:
		places = span{anyValue, math.MaxInt16}
	default:
		values = span{math.MinInt16, math.MaxInt16}
	}
	arguments["signature"] = s.codes[code{"signature", people.Signature}]
	setSpans(arguments, map[string]span{"people_place": places, "people_value": values})
}

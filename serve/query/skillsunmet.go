package query

import (
	"context"
	"math"
	"strconv"
	"strings"

	"labour/serve/api"
	"labour/snapshots"
	"labour/snapshots/figure"
)

// combination identifies a combination of filters for which figures about people are published.
// Fixed rules define these combinations. They do not depend on the counts.
type combination struct {
	// Signature is the name of the combination, as package snapshots defines it. If it is empty,
	// the query matches no published combination, and all figures about people are null.
	Signature string
	// Place and Value are the keys of a row in the table people. In a breakdown, one of them is
	// empty, and each row's bucket is used.
	Place, Value string
}

// combinationOf returns the published combination to which the filters of a query belong. A
// breakdown counts as a filter, but a skill does not. The result is empty if the query is by month
// or has more than one filter besides place: no figures about people are published for it.
func combinationOf(q api.SkillsUnmetQuery) combination {
	others := otherFilters(q)
	if len(others) > 1 || q.By == api.ByMonth {
		return combination{}
	}
	c := combination{Signature: snapshots.Unfiltered, Place: q.Place}
	if len(others) == 1 {
		c.Signature, c.Value = others[0].signature, others[0].value
	}
	switch {
	case q.Place == "" && q.By != api.ByPlace:
	case c.Signature == snapshots.Unfiltered:
		c.Signature = snapshots.FilteredByPlace
	default:
		c.Signature = snapshots.FilteredByPlace + "_" + c.Signature
	}
	if q.By == api.ByPlace {
		c.Place = ""
	}
	return c
}

// peopleFilter is one filter, or the breakdown, of a query for figures about people.
type peopleFilter struct {
	// signature is the filter's name in the table people; value is empty in a breakdown
	signature, value string
	// breakdown by the values of this filter; empty if there is no such breakdown
	by api.Breakdown
}

// otherFilters returns the filters of a query, except for place. A breakdown counts as a filter.
func otherFilters(q api.SkillsUnmetQuery) (list []peopleFilter) {
	level := ""
	if q.Level != 0 {
		level = strconv.Itoa(int(q.Level))
	}
	for _, f := range []peopleFilter{{snapshots.FilteredBySector, q.Sector, api.BySector},
		{snapshots.FilteredBySOC, q.SOC, api.BySOC},
		{snapshots.FilteredByLevel, level, api.ByLevel}, {snapshots.FilteredBySource, q.Source, ""}} {
		if f.by != "" && f.by == q.By {
			f.value = ""
			list = append(list, f)
		} else if f.value != "" {
			list = append(list, f)
		}
	}
	return list
}

// peopleRow holds the published figures about people for one skill and one combination of filters.
type peopleRow struct {
	// numbers that stand for the skill, the place and another filter's value; 0 = no filter
	Skill, Place, Value       int
	TurnedDown                *int64
	Status                    figure.Status
	HiredWith, TurnedDownWith api.Percent
}

// peopleIn returns the published figures about people for a query, by skill. In a breakdown they
// are by place, sector, occupation or level instead. The result is nil if none are published for
// the filters of the query.
func (s *Snapshot) peopleIn(ctx context.Context, q api.SkillsUnmetQuery) (map[string]peopleRow, error) {
	of := combinationOf(q)
	if of.Signature == "" {
		return nil, nil
	}
	number, ok := s.codes[code{of.Signature[strings.LastIndex(of.Signature, "_")+1:], of.Value}]
	if !ok {
		number, _ = strconv.Atoi(of.Value) // an occupation, a level or nothing
	}
	at := s.codes[code{"place", of.Place}]
	place := span{at, at}
	value := span{number, number}
	skill := span{1, math.MaxInt16}
	switch q.By {
	case "":
	case api.ByPlace:
		place = span{anyValue, math.MaxInt16}
	default:
		value = span{math.MinInt16, math.MaxInt16}
	}
	if n, ok := s.codes[code{"skill", q.Skill}]; ok {
		skill = span{n, n}
	}
	rows, err := all[peopleRow](ctx, s, people, map[string]any{"signature": s.codes[code{"signature", of.Signature}],
		"place_from": place.from, "place_to": place.to, "value_from": value.from, "value_to": value.to,
		"skill_from": skill.from, "skill_to": skill.to})
	if err != nil {
		return nil, err
	}
	by := make(map[string]peopleRow, len(rows))
	for _, r := range rows {
		by[s.keyOf(q.By, r)] = r
	}
	return by, nil
}

// keyOf returns the skill of a row of figures about people. In a breakdown it returns the place,
// sector, occupation or level of the row instead.
func (s *Snapshot) keyOf(by api.Breakdown, r peopleRow) string {
	switch by {
	case api.ByPlace:
		return s.valueOf(api.Places, r.Place)
	case api.BySector:
		return s.valueOf(api.Sectors, r.Value)
	case api.BySOC, api.ByLevel:
		return strconv.Itoa(r.Value)
	}
	return s.valueOf(api.Skills, r.Skill)
}

// anyValue and noMonth are special values in the tables.
const (
	// anyValue stands in a table for a filter that is not set.
	anyValue = 0
	// noMonth stands in a table for the month of a row that covers a whole period.
	noMonth = -1
)

// span is a range of numbers that includes both ends.
type span struct{ from, to int }

// filter returns the SQL arguments for the filters of a query. It returns nil if the snapshot does
// not have the value of a filter. The arguments that begin with cell_ select counts of adverts; the
// others select stored rankings.
func (s *Snapshot) filter(q api.SkillsUnmetQuery) map[string]any {
	known := true
	number := func(dimension, value string) span {
		n, ok := s.codes[code{dimension, value}]
		known = known && (ok || value == "")
		return span{n, n}
	}
	place := number("place", q.Place)
	sector := number("sector", q.Sector)
	source := number("source", q.Source)
	skill := number("skill", q.Skill)
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
	arguments := map[string]any{"window": q.Window, "months": q.Window, "source": source.from, "skill": skill.from,
		"bucket": string(q.By)}
	back := span{noMonth, noMonth}
	if q.By == api.ByMonth {
		arguments["window"], back = 1, span{0, q.Window - 1}
	}
	spans := map[string]span{"soc": soc, "cell_soc": cellSOC, "sector": sector, "cell_sector": cellSector,
		"cell_source": cellSource, "skill": skill, "place": place, "level": level, "back": back}
	for name, r := range spans {
		arguments[name+"_from"], arguments[name+"_to"] = r.from, r.to
	}
	return arguments
}

// fullDigits is the length of the code of a SOC 2020 unit group, the most detailed level, in
// digits.
const fullDigits = 4

// group returns a range that contains only one occupation group, the one with the given SOC 2020
// code. The range is empty if the code is invalid.
func group(code string) span {
	all := groups(code)
	return span{all.from, min(all.from, all.to)}
}

// groups returns the range of all occupation groups whose SOC 2020 code begins with prefix. The
// tables store a code as a number: the code, zeros up to four digits, and the length of the code.
// For example, 21 is stored as 21002. The range is empty if prefix is invalid.
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

// groupOf returns the SOC 2020 code for a number in the tables. The last digit of the number is the
// length of the code. For example, 21002 stands for the code 21.
func groupOf(number int) string {
	return strconv.Itoa(number / 10)[:number%10]
}

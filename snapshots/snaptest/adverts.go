package snaptest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"labour/snapshots"
	"labour/snapshots/periods"
)

// advert is one invented advert. The tables adverts and adverts_total both count the same invented
// adverts, so no share exceeds 100 %.
type advert struct {
	boroughs            []string
	sector, soc, source string
	month               time.Time
	employer            int32
	asks                []ask
}

// ask is a skill that an invented advert requires, with its level, 1 to 5.
type ask struct {
	skill string
	level int8
}

const (
	advertCount = 420
	months      = 14
	employers   = 17
)

// occupation is an invented occupation in a sector. It has the skills that its adverts require, and
// a SOC 2020 code. soc is empty if the job titles could not be coded.
type occupation struct {
	sector, soc string
	skills      []string
}

func occupations() []occupation {
	return []occupation{
		{"digital", "2134", []string{"python", "sql", "project-management"}},
		{"care-services", "6135", []string{"care-planning", "customer-service"}},
		{"construction-and-the-built-environment", "5319", []string{"site-safety", "project-management",
			"customer-service"}},
		{"digital", "", []string{"sql", "customer-service"}}, // a title that could not be coded
	}
}

// adverts returns the invented adverts for a date. The same date always gives the same adverts.
// All combinations of properties, such as sector, source and month, occur.
func adverts(asOf time.Time) []advert {
	first := periods.MonthStart(asOf)
	boroughs := [][]string{{"camden"}, {"islington"}, {"westminster"}, {"camden", "islington"}, {"camden"}}
	sources := []string{"platform", "employer_boards", "find_an_apprenticeship", "employer_boards"}
	kinds := occupations()
	var out []advert
	for i := range advertCount {
		kind := kinds[(i*i/3+i)%len(kinds)]
		a := advert{boroughs: boroughs[(i*7/3)%len(boroughs)], sector: kind.sector, soc: kind.soc,
			source: sources[(i/5+i)%len(sources)], month: first.AddDate(0, -((i * 5) % months), 0),
			employer: int32(1 + (i*11)%employers)}
		for s, skill := range kind.skills {
			if (i+s)%3 != 0 {
				level := int8(1 + (i/2+s*2)%5)
				if skill == "site-safety" { // a licence has one level
					level = 1
				}
				a.asks = append(a.asks, ask{skill, level})
			}
		}
		out = append(out, a)
	}
	return out
}

// area is an area for which adverts are counted. It has a kind, such as "borough", and a slug. The
// slug is empty for the whole country.
type area struct{ kind, place string }

// areas returns all areas in which an advert is counted: the whole country and the advert's
// boroughs. servedArea is added if it contains one of these boroughs.
func areas(a advert) []area {
	out := []area{{snapshots.AreaKindAll, ""}}
	inArea := false
	for _, b := range a.boroughs {
		out = append(out, area{snapshots.AreaKindBorough, b})
		inArea = inArea || slices.Contains(areaBoroughs(), b)
	}
	if inArea {
		out = append(out, area{snapshots.AreaKindServed, servedArea})
	}
	return out
}

// countAdverts counts invented adverts and returns the rows of the table adverts.
func countAdverts(list []advert) []snapshots.AdvertsRow {
	cells := map[snapshots.AdvertsRow]int32{}
	for _, a := range list {
		for _, at := range areas(a) {
			for _, k := range a.asks {
				cells[snapshots.AdvertsRow{Skill: k.skill, Level: k.level, AreaKind: at.kind, Place: at.place,
					Sector: a.sector, SOC: a.soc, Source: a.source, Month: a.month}]++
			}
		}
	}
	var rows []snapshots.AdvertsRow
	for row, n := range cells {
		row.Adverts = n
		rows = append(rows, row)
	}
	return rows
}

// countTotals counts invented adverts and returns the rows of the table adverts_total.
func countTotals(list []advert) []snapshots.AdvertsTotalRow {
	type cell struct {
		adverts, placed int32
		employers       map[int32]bool
	}
	cells := map[snapshots.AdvertsTotalRow]*cell{}
	for _, a := range list {
		for _, at := range areas(a) {
			key := snapshots.AdvertsTotalRow{AreaKind: at.kind, Place: at.place, Sector: a.sector, SOC: a.soc,
				Source: a.source, Month: a.month}
			c := cells[key]
			if c == nil {
				c = &cell{employers: map[int32]bool{}}
				cells[key] = c
			}
			c.adverts++
			c.employers[a.employer] = true
			if at.kind != snapshots.AreaKindAll || len(a.boroughs) > 0 {
				c.placed++
			}
		}
	}
	var rows []snapshots.AdvertsTotalRow
	for row, c := range cells {
		row.Adverts, row.InCouncil = c.adverts, c.placed
		row.Employer1, row.Employer2, row.Employer3 = smallest(c.employers)
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b snapshots.AdvertsTotalRow) int {
		return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return rows
}

// smallest returns the three smallest employer numbers in a set. second and third are nil if the
// set has too few numbers.
func smallest(employers map[int32]bool) (first int32, second, third *int32) {
	all := slices.Sorted(maps.Keys(employers))
	if len(all) > 1 {
		second = &all[1]
	}
	if len(all) > 2 {
		third = &all[2]
	}
	return all[0], second, third
}

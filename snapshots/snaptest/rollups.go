package snaptest

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"labour/snapshots"
)

// rollups is the roll-ups of the content, counted row by row as FORMAT.md words them:
// what the pipeline makes with SQL. Rows that name what no list has are in none.
type rollups struct {
	codes  map[string]map[string]int16 // by dimension and value
	month  time.Time                   // of as_of
	Codes  []snapshots.RollupCodesRow
	Months []snapshots.RollupMonthsRow
	Skills []snapshots.RollupSkillsRow
	Totals []snapshots.RollupTotalsRow
}

func (c Content) rollups(asOf time.Time) rollups {
	r := rollups{codes: map[string]map[string]int16{}, month: time.Date(asOf.Year(), asOf.Month(), 1, 0, 0, 0, 0, time.UTC)}
	named := map[string]map[string]bool{"place": {}, "sector": {}, "skill": {}, "source": {}}
	for _, p := range c.Places {
		named["place"][p.Place] = true
	}
	for _, s := range c.Sectors {
		named["sector"][s.Sector] = true
	}
	for _, s := range c.Skills {
		named["skill"][s.Skill] = true
	}
	for _, t := range c.AdvertsTotal {
		named["source"][t.Source] = true
	}
	for dimension, values := range named {
		r.number(dimension, slices.Sorted(maps.Keys(values)))
	}
	r.countSkills(c.Adverts)
	r.countTotals(c.AdvertsTotal)
	return r
}

// number numbers values from 1; places and sectors have a number 0 too.
func (r *rollups) number(dimension string, values []string) {
	r.codes[dimension] = map[string]int16{}
	add := func(n int, value string) {
		r.codes[dimension][value] = int16(n)
		r.Codes = append(r.Codes, snapshots.RollupCodesRow{Dimension: dimension, Code: int16(n), Value: value})
	}
	if dimension == "place" || dimension == "sector" {
		add(0, "")
	}
	for i, v := range values {
		add(i+1, v)
	}
}

// code is the number of a value, and whether it has one.
func (r *rollups) code(dimension, value string) (int16, bool) {
	n, ok := r.codes[dimension][value]
	return n, ok
}

// cell is the numbers of a cell of either table; false for one that is older than 24
// months or names what has no number.
func (r *rollups) cell(place, soc, sector, source string, month time.Time) (k snapshots.RollupTotalsRow, ok bool) {
	var ok1, ok2, ok3 bool
	k.PlaceCode, ok1 = r.code("place", place)
	k.SectorCode, ok2 = r.code("sector", sector)
	k.SourceCode, ok3 = r.code("source", source)
	if soc != "" {
		fmt.Sscan((soc + "000")[:4]+fmt.Sprint(len(soc)), &k.SOCCode)
	}
	back := (r.month.Year()-month.Year())*12 + int(r.month.Month()) - int(month.Month())
	k.MonthsBack = int8(back)
	return k, ok1 && ok2 && ok3 && back >= 0 && back < 24
}

// rolledUp lists an occupation and a sector, all occupations of the sector, and everything.
func rolledUp(soc int32, sector int16) [3]struct {
	soc    int32
	sector int16
} {
	return [3]struct {
		soc    int32
		sector int16
	}{{soc, sector}, {-1, sector}, {-1, -1}}
}

func (r *rollups) countSkills(adverts []snapshots.AdvertsRow) {
	months, skills := map[snapshots.RollupMonthsRow]int32{}, map[snapshots.RollupSkillsRow]int32{}
	for _, a := range adverts {
		k, ok := r.cell(a.Place, a.SOC, a.Sector, a.Source, a.Month)
		skill, known := r.code("skill", a.Skill)
		if !ok || !known {
			continue
		}
		months[snapshots.RollupMonthsRow{SkillCode: skill, PlaceCode: k.PlaceCode, SOCCode: k.SOCCode, SectorCode: k.SectorCode,
			SourceCode: k.SourceCode, MonthsBack: k.MonthsBack, Level: a.Level}] += a.Adverts
		window := int8(24)
		for _, w := range []int8{12, 6, 3} {
			if k.MonthsBack < w {
				window = w
			}
		}
		for _, up := range rolledUp(k.SOCCode, k.SectorCode) {
			skills[snapshots.RollupSkillsRow{PlaceCode: k.PlaceCode, SOCCode: up.soc, SectorCode: up.sector, SourceCode: k.SourceCode,
				WindowMonths: window, SkillCode: skill, Level: a.Level}] += a.Adverts
		}
	}
	for k, n := range months {
		k.Adverts = n
		r.Months = append(r.Months, k)
	}
	for k, n := range skills {
		k.Adverts = n
		r.Skills = append(r.Skills, k)
	}
}

func (r *rollups) countTotals(totals []snapshots.AdvertsTotalRow) {
	cells, employers := map[snapshots.RollupTotalsRow]*snapshots.RollupTotalsRow{}, map[snapshots.RollupTotalsRow]map[int32]bool{}
	for _, t := range totals {
		k, ok := r.cell(t.Place, t.SOC, t.Sector, t.Source, t.Month)
		if !ok {
			continue
		}
		for _, up := range rolledUp(k.SOCCode, k.SectorCode) {
			k.SOCCode, k.SectorCode = up.soc, up.sector
			if cells[k] == nil {
				row := k
				cells[k], employers[k] = &row, map[int32]bool{}
			}
			cells[k].Adverts += t.Adverts
			cells[k].InCouncil += t.InCouncil
			cells[k].InArea += t.InArea
			employers[k][t.Employer1] = true
			for _, e := range []*int32{t.Employer2, t.Employer3} {
				if e != nil {
					employers[k][*e] = true
				}
			}
		}
	}
	for k, row := range cells {
		all := slices.Sorted(maps.Keys(employers[k]))
		row.Employer1 = all[0]
		if len(all) > 1 {
			row.Employer2 = &all[1]
		}
		if len(all) > 2 {
			row.Employer3 = &all[2]
		}
		r.Totals = append(r.Totals, *row)
	}
}

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
	codes  map[string]int16 // by dimension and value
	month  time.Time        // of as_of
	Codes  []snapshots.RollupCodesRow
	Months []snapshots.RollupMonthsRow
	Skills []snapshots.RollupSkillsRow
	Totals []snapshots.RollupTotalsRow
}

func (c Content) rollups(asOf time.Time) *rollups {
	r := &rollups{codes: map[string]int16{}, month: time.Date(asOf.Year(), asOf.Month(), 1, 0, 0, 0, 0, time.UTC)}
	number(r, "place", c.Places, func(p snapshots.PlacesRow) string { return p.Place })
	number(r, "sector", c.Sectors, func(s snapshots.SectorsRow) string { return s.Sector })
	number(r, "skill", c.Skills, func(s snapshots.SkillsRow) string { return s.Skill })
	number(r, "source", c.AdvertsTotal, func(t snapshots.AdvertsTotalRow) string { return t.Source })
	r.countSkills(c.Adverts)
	r.countTotals(c.AdvertsTotal)
	return r
}

// number numbers the different values from 1; places and sectors have a number 0 too.
func number[T any](r *rollups, dimension string, rows []T, value func(T) string) {
	var values []string
	for _, row := range rows {
		values = append(values, value(row))
	}
	slices.Sort(values)
	first := int16(1)
	if dimension == "place" || dimension == "sector" {
		values, first = append([]string{""}, values...), 0
	}
	for i, v := range slices.Compact(values) {
		code := first + int16(i)
		r.codes[dimension+v] = code
		r.Codes = append(r.Codes, snapshots.RollupCodesRow{Dimension: dimension, Code: code, Value: v})
	}
}

// cell is the numbers of a cell of either table; false for one that is older than 24
// months or names what has no number.
func (r *rollups) cell(place, soc, sector, source string, month time.Time) (k snapshots.RollupTotalsRow, ok bool) {
	var ok1, ok2, ok3 bool
	k.PlaceCode, ok1 = r.codes["place"+place]
	k.SectorCode, ok2 = r.codes["sector"+sector]
	k.SourceCode, ok3 = r.codes["source"+source]
	if soc != "" {
		fmt.Sscan((soc + "000")[:4]+fmt.Sprint(len(soc)), &k.SOCCode)
	}
	back := (r.month.Year()-month.Year())*12 + int(r.month.Month()) - int(month.Month())
	k.MonthsBack = int8(back)
	return k, ok1 && ok2 && ok3 && back >= 0 && back < 24
}

// rolledUp gives the cell of an occupation and a sector, that of all occupations of the sector, and
// that of everything.
func rolledUp(k snapshots.RollupTotalsRow) []snapshots.RollupTotalsRow {
	sector := k
	sector.SOCCode = -1
	all := sector
	all.SectorCode = -1
	return []snapshots.RollupTotalsRow{k, sector, all}
}

func (r *rollups) countSkills(adverts []snapshots.AdvertsRow) {
	months, skills := map[snapshots.RollupMonthsRow]int32{}, map[snapshots.RollupSkillsRow]int32{}
	for _, a := range adverts {
		k, ok := r.cell(a.Place, a.SOC, a.Sector, a.Source, a.Month)
		skill, known := r.codes["skill"+a.Skill]
		if !ok || !known {
			continue
		}
		months[snapshots.RollupMonthsRow{SkillCode: skill, PlaceCode: k.PlaceCode, SOCCode: k.SOCCode, SectorCode: k.SectorCode,
			SourceCode: k.SourceCode, MonthsBack: k.MonthsBack, Level: a.Level}] += a.Adverts
		windows := []int8{3, 6, 12, 24}
		window := windows[slices.IndexFunc(windows, func(w int8) bool { return k.MonthsBack < w })]
		for _, up := range rolledUp(k) {
			skills[snapshots.RollupSkillsRow{PlaceCode: k.PlaceCode, SOCCode: up.SOCCode, SectorCode: up.SectorCode, SourceCode: k.SourceCode,
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
	cells, employers := map[snapshots.RollupTotalsRow]snapshots.RollupTotalsRow{}, map[snapshots.RollupTotalsRow]map[int32]bool{}
	for _, t := range totals {
		k, ok := r.cell(t.Place, t.SOC, t.Sector, t.Source, t.Month)
		if !ok {
			continue
		}
		for _, up := range rolledUp(k) {
			if employers[up] == nil {
				cells[up], employers[up] = up, map[int32]bool{}
			}
			row := cells[up]
			row.Adverts, row.InCouncil, row.InArea = row.Adverts+t.Adverts, row.InCouncil+t.InCouncil, row.InArea+t.InArea
			cells[up] = row
			employers[up][t.Employer1] = true
			for _, e := range []*int32{t.Employer2, t.Employer3} {
				if e != nil {
					employers[up][*e] = true
				}
			}
		}
	}
	for k, row := range cells {
		row.Employer1, row.Employer2, row.Employer3 = smallest(employers[k])
		r.Totals = append(r.Totals, row)
	}
}

// smallest is the three smallest of one or more numbers of employers, as far as there are as many.
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

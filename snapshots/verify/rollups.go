package verify

import (
	"fmt"
	"hash/maphash"
	"strconv"
	"strings"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

// rollupCell is a cell of a roll-up and what is counted of it.
type rollupCell struct {
	place, sector, source, soc, when, skill, level, measure int64
}

// rollups compares the roll-ups with the tables of cells without holding either: of both
// it adds up every count times the hash of its cell. The hashes differ from one run to
// the next, so nobody can make two tables that look alike.
type rollups struct {
	seed         maphash.Seed
	codes        map[string]map[string]int64 // by dimension and value
	month        int64                       // of as_of, counted from year 0
	cells, given map[string]uint64           // by roll-up: what it shall add up to, and does
}

// readRollupCodes is nil when the snapshot has no roll-ups or they cannot be read.
func readRollupCodes(s *subject) *rollups {
	r := &rollups{seed: maphash.MakeSeed(), codes: map[string]map[string]int64{"place": {}, "sector": {}, "skill": {}, "source": {}},
		month: monthsOf(s.manifest.AsOf.Unix() / secondsPerDay), cells: map[string]uint64{}, given: map[string]uint64{}}
	path := snapshots.Within(s.dir, snapshots.TableFileName("rollup_codes"))
	err := parquetio.Scan(path, []string{"dimension", "code", "value"}, func(_ int64, v []parquetio.Value) error {
		if of := r.codes[v[0].Text]; of != nil {
			of[strings.Clone(v[2].Text)] = v[1].Int
		}
		return nil
	})
	if err != nil {
		return nil // version 1, or said by checkSchemas or by the scan of the table
	}
	return r
}

// monthsOf is a day's month, counted from year 0.
func monthsOf(day int64) int64 {
	at := dayOf(day)
	return int64(at.Year())*12 + int64(at.Month())
}

func (r *rollups) add(into map[string]uint64, table string, c rollupCell, n int64) {
	into[table] += maphash.Comparable(r.seed, c) * uint64(n)
}

// rollupChecks: a roll-up is what the cells of the last 24 months add up to.
func rollupChecks(t snapshots.Table, r *rollups) []rowCheck {
	if r == nil {
		return nil
	}
	cell := []string{"place", "sector", "source", "soc", "month", "adverts"}
	coded := []string{"place_code", "sector_code", "source_code", "soc_code"}
	switch t.Name {
	case "adverts":
		return []rowCheck{{"roll-ups", append(cell, "skill", "level"), r.ofSkill}}
	case "adverts_total":
		return []rowCheck{{"roll-ups", append(cell, "in_council", "in_area"), r.ofTotal}}
	case "rollup_months":
		return []rowCheck{{"roll-ups", append(coded, "months_back", "adverts", "skill_code", "level"), r.stored(t.Name)}}
	case "rollup_skills":
		return []rowCheck{{"roll-ups", append(coded, "window_months", "adverts", "skill_code", "level"), r.stored(t.Name)}}
	case "rollup_totals":
		return []rowCheck{{"roll-ups", append(coded, "months_back", "adverts", "in_council", "in_area"), r.storedTotal}}
	}
	return nil
}

// cell is a row's cell in numbers; in is false for adverts of another time.
func (r *rollups) cell(v []parquetio.Value) (c rollupCell, in bool, err error) {
	if c.when = r.month - monthsOf(v[4].Int); c.when < 0 || c.when > 23 {
		return c, false, nil
	}
	for i, to := range []*int64{&c.place, &c.sector, &c.source} {
		if *to, err = r.code([]string{"place", "sector", "source"}[i], v[i].Text); err != nil {
			return c, false, err
		}
	}
	if soc := v[3].Text; soc != "" {
		c.soc, err = strconv.ParseInt((soc + "000")[:4]+strconv.Itoa(len(soc)), 10, 64)
	}
	return c, err == nil, err
}

func (r *rollups) code(dimension, value string) (int64, error) {
	n, ok := r.codes[dimension][value]
	if !ok {
		return 0, fmt.Errorf("%s %q has no number in rollup_codes", dimension, value)
	}
	return n, nil
}

// rolledUp lists a cell, all occupations of its sector, and everything of its place.
func rolledUp(c rollupCell) [3]rollupCell {
	sector, place := c, c
	sector.soc, place.soc, place.sector = -1, -1, -1
	return [3]rollupCell{c, sector, place}
}

func (r *rollups) ofSkill(v []parquetio.Value) error {
	c, in, err := r.cell(v)
	if !in {
		return err
	}
	if c.skill, err = r.code("skill", v[6].Text); err != nil {
		return err
	}
	c.level = v[7].Int
	r.add(r.cells, "rollup_months", c, v[5].Int)
	window := int64(24)
	for _, shorter := range []int64{12, 6, 3} {
		if c.when < shorter {
			window = shorter
		}
	}
	c.when = window
	for _, up := range rolledUp(c) {
		r.add(r.cells, "rollup_skills", up, v[5].Int)
	}
	return nil
}

func (r *rollups) ofTotal(v []parquetio.Value) error {
	c, in, err := r.cell(v)
	if !in {
		return err
	}
	for _, up := range rolledUp(c) {
		r.addTotal(r.cells, up, v[5:])
	}
	return nil
}

// addTotal adds the adverts of a cell, and how exactly their places are known.
func (r *rollups) addTotal(into map[string]uint64, c rollupCell, v []parquetio.Value) {
	for measure, n := range v { // adverts, in_council, in_area
		c.measure = int64(measure)
		r.add(into, "rollup_totals", c, n.Int)
	}
}

func storedCell(v []parquetio.Value) rollupCell {
	return rollupCell{place: v[0].Int, sector: v[1].Int, source: v[2].Int, soc: v[3].Int, when: v[4].Int}
}

func (r *rollups) stored(table string) func([]parquetio.Value) error {
	return func(v []parquetio.Value) error {
		c := storedCell(v)
		c.skill, c.level = v[6].Int, v[7].Int
		r.add(r.given, table, c, v[5].Int)
		return nil
	}
}

func (r *rollups) storedTotal(v []parquetio.Value) error {
	r.addTotal(r.given, storedCell(v), v[5:])
	return nil
}

// compare tells of the roll-ups that are not what the cells add up to.
func (r *rollups) compare(s *subject) {
	if r == nil {
		return
	}
	for table, of := range map[string]string{"rollup_months": "adverts", "rollup_skills": "adverts", "rollup_totals": "adverts_total"} {
		if r.given[table] != r.cells[table] {
			s.fault("roll-ups", snapshots.TableFileName(table), WholeFile, "is not what %s adds up to", of)
		}
	}
}

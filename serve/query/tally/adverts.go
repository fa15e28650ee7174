package tally

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"labour/snapshots/parquetio"
)

// areas reads the columns that adverts and adverts_total share and notes what is
// not listed.
type areas struct {
	table                            string
	faults                           map[string]bool
	kind, place, sector, soc, source *coder
	wantKind                         []uint32
	calendar                         calendar
}

func (l *loader) areas(table string, faults map[string]bool) *areas {
	a := &areas{table: table, faults: faults, place: newCoder(l.vocabulary.Places, unlisted), sector: newCoder(l.vocabulary.Sectors, unlisted),
		soc: socs(), source: newCoder(indexed(l.vocabulary.Sources), unlisted), calendar: l.calendar()}
	a.kind, a.wantKind = l.kinds()
	return a
}

// The columns of areas, in their order.
const (
	atKind = iota
	atPlace
	atSector
	atSOC
	atSource
	atMonth
	atAdverts
	atOwn // the first column of a table's own
)

func (a *areas) columns(more ...parquetio.Coded) []parquetio.Coded {
	return append([]parquetio.Coded{{Column: "area_kind", Text: a.kind.code}, {Column: "place", Text: a.place.code},
		{Column: "sector", Text: a.sector.code}, {Column: "soc", Text: a.soc.code}, {Column: "source", Text: a.source.code},
		{Column: "month"}, {Column: "adverts"}}, more...)
}

// cell is the cell of a row; ok is false for one that no question can ask for:
// its month lies outside the 24, or it has a fault.
func (a *areas) cell(batch [][]uint32, i int) (place uint16, c cell, ok bool) {
	kind, at, sector := batch[atKind][i], batch[atPlace][i], batch[atSector][i]
	soc, source := batch[atSOC][i], batch[atSource][i]
	if !a.place.knows(at) || a.wantKind[at] != kind || !a.sector.knows(sector) || !a.soc.knows(soc) || !a.source.knows(source) {
		a.fault(kind, at, sector, soc, source)
		return 0, c, false
	}
	back, held := a.calendar.of(batch[atMonth][i])
	return uint16(at), cell{adverts: batch[atAdverts][i], soc: uint16(soc), sector: uint8(sector), source: uint8(source), back: back}, held
}

// fault says what is not listed. A fault that is there already is not added again.
func (a *areas) fault(kind, place, sector, soc, source uint32) {
	if !a.place.knows(place) || a.wantKind[place] != kind {
		a.faults[fmt.Sprintf("%s: place %q of kind %s is not in places", a.table, a.place.texts[place], a.kind.texts[kind])] = true
	}
	if !a.sector.knows(sector) {
		a.faults[fmt.Sprintf("%s: sector %q is not in sectors", a.table, a.sector.texts[sector])] = true
	}
	if !a.soc.knows(soc) {
		a.faults[fmt.Sprintf("%s: soc %q is not a unit group of four digits", a.table, a.soc.texts[soc])] = true
	}
	if !a.source.knows(source) {
		a.faults[fmt.Sprintf("%s: source %q is not in sources", a.table, a.source.texts[source])] = true
	}
}

// asks is a cell with the skill that its adverts ask for.
type asks struct {
	cell
	skill, place uint16
}

func (t *Tally) readAdverts(ctx context.Context, l *loader, faults map[string]bool) error {
	n, err := l.rows("adverts")
	if err != nil {
		return err
	}
	a, skills := l.areas("adverts", faults), newCoder(l.vocabulary.Skills, unlisted)
	rows := make([]asks, 0, n)
	err = parquetio.Codes(ctx, l.file("adverts"), a.columns(parquetio.Coded{Column: "skill", Text: skills.code}, parquetio.Coded{Column: "level"}),
		func(batch [][]uint32) error {
			for i, skill := range batch[atOwn] {
				place, c, ok := a.cell(batch, i)
				if !skills.knows(skill) {
					faults[fmt.Sprintf("adverts: skill %q is not in skills", skills.texts[skill])] = true
					ok = false
				}
				if c.level = uint8(batch[atOwn+1][i]); c.level >= levels {
					return fmt.Errorf("adverts: level %d: %w", batch[atOwn+1][i], parquetio.ErrSchema)
				}
				if ok {
					rows = append(rows, asks{c, uint16(skill), place})
				}
			}
			return nil
		})
	if err != nil {
		return err
	}
	t.full = t.bySkill(rows)
	return t.rank(ctx)
}

// bySkill puts the cells of each skill and place beside each other.
func (t *Tally) bySkill(rows []asks) cells {
	c := cells{places: t.places, start: make([]uint32, (t.skills+1)*t.places+1), rows: make([]cell, len(rows))}
	for i := range rows {
		c.start[int(rows[i].skill)*t.places+int(rows[i].place)+1]++
	}
	for i := 1; i < len(c.start); i++ {
		c.start[i] += c.start[i-1]
	}
	next := append([]uint32(nil), c.start...)
	for i := range rows {
		at := int(rows[i].skill)*t.places + int(rows[i].place)
		c.rows[next[at]] = rows[i].cell
		next[at]++
	}
	return c
}

// rank makes the rows for ranking skills, several places at once.
func (t *Tally) rank(ctx context.Context) error {
	t.jobs, t.sectors = make([]runs, t.places), make([][]runs, t.places)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for place := range t.places {
		g.Go(func() error {
			t.jobs[place], t.sectors[place] = t.rankPlace(place)
			return ctx.Err()
		})
	}
	return g.Wait()
}

// rankPlace adds the cells of a place up over sectors, and by sector.
func (t *Tally) rankPlace(place int) (runs, []runs) {
	var bySector [AnySector][]uint32 // positions of the cells in the order of the skills
	var all []uint32
	used := 0
	skillOf := make([]uint16, 0)
	first := uint32(0)
	var own []cell
	for skill := 1; skill <= t.skills; skill++ {
		for _, c := range t.full.of(uint32(skill), place) {
			all = append(all, first)
			bySector[c.sector] = append(bySector[c.sector], first)
			used = max(used, int(c.sector)+1)
			own, skillOf = append(own, c), append(skillOf, uint16(skill))
			first++
		}
	}
	a := &adder{own: own, skillOf: skillOf}
	sectors := make([]runs, used)
	for sector := range sectors {
		sectors[sector] = a.runsOf(bySector[sector])
	}
	return a.runsOf(all), sectors
}

// adder adds up the cells of one place, which are in the order of their skills.
type adder struct {
	own     []cell
	skillOf []uint16               // by position in own
	sums    [1 << 8][1 << 5]uint32 // by source, and by window and level
	touched []sumKey
}

// sumKey is where in sums something is.
type sumKey struct{ source, when uint8 }

// runsOf adds up the chosen cells, by occupation and all of them.
func (a *adder) runsOf(chosen []uint32) runs {
	var start [lastSOC + 2]uint32
	for _, i := range chosen {
		start[a.own[i].soc+1]++
	}
	r := runs{start: []uint32{0}}
	for soc := 1; soc < len(start); soc++ {
		start[soc] += start[soc-1]
	}
	sorted, next := make([]uint32, len(chosen)), start
	for _, i := range chosen {
		sorted[next[a.own[i].soc]] = i
		next[a.own[i].soc]++
	}
	for soc := range lastSOC + 1 {
		if from, to := start[soc], start[soc+1]; from < to {
			r.rows = a.addUp(r.rows, sorted[from:to])
			r.socs, r.start = append(r.socs, uint16(soc)), append(r.start, uint32(len(r.rows)))
		}
	}
	r.all = a.addUp(nil, chosen)
	r.rows = slices.Clip(r.rows)
	return r
}

// addUp appends the chosen cells, with those of one skill, source, window and level
// added up.
func (a *adder) addUp(rows []row, chosen []uint32) []row {
	for n, i := range chosen {
		c := &a.own[i]
		k := sumKey{c.source, windowOf(c.back)<<3 | c.level}
		if a.sums[k.source][k.when] == 0 {
			a.touched = append(a.touched, k)
		}
		a.sums[k.source][k.when] += c.adverts
		if n+1 == len(chosen) || a.skillOf[chosen[n+1]] != a.skillOf[i] {
			rows = a.flush(rows, a.skillOf[i])
		}
	}
	return rows
}

// flush appends the sums of a skill and clears them.
func (a *adder) flush(rows []row, skill uint16) []row {
	for _, k := range a.touched {
		rows = append(rows, row{a.sums[k.source][k.when], skill, k.source, k.when})
		a.sums[k.source][k.when] = 0
	}
	a.touched = a.touched[:0]
	return rows
}

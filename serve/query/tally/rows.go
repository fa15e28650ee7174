package tally

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"labour/snapshots"
	"labour/snapshots/parquetio"
)

func (t *Tally) readTotals(ctx context.Context, l *loader, faults map[string]bool) error {
	a := l.areas("adverts_total", faults)
	byPlace := make([][]totalCell, t.places)
	err := parquetio.Codes(ctx, l.file("adverts_total"),
		a.columns(parquetio.Coded{Column: "employer_1"}, parquetio.Coded{Column: "employer_2"}, parquetio.Coded{Column: "employer_3"}),
		func(batch [][]uint32) error {
			for i := range batch[atPlace] {
				place, c, ok := a.cell(batch, i)
				if !ok {
					continue
				}
				total := totalCell{cell: c}
				for e := range total.employers {
					if n := batch[atOwn+e][i]; n != parquetio.Null {
						total.employers[e] = n
					}
				}
				byPlace[place] = append(byPlace[place], total)
			}
			return nil
		})
	if err != nil {
		return err
	}
	t.totals.take(byPlace)
	return nil
}

// take puts the cells of each place into the order of their occupations.
func (t *totals) take(byPlace [][]totalCell) {
	t.start = []uint32{0}
	for _, rows := range byPlace {
		slices.SortStableFunc(rows, func(a, b totalCell) int { return int(a.soc) - int(b.soc) })
		t.rows = append(t.rows, rows...)
		t.start = append(t.start, uint32(len(t.rows)))
	}
}

// values codes the column value of people, whose meaning follows from the
// signature of the row.
type values struct {
	*coder
	sectors map[string]uint8
	sources map[string]uint16
	month   time.Time
}

// code is the code of a value under a dimension; ok is false for one that no
// question can ask for.
func (v *values) code(dimension string, text string) (code uint16, ok bool) {
	switch dimension {
	case snapshots.SigSector:
		sector, ok := v.sectors[text]
		return uint16(sector), ok
	case snapshots.SigSource:
		code, ok = v.sources[text]
		return code, ok
	case snapshots.SigSOC, snapshots.SigLevel:
		_, err := fmt.Sscanf(text, "%d", &code)
		return code, err == nil
	case snapshots.SigMonth:
		month, err := time.Parse("2006-01", text)
		back := (v.month.Year()-month.Year())*12 + int(v.month.Month()) - int(month.Month())
		return uint16(back), err == nil && back >= 0 && back < months
	}
	return 0, text == ""
}

// The columns of people, in their order.
const (
	atSignature = iota
	atPersonPlace
	atValue
	atWindow
	atSkill
	atTurnedDown
	atStatus
	atHired
	atTurnedWith
)

func (t *Tally) readPeople(ctx context.Context, l *loader, faults map[string]bool) error {
	n, err := l.rows("people")
	if err != nil {
		return err
	}
	order := signatures()
	signature, place := newCoder(indexed(order), unlisted), newCoder(l.vocabulary.Places, unlisted)
	skill, status := newCoder(l.vocabulary.Skills, unlisted), newCoder(map[string]uint8{}, 0)
	value := &values{newCoder(map[string]uint8{}, 0), l.vocabulary.Sectors, indexed(l.vocabulary.Sources), l.month}
	coded := map[[2]uint32]int32{} // by signature and text; none where nothing can ask for it
	t.people = people{keys: make([]uint64, 0, n), figures: make([]printed, 0, n)}
	err = parquetio.Codes(ctx, l.file("people"), []parquetio.Coded{{Column: "signature", Text: signature.code}, {Column: "place", Text: place.code},
		{Column: "value", Text: value.coder.code}, {Column: "window_months"}, {Column: "skill", Text: skill.code}, {Column: "people_turned_down"},
		{Column: "people_turned_down_status", Text: status.code}, {Column: "hired_with_skill_pct"}, {Column: "turned_down_with_skill_pct"}},
		func(batch [][]uint32) error {
			for i, s := range batch[atSignature] {
				if !signature.knows(s) {
					faults[fmt.Sprintf("people: signature %q is not of the lattice", signature.texts[s])] = true
					continue
				}
				at := [2]uint32{s, batch[atValue][i]}
				v, seen := coded[at]
				if !seen {
					v = value.of(order[s], at[1])
					coded[at] = v
				}
				if v == none || !place.knows(batch[atPersonPlace][i]) || !skill.knows(batch[atSkill][i]) {
					continue
				}
				cell := Cell{Months: uint8(batch[atWindow][i]), Place: uint16(batch[atPersonPlace][i]), Value: uint16(v), Skill: batch[atSkill][i]}
				if err := t.people.add(cell.key(int(s), isMonth(order[s])), batch, i); err != nil {
					return err
				}
			}
			return nil
		})
	for code := range uint32(len(status.texts)) {
		t.people.statuses = append(t.people.statuses, status.texts[code])
	}
	t.people.sort()
	return err
}

// of is the code of a value under a signature, or none.
func (v *values) of(signature string, text uint32) int32 {
	dimension := signature[strings.LastIndexByte(signature, '_')+1:]
	if code, ok := v.code(dimension, v.texts[text]); ok {
		return int32(code)
	}
	return none
}

func (p *people) add(key uint64, batch [][]uint32, i int) error {
	figures := printed{none, none, none, uint8(batch[atStatus][i])}
	if n := batch[atTurnedDown][i]; n != parquetio.Null {
		if n > math.MaxInt32 {
			return fmt.Errorf("people: %d turned down: %w", n, parquetio.ErrSchema)
		}
		figures.turnedDown = int32(n)
	}
	for _, n := range []uint32{batch[atHired][i], batch[atTurnedWith][i]} {
		if n != parquetio.Null && n > math.MaxInt16 {
			return fmt.Errorf("people: a share of %d tenths: %w", n, parquetio.ErrSchema)
		}
	}
	if n := batch[atHired][i]; n != parquetio.Null {
		figures.hiredWith = int16(n)
	}
	if n := batch[atTurnedWith][i]; n != parquetio.Null {
		figures.turnedDownWith = int16(n)
	}
	p.keys, p.figures = append(p.keys, key), append(p.figures, figures)
	return nil
}

// sort orders the figures by cell. The rows of a snapshot come in that order.
func (p *people) sort() {
	if slices.IsSorted(p.keys) {
		return
	}
	order := make([]int, len(p.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if p.keys[a] < p.keys[b] {
			return -1
		}
		return 1
	})
	keys, figures := make([]uint64, len(order)), make([]printed, len(order))
	for to, from := range order {
		keys[to], figures[to] = p.keys[from], p.figures[from]
	}
	p.keys, p.figures = keys, figures
}

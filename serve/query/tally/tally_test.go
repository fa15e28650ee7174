package tally

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// world is a small tally with its cells kept beside it, to be added up plainly.
type world struct {
	rows   []asks
	totals []totalCell
	places []uint16 // by total
	tally  *Tally
}

const (
	worldPlaces = 4
	worldSkills = 5
)

func cellOf(t *rapid.T) cell {
	return cell{adverts: rapid.Uint32Range(1, 4).Draw(t, "adverts"), soc: rapid.SampledFrom([]uint16{0, 1111, 2134, 2135, 9263}).Draw(t, "soc"),
		sector: rapid.Uint8Range(0, 3).Draw(t, "sector"), source: rapid.Uint8Range(0, 2).Draw(t, "source"), back: rapid.Uint8Range(0, 23).Draw(t, "back")}
}

func worlds() *rapid.Generator[*world] {
	return rapid.Custom(func(t *rapid.T) *world {
		w := &world{tally: &Tally{places: worldPlaces, skills: worldSkills}}
		for range rapid.IntRange(0, 60).Draw(t, "cells") {
			c := cellOf(t)
			c.level = rapid.Uint8Range(0, 5).Draw(t, "level")
			w.rows = append(w.rows, asks{c, rapid.Uint16Range(1, worldSkills).Draw(t, "skill"), rapid.Uint16Range(0, worldPlaces-1).Draw(t, "place")})
		}
		byPlace := make([][]totalCell, worldPlaces)
		for range rapid.IntRange(0, 60).Draw(t, "totals") {
			c := totalCell{cell: cellOf(t)}
			for e := range rapid.IntRange(1, 3).Draw(t, "employers") {
				c.employers[e] = rapid.Uint32Range(1, 4).Draw(t, "employer")
			}
			place := rapid.Uint16Range(0, worldPlaces-1).Draw(t, "place")
			byPlace[place] = append(byPlace[place], c)
			w.totals, w.places = append(w.totals, c), append(w.places, place)
		}
		w.tally.full = w.tally.bySkill(w.rows)
		if err := w.tally.rank(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.tally.totals.take(byPlace)
		return w
	})
}

func filterOf(t *rapid.T) Filter {
	between := func(name string, last uint8) Range[uint8] {
		from := rapid.Uint8Range(0, last).Draw(t, name)
		return rapid.SampledFrom([]Range[uint8]{{0, last}, {1, last}, {from, from}}).Draw(t, name+" range")
	}
	f := Filter{Months: rapid.SampledFrom([]uint8{3, 6, 12, 24}).Draw(t, "months"), By: By(rapid.Uint8Range(0, 5).Draw(t, "by")),
		Skill: rapid.Uint32Range(1, worldSkills).Draw(t, "skill"), Source: between("source", 2), Level: between("level", 5),
		SOC: rapid.SampledFrom([]Range[uint16]{{0, lastSOC}, {2000, 2999}, {2130, 2139}, {2134, 2134}, {3000, 3999}}).Draw(t, "soc")}
	at := rapid.Uint16Range(0, worldPlaces-1).Draw(t, "place")
	if f.Place = (Range[uint16]{at, at}); f.By == ByPlace {
		f.Place = Range[uint16]{1, 1<<16 - 1}
	}
	// Without a breakdown a sector is one or none.
	if f.Sector = between("sector", 3); f.By == Whole && f.Sector.From != f.Sector.To {
		f.Sector = Range[uint8]{0, AnySector - 1}
	}
	return f
}

func (f Filter) matches(place uint16, c cell) bool {
	return f.Place.holds(place) && f.SOC.holds(c.soc) && f.Sector.holds(c.sector) && f.Source.holds(c.source) && c.back < f.Months
}

// TestAskedAgainstEveryCell adds up what is asked for by walking through every cell.
func TestAskedAgainstEveryCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, f := worlds().Draw(t, "world"), filterOf(t)
		want := map[int32]*counts{}
		for _, r := range w.rows {
			if !f.matches(r.place, r.cell) || !f.Level.holds(r.level) || f.By != Whole && uint32(r.skill) != f.Skill {
				continue
			}
			code := int32(r.skill)
			if f.By != Whole {
				code = int32(r.cell.bucket(f.By, int(r.place)))
			}
			if want[code] == nil {
				want[code] = &counts{}
			}
			want[code][r.level] += r.adverts
		}
		got := w.tally.Asked(f)
		if len(got) != len(want) {
			t.Fatalf("%+v: %v, want %d", f, got, len(want))
		}
		for _, c := range got {
			if want[c.Code] == nil || c != want[c.Code].counted(c.Code) {
				t.Fatalf("%+v: %+v, want %+v", f, c, want[c.Code])
			}
		}
	})
}

// TestTotalsAgainstEveryCell does the same for the denominators and their floor.
func TestTotalsAgainstEveryCell(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, f := worlds().Draw(t, "world"), filterOf(t)
		want, employers := map[int32]Total{}, map[int32]map[uint32]bool{}
		for i, c := range w.totals {
			if !f.matches(w.places[i], c.cell) {
				continue
			}
			code := int32(0)
			if f.By != ByLevel {
				code = int32(c.bucket(f.By, int(w.places[i])))
			}
			if employers[code] == nil {
				employers[code] = map[uint32]bool{}
			}
			for _, e := range c.employers {
				if e != 0 {
					employers[code][e] = true
				}
			}
			want[code] = Total{want[code].Adverts + int64(c.adverts), want[code].Sources | 1<<c.source}
		}
		for code, all := range want {
			if all.Adverts < 5 || len(employers[code]) < 3 {
				delete(want, code)
			}
		}
		if got := w.tally.Totals(f); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%+v: %v, want %v", f, got, want)
		}
	})
}

func TestUsualLevel(t *testing.T) {
	for _, c := range []struct {
		counts counts
		usual  int
	}{{counts{9}, 0}, {counts{9, 0, 1, 1}, 2}, {counts{0, 1, 2, 3, 3, 2}, 3}, {counts{0, 0, 0, 0, 0, 1}, 5}} {
		if got := c.counts.counted(1); got.Usual != c.usual {
			t.Errorf("%v: level %d, want %d", c.counts, got.Usual, c.usual)
		}
	}
}

func BenchmarkAsked(b *testing.B) {
	tally := &Tally{places: 1, skills: 350}
	var rows []asks
	for i := range 200_000 {
		c := cell{adverts: 1, soc: uint16(1000 + i*37%400), sector: uint8(i % 15), source: uint8(i % 3), back: uint8(i * 7 % 24), level: uint8(i % 6)}
		rows = append(rows, asks{c, uint16(1 + i*31%350), 0})
	}
	tally.full = tally.bySkill(rows)
	if err := tally.rank(b.Context()); err != nil {
		b.Fatal(err)
	}
	f := Filter{SOC: Range[uint16]{1000, 1999}, Sector: Range[uint8]{0, AnySector - 1}, Source: Range[uint8]{0, 254}, Level: Range[uint8]{0, 5}, Months: 12}
	b.ReportAllocs()
	for b.Loop() {
		tally.Asked(f)
	}
}

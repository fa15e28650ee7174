package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/lattice"
	"labour/snapshots"
	"labour/sources"
	"labour/sources/sandbox"
)

// TestUtilityOfTheSandbox measures the share of the true counts of 5 and more people
// turned down that are printed of the sandbox, in its first quarter: by kind of cell,
// window and size of the skill, beside the share that the design has for a skill of
// that size; with R8 and without, and which rule withheld the rest. What R8 forbids to
// print is set beside it: no rule after it could.
func TestUtilityOfTheSandbox(t *testing.T) {
	if os.Getenv("DISCLOSURE_MEASURE") == "" {
		t.Skip("takes minutes: set DISCLOSURE_MEASURE")
	}
	p := publish(t, sandbox.DefaultSize())
	o := newOracle(t, p.options.Config, p.data, sources.DateOf(*p.clock))
	var areas []lattice.Area
	for _, a := range p.options.Config.ServedAreas {
		areas = append(areas, lattice.Area{Slug: a.Slug, Boroughs: a.Boroughs})
	}
	rules := disclosure.Rules{Lattice: lattice.New(areas, o.volumes())}
	insider := rules
	insider.MinEmployers = p.options.Config.People.MinEmployers
	u := useful{}
	for _, cells := range o.counted() {
		people := 0
		var asked []disclosure.Truth
		for _, c := range cells {
			if c.Cell == (disclosure.Cell{Signature: snapshots.SigNone, Window: 24}) {
				people = int(c.TurnedDownFor)
			}
			if !c.Unlisted {
				asked = append(asked, c)
			}
		}
		if people > 0 {
			u.add(people, asked, insider.Mask(cells), rules.Mask(cells), insider.MinEmployers)
		}
	}
	u.report(t)
}

// volumes are the adverts of the last calendar year, for the public order.
func (o *oracle) volumes() (out []lattice.Volume) {
	year := o.peopleAsOf.Year - 1
	if o.peopleAsOf.Month == 12 {
		year++
	}
	for i := range o.vacancies {
		v := &o.vacancies[i]
		if v.month/12 != year {
			continue
		}
		for _, p := range o.placesOf(v) {
			out = append(out, lattice.Volume{Dim: "place", Value: p, Adverts: 1})
		}
		out = append(out, lattice.Volume{Dim: "sector", Value: v.sector, Adverts: 1}, lattice.Volume{Dim: "soc", Value: v.soc, Adverts: 1},
			lattice.Volume{Dim: "source", Value: v.source, Adverts: 1})
		for _, level := range v.asked {
			out = append(out, lattice.Volume{Dim: "level", Value: fmt.Sprint(level), Adverts: 1})
		}
	}
	return out
}

// counted are the true counts of people turned down for each skill, with who turned
// them down, in every cell that can be asked or holds somebody.
func (o *oracle) counted() map[string][]disclosure.Truth {
	cells := map[string]map[disclosure.Cell]*disclosure.Truth{}
	at := func(skill string, c disclosure.Cell, listed bool) *disclosure.Truth {
		if cells[skill] == nil {
			cells[skill] = map[disclosure.Cell]*disclosure.Truth{}
		}
		if cells[skill][c] == nil {
			cells[skill][c] = &disclosure.Truth{Cell: c, Unlisted: !listed}
		}
		return cells[skill][c]
	}
	for i := range o.vacancies {
		for skill, level := range o.vacancies[i].asked {
			for _, c := range o.cellsOf(&o.vacancies[i], level) {
				at(skill, c, true)
			}
		}
	}
	by := map[*disclosure.Truth]map[string]int64{}
	for _, e := range o.latest["for"] {
		age := monthNumber(o.peopleAsOf) - e.month
		v := *e.v
		v.boroughs = map[string]bool{e.place: true}
		for _, c := range o.cellsOf(&v, e.level) {
			if month := strings.HasSuffix(c.Signature, snapshots.SigMonth); month && c.Value != monthText(e.month) || !month && age >= c.Window {
				continue
			}
			truth := at(e.skill, c, false)
			truth.TurnedDownFor++
			if by[truth] == nil {
				by[truth] = map[string]int64{}
			}
			by[truth][v.employer]++
			if c.Window == 12 && age < 6 {
				truth.Recent[0][1]++
				if age < 3 {
					truth.Recent[0][0]++
				}
			}
		}
	}
	out := map[string][]disclosure.Truth{}
	for skill, all := range cells {
		for _, truth := range all {
			for _, n := range by[truth] {
				truth.By[0].Number, truth.By[0].Largest = truth.By[0].Number+1, max(truth.By[0].Largest, n)
			}
			out[skill] = append(out[skill], *truth)
		}
		slices.SortFunc(out[skill], func(a, b disclosure.Truth) int {
			return cmp.Or(cmp.Compare(a.Signature, b.Signature), cmp.Compare(a.Place, b.Place), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Window, b.Window))
		})
	}
	return out
}

// useful counts the true counts of 5 and more by what became of them.
type useful map[usefulKind]*usefulCount

// usefulKind is a kind of cell of skills of a size: at least so many people in 24
// months, the sizes being those of the design.
type usefulKind struct {
	size, window int
	kind         string
}

type usefulCount struct {
	large, printed, allowed, without int
	why, whyWithout                  map[string]int // by rule
}

func (u useful) add(people int, cells []disclosure.Truth, printed, without []disclosure.Printed, least int) {
	size := 0
	for _, s := range []int{560, 2855, 14409} {
		if people >= s {
			size = s
		}
	}
	for i, c := range cells {
		n := c.TurnedDownFor
		if n < 5 || c.Window == 1 {
			continue
		}
		for _, k := range []usefulKind{{size, c.Window, c.Signature}, {size, 0, "all"}, {-1, 0, "all"}, {size, c.Window, usefulGroup(c.Signature)}} {
			x := u[k]
			if x == nil {
				x = &usefulCount{why: map[string]int{}, whyWithout: map[string]int{}}
				u[k] = x
			}
			x.large++
			if rest := n - c.By[0].Largest; c.By[0].Number >= int64(least) && (rest == 0 || rest >= 5) {
				x.allowed++
			}
			if _, ok := printed[i].TurnedDown.Number(); ok {
				x.printed++
			} else {
				x.why[printed[i].Withheld.String()]++
			}
			if _, ok := without[i].TurnedDown.Number(); ok {
				x.without++
			} else {
				x.whyWithout[without[i].Withheld.String()]++
			}
		}
	}
}

// usefulGroup is the column of the design's table; it has no occupations.
func usefulGroup(signature string) string {
	switch signature {
	case snapshots.SigPlace, snapshots.SigSector, snapshots.SigLevel, snapshots.SigSource:
		return "one filter but soc"
	}
	return "-"
}

// designed is the design's table of utility, for skills of so many people in 24
// months, in per cent.
var designed = map[usefulKind]int{
	{560, 3, "one filter but soc"}: 76, {560, 12, "one filter but soc"}: 91, {560, 24, "one filter but soc"}: 96,
	{560, 12, "place_sector"}: 0, {560, 24, "place_sector"}: 0, {560, 12, "place_level"}: 0, {560, 24, "place_level"}: 0, {560, 24, "place_source"}: 62,
	{2855, 3, "one filter but soc"}: 94, {2855, 12, "one filter but soc"}: 97, {2855, 24, "one filter but soc"}: 100,
	{2855, 12, "place_sector"}: 59, {2855, 24, "place_sector"}: 100, {2855, 12, "place_level"}: 73, {2855, 24, "place_level"}: 86, {2855, 24, "place_source"}: 89,
}

func (u useful) report(t *testing.T) {
	t.Helper()
	kinds := slices.SortedFunc(maps.Keys(u), func(a, b usefulKind) int {
		return cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.kind, b.kind), cmp.Compare(a.window, b.window))
	})
	for _, k := range kinds {
		x := u[k]
		if k.kind == "-" {
			continue
		}
		share := func(n, of int) int { return (200*n + of) / (2 * max(of, 1)) }
		design := "  -"
		if d, ok := designed[k]; ok {
			design = fmt.Sprintf("%3d", d)
		}
		t.Logf("from %5d people, %-18s %2d months: %6d counts of 5 and more; with R8 %3d %% (%3d %% of the %6d that it allows); without %3d %%; design %s; withheld %v, without R8 %v",
			k.size, k.kind, k.window, x.large, share(x.printed, x.large), share(x.printed, x.allowed), x.allowed, share(x.without, x.large), design, x.why, x.whyWithout)
	}
	if all := u[usefulKind{-1, 0, "all"}]; all == nil || 100*all.without < 50*all.large || 100*all.printed < 75*all.allowed {
		t.Errorf("of the sandbox less than 50 %% is printed without R8, or less than 75 %% of what R8 allows: %+v", all)
	}
}

package main

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attack/crawl"
	"labour/pipeline/disclosure/lattice"
	"labour/pipeline/disclosure/ledger"
	"labour/pipeline/disclosure/madeup"
	"labour/pipeline/disclosure/mask"
)

// other is the same world with other people wherever that prints the same, masked
// as a black box, and the names of those skills: one of the attacker's populations,
// or one person more, fewer or elsewhere. Residents who seek a sector
// and people employed differ too.
func (w *attackedWorld) other(t *testing.T, report crawl.Report) (*attackedWorld, []string) {
	t.Helper()
	o := *w
	o.skills = map[string]crawl.People{}
	var changed []string
	for _, skill := range w.slugs() {
		o.skills[skill] = w.skills[skill]
		printed := w.mask(t, skill, w.skills[skill])
		candidates := peopleOf(report.Populations[skill])
		if len(w.skills[skill].TurnedDownFor) <= mostMoved {
			candidates = append(w.moved(w.skills[skill].TurnedDownFor), candidates...)
		}
		for _, c := range candidates[:min(len(candidates), mostTried)] {
			people := w.skills[skill]
			people.TurnedDownFor, people.TurnedDownWithout = c, c
			if reflect.DeepEqual(printed, w.mask(t, skill, people)) {
				o.skills[skill] = people
				changed = append(changed, skill)
				break
			}
		}
	}
	o.employed, o.sought = maps.Clone(w.employed), maps.Clone(w.sought)
	o.employed["camden"]--
	o.employed["islington"]++
	o.sought["digital"]--
	return &o, changed
}

// mostMoved and mostTried bound the search: the people of a skill of which one is
// moved, and the worlds that are tried.
const (
	mostMoved = 90
	mostTried = 40
)

// peopleOf turns the attacker's populations into people.
func peopleOf(populations []crawl.Witness) (out [][]madeup.Person) {
	for _, population := range populations {
		var people []madeup.Person
		for _, h := range population {
			for range h.N {
				people = append(people, madeup.Person{Place: h.Place, Sector: h.Sector, SOC: h.SOC, Level: h.Level, Source: h.Source, Age: h.From})
			}
		}
		out = append(out, people)
	}
	return out
}

// moved are the same people but for one person more, fewer or in another place,
// sector, occupation or level.
func (w *attackedWorld) moved(people []madeup.Person) (out [][]madeup.Person) {
	seen := map[madeup.Person]bool{}
	for i, p := range people {
		if seen[p] {
			continue
		}
		seen[p] = true
		out = append(out, slices.Delete(slices.Clone(people), i, i+1), append(slices.Clone(people), p))
		for _, f := range []struct {
			of  []string
			set func(*madeup.Person, string)
		}{
			{w.Places, func(p *madeup.Person, v string) { p.Place = v }}, {w.Sectors, func(p *madeup.Person, v string) { p.Sector = v }},
			{w.SOCs, func(p *madeup.Person, v string) { p.SOC = v }}, {w.Levels, func(p *madeup.Person, v string) { p.Level = v }},
		} {
			for _, v := range f.of {
				there := slices.Clone(people)
				f.set(&there[i], v)
				if there[i] != p {
					out = append(out, there)
				}
			}
		}
	}
	return out
}

// mask prints one skill as the pipeline does on its first run.
func (w *attackedWorld) mask(t *testing.T, skill string, people crawl.People) []disclosure.Printed {
	t.Helper()
	book, err := ledger.Open(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	end := w.end.Year()*12 + int(w.end.Month())
	oldest := 0
	for _, s := range w.skills {
		for _, p := range slices.Concat(s.TurnedDownFor, s.TurnedDownWith, s.HiredWith, s.HiredWithout) {
			oldest = max(oldest, p.Age)
		}
	}
	r := disclosure.Rules{Lattice: w.lattice(), MinEmployers: 3, Book: book, End: end, Launch: end - 1 - oldest}
	counts := make([]map[madeup.Cell]int64, 5)
	for i, of := range [][]madeup.Person{people.TurnedDownFor, people.HiredWith, people.HiredWithout, people.TurnedDownWith, people.TurnedDownWithout} {
		counts[i] = w.Count(of)
	}
	var cells []disclosure.Truth
	for _, c := range w.Grid() {
		truth := disclosure.Truth{Cell: disclosure.Cell(c), TurnedDownFor: counts[0][c], HiredWith: counts[1][c], HiredWithout: counts[2][c],
			TurnedDownWith: counts[3][c], TurnedDownWithout: counts[4][c]}
		for i := range truth.By { // small counts are of as many employers
			truth.By[i] = disclosure.Employers{Number: counts[i][c], Largest: min(counts[i][c], 1)}
			truth.Recent[i] = madeup.Recent(counts[i], c)
		}
		cells = append(cells, truth)
	}
	result, err := r.Skill(skill, cells)
	if err != nil {
		t.Fatal(err)
	}
	for i := range result.Printed {
		result.Printed[i].Withheld = mask.ReasonNone // the reason is not printed
	}
	return result.Printed
}

// lattice is the place tree and the public order of the world's adverts of the last
// calendar year.
func (w *attackedWorld) lattice() *lattice.Lattice {
	var areas []lattice.Area
	within := map[string][]string{}
	for slug, boroughs := range w.Areas {
		areas = append(areas, lattice.Area{Slug: slug, Boroughs: boroughs})
		for _, b := range boroughs {
			within[b] = append(within[b], slug)
		}
	}
	n := map[[2]string]int64{}
	w.eachAdvert(func(p madeup.Person, _ int) { // those of the small employers are of this year
		if at := firstOf(w.end, p.Age); at.Year() != w.end.Year()-1 {
			return
		}
		for _, place := range append([]string{p.Place}, within[p.Place]...) {
			n[[2]string{"place", place}]++
		}
		n[[2]string{"sector", p.Sector}]++
		n[[2]string{"soc", p.SOC}]++
		n[[2]string{"level", p.Level}]++
		n[[2]string{"source", p.Source}]++
	})
	var volumes []lattice.Volume
	for k, adverts := range n {
		volumes = append(volumes, lattice.Volume{Dim: k[0], Value: k[1], Adverts: adverts})
	}
	return lattice.New(areas, volumes)
}

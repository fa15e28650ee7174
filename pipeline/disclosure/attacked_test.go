package disclosure_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"labour/pipeline/disclosure"
	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
	"labour/snapshots/figure"
)

// long reports whether the whole of the attacks is asked for, as .ci/run does.
func long() bool { return os.Getenv("LABOUR_LONG") != "" }

// solver returns HiGHS, or skips the test.
func solver(t *testing.T) *attackertest.Solver {
	t.Helper()
	s := attackertest.FindSolver(filepath.Join("..", ".."))
	if s == nil {
		t.Skip("no python3 with highspy; .ci/run installs it into bin/venv")
	}
	return s
}

// printer prints skills of a made-up world, as the pipeline does.
type printer struct {
	world  synthtest.World
	rules  disclosure.Rules
	names  disclosure.Names
	number map[string]int
}

func newPrinter(w synthtest.World, protection disclosure.Protection) *printer {
	var areas []disclosure.Area
	for _, slug := range slices.Sorted(maps.Keys(w.Areas)) {
		areas = append(areas, disclosure.Area{Slug: slug, Boroughs: w.Areas[slug]})
	}
	p := &printer{world: w, rules: disclosure.Rules{Protection: protection, Places: disclosure.NewPlaces(w.Places, areas)}, number: map[string]int{}}
	p.names = disclosure.Names{Sectors: append([]string{""}, w.Sectors...), Sources: append([]string{""}, w.Sources...)}
	for _, names := range [][]string{p.names.Sectors, p.names.Sources} {
		for i, name := range names {
			p.number[name] = i
		}
	}
	return p
}

func (p *printer) combination(of synthtest.Person) disclosure.Combination {
	level := uint8(0)
	if of.Level != "" {
		level = of.Level[0] - '0'
	}
	return disclosure.Combination{Borough: p.rules.Places.Borough(of.Place), Sector: uint16(p.number[of.Sector]),
		SOC: disclosure.ParseSOC(of.SOC), Level: level, Source: uint8(p.number[of.Source])}
}

// outcomes are the people of one skill.
type outcomes struct{ turnedDownFor, hiredWith, hiredWithout, turnedDownWith, turnedDownWithout []synthtest.Person }

// print prints one skill after earlier releases.
func (p *printer) print(adverts []synthtest.Person, people outcomes, past []disclosure.Release) []disclosure.Printed {
	skill := &disclosure.Skill{Names: p.names, Month: disclosure.MonthOf(p.world.Newest/12, p.world.Newest%12+1), Past: past}
	for _, a := range adverts {
		skill.Asked = append(skill.Asked, p.combination(a))
	}
	for _, of := range []struct {
		people []synthtest.Person
		kind   disclosure.Kind
		had    bool
	}{{people.turnedDownFor, disclosure.TurnedDownFor, false}, {people.hiredWith, disclosure.Hired, true}, {people.hiredWithout, disclosure.Hired, false},
		{people.turnedDownWith, disclosure.TurnedDown, true}, {people.turnedDownWithout, disclosure.TurnedDown, false}} {
		for _, one := range of.people {
			skill.People = append(skill.People, disclosure.Person{Combination: p.combination(one), Kind: of.kind, Had: of.had, Age: uint8(one.Age)})
		}
	}
	rows, _ := p.rules.Print(skill)
	return rows
}

// figures are the counts of people turned down that were printed; what can be asked
// for and was not printed is null.
func (p *printer) figures(name string, adverts []synthtest.Person, rows []disclosure.Printed, people []synthtest.Person) attackertest.Figures {
	f := attackertest.Figures{Name: name, World: p.world, Adverts: adverts, Tokens: map[synthtest.Cell]string{}, People: people, Exact: p.rules.Protection == disclosure.Plain}
	for _, cell := range p.world.Cells(adverts) {
		f.Tokens[cell] = "null"
	}
	for _, r := range rows {
		f.Tokens[synthtest.CellOf(r.Signature, r.Place, r.Value, r.Window)] = token(r.TurnedDown)
	}
	return f
}

func token(c figure.Count) string {
	if c.Status() == figure.Small {
		return "<5"
	}
	if n, ok := c.Number(); ok {
		return fmt.Sprint(n)
	}
	return "null"
}

// world returns a made-up world, of a shape that depends on the seed, and which
// combinations of it have adverts.
func world(seed int) (w synthtest.World, adverts []synthtest.Person) {
	w = synthtest.World{Places: synthtest.Names("place", 2+seed%4), Sectors: synthtest.Names("sector", 2+seed%3), Levels: []string{"1", "2", "3"}[:1+seed%3],
		SOCs: []string{"2134", "2135", "2212", "6135", "6136", "9233"}[:2+seed%5], Sources: []string{"platform", "employer_boards"}[:1+seed%2], Newest: 2026*12 + 8}
	w.Areas = map[string][]string{"north": w.Places[:2]}
	if len(w.Places) > 3 {
		w.Areas["canal"] = w.Places[1:3]
		w.Areas["wide"] = w.Places[:3]
	}
	draw := w.NewDrawer(uint64(seed))
	seen := map[synthtest.Person]bool{}
	for _, p := range draw.People(20 + 10*(seed%7)) { // most occupations lie in few sectors
		p.Age = 0
		if !seen[p] {
			seen[p] = true
			adverts = append(adverts, p)
		}
	}
	return w, adverts
}

// peopleOf draws people in the combinations that have adverts, most in few of them.
func peopleOf(w synthtest.World, adverts []synthtest.Person, seed uint64, n int) []synthtest.Person {
	weights := synthtest.World{Places: synthtest.Names("", len(adverts)), Newest: w.Newest}
	index := map[string]synthtest.Person{}
	for i, name := range weights.Places {
		index[name] = adverts[i]
	}
	people := weights.NewDrawer(seed).People(n)
	for i, p := range people {
		people[i] = index[p.Place]
		people[i].Age = p.Age
	}
	return people
}

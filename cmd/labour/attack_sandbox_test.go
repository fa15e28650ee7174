package main

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
	"labour/snapshots"
	"labour/snapshots/figure"
	"labour/snapshots/parquetio"
	"labour/sources"
	"labour/sources/sandbox"
)

// attackedSandbox is a made-up world of the sandbox, what is printed of it, and the
// people behind it, counted from the raw feed.
type attackedSandbox struct {
	t       *testing.T
	p       *published
	o       *oracle
	world   synthtest.World
	adverts map[string][]synthtest.Person // by skill
	// askable are the cells of a skill whose filters match enough adverts.
	askable map[string]map[synthtest.Cell]bool
	printed map[string]map[synthtest.Cell]printedRow // by skill
}

// TestSandboxIsNotWorkedOut crawls the sandbox and reads its released file, attacks all
// skills by tightening and some by linear programs, and compares what is printed with
// the truth.
func TestSandboxIsNotWorkedOut(t *testing.T) {
	longOnly(t)
	size, solved := attackedSize()
	s := newAttackedSandbox(t, publishCopy(t, func() (string, error) { return runOnWorld(size) }))
	s.readFile()
	s.crawl()
	var u utility
	var tightened attackertest.Verdict
	var systems []*attackertest.System
	skills := slices.Sorted(maps.Keys(s.adverts))
	for i, skill := range skills {
		f := s.figures(skill)
		u.add(t, f)
		cells, err := f.Cells()
		if err != nil {
			t.Fatal(err)
		}
		tightened.Add(cells.Tighten())
		if i*solved/len(skills) == (i+1)*solved/len(skills) {
			continue
		}
		atoms, err := f.Atoms()
		if err != nil {
			t.Fatal(err)
		}
		systems = append(systems, atoms)
	}
	t.Logf("by tightening: %v", tightened)
	report(t, tightened.Leaks)
	t.Logf("of %d counts of 5 or more, %d are numbers and %d withdrawn", u.large, u.numbers, u.withdrawn)
	if u.withdrawn*1000 > u.large || u.large < 1000 || tightened.Small < 1000 {
		t.Errorf("utility: %+v; %v", u, tightened)
	}
	s.shares()
	s.solve(systems)
}

// attackedSize is the size of the sandbox in the long forms, and how many of its skills are
// attacked by linear programs.
func attackedSize() (size sandbox.Size, solved int) {
	if longestForms() {
		return sandbox.DefaultSize(), 6
	}
	return sandbox.Size{Adverts: 3000, Residents: 10_000, Applications: 60_000}, 20
}

func newAttackedSandbox(t *testing.T, p *published) *attackedSandbox {
	s := &attackedSandbox{t: t, p: p, o: newOracle(t, p.options.Config, p.data, sources.DateOf(*p.clock)), adverts: map[string][]synthtest.Person{},
		askable: map[string]map[synthtest.Cell]bool{}, printed: map[string]map[synthtest.Cell]printedRow{}}
	s.world = synthtest.World{Areas: map[string][]string{}, Newest: monthNumber(s.o.peopleAsOf)}
	for slug, boroughs := range s.o.areas {
		if len(boroughs) == 1 && boroughs[0] == slug {
			s.world.Places = append(s.world.Places, slug)
		} else {
			s.world.Areas[slug] = boroughs
		}
	}
	slices.Sort(s.world.Places)
	values := [4]map[string]bool{{}, {}, {}, {}}
	for i := range s.o.vacancies {
		v := &s.o.vacancies[i]
		for skill, level := range v.asked {
			for _, c := range combinationsOf(v, level) {
				s.adverts[skill] = append(s.adverts[skill], c)
				for i, value := range []string{c.Sector, c.SOC, c.Level, c.Source} {
					values[i][value] = value != ""
				}
			}
		}
	}
	for i, into := range []*[]string{&s.world.Sectors, &s.world.SOCs, &s.world.Levels, &s.world.Sources} {
		delete(values[i], "")
		*into = slices.Sorted(maps.Keys(values[i]))
	}
	s.findAskable()
	return s
}

// combinationsOf are those that an advert asks a skill in: one for each of its boroughs.
func combinationsOf(v *vacancy, level int) (out []synthtest.Person) {
	p := synthtest.Person{Sector: v.sector, SOC: v.soc, Level: number(level), Source: v.source}
	for borough := range v.boroughs {
		p.Place = borough
		out = append(out, p)
	}
	if len(out) == 0 {
		out = append(out, p)
	}
	return out
}

// findAskable finds the cells that can be asked for: filters that match at least 5
// adverts of 3 employers, one of which asks for the skill.
func (s *attackedSandbox) findAskable() {
	type matching struct {
		adverts   int
		employers map[string]bool
	}
	all, newest := map[synthtest.Cell]*matching{}, monthNumber(s.o.asOf)
	each := func(v *vacancy, level int, fn func(synthtest.Cell)) {
		seen := map[synthtest.Cell]bool{}
		for _, c := range combinationsOf(v, level) {
			c.Age = max(0, newest-v.month)
			for cell := range s.world.Count([]synthtest.Person{c}) {
				if cell.Dim != "month" && !seen[cell] {
					seen[cell] = true
					fn(cell)
				}
			}
		}
	}
	for i := range s.o.vacancies {
		v := &s.o.vacancies[i]
		each(v, 0, func(cell synthtest.Cell) {
			if all[cell] == nil {
				all[cell] = &matching{employers: map[string]bool{}}
			}
			all[cell].adverts++
			all[cell].employers[v.employer] = true
		})
	}
	for i := range s.o.vacancies {
		v := &s.o.vacancies[i]
		for skill, level := range v.asked {
			if s.askable[skill] == nil {
				s.askable[skill] = map[synthtest.Cell]bool{}
			}
			each(v, level, func(cell synthtest.Cell) {
				floor := cell
				if cell.Dim == "level" { // the level narrows what is asked and not which adverts there are
					floor.Dim, floor.Value = "", ""
				}
				if m := all[floor]; m.adverts >= 5 && len(m.employers) >= 3 {
					s.askable[skill][cell] = true
				}
			})
		}
	}
}

// readFile reads the released file.
func (s *attackedSandbox) readFile() {
	s.t.Helper()
	table := filepath.Join(s.p.data, "snapshots", s.o.asOf.String()+".1", "tables", "people.parquet")
	rows, err := parquetio.ReadAll[snapshots.PeopleRow](table)
	if err != nil {
		s.t.Fatal(err)
	}
	share := func(tenths *figure.Tenths) string {
		if tenths == nil {
			return "null"
		}
		return strings.TrimSuffix(string(figure.AppendTenths(nil, *tenths)), ".0")
	}
	for _, r := range rows {
		row := printedRow{TurnedDown: "null", HiredWith: share(r.HiredWithSkillPct), TurnedDownWith: share(r.TurnedDownWithSkillPct)}
		switch {
		case r.PeopleTurnedDown != nil:
			row.TurnedDown = strconv.Itoa(int(*r.PeopleTurnedDown))
		case r.PeopleTurnedDownStatus == figure.Small:
			row.TurnedDown = "<5"
		}
		if s.printed[r.Skill] == nil {
			s.printed[r.Skill] = map[synthtest.Cell]printedRow{}
		}
		s.printed[r.Skill][synthtest.CellOf(r.Signature, r.Place, r.Value, int(r.WindowMonths))] = row
	}
}

// crawl asks the interface, with several keys, and compares with the file: it must
// print the same, and no more. Occupations of a place are asked for some skills only.
func (s *attackedSandbox) crawl() {
	s.t.Helper()
	client := s.p.attacker()
	skills := slices.Sorted(maps.Keys(s.adverts))
	space := crawlSpace{World: s.world, Skills: skills, Broken: skills[:1], Without: true}
	unmet, err := client.skillsUnmet(s.t.Context(), space)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := client.rest(s.t.Context(), crawlSpace{World: s.world}); err != nil {
		s.t.Fatal(err)
	}
	report(s.t, slices.Concat(unmet.Faults, client.Small))
	compared, odd, different := 0, 0, []string(nil)
	for skill, rows := range unmet.Rows {
		for cell, row := range rows {
			printed, ok := s.printed[skill][cell]
			if !ok {
				printed = printedRow{TurnedDown: "null", HiredWith: "null", TurnedDownWith: "null"}
			}
			if compared++; printed != row {
				different = append(different, fmt.Sprintf("%s %+v: the file has %+v, the interface prints %+v", skill, cell, printed, row))
			}
			if cell.Dim != "month" && !s.askable[skill][cell] {
				odd++
			}
		}
	}
	report(s.t, different)
	s.t.Logf("%d calls; %d rows are the same in file and interface; %d are not thought askable", client.Calls, compared, odd)
	residents := map[string]int{}
	for _, r := range s.o.residents {
		residents[r.Borough]++
	}
	var noScore []string
	for _, row := range unmet.NoScore {
		for borough, n := range residents {
			if n >= 20 && strings.Contains(row, fmt.Sprintf("in %q", borough)) {
				noScore = append(noScore, fmt.Sprintf("no score: %s, with %d residents", row, n))
			}
		}
	}
	report(s.t, noScore)
	if odd*100 > compared {
		s.t.Errorf("%d of %d rows are not thought askable", odd, compared)
	}
}

// figures are the counts of people turned down of a skill.
func (s *attackedSandbox) figures(skill string) attackertest.Figures {
	f := attackertest.Figures{Name: skill, World: s.world, Adverts: s.adverts[skill], Tokens: map[synthtest.Cell]string{}}
	for cell := range s.askable[skill] {
		f.Tokens[cell] = "null"
	}
	for cell, row := range s.printed[skill] {
		f.Tokens[cell] = row.TurnedDown
	}
	f.People = s.people(skill, "for", nil)
	return f
}

// people are those of a measure of the oracle; had keeps those who had the skill or not.
func (s *attackedSandbox) people(skill, measure string, had *bool) (people []synthtest.Person) {
	for _, e := range s.o.latest[measure] {
		if e.skill == skill && (had == nil || *had == e.had) {
			people = append(people, synthtest.Person{Place: e.place, Sector: e.v.sector, SOC: e.v.soc, Level: number(e.level), Source: e.v.source,
				Age: monthNumber(s.o.peopleAsOf) - e.month})
		}
	}
	return people
}

// shares compares every printed share with that of the printed parts, and tells how
// many cells have one.
func (s *attackedSandbox) shares() {
	s.t.Helper()
	yes, cells := true, 0
	shown, wrong := map[string]int{}, []string(nil)
	for skill, askable := range s.askable {
		for _, measure := range []string{"hired", "turned"} {
			with, all := s.world.Count(s.people(skill, measure, &yes)), s.world.Count(s.people(skill, measure, nil))
			for cell := range askable {
				cells++
				row, ok := s.printed[skill][cell]
				printed := map[string]string{"hired": row.HiredWith, "turned": row.TurnedDownWith}[measure]
				if !ok || printed == "null" {
					continue
				}
				shown[measure]++
				of, _ := strconv.ParseFloat(attackertest.Round(all[cell]), 64)
				part, err := strconv.ParseFloat(attackertest.Round(with[cell]), 64)
				if err != nil {
					part = 2.5
				}
				if got, err := strconv.ParseFloat(printed, 64); err != nil || of < 20 || math.Abs(got-100*part/of) > 0.5001 || got != math.Trunc(got) {
					wrong = append(wrong, fmt.Sprintf("%s %+v prints a share of %s, of %d in %d", skill, cell, printed, with[cell], all[cell]))
				}
			}
		}
	}
	report(s.t, wrong)
	s.t.Logf("of %d cells that can be asked for, %d have a printed share of those hired and %d of those turned down", cells/2, shown["hired"], shown["turned"])
}

// solve attacks some skills by linear programs.
func (s *attackedSandbox) solve(systems []*attackertest.System) {
	s.t.Helper()
	solver := attackertest.FindSolver(filepath.Join("..", ".."))
	if solver == nil {
		s.t.Skip("no python3 with highspy; .ci/run installs it into bin/venv")
	}
	solver.Sample = 10
	v, err := solver.Solve(systems...)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Logf("by linear programs: %v", v)
	report(s.t, v.Leaks)
}

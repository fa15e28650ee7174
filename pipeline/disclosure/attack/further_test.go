package attack

import (
	"fmt"
	"slices"
	"testing"

	"labour/pipeline/disclosure/attackertest"
	"labour/pipeline/disclosure/synthtest"
)

// further returns a world whose releases are not made by runs, of few skills in the short form.
func further(seed uint64) (w *world, list []release) {
	skills := 1
	if long() {
		skills = 12
	}
	w = newWorld(traits{seed: seed, skills: skills, outcomes: []string{turnedDownFor}})
	return w, w.unpublished(releases)
}

// solved judges systems.
func solved(t *testing.T, name string, systems []*attackertest.AttackerKnowledge) attackertest.AttackResult {
	t.Helper()
	v, err := solver(t).Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s: %s", name, v)
	if v.SmallGroups < 50 {
		t.Errorf("%s: only %d small groups", name, v.SmallGroups)
	}
	return v
}

// TestSecondDraw attacks eight releases that were each printed twice, under two secrets:
// somewhat less than 1 in 100 small groups is found. A secret that is lost or changed gives a
// reader less: two draws of those who are counted before and after.
func TestSecondDraw(t *testing.T) {
	w, list := further(11)
	other := documents
	other.draw = "another"
	var systems []*attackertest.AttackerKnowledge
	for _, skill := range w.skills {
		k := w.studied(skill, list, noneAgain)
		for q, r := range w.reprinted(list, other) {
			said := w.understood(skill, r, q)
			k.readPrinted(q, said)
			k.readUnlike(q, said)
		}
		k.aim(w, skill, len(list))
		systems = append(systems, k.system)
	}
	if v := solved(t, "two draws", systems); v.DisclosedCount > v.SmallGroups/100 {
		t.Errorf("two draws give away %s: %v", v, v.DisclosedGroups[:min(10, len(v.DisclosedGroups))])
	}
}

// TestSkillsAskedTogether attacks eight skills that the same adverts ask for of the same people. The
// same people print the same under every skill, so eight skills tell no more than one. If the draw were
// another one for each skill, they would give groups away.
func TestSkillsAskedTogether(t *testing.T) {
	from, to := uint64(43), uint64(47)
	if long() {
		from, to = 0, 100
	}
	var byPerson, bySkill []*attackertest.AttackerKnowledge
	for seed := from; seed < to; seed++ {
		w := newWorld(traits{seed: seed, skills: 8, outcomes: []string{turnedDownFor}, bundle: true})
		if seed == from {
			w.same(t, w.publish(t, 1))
		}
		byPerson = append(byPerson, w.studiedTogether(func(string) rules { return documents }))
		bySkill = append(bySkill, w.studiedTogether(func(skill string) rules {
			other := documents
			other.draw = skill
			return other
		}))
	}
	if v := solved(t, "a key of the person", byPerson); v.DisclosedCount > 0 {
		t.Errorf("skills that are asked together give away %s: %v", v, v.DisclosedGroups)
	}
	if v := solved(t, "a key of the person and the skill", bySkill); v.DisclosedCount < v.SmallGroups/50 {
		t.Errorf("eight draws of the same people hold: %s", v)
	}
}

// studiedTogether returns what follows of one release for all skills at once, if each is printed by the
// rules that by returns.
func (w *world) studiedTogether(by func(skill string) rules) *attackertest.AttackerKnowledge {
	list := w.unpublished(1)
	var k *knowledge
	for _, skill := range w.skills {
		list[0].rules = by(skill)
		list[0].turnedDown[skill] = w.printed(list[0].rules, skill, 0)
		if k == nil {
			k = w.studied(skill, list, mayReapply)
			continue
		}
		said := w.understood(skill, list[0], 0)
		k.readPrinted(0, said)
		k.readUnlike(0, said)
	}
	k.aim(w, w.skills[0], 1)
	return k.system
}

// TestAllButOne attacks each group of the first release by somebody who knows all of its people but one,
// with their combinations of values, and asks how many others there are.
func TestAllButOne(t *testing.T) {
	w, list := further(12)
	var systems []*attackertest.AttackerKnowledge
	for _, skill := range w.skills {
		k := w.studied(skill, list[:1], noneAgain)
		in, people := map[synthtest.Cell][]event{}, w.latest(skill, 0, turnedDownFor)
		for _, resident := range sortedKeys(people) {
			for _, cell := range w.CellsOfPerson(people[resident].at) {
				in[cell] = append(in[cell], people[resident])
			}
		}
		for cell, members := range in {
			if cell.Filter == "source" { // everybody
				continue
			}
			one := *k.system
			one.Name = fmt.Sprintf("%s, %+v", one.Name, cell)
			one.Rows = slices.Clone(one.Rows)
			known := map[size]int64{}
			for _, e := range members[1:] {
				known[size{e.at, e.quarter, 0}]++
			}
			for of, n := range known {
				one.AddSumBounds(n, attackertest.NoUpperLimit, []int32{k.named[of]}, nil)
			}
			one.Targets = []attackertest.SmallGroup{{Name: one.Name, Unknowns: k.of(cell, 0), TrueSize: int64(len(members))}}
			systems = append(systems, &one)
		}
	}
	if v := solved(t, "all but one", systems); v.DisclosedCount > v.SmallGroups/200 {
		t.Errorf("who knows all but one finds %s: %v", v, v.DisclosedGroups[:min(10, len(v.DisclosedGroups))])
	}
}

// TestSharesAreAttacked attacks the hired and the turned down of a release by the shares of those who had
// the skill.
func TestSharesAreAttacked(t *testing.T) {
	skills := 2
	if long() {
		skills = 24
	}
	w := newWorld(traits{seed: 13, skills: skills, crowd: 5,
		outcomes: []string{hiredHad, hiredHads, turnedDownFor, turnedDownHad}})
	list := w.publish(t, 1)
	var systems []*attackertest.AttackerKnowledge
	shares := 0
	for _, skill := range w.skills {
		hired, turnedDown := list[0].hired[skill], list[0].turnedDownWith[skill]
		shares += len(hired) + len(turnedDown)
		systems = append(systems, w.studiedShares(skill, "hired", list[0], hired, hiredHad, hiredHads),
			w.studiedShares(skill, "turned down", list[0], turnedDown, turnedDownHad, turnedDownFor))
	}
	t.Logf("%d shares are printed", shares)
	if v := solved(t, "shares", systems); v.DisclosedCount > 0 || shares < 10 {
		t.Errorf("%d shares give away %s: %v", shares, v, v.DisclosedGroups[:min(10, len(v.DisclosedGroups))])
	}
}

// studiedShares returns what follows from the printed shares of those who had a skill, of the
// people of two outcomes. The printed counts of a part and its whole are not known, only that the whole
// prints 20 or more.
func (w *world) studiedShares(skill, name string, r release, shares map[synthtest.Cell]int, hadIt,
	hadItNot string) *attackertest.AttackerKnowledge {
	s := &attackertest.AttackerKnowledge{Name: fmt.Sprintf("world %d, %s, %s", w.seed, name, skill)}
	truth := map[bool]map[synthtest.Person]int64{true: {}, false: {}}
	for _, e := range w.latest(skill, 0, hadIt, hadItNot) {
		truth[e.outcome == hadIt][e.at]++
	}
	part, rest := map[synthtest.Cell][]int32{}, map[synthtest.Cell][]int32{}
	begins := r.begins[skill]
	for _, c := range sortedPeople(begins) {
		had, not := s.AddUnknown(truth[true][c]), s.AddUnknown(truth[false][c])
		if begins[c] >= inWindow { // there was no advert yet
			s.AddSumBounds(0, 0, []int32{had, not}, nil)
		}
		for _, cell := range w.CellsOfPerson(c) {
			part[cell], rest[cell] = append(part[cell], had), append(rest[cell], not)
		}
	}
	for _, cell := range w.cells(skill, 0) {
		if share, ok := shares[cell]; ok {
			s.AddSumBounds(20-4, attackertest.NoUpperLimit, slices.Concat(part[cell], rest[cell]), nil)
			boundShare(s, int64(share), share == 100, part[cell], rest[cell])
		}
		s.AddSmallGroup(fmt.Sprintf("%+v, had it", cell), part[cell])
		s.AddSmallGroup(fmt.Sprintf("%+v, had it not", cell), rest[cell])
		s.AddSmallGroup(fmt.Sprintf("%+v", cell), slices.Concat(part[cell], rest[cell]))
	}
	return s
}

// Package attack tests whether published figures disclose people. It runs the pipeline on two years
// of made-up people and attacks the released files. It imports no code of the rules and knows them
// only from the documents.
package attack

import (
	"os"
	"path/filepath"
	"testing"

	"labour/pipeline/disclosure/attackertest"
)

// long reports whether the long forms of tests are asked for.
func long() bool { return os.Getenv("LABOUR_LONG") != "" }

func solver(t *testing.T) *attackertest.Solver {
	t.Helper()
	s := attackertest.FindSolver(filepath.Join("..", "..", ".."))
	if s == nil {
		t.Skip("no python3 with highspy; .ci/run installs it into bin/venv")
	}
	return s
}

// attacker is the knowledge of an attacker beyond the printed figures.
type attacker struct {
	takes    assumption
	wrongly  bool
	employer bool // knows the applicants to a third of the adverts, and asks about the others
}

// attack judges skills of a world by what some releases print.
func (w *world) attack(t *testing.T, list []release, skills []string, by attacker) attackertest.AttackResult {
	t.Helper()
	var systems []*attackertest.AttackerKnowledge
	for _, skill := range skills {
		k := w.studied(skill, list, by.takes)
		k.system.MayBeWrong = by.wrongly
		if by.employer {
			k.knowOwn(w.sizes(skill, len(list), bigEmployer))
			k.aimAtOthers(w, skill, len(list))
		} else {
			k.aim(w, skill, len(list))
		}
		systems = append(systems, k.system)
	}
	v, err := solver(t).Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// series is a world of many small ones, and how many small groups attackers find of what eight
// quarterly releases print of it: figures that only ever fall.
type series struct {
	traits
	found   int // with assumptions that are true
	hasty   int // who takes it that nobody applies again, in part wrongly
	insider int // the employer with a third of the adverts, about the others
}

// attacked returns the worlds of the short form or of the long one.
func attacked() map[string]series {
	one := []string{turnedDownFor}
	all := map[string]series{"a few small worlds": {traits: traits{seed: 1, skills: 2, outcomes: one}}}
	if long() {
		all["a few more"] = series{traits: traits{seed: 5, skills: 12, outcomes: one}, found: 0}
		all["nobody applies again"] = series{traits{seed: 1, skills: 50, outcomes: one}, 0, 0, 60}
		all["one in four does"] = series{traits{seed: 2, skills: 50, reapply: .25, outcomes: one}, 0, 1, 36}
	}
	return all
}

// TestEightReleases attacks eight quarterly releases. With true assumptions nobody is turned down before
// there is an advert, each counts at the most recent event, the same people print the same, and where
// nobody applies again the attacker knows it.
func TestEightReleases(t *testing.T) {
	for name, of := range attacked() {
		t.Run(name, func(t *testing.T) {
			w := newWorld(of.traits)
			list := w.publish(t, releases)
			w.same(t, list)
			takes := assumption(of.reapply == 0)
			v := w.attack(t, list, w.skills, attacker{takes: takes})
			judge(t, "true assumptions", v, of.found)
			if takes == mayReapply {
				v := w.attack(t, list, w.skills, attacker{takes: noneAgain, wrongly: true})
				judge(t, "nobody applies again, wrongly", v, of.hasty)
			}
			if len(w.skills) > 12 {
				v := w.attack(t, list, w.skills, attacker{takes: takes, employer: true})
				judge(t, "an employer about the others", v, of.insider)
				return
			}
			w.attackNeighbours(t, list)
			if len(w.skills) > 2 {
				return
			}
			for name, weak := range map[string]rules{"nearest 5, and small groups divided": {nearest: true},
				"nearest 5, and null below <5": {nearest: true, whole: 5}} {
				v = w.attack(t, w.reprinted(list, weak), w.skills[:1], attacker{takes: takes})
				t.Log(name+": ", v)
				if v.DisclosedCount < v.SmallGroups/50 {
					t.Errorf("%s: weak rules hold: %s", name, v)
				}
			}
		})
	}
}

// judge fails the test where an attacker finds more than is known to be found.
func judge(t *testing.T, name string, v attackertest.AttackResult, most int) {
	t.Helper()
	t.Logf("%s: %s", name, v)
	if v.SmallGroups < 100 {
		t.Errorf("%s: only %d small groups", name, v.SmallGroups)
	}
	if v.DisclosedCount > most {
		t.Errorf("%s: %d are found, at most %d are known: %v", name, v.DisclosedCount, most,
			v.DisclosedGroups[:min(10, len(v.DisclosedGroups))])
	}
}

// attackNeighbours judges residents below a level, their complement, and the people at section 106 sites.
func (w *world) attackNeighbours(t *testing.T, list []release) {
	t.Helper()
	var residents, over, sites []*attackertest.AttackerKnowledge
	var every []neighbours
	for q, r := range list {
		sites = append(sites, w.studiedSites(q, r.jobs))
		every = append(every, r.neighbours)
		for _, skill := range w.skills {
			residents = append(residents, w.studiedResidents(skill, q, r.neighbours))
		}
	}
	for _, skill := range w.skills {
		over = append(over, w.studiedResidents(skill, 0, every...))
	}
	for name, systems := range map[string][]*attackertest.AttackerKnowledge{"residents": residents,
		"residents, all releases": over, "section 106": sites} {
		v, err := solver(t).Solve(systems...)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s", name, v)
		if v.SmallGroups == 0 || v.DisclosedCount > 0 {
			t.Errorf("%s: %s: %v", name, v, v.DisclosedGroups)
		}
	}
}

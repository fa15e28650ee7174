// Package attack attacks what real runs of the pipeline print of made-up people over two years. It
// imports nothing of the rules: it knows what the documents say of them, and reads released files.
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

// attack judges skills of a world by what some releases print.
func (w *world) attack(t *testing.T, list []release, takes assumption, skills []string) attackertest.Verdict {
	t.Helper()
	var systems []*attackertest.System
	for _, skill := range skills {
		k := w.studied(skill, list, takes)
		k.aim(w, skill, len(list))
		systems = append(systems, k.system)
	}
	v, err := solver(t).Solve(systems...)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// series is a world, and how many small groups an attacker finds of what eight quarterly releases
// print of it: a figure that only ever falls.
type series struct {
	traits
	found int
}

// TestTrueAssumptions attacks eight quarterly releases with assumptions that are true: nobody is turned
// down before there is an advert, each counts at the most recent event, and the same people print the
// same. Where nobody applies again the attacker knows it.
func TestTrueAssumptions(t *testing.T) {
	all := map[string]series{"nobody applies again": {traits{seed: 1, skills: 2, outcomes: []string{turnedDownFor}}, 0}}
	if long() {
		all["one in four does"] = series{traits{seed: 2, skills: 3, reapply: .25, outcomes: []string{turnedDownFor}}, 9}
	}
	for name, of := range all {
		t.Run(name, func(t *testing.T) {
			w := newWorld(of.traits)
			list := w.publish(t, releases)
			w.same(t, list)
			v := w.attack(t, list, assumption(of.reapply == 0), w.skills)
			t.Log(v)
			if v.Small < 100 || v.Pinned > of.found {
				t.Errorf("%d small groups, %d found, want at most %d: %v", v.Small, v.Pinned, of.found, v.Leaks)
			}
			w.breaks(t, list, assumption(of.reapply == 0))
		})
	}
}

// breaks holds that the same attacker finds much where the nearest multiple of 5 is printed and small
// groups are divided.
func (w *world) breaks(t *testing.T, list []release, takes assumption) {
	t.Helper()
	v := w.attack(t, w.reprinted(list, rules{nearest: true}), takes, w.skills[:1])
	t.Log("nearest 5, and small groups divided: ", v)
	if v.Pinned < v.Small/20 {
		t.Errorf("weak rules hold: %s", v)
	}
}
